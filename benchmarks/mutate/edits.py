"""Edits of a program's text by the positions of `ast`, and where the edited lines are afterwards."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes from `start` to `end` of the UTF-8 text by `text`."""

    start: int
    end: int
    text: str


class Text:
    """A program's text with its tree. Raises SyntaxError where it is no Python."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, row: int, column: int) -> int:
        """The byte at a row (from 1) and a column (in bytes from 0), as `ast` counts them."""
        return self.starts[row - 1] + column

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The source of a node."""
        start, end = self.extent(node)
        return self.data[start:end].decode()

    def extent(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The bytes of a node."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def replace(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """Put `text` in the place of a node."""
        return Edit(*self.extent(node), text)

    def indent(self, node: ast.stmt) -> str:
        """The blanks before a statement that begins its line."""
        return self.data[self.offset(node.lineno, 0) : self.offset(node.lineno, node.col_offset)].decode()

    def alone(self, node: ast.stmt) -> bool:
        """Whether no other statement shares the lines of `node`."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        rest = self.data[self.offset(node.end_lineno, node.end_col_offset) : self.starts[node.end_lineno]].strip()
        return not self.indent(node).strip() and (not rest or rest.startswith(b"#"))

    def after(self, node: ast.stmt, lines: Sequence[str]) -> Edit:
        """Lines after a statement, indented like it."""
        assert node.end_lineno is not None
        place = self.starts[node.end_lineno]
        text = "".join(f"{self.indent(node)}{line}\n" for line in lines)
        missing = "" if self.data[:place].endswith(b"\n") else "\n"
        return Edit(place, place, missing + text)

    def before(self, node: ast.stmt, lines: Sequence[str]) -> Edit:
        """Lines before a statement, indented like it; a decorated function is preceded by its decorators."""
        decorators = getattr(node, "decorator_list", [])
        place = self.offset(min([node.lineno, *(d.lineno for d in decorators)]), 0)
        return Edit(place, place, "".join(f"{self.indent(node)}{line}\n" for line in lines))

    def on_top(self, lines: Sequence[str]) -> Edit:
        """Lines before the first statement that is neither the docstring nor a `__future__` import."""
        for node in self.tree.body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                return self.before(node, lines)
        return Edit(len(self.data), len(self.data), "".join(f"{line}\n" for line in lines))


def apply(text: Text, edits: Sequence[Edit], marked: int) -> tuple[str, range]:
    """The text with all `edits`, and the rows that the edit with the number `marked` fills.

    Raises ValueError where two edits overlap.
    """
    order = sorted(range(len(edits)), key=lambda number: (edits[number].start, edits[number].end))
    done: list[bytes] = []
    position, rows = 0, range(0)
    for number in order:
        edit = edits[number]
        if edit.start < position:
            raise ValueError("edits overlap")
        done.append(text.data[position : edit.start])
        first = b"".join(done).count(b"\n") + 1
        done.append(edit.text.encode())
        position = edit.end
        if number == marked:
            last = first + edit.text.count("\n") - edit.text.endswith("\n")
            rows = range(first, last + 1)
    done.append(text.data[position:])
    return b"".join(done).decode(), rows
