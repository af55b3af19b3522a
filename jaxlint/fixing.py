"""Fixes: text edits made to text, and the changed text put back into its file, whole or not at all."""

from __future__ import annotations

import ast
import codecs
import os
import re
import stat
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jaxlint.files import Undecodable, declared_encoding, decode, reason
from jaxlint.findings import Applicability, Edit, Finding, Fix, Span
from jaxlint.notebook import Notebook, editing
from jaxlint.source import Source

_LINE_END = re.compile(r"\r\n|\r|\n")


class FixError(Exception):
    """A file was left as it is. The text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after some fixes, and the findings whose fixes are in it."""

    text: str
    applied: tuple[Finding, ...]


def wanted(findings: Iterable[Finding], *, unsafe: bool) -> dict[str, list[Finding]]:
    """The findings that have a fix to apply, by file, in the order of their places."""
    levels = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    found: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: finding.sort_key):
        if finding.fix is not None and finding.fix.applicability in levels and finding.fix.edits:
            found.setdefault(finding.filename, []).append(finding)
    return found


def apply(text: str, findings: Sequence[Finding]) -> Fixed:
    """Make the edits of the findings' fixes. Of fixes that overlap the first is made; the next round sees the rest.

    A fix whose result does not parse, alone or with those before it, is left out.
    """
    starts = _line_starts(text)
    newline = _newline(text)
    edits: list[tuple[int, int, str]] = []
    applied: list[Finding] = []
    for finding in findings:
        assert finding.fix is not None
        new = [_placed(edit, starts, text, newline) for edit in finding.fix.edits]
        # two findings may ask for one and the same edit (an import, a rename of a shared line)
        fresh = [edit for edit in new if edit not in edits]
        if any(_overlap(edit, other) for edit in fresh for other in edits):
            continue
        if _parses(_with(text, [*edits, *fresh])):
            edits += fresh
            applied.append(finding)
    return Fixed(_with(text, edits), tuple(applied))


def apply_to(source: Source, findings: Sequence[Finding]) -> Fixed:
    """Make the fixes to a file: `apply`, and for a notebook the JSON with the changed cells."""
    if not isinstance(source, Notebook):
        return apply(source.text, findings)
    inside: dict[Finding, Finding] = {}
    for finding in findings:
        assert finding.fix is not None
        edits = [replace(edit, span=source.joined(edit.span)) for edit in finding.fix.edits]
        kept = editing.within_cells(source, edits)
        if kept is not None:
            inside[replace(finding, fix=replace(finding.fix, edits=tuple(kept)))] = finding
    result = apply(source.text, list(inside))
    made = [edit for finding in result.applied if finding.fix is not None for edit in finding.fix.edits]
    return Fixed(editing.with_edits(source, made), tuple(inside[finding] for finding in result.applied))


def document(source: Source, text: str) -> str:
    """The file of `source` with `text` in place of its own, whose lines have grown or become more."""
    if not isinstance(source, Notebook):
        return text
    edits = editing.within_cells(source, editing.line_edits(source.text, text))
    return source.document if edits is None else editing.with_edits(source, edits)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def _newline(text: str) -> str:
    first = _LINE_END.search(text)
    return first.group() if first else "\n"


def _placed(edit: Edit, starts: Sequence[int], text: str, newline: str) -> tuple[int, int, str]:
    span: Span = edit.span
    last = len(starts)
    begin = starts[min(span.row, last) - 1] + span.column - 1
    end = starts[min(span.end_row, last) - 1] + span.end_column - 1
    return min(begin, len(text)), min(end, len(text)), edit.content.replace("\n", newline)


def _overlap(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    if one[0] == one[1] and other[0] == other[1]:
        return one[0] == other[0]  # two insertions at one place have no order
    return one[0] < other[1] and other[0] < one[1]


def _with(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for begin, end, content in sorted(edits, reverse=True):
        text = text[:begin] + content + text[end:]
    return text


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


# ---- files ---------------------------------------------------------------------------------------------


def rewrite(path: str, before: str, after: str) -> None:
    """Replace the content of a file. Mode, encoding, byte order mark and line ends stay as they are.

    `before` is the text that the fixes were made for. Raises FixError when the file holds another text by now, when
    the new text cannot be written in the file's encoding, or when the file cannot be written. The new content is
    put in place in one step, so that an interruption leaves the old file or the new one, never a part of either.
    """
    target = os.path.realpath(path)  # a link stays a link: what it leads to is rewritten
    try:
        data = Path(target).read_bytes()
        if decode(data) != before:
            raise FixError(f"{path}: changed while it was checked; not fixed. Run again.")
        put(target, encoded(data, after))
    except (OSError, Undecodable) as error:
        why = reason(error) if isinstance(error, OSError) else error.message
        raise FixError(f"{path}: not fixed: {why}") from None
    except UnicodeEncodeError as error:
        raise FixError(f"{path}: not fixed: its encoding has no {error.object[error.start]!r}") from None


def encoded(data: bytes, text: str) -> bytes:
    """`text` in the encoding of a file that holds `data`, with its byte order mark."""
    marked = data.startswith(codecs.BOM_UTF8)
    encoding = declared_encoding(data[len(codecs.BOM_UTF8) :] if marked else data) or "utf-8"
    body = text.encode("utf-8" if marked else encoding)
    return codecs.BOM_UTF8 + body if marked else body


def put(path: str, data: bytes) -> None:
    """Write a file in one step: at each moment it holds the old content or the new. Raises OSError."""
    target = os.path.realpath(path)
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    _replace(target, data, mode)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _replace(target: str, data: bytes, mode: int) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".jaxlint-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def count(findings: Iterable[Finding]) -> tuple[int, int]:
    """How many findings have a safe fix, and how many an unsafe one."""
    fixes: list[Fix] = [finding.fix for finding in findings if finding.fix is not None]
    safe = sum(fix.applicability is Applicability.SAFE for fix in fixes)
    return safe, sum(fix.applicability is Applicability.UNSAFE for fix in fixes)
