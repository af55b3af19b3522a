"""The rows of statements: 1-based, inclusive."""

from __future__ import annotations

import ast

Rows = tuple[int, int]


def header_rows(node: ast.stmt) -> Rows:
    """The rows of a statement without the bodies inside it."""
    first = first_row(node)
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if body and isinstance(body, list):
        start = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else first_row(body[0])
        return first, max(node.lineno, int(start) - 1)
    return first, node.end_lineno or node.lineno


def first_row(node: ast.stmt) -> int:
    """The first row, that of the first decorator where there is one."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def whole_rows(node: ast.stmt) -> Rows:
    """All rows, from the first decorator to the end of the body."""
    return first_row(node), node.end_lineno or node.lineno
