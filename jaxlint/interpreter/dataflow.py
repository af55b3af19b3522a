"""Where the values inside one function come from and where they go, by its assignments alone.

The interpreter knows what a value *is*; some questions are about the shape of the code that makes it ("is this the
softmax between two products, and is it used for nothing else?"). They are answered here, for names of one function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

Place = tuple[int, int]
SKETCHES = frozenset({"shape", "dtype", "ndim", "size", "nbytes", "itemsize"})
"""Attributes of an array that say nothing about its numbers."""


class Flow:
    """The assignments and uses of one function (nested functions included, as uses)."""

    def __init__(self, function: ast.AST) -> None:
        self.parents: dict[int, ast.AST] = {}
        self.stores: dict[str, list[ast.stmt]] = {}
        self.loads: dict[str, list[ast.Name]] = {}
        self.parameters: set[str] = set()
        for node in ast.walk(function):
            for child in ast.iter_child_nodes(node):
                self.parents[id(child)] = node
            if isinstance(node, ast.Name):
                self._note(node)
            elif isinstance(node, ast.arg):
                self.parameters.add(node.arg)
        for statements in self.stores.values():
            statements.sort(key=lambda statement: (statement.lineno, statement.col_offset))

    def _note(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.id, []).append(node)
            return
        statement = self.statement(node)
        if statement is not None:
            self.stores.setdefault(node.id, []).append(statement)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement around a node."""
        found: ast.AST | None = node
        while found is not None and not isinstance(found, ast.stmt):
            found = self.parents.get(id(found))
        return found

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that holds `node`."""
        return self.parents.get(id(node))

    def binding(self, use: ast.Name) -> ast.stmt | None:
        """The last statement in front of a use that binds its name; None for parameters and outer names."""
        found = None
        for statement in self.stores.get(use.id, ()):
            if end(statement) <= (use.lineno, use.col_offset):
                found = statement
        return found

    def origin(self, use: ast.Name) -> ast.expr | None:
        """The expression that a name was last bound to."""
        statement = self.binding(use)
        return statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else None

    def uses(self, name: str, statement: ast.stmt) -> list[ast.Name]:
        """Where the value that `statement` binds to `name` is read."""
        return [use for use in self.loads.get(name, ()) if self.binding(use) is statement]

    def sources(self, node: ast.AST, depth: int = 6) -> frozenset[str]:
        """The names that an expression is made of in the end: parameters, and what is bound elsewhere."""
        found: set[str] = set()
        for name in self.names(node):
            made = self.origin(name) if depth else None
            found |= {name.id} if made is None else self.sources(made, depth - 1)
        return frozenset(found)

    def names(self, node: ast.AST) -> Iterator[ast.Name]:
        """The variables read in an expression, without the functions that it calls and the modules these are in."""
        if isinstance(node, ast.Name):
            yield node
            return
        parts: list[ast.AST] = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Attribute) and node.attr in SKETCHES:
            parts = []
        elif isinstance(node, ast.Call):
            parts = [*node.args, *(keyword.value for keyword in node.keywords)]
            func = node.func
            # the receiver of a method is data, as in `x.reshape(...)`; the module of a function is none
            if isinstance(func, ast.Attribute) and not (isinstance(func.value, ast.Name) and self.is_outer(func.value)):
                parts.append(func.value)
        for part in parts:
            yield from self.names(part)

    def is_outer(self, name: ast.Name) -> bool:
        """Whether a name is not one of the function's own."""
        return name.id not in self.stores and name.id not in self.parameters


def flow_of(function: ast.AST) -> Flow:
    """The flow of a function. Cached on the node."""
    found: Flow | None = getattr(function, "_jaxlint_flow", None)
    if found is None:
        found = Flow(function)
        function._jaxlint_flow = found  # type: ignore[attr-defined]
    return found


def end(node: ast.stmt) -> Place:
    """Where a statement ends."""
    return node.end_lineno or node.lineno, node.end_col_offset or 0
