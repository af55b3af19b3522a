"""Python side effects in traced code: they happen once, when JAX traces, and never again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def call_effect(m: Machine, node: ast.AST, effect: str, function: str) -> None:
    """A call with a side effect; only matters under a staging trace."""
    if m.staging is None:
        return
    m.emit(Kind.TRACE_EFFECT, node, effect, subject=node, function=function)


def mutation(m: Machine, node: ast.AST, target: str) -> None:
    """Outer Python state is changed by traced code."""
    if m.staging is None:
        return
    m.emit(Kind.TRACE_EFFECT, node, "mutation", subject=node, target=target)
