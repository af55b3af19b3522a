"""What the fixes of several rules need: statements, their places in the text, and the names that a file uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.findings import Applicability, Edit, Fix, Span
from jaxlint.source import Source

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


def parents(source: Source) -> dict[ast.AST, ast.AST]:
    """The parent of each node of a file. Kept on the tree."""
    tree = source.parse()
    found: dict[ast.AST, ast.AST] | None = getattr(tree, "_jaxlint_parents", None)
    if found is None:
        found = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        tree._jaxlint_parents = found  # type: ignore[attr-defined]
    return found


def statement_of(source: Source, node: ast.AST) -> ast.stmt | None:
    """The innermost statement around `node`; None when it stands in another file."""
    above = parents(source)
    at: ast.AST | None = node
    while at is not None and not isinstance(at, ast.stmt):
        at = above.get(at)
    return at if at in above else None


def scope_of(source: Source, node: ast.AST) -> Scope:
    """The function around `node`, or the module."""
    above = parents(source)
    at: ast.AST | None = above.get(node)
    while at is not None and not isinstance(at, Scope):
        at = above.get(at)
    return at if isinstance(at, Scope) else source.parse()


def is_bound_in(scope: Scope, name: str) -> bool:
    """Whether a variable belongs to a function (or the module), so that an assignment there makes no new one."""
    if not isinstance(scope, ast.Module) and any(
        isinstance(p, ast.arg) and p.arg == name for p in ast.walk(scope.args)
    ):
        return True
    return any(isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store) and p.id == name for p in own_parts(scope))


def own_parts(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the scopes inside it."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.comprehension)
    for part in ast.iter_child_nodes(scope):
        if not isinstance(part, inner):
            yield part
            yield from own_parts(part)


def jax_name(source: Source) -> str | None:
    """The name under which a file has imported jax itself, None when it has not."""
    for node in source.parse().body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "jax" or (alias.name.startswith("jax.") and alias.asname is None):
                    return alias.asname or "jax"
    return None


def stands_alone(source: Source, statement: ast.stmt) -> bool:
    """Whether a statement begins and ends its lines, but for a comment."""
    span = source.span(statement)
    before = source.lines[span.row - 1][: span.column - 1]
    after = source.lines[span.end_row - 1][span.end_column - 1 :].strip()
    return not before.strip() and (not after or after.startswith("#"))


def insert(row: int, column: int, content: str) -> Edit:
    """New text at a place."""
    return Edit(Span(row, column, row, column), content)


def before(source: Source, statement: ast.stmt, line: str) -> Edit:
    """A line of its own in front of a statement, indented as it is."""
    span = source.span(statement)
    indent = source.lines[span.row - 1][: span.column - 1]
    return insert(span.row, 1, f"{indent}{line}\n")


def safe(message: str, *edits: Edit) -> Fix:
    """A fix that keeps the meaning."""
    return Fix(Applicability.SAFE, message, edits)
