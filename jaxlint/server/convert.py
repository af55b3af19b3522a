"""Places, findings and edits in the terms of the protocol: rows from 0, columns in the editor's units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp
from pygls import uris
from pygls.workspace import PositionCodec

from jaxlint.findings import Edit, Finding, Severity, Span, TraceStep
from jaxlint.server.checks import absolute
from jaxlint.source import Source

SOURCE = "jaxlint"
_LEVELS = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.ADVICE: lsp.DiagnosticSeverity.Information,
}


@dataclass(frozen=True, slots=True)
class Converter:
    """Converts for one checked source. `uri_of` gives the document of a cell, or of the file for None."""

    source: Source
    codec: PositionCodec
    uri_of: Callable[[int | None], str]

    def diagnostic(self, finding: Finding) -> lsp.Diagnostic:
        """A finding; its help is a second line, its trace the related information."""
        message = f"{finding.message}\n{finding.help}" if finding.help else finding.message
        return lsp.Diagnostic(
            range=self.range(finding.span),
            message=message,
            severity=_LEVELS[finding.severity],
            code=finding.name,
            source=SOURCE,
            related_information=[self._related(step) for step in finding.trace] or None,
        )

    def _related(self, step: TraceStep) -> lsp.DiagnosticRelatedInformation:
        if step.filename == self.source.filename:
            uri = self.uri_of(step.cell)
            at = self.range(Span(step.row, step.column, step.row, step.column, step.cell))
        else:  # the text of another file is not at hand: its columns count as they are
            uri = uris.from_fs_path(absolute(step.filename)) or step.filename
            place = lsp.Position(step.row - 1, step.column - 1)
            at = lsp.Range(place, place)
        return lsp.DiagnosticRelatedInformation(location=lsp.Location(uri, at), message=step.note)

    def range(self, span: Span) -> lsp.Range:
        """A span as a range."""
        lines = self.source.shown_lines(span.cell)
        return lsp.Range(
            self._position(lines, span.row, span.column), self._position(lines, span.end_row, span.end_column)
        )

    def _position(self, lines: Sequence[str], row: int, column: int) -> lsp.Position:
        if not 1 <= row <= len(lines):
            return lsp.Position(row - 1, 0)
        return lsp.Position(row - 1, self.codec.client_num_units(lines[row - 1][: column - 1]))

    def column(self, cell: int | None, position: lsp.Position) -> int:
        """The column (from 1, in characters) of a position."""
        lines = self.source.shown_lines(cell)
        line = lines[position.line] if position.line < len(lines) else ""
        for column in range(len(line)):
            if self.codec.client_num_units(line[: column + 1]) > position.character:
                return column + 1
        return len(line) + 1

    def workspace_edit(self, edits: Sequence[Edit]) -> lsp.WorkspaceEdit:
        """Edits of one file, by document."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            text = lsp.TextEdit(range=self.range(edit.span), new_text=edit.content)
            changes.setdefault(self.uri_of(edit.span.cell), []).append(text)
        return lsp.WorkspaceEdit(changes=changes)
