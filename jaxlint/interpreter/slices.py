"""Slices of batches: `x[i : i + size]` whose last one is shorter, and what cuts the rest off."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.operators import sym_of
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.values import BatchIndex, Const, Host, Ragged, SliceV, TupleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def parts_of(index: Value) -> tuple[Value, ...]:
    """The components of an index."""
    return index.items if isinstance(index, TupleV) and index.items else (index,)


def ragged_slice(m: Machine, index: Value, node: ast.AST) -> Ragged | None:
    """`x[i : i + bs]` over `range(0, n, bs)`: the last slice is shorter unless `n` is a multiple of `bs`."""
    part = parts_of(index)[0]
    if not isinstance(part, SliceV) or not isinstance(part.lower, Host) or not isinstance(part.upper, Host):
        return None
    low, high = part.lower.index, part.upper.index
    if low is None or high is None or low.role != "start" or high.role != "stop" or low.node is not high.node:
        return None
    total, step = sym_of(low.total), sym_of(low.step)
    if total is not None and step is not None and total.multiple_of(step):
        return None
    if remainder_handled(m, low):
        return None
    source = m.frames[-1].module.source
    key = ("ragged", id(low.node), id(low.source))
    mark = m.memo.get(key)
    if mark is None:
        mark = m.memo[key] = Ragged(f"the last slice of `{source.segment(node, 50)}` is shorter", node, source)
    return mark


def remainder_handled(m: Machine, index: BatchIndex) -> bool:
    """Whether the function around works with the remainder by the step (`-n % bs`, `n % bs`): it pads or drops it."""
    step = step_node(index.node)
    if step is None:
        return False
    text = index.source.segment(step, 80)
    frame = m.frames[-1]
    root: ast.AST = frame.function.node if frame.function is not None else frame.module.source.parse()
    remainders: frozenset[str] | None = getattr(root, "_jaxlint_remainders", None)
    if remainders is None:
        source = frame.module.source
        found = (n.right for n in ast.walk(root) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod))
        remainders = frozenset(source.segment(n, 80) for n in found)
        root._jaxlint_remainders = remainders  # type: ignore[attr-defined]
    return text in remainders


def step_node(node: ast.AST) -> ast.expr | None:
    """The expression of the step: of `range(0, n, step)`, or of a rounded-up division."""
    if isinstance(node, ast.Call) and len(node.args) == 3:
        return node.args[2]
    for part in ast.walk(node):
        if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Div, ast.FloorDiv)):
            return part.right
    return None


def cut_rows(index: Value) -> Poly | None:
    """The rows that `x[:n]` has, whatever `x` is."""
    if isinstance(index, SliceV) and all(isinstance(p, Const) and p.value is None for p in (index.lower, index.step)):
        upper = index.upper
        if not isinstance(upper, Const) or (isinstance(upper.value, int) and upper.value > 0):
            return sym_of(upper)
    return None
