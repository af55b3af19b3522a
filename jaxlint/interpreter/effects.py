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


# transforms that run the function anew in every call: what it does to Python state happens every time
EACH_CALL = frozenset(
    {"vmap", "eval_shape", "make_jaxpr", "filter_eval_shape", "filter_make_jaxpr", "checkpoint", "grad"}
)


def mutation(m: Machine, node: ast.AST, target: str) -> None:
    """Outer Python state is changed by traced code."""
    if m.staging is None or all(t.transform.rpartition(".")[2] in EACH_CALL for t in m.traces) or undone(m, target):
        return
    m.emit(Kind.TRACE_EFFECT, node, "mutation", subject=node, target=target)


def undone(m: Machine, target: str) -> bool:
    """Whether the function that changes `target` changes it back (`stack.append(x)` ... `stack.pop()`).

    What `__enter__` does, `__exit__` undoes.
    """
    function = m.frames[-1].function
    if function is not None and target in undoings(function.node):
        return True
    for frame in reversed(m.frames):
        if frame.depth < len(m.traces):
            return False
        if frame.function is not None and frame.function.name in ("__enter__", "__aenter__"):
            return True
    return False


def undoings(node: ast.AST) -> frozenset[str]:
    """The targets that a function pops from or counts down. Cached on the node."""
    found: frozenset[str] | None = getattr(node, "_jaxlint_undoings", None)
    if found is None:
        texts: set[str] = set()
        for part in ast.walk(node):
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and part.func.attr in ("pop", "popleft", "remove", "discard")
            ):
                texts.add(ast.unparse(part.func.value))
            elif isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Sub):
                texts.add(ast.unparse(part.target))
            elif isinstance(part, ast.Delete):
                texts.update(ast.unparse(t.value) for t in part.targets if isinstance(t, ast.Subscript))
        found = frozenset(texts)
        node._jaxlint_undoings = found  # type: ignore[attr-defined]
    return found
