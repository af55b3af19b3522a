"""Why a line never ran: its function was never called, a condition before it never held, or something left earlier."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from runtime_checks.statements import Rows, header_rows, whole_rows

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WIDTH = 50
Ran = Callable[[Rows], int | None]
"""How often a statement ran; None: never."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A block on the way to a line: the statement that decides on it, its first statement, and what it means when the
    one ran and the other did not."""

    header: Rows
    first: Rows
    words: str


@dataclass(slots=True)
class Way:
    """What must run before a line does. `function`: its name, '' at module level; `entry`: the first statement there;
    `gates`: the blocks inside it, innermost first."""

    function: str = ""
    entry: Rows | None = None
    gates: list[Gate] = field(default_factory=list)

    def rows(self) -> list[Rows]:
        """The statements to count."""
        found = [self.entry] if self.entry is not None else []
        for gate in self.gates:
            found += [gate.header, gate.first]
        return found

    def explain(self, ran: Ran) -> str:
        """Why the line did not run, '' when that cannot be told."""
        for gate in self.gates:
            entered, decided = ran(gate.first), ran(gate.header)
            if gate.first[0] <= gate.header[1]:
                return ""  # the block begins on the line of its header: one count for both
            if entered:
                return f"the block at line {gate.first[0]} was entered {_times(entered)} and left before this line"
            if decided:
                return f"{gate.words} (line {gate.header[0]} ran {_times(decided)})"
        if self.entry is None:
            return ""
        called = ran(self.entry)
        if called:
            what = f"`{self.function}` was called {_times(called)} and left" if self.function else "the file was left"
            return f"{what} before this line"
        return f"`{self.function}` was never called" if self.function else "the file was never loaded"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def way_to(tree: ast.Module, row: int) -> Way:
    """The way to a row of a module."""
    way = Way(entry=_entry(tree.body))
    for node, block in _blocks(tree.body, row):
        if isinstance(node, _FUNCTIONS):
            way = Way(node.name, _entry(node.body))
            continue
        words = _words(node, block)
        if words:
            way.gates.insert(0, Gate(header_rows(node), header_rows(block[0]), words))
    return way


def _entry(body: list[ast.stmt]) -> Rows | None:
    """The first statement that is counted: no docstring, and no import from the future."""
    for statement in body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not text and not future:
            return header_rows(statement)
    return None


def _blocks(body: list[ast.stmt], row: int) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    """The statements around a row, outermost first, each with the block of it that holds the row."""
    for statement in body:
        first, last = whole_rows(statement)
        if not first <= row <= last:
            continue
        for block in _inner(statement):
            if whole_rows(block[0])[0] <= row <= (block[-1].end_lineno or row):
                yield statement, block
                yield from _blocks(block, row)


def _inner(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    parts: list[ast.AST] = [statement, *getattr(statement, "handlers", []), *getattr(statement, "cases", [])]
    for part in parts:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(part, name, None)
            if isinstance(block, list) and block:
                yield block


def _words(node: ast.stmt, block: list[ast.stmt]) -> str:
    """What it means when the statement ran and its block did not; '' when nothing is decided there."""
    if isinstance(node, (ast.If, ast.While)):
        condition = f"`{_short(node)}`"
        if block is node.body:
            return f"{condition} was never true"
        return f"{condition} was always true" if isinstance(node, ast.If) else "the loop always ended by `break`"
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return "the loop had nothing to go through" if block is node.body else "the loop always ended by `break`"
    if isinstance(node, ast.Match):
        return "its `case` was never taken"
    if isinstance(node, ast.Try):
        if any(block is handler.body for handler in node.handlers):
            return "nothing raised what this `except` catches"
        return "the `try` always raised" if block is node.orelse else ""
    return ""


def _short(node: ast.If | ast.While) -> str:
    word = "if" if isinstance(node, ast.If) else "while"
    test = ast.unparse(node.test)
    return f"{word} {test if len(test) <= _WIDTH else test[: _WIDTH - 3] + '...'}"
