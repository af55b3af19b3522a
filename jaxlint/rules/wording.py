"""Words that several rules share: the user's own expression, the loop, when a loop is hot."""

from __future__ import annotations

import ast
from pathlib import PurePath

from jaxlint.events import Event, Loop
from jaxlint.findings import Span


def expression(node: ast.AST) -> ast.AST:
    """The part of a statement that a message should quote: the test of an `if`, the iterable of a `for`."""
    match node:
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            return node.test
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            return node.iter
        case ast.Match():
            return node.subject
        case ast.match_case():
            return node.pattern
        case ast.Expr():
            return node.value
        case _:
            return node


def text(event: Event, limit: int = 60) -> str:
    """The reported expression as the user wrote it, fit to stand in backquotes."""
    return event.source.segment(expression(event.node), limit).replace("`", "'")


def code(event: Event, limit: int = 60) -> str:
    """The reported expression as the user wrote it, in backquotes."""
    return quoted(event, event.node, limit)


def value(event: Event, limit: int = 60) -> str:
    """The expression that holds the value, in backquotes; the reported expression when it is not known."""
    return quoted(event, event.node if event.subject is None else event.subject, limit)


def quoted(event: Event, node: ast.AST, limit: int = 60) -> str:
    """`node` in backquotes, as the user wrote it."""
    text = event.source.segment(expression(node), limit).replace("`", "'")
    return f"`{text}`" if text else "this value"


def ticked(text: str) -> str:
    """`text` in backquotes."""
    return f"`{text}`"


def hot(event: Event) -> bool:
    """Whether the event happens on every step of a loop that keeps the device busy."""
    return event.loop is not None and event.loop.hot and event.steady


def loop_at(loop: Loop) -> str:
    """`loop at train.py:80`."""
    at = loop.source.located(Span(row(loop.node), 1, row(loop.node), 1))
    cell = f"cell {at.cell}:" if at.cell is not None else ""
    return f"loop at {PurePath(loop.source.filename).name}:{cell}{at.row}"


def line(event: Event) -> str:
    """The first step of the explanation as `line 12`, with its file when that is another one."""
    if not event.trace:
        return "another line"
    step = event.trace[0]
    if step.filename == event.source.filename:
        return event.source.said(step.row)
    return f"line {step.row} of {PurePath(step.filename).name}"


def row(node: ast.AST) -> int:
    """The line of `node`, also of a comprehension clause, which has none of its own."""
    if isinstance(node, ast.comprehension):
        node = node.target
    return int(getattr(node, "lineno", 1))


def every_step(event: Event) -> str:
    """`on every step (loop at train.py:80)`, or '' outside loops."""
    return "" if event.loop is None else f" on every step ({loop_at(event.loop)})"


def short(dotted: str) -> str:
    """A library name as people write it: `jnp.sqrt`, `np.append`."""
    for long, alias in (("jax.numpy.", "jnp."), ("numpy.", "np.")):
        if dotted.startswith(long):
            return alias + dotted[len(long) :]
    return dotted
