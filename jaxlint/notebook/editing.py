"""Edits of a notebook's Python, made to the text that the user wrote in the cells, and put back into the JSON."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace

from jaxlint.findings import Edit, Span
from jaxlint.notebook.document import with_cells
from jaxlint.notebook.source import Cell, Notebook

_LINE_END = re.compile(r"\r\n|\r|\n")


def within_cells(notebook: Notebook, edits: Iterable[Edit]) -> list[Edit] | None:
    """Edits of the joined text, each kept inside one cell. None: one of them would change a magic, or two cells."""
    kept: list[Edit] = []
    for edit in edits:
        edit = _end_in_cell(notebook, edit)
        cell = notebook.cell_at(edit.span.row)
        if cell is None or edit.span.end_row > cell.last_row or not _leaves_magics(cell, edit.span):
            return None
        kept.append(edit)
    return kept


def _end_in_cell(notebook: Notebook, edit: Edit) -> Edit:
    """An edit of whole lines that ends before the next cell's first line ends with its own cell instead."""
    span = edit.span
    cell = notebook.cell_at(span.row)
    if cell is None or span.end_row != cell.last_row + 1 or span.end_column != 1:
        return edit
    end = len(cell.lines[-1]) + 1
    content = edit.content.removesuffix("\n")
    if not content and span.column == 1 and span.row > cell.first_row:
        above = span.row - 1
        start = len(cell.lines[above - cell.first_row]) + 1
        return Edit(Span(above, start, cell.last_row, end), "")
    return Edit(Span(span.row, span.column, cell.last_row, end), content)


def _leaves_magics(cell: Cell, span: Span) -> bool:
    """Whether what an edit replaces is what the user wrote. Nothing may come before a `%%` line either."""
    if span.row == cell.first_row and span.column == 1 and cell.lines[0].startswith("%%"):
        return False
    for row in range(span.row, span.end_row + 1):
        number = row - cell.first_row + 1
        if number not in cell.python.masked:
            continue
        written, python = cell.lines[number - 1], cell.python.lines[number - 1]
        start = span.column - 1 if row == span.row else 0
        end = span.end_column - 1 if row == span.end_row else max(len(written), len(python))
        if written[start:end] != python[start:end] or (start > 0 and written[start:] != python[start:]):
            return False
    return True


def with_edits(notebook: Notebook, edits: Iterable[Edit]) -> str:
    """The notebook's JSON after edits that `within_cells` gave and that do not overlap."""
    by_cell: dict[int, list[Edit]] = {}
    cells = {cell.raw.index: cell for cell in notebook.cells}
    for edit in dict.fromkeys(edits):
        span = notebook.located(edit.span)
        assert span.cell is not None
        by_cell.setdefault(span.cell, []).append(replace(edit, span=span))
    changed = {index: _edited(cells[index].raw.text, own) for index, own in by_cell.items()}
    return with_cells(notebook.json, changed, [cell.raw for cell in notebook.cells])


def _edited(text: str, edits: list[Edit]) -> str:
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    first = _LINE_END.search(text)
    newline = first.group() if first is not None else "\n"
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        begin = starts[edit.span.row - 1] + edit.span.column - 1
        end = starts[edit.span.end_row - 1] + edit.span.end_column - 1
        text = text[:begin] + edit.content.replace("\n", newline) + text[end:]
    return text


def line_edits(before: str, after: str) -> list[Edit]:
    """The edits that make one text of another, line by line: ends of lines that grew, and lines that came."""
    old, new = before.split("\n"), after.split("\n")
    edits: list[Edit] = []
    for tag, i, i_end, j, j_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        extra = new[j : j_end - (i_end - i)]
        if extra:
            edits.append(Edit(Span(i + 1, 1, i + 1, 1), "".join(f"{line}\n" for line in extra)))
        for row, line in zip(range(i, i_end), new[j + len(extra) : j_end]):
            same = len(_common_prefix(old[row], line))
            edits.append(Edit(Span(row + 1, same + 1, row + 1, len(old[row]) + 1), line[same:]))
    return edits


def _common_prefix(one: str, other: str) -> str:
    end = 0
    while end < min(len(one), len(other)) and one[end] == other[end]:
        end += 1
    return one[:end]
