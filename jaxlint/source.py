"""One Python file as text: its lines, its tree, and the places of its nodes."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from jaxlint.findings import Span

WORD = re.compile(r"\w+")
# every ASCII character that is in no word, to a blank: several times faster than the expression on plain text
BLANKS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}


@dataclass(slots=True, eq=False)
class Source:
    """A decoded file. `filename` is the path as the user gave it (relative paths stay relative).

    `module` is the dotted name under which the project imports it ('' when unknown). `tree` is parsed on
    demand by `parse()` and kept.
    """

    filename: str
    text: str
    path: Path | None = None
    module: str = ""
    is_package: bool = False
    _tree: ast.Module | None = None
    _lines: list[str] | None = field(default=None, repr=False)
    _words: Counter[str] | None = field(default=None, repr=False)

    def parse(self) -> ast.Module:
        """The syntax tree. Raises SyntaxError, ValueError (null bytes), RecursionError or MemoryError."""
        if self._tree is None:
            self._tree = ast.parse(self.text, self.filename)
        return self._tree

    @property
    def lines(self) -> list[str]:
        """The lines without their ends, as the tokenizer counts them (only \\n, \\r\\n and \\r end a line)."""
        if self._lines is None:
            self._lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return self._lines

    @property
    def words(self) -> Counter[str]:
        """How often each word (an identifier, a number, a keyword) stands in the text, comments included."""
        if self._words is None:
            text = self.text
            self._words = Counter(text.translate(BLANKS).split() if text.isascii() else WORD.findall(text))
        return self._words

    @property
    def document(self) -> str:
        """The text of the file: of a notebook, its JSON."""
        return self.text

    def located(self, span: Span) -> Span:
        """A span of the text as it is reported: in a notebook, by cell and row within the cell."""
        return span

    def joined(self, span: Span) -> Span:
        """A reported span by the rows of the text: the other way round."""
        return span

    def said(self, row: int) -> str:
        """A row of the text as a message names it: `line 12`."""
        return f"line {row}"

    def shown_lines(self, cell: int | None) -> list[str]:
        """The lines as the user wrote them: of a notebook, those of the cell with that number."""
        return self.lines

    def _column(self, row: int, utf8_offset: int) -> int:
        lines = self.lines
        if row > len(lines):
            return utf8_offset + 1
        line = lines[row - 1]
        if line.isascii():
            return utf8_offset + 1
        return len(line.encode("utf-8")[:utf8_offset].decode("utf-8", "replace")) + 1

    def span(self, node: ast.AST) -> Span:
        """The place of `node`, 1-based, columns in characters (`ast` counts UTF-8 bytes from 0)."""
        row = getattr(node, "lineno", 1)
        column = getattr(node, "col_offset", 0)
        end_row = getattr(node, "end_lineno", None) or row
        end_column = getattr(node, "end_col_offset", None)
        if end_column is None:
            end_column = column
        return Span(row, self._column(row, column), end_row, self._column(end_row, end_column))

    def segment(self, node: ast.AST, limit: int = 60) -> str:
        """The source text of `node` on one line, shortened to `limit` characters for use in a message."""
        span = self.span(node)
        lines = self.lines[span.row - 1 : span.end_row]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        text = " ".join(line.strip() for line in lines).strip()
        return text if len(text) <= limit else text[: limit - 1] + "…"
