"""Files that cannot be read or parsed: what is wrong, where, and which Python would read them."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jaxlint.findings import Confidence, Finding, Severity, Span
from jaxlint.source import Source

CODE = "JAX000"
NAME = "syntax-error"
_MAGIC_HELP = "This seems to be a notebook's magic: a script has them in comments (`# %time f(x)`), as jupytext writes."
TOO_DEEP = "nested too deeply for Python's parser"

Version = tuple[int, int]


def broken(filename: str, message: str, *, help: str = "", row: int = 1, column: int = 1, length: int = 0) -> Finding:
    """The JAX000 finding of a file that the linter cannot read."""
    return Finding(
        code=CODE,
        name=NAME,
        message=message,
        severity=Severity.ERROR,
        confidence=Confidence.PROVEN,
        filename=filename,
        span=Span(row, column, row, column + length),
        help=help,
    )


def check_syntax(source: Source) -> Finding | None:
    """Parse `source` (the tree stays in it). Returns what is wrong, or None."""
    try:
        with warnings.catch_warnings():
            # "\d" and `x is 1` are warned of by the parser; that is another linter's work
            warnings.simplefilter("ignore")
            source.parse()
    except SyntaxError as error:
        return _from_error(source, error)
    except (RecursionError, MemoryError):
        return broken(
            source.filename,
            TOO_DEEP,
            help="Split the deepest expression or block, or leave the file out with `exclude`.",
        )
    except (ValueError, UnicodeError) as error:
        return broken(source.filename, f"cannot be parsed: {error}")
    return None


def _from_error(source: Source, error: SyntaxError) -> Finding:
    row = min(max(error.lineno or 1, 1), len(source.lines))
    line = source.lines[row - 1]
    column = min(max(error.offset or 1, 1), len(line) + 1)
    length = 1 if column <= len(line) else 0
    if error.end_lineno == error.lineno and error.end_offset and error.end_offset > column:
        length = min(error.end_offset, len(line) + 1) - column
    message = str(error.msg or "invalid syntax")
    if message.startswith("too many "):
        message = f"{TOO_DEEP}: {message}"
    newer = needed_python(source.lines, row, message, sys.version_info[:2])
    if newer is None:
        help = _MAGIC_HELP if re.match(r"\s*[%!]\s*\w", line) and not source.filename.endswith(".ipynb") else ""
        return broken(source.filename, message, help=help, row=row, column=column, length=length)
    running = f"{sys.version_info[0]}.{sys.version_info[1]}"
    needed = f"{newer.version[0]}.{newer.version[1]}"
    return broken(
        source.filename,
        f"{newer.what} needs Python {needed} or newer, and jaxlint runs on Python {running}",
        help=newer.hint or f"Run jaxlint with Python {needed} or newer.",
        row=row,
        column=column,
        length=length,
    )


@dataclass(frozen=True, slots=True)
class Newer:
    """Syntax that came with Python `version`. `found` looks at the line of the error and the text from there on."""

    version: Version
    what: str
    found: Callable[[str, str], bool]
    hint: str = ""


def needed_python(lines: list[str], row: int, message: str, running: Version) -> Newer | None:
    """The newest syntax at the place of a syntax error that Python `running` does not know, if that explains it."""
    # Before 3.12 an error inside an f-string of several lines is reported somewhere in it: look for its start.
    first = max(row - 30, 1) if message.startswith("f-string") else row
    candidates: list[Newer] = []
    for start in range(row, first - 1, -1):
        line = lines[start - 1]
        rest = "\n".join(lines[start - 1 : start + 30])
        candidates = [
            newer
            for newer in NEWER
            if newer.version > running and (start == row or newer.found is _nested_fstring) and newer.found(line, rest)
        ]
        if candidates:
            break
    return max(candidates, key=lambda newer: newer.version, default=None)


def _line(pattern: str) -> Callable[[str, str], bool]:
    # compiled on use: a run without syntax errors must not pay for these
    return lambda line, rest: re.search(pattern, line) is not None


_GENERIC = r"\s*(?:(?:async\s+)?def|class|type)\s+\w+\s*\["


def _generic_default(line: str, rest: str) -> bool:
    """`class A[T = int]`: a default among the type parameters."""
    start = re.match(_GENERIC, rest)
    if start is None:
        return False
    depth = 1
    for i in range(start.end(), len(rest)):
        char = rest[i]
        depth += (char in "[(") - (char in "])")
        if depth == 0:
            return False
        if char == "=" and depth == 1:
            return True
    return False


def _nested_fstring(line: str, rest: str) -> bool:
    """An f-string on this line that only PEP 701 reads: quotes, backslashes, comments or newlines in its braces."""
    for start in _fstring_starts(line):
        end, fancy = _scan_fstring(rest, start.start("quote"))
        if end is not None and fancy:
            return True
    return False


def _fstring_starts(line: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"(?<![\w\"'])(?:[fF][rR]?|[rR][fF])(?P<quote>[\"'])", line)


def _scan_fstring(text: str, start: int) -> tuple[int | None, bool]:
    """Read the f-string whose quote opens at `start`: where it ends (None: nowhere), and whether it needs PEP 701."""
    quote = text[start] * (3 if text.startswith(text[start] * 3, start) else 1)
    i = start + len(quote)
    fancy = False
    while i < len(text):
        char = text[i]
        if text.startswith(quote, i):
            return i + len(quote), fancy
        if char == "\n" and len(quote) == 1:
            return None, fancy
        if char == "\\":
            i += 1 if text.startswith("{", i + 1) else 2
        elif text.startswith("{{", i):
            i += 2
        elif char == "{":
            end, inner = _scan_replacement(text, i + 1, quote)
            if end is None:
                return None, fancy
            fancy = fancy or inner
            i = end
        else:
            i += 1
    return None, fancy


def _scan_replacement(text: str, i: int, quote: str) -> tuple[int | None, bool]:
    """Read `{expression!r:spec}` from after its brace: where it ends, and whether the expression needs PEP 701."""
    fancy = False
    depth = 0
    while i < len(text):
        char = text[i]
        if char in "\"'":
            inner = char * (3 if text.startswith(char * 3, i) else 1)
            fancy = fancy or inner == quote
            end = _end_of_string(text, i, inner)
            if end is None:
                return None, fancy
            fancy = fancy or "\\" in text[i:end]
            i = end
            continue
        if char == "}" and depth == 0:
            return i + 1, fancy
        if char == ":" and depth == 0:
            end, inner_fancy = _scan_spec(text, i + 1, quote)
            return end, fancy or inner_fancy
        if char == "#":
            fancy = True
            i = text.find("\n", i)
            if i < 0:
                return None, fancy
        elif char == "\\" or (char == "\n" and len(quote) == 1):
            fancy = True
        depth += (char in "([{") - (char in ")]}")
        i += 1
    return None, fancy


def _scan_spec(text: str, i: int, quote: str) -> tuple[int | None, bool]:
    """Read the format specification after `:`, to and with the brace that ends the replacement field."""
    fancy = False
    while i < len(text) and not text.startswith(quote, i):
        if text[i] == "}":
            return i + 1, fancy
        if text[i] == "{":
            end, inner = _scan_replacement(text, i + 1, quote)
            if end is None:
                break
            fancy = fancy or inner
            i = end
        else:
            i += 1
    return None, fancy


def _end_of_string(text: str, start: int, quote: str) -> int | None:
    if text[start - 1 : start] in ("f", "F"):
        return _scan_fstring(text, start)[0]
    i = start + len(quote)
    while i < len(text):
        if text[i] == "\\":
            i += 2
        elif text.startswith(quote, i):
            return i + len(quote)
        elif text[i] == "\n" and len(quote) == 1:
            return None
        else:
            i += 1
    return None


_UNBRACKETED = r"^\s*except\*?\s+[\w.]+(?:\s*,\s*[\w.]+)+\s*:"

NEWER: tuple[Newer, ...] = (
    Newer((3, 11), "`except*`", _line(r"^\s*except\s*\*")),
    Newer((3, 11), "a starred expression in an index", _line(r"[\w\])]\[[^\]]*(?<![\w)\]*])\*[A-Za-z_]")),
    Newer((3, 11), "`*args: *Ts`", _line(r"\*\w+\s*:\s*\*\w")),
    Newer((3, 12), "the `type` statement", _line(r"^\s*type\s+[^\W\d]\w*\s*(?:\[|=[^=])")),
    Newer(
        (3, 12),
        "a generic function or class (`[T]` after its name)",
        lambda line, rest: re.match(_GENERIC, line) is not None,
    ),
    Newer((3, 12), "this f-string (quotes, backslashes or comments inside its braces)", _nested_fstring),
    Newer((3, 13), "a default of a type parameter", _generic_default),
    Newer(
        (3, 14),
        "`except A, B:` without brackets",
        _line(_UNBRACKETED),
        "Write `except (A, B):`, which every Python 3 reads. (In Python 2 this form bound the exception to B.)",
    ),
    Newer((3, 14), 'a template string (`t"..."`)', _line(r"(?<![\w\"'])(?:[tT][rR]?|[rR][tT])[\"']")),
    Newer((3, 15), "a lazy import", _line(r"^\s*lazy\s+(?:import|from)\s")),
)
