"""What an editor holds, checked and explained: no protocol here, only texts, findings and edits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxlint import engine, fixing, ignoring, syntax
from jaxlint.config import Settings
from jaxlint.findings import Applicability, Edit, Finding
from jaxlint.notebook import Notebook, editing
from jaxlint.notebook.document import RawCell
from jaxlint.notebook.source import from_cells
from jaxlint.project import Project
from jaxlint.source import Source


@dataclass(frozen=True, slots=True)
class Buffer:
    """One open file: its name, and its text or the texts of the Python cells of a notebook by number."""

    path: str
    text: str = ""
    cells: tuple[tuple[int, str], ...] | None = None
    on_disk: bool = True

    def source(self) -> Source:
        """A fresh source: a check keeps its tree in it."""
        path = Path(self.path) if self.on_disk else None
        if self.cells is None:
            return Source(filename=self.path, text=self.text, path=path)
        return from_cells([RawCell(number, text, 0, 0) for number, text in self.cells], self.path, path)


@dataclass(slots=True)
class Checked:
    """The outcome for one buffer. `problems` are the lines that the user should see beside the findings.

    `read` are the paths of the files that it depends on.
    """

    buffer: Buffer
    source: Source
    findings: list[Finding] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    read: frozenset[str] = frozenset()


def check(buffer: Buffer, others: Sequence[Buffer]) -> Checked:
    """Check one buffer. What it imports is read from the other buffers first, then from the disk.

    Raises ConfigError when the configuration cannot be used.
    """
    unsaved = _sources(buffer, others)
    report = engine.check([buffer.path], Settings(force_exclude=True), unsaved=unsaved)
    findings = [finding for finding in report.findings if finding.filename == buffer.path]
    read = frozenset(os.path.abspath(source.path or name) for name, source in report.sources.items())
    problems = [*report.usage_errors, *report.internal_errors]
    return Checked(buffer, unsaved[buffer.path], findings, problems, read)


def _sources(buffer: Buffer, others: Sequence[Buffer]) -> dict[str, Source]:
    return {each.path: each.source() for each in (*others, buffer)}


def explain(buffer: Buffer, others: Sequence[Buffer], cell: int | None, row: int, column: int) -> list[str]:
    """What is known of the value at a place (1-based), and why: the smallest expression first. [] : nothing is."""
    from jaxlint.findings import Span
    from jaxlint.interpreter import why

    unsaved: Mapping[str, Source] = _sources(buffer, others)
    source = unsaved[buffer.path]
    if not isinstance(source, Notebook) and syntax.check_syntax(source) is not None:
        return []
    row = source.joined(Span(row, column, row, column, cell)).row
    lines = why(Project([source], unsaved=unsaved), source, row, column)
    entries: list[list[str]] = []
    for line in lines:
        if line.startswith("    ") and entries:
            entries[-1].append(line.strip().replace(f"{buffer.path}:", f"{os.path.basename(buffer.path)}:"))
        else:
            entries.append([line])
    known = [entry for entry in entries if not entry[0].endswith(": not known")]
    first = known[0][0].partition("`: ")[0] if known else ""
    return ["\n".join(entry) for entry in known if entry[0].partition("`: ")[0] == first]


# ---- edits ---------------------------------------------------------------------------------------------


def fix_edits(checked: Checked, finding: Finding) -> list[Edit] | None:
    """The edits of a finding's fix as the editor makes them; None when there are none to make."""
    if finding.fix is None or finding.fix.applicability is Applicability.DISPLAY or not finding.fix.edits:
        return None
    return _placed(checked.source, finding.fix.edits)


def all_fixes(checked: Checked) -> list[Edit]:
    """The edits of all safe fixes that go together."""
    source = checked.source
    findings = fixing.wanted(checked.findings, unsafe=False).get(checked.buffer.path, [])
    edits: list[Edit] = []
    if isinstance(source, Notebook):
        return edits  # each cell is a document of its own for an editor: fix by fix
    for finding in fixing.apply(source.text, findings).applied:
        edits += [edit for edit in finding.fix.edits if edit not in edits] if finding.fix is not None else []
    return edits


def ignore_edits(checked: Checked, finding: Finding) -> list[Edit] | None:
    """The edits that put an ignore comment at a finding; None where no comment can stand."""
    if finding.code in ignoring.NOT_IGNORED:
        return None
    text = checked.source.text.replace("\r\n", "\n").replace("\r", "\n")
    plain = checked.source if text == checked.source.text else Source(checked.buffer.path, text)
    return _placed(checked.source, editing.line_edits(text, ignoring.with_comments(plain, [finding], "")))


def _placed(source: Source, edits: Sequence[Edit]) -> list[Edit] | None:
    """Edits by cell in a notebook, where they may touch neither magics nor two cells."""
    if not isinstance(source, Notebook):
        return list(edits)
    joined = [Edit(source.joined(edit.span), edit.content) for edit in edits]
    inside = editing.within_cells(source, joined)
    return None if inside is None else [Edit(source.located(edit.span), edit.content) for edit in inside]


def overlapping(findings: Sequence[Finding], cell: int | None, first: int, last: int) -> list[Finding]:
    """The findings in a cell (None: in a file) on the rows `first` to `last` (1-based)."""
    return [
        finding
        for finding in findings
        if finding.span.cell == cell and finding.span.row <= last and finding.span.end_row >= first
    ]


def absolute(filename: str) -> str:
    """The path of a reported name."""
    return os.path.abspath(filename)
