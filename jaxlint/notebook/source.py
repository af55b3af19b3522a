"""A notebook as one Python source: its code cells in order, one namespace. Places are given by cell and row."""

from __future__ import annotations

import ast
import bisect
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from jaxlint import syntax
from jaxlint.findings import Finding, Span
from jaxlint.notebook.document import BrokenNotebook, RawCell, code_cells
from jaxlint.notebook.magics import Translated, translate
from jaxlint.source import Source

_LINE_END = re.compile(r"\r\n|\r|\n")
_CLOCK = "__jaxlint_clock"


@dataclass(slots=True)
class Cell:
    """One code cell. `first_row` is where it starts in the joined text; `python` is what is left of its magics."""

    raw: RawCell
    first_row: int
    lines: list[str]
    """What the user wrote, without line ends."""
    python: Translated

    @property
    def last_row(self) -> int:
        return self.first_row + len(self.lines) - 1


@dataclass(slots=True, eq=False)
class Notebook(Source):
    """`text` is the Python of all cells, each from a row of its own on; `json` the file as it is.

    `failures` are the cells that do not parse: they count as empty, and the others are checked.
    """

    json: str = ""
    cells: list[Cell] = field(default_factory=list)
    failures: list[Finding] = field(default_factory=list)

    @property
    def document(self) -> str:
        """The file's text."""
        return self.json

    def parse(self) -> ast.Module:
        """The tree of all cells that parse, with clocks read where a magic times code."""
        if self._tree is None:
            body = [statement for cell in self.cells for statement in _parsed(cell).body]
            self._tree = ast.Module(body=body, type_ignores=[])
        return self._tree

    def located(self, span: Span) -> Span:
        """A span of the joined text by cell and row within it."""
        cell = self.cell_at(span.row)
        if cell is None or span.cell is not None:
            return span
        above = cell.first_row - 1
        return Span(span.row - above, span.column, span.end_row - above, span.end_column, cell.raw.index)

    def joined(self, span: Span) -> Span:
        """A span within a cell by the rows of the joined text."""
        cell = next((cell for cell in self.cells if cell.raw.index == span.cell), None)
        if cell is None:
            return span
        above = cell.first_row - 1
        return Span(span.row + above, span.column, span.end_row + above, span.end_column)

    def said(self, row: int) -> str:
        """`line 2 of cell 3`."""
        span = self.located(Span(row, 1, row, 1))
        return f"line {span.row} of cell {span.cell}" if span.cell is not None else f"line {row}"

    def cell_at(self, row: int) -> Cell | None:
        """The cell that holds a row of the joined text."""
        at = bisect.bisect_right([cell.first_row for cell in self.cells], row) - 1
        return self.cells[at] if at >= 0 else None

    def shown_lines(self, cell: int | None) -> list[str]:
        """The lines of a cell as the user wrote them."""
        return next((each.lines for each in self.cells if each.raw.index == cell), [])


def read_notebook(text: str, filename: str, path: Path | None) -> Notebook | Finding:
    """The notebook in the JSON `text`, or the finding that says why there is none."""
    try:
        raw_cells = code_cells(text)
    except BrokenNotebook as error:
        return syntax.broken(filename, error.message, row=error.row, help=error.help)
    return from_cells(raw_cells, filename, path, text)


def from_cells(raw_cells: list[RawCell], filename: str, path: Path | None, document: str = "") -> Notebook:
    """A notebook of code cells, as an editor or a file gives them."""
    notebook = Notebook(filename=filename, text="", path=path, json=document)
    row = 1
    for raw in raw_cells:
        lines = _LINE_END.split(raw.text)
        cell = Cell(raw, row, lines, translate(lines))
        failure = _failure(cell, filename)
        if failure is not None:
            notebook.failures.append(failure)
            cell.python = Translated([""] * len(lines), masked=set(range(1, len(lines) + 1)))
        notebook.cells.append(cell)
        row = cell.last_row + 1
    notebook.text = "\n".join(line for cell in notebook.cells for line in cell.python.lines)
    return notebook


def _failure(cell: Cell, filename: str) -> Finding | None:
    """What keeps a cell from being parsed. Each is parsed alone: the next one must not close its brackets."""
    lone = Source(filename=filename, text="\n".join(cell.python.lines))
    failure = syntax.check_syntax(lone)
    if failure is None:
        return None
    span, above = failure.span, cell.first_row - 1
    return syntax.broken(
        filename,
        failure.message,
        help=failure.help,
        row=span.row + above,
        column=span.column,
        length=max(span.end_column - span.column, 0),
    )


# ---- clocks --------------------------------------------------------------------------------------------


def _parsed(cell: Cell) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" is another linter's work
        tree = ast.parse("\n".join(cell.python.lines))
    ast.increment_lineno(tree, cell.first_row - 1)
    if cell.python.clocks:
        _time_lines(tree, cell)
    if cell.python.timed_cell is not None:
        _time_cell(tree, cell)
    return tree


def _time_lines(tree: ast.Module, cell: Cell) -> None:
    """Read a clock at each mark, and again behind the statements of its line."""
    marks = {(row + cell.first_row - 1, column) for row, column in cell.python.clocks}
    for node in list(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list) and any(_is_mark(each, marks) for each in statements):
                setattr(node, name, _timed(statements, marks, cell))


def _is_mark(statement: ast.stmt, marks: set[tuple[int, int]]) -> bool:
    return (statement.lineno, statement.col_offset) in marks and isinstance(statement, ast.Expr)


def _timed(statements: list[ast.stmt], marks: set[tuple[int, int]], cell: Cell) -> list[ast.stmt]:
    out: list[ast.stmt] = []
    stop: ast.stmt | None = None
    row = 0
    for statement in statements:
        if stop is not None and statement.lineno != row:
            out.append(stop)
            stop = None
        if _is_mark(statement, marks):
            row = statement.lineno
            started, stop = _clock(row, statement.col_offset, cell)
            out += started
        else:
            out.append(statement)
    return [*out, stop] if stop is not None else out


def _time_cell(tree: ast.Module, cell: Cell) -> None:
    """Read a clock below the `%%time` line and at the end of the cell."""
    assert cell.python.timed_cell is not None
    row = cell.python.timed_cell + cell.first_row - 1
    started, stop = _clock(row, 0, cell)
    setup = [statement for statement in tree.body if statement.lineno <= row]
    timed = [statement for statement in tree.body if statement.lineno > row]
    if timed:
        tree.body = [*setup, *started, *timed, stop]


def _clock(row: int, column: int, cell: Cell) -> tuple[list[ast.stmt], ast.stmt]:
    """The statements that start a clock, and the one that reads it, all at the place of the magic.

    Both readings are one node: the interpreter then takes no offence at a first call between them, which many a
    notebook times to show what compiling takes.
    """
    import_, start, stop = ast.parse(
        f"import time as {_CLOCK}\n{_CLOCK}_start = {_CLOCK}.perf_counter()\n{_CLOCK}.perf_counter() - {_CLOCK}_start"
    ).body
    line = cell.lines[row - cell.first_row]
    words = re.compile(r"%+[ \t]*\w*").match(line, column)
    end = words.end() if words is not None else len(line)
    for statement in (import_, start, stop):
        for node in ast.walk(statement):
            if isinstance(node, (ast.stmt, ast.expr)):
                node.lineno = node.end_lineno = row
                node.col_offset, node.end_col_offset = column, end
    assert isinstance(start, ast.Assign) and isinstance(stop, ast.Expr) and isinstance(stop.value, ast.BinOp)
    stop.value.left = start.value
    return [import_, start], stop
