"""A use of something that can be used once only (a key, a donated buffer): the stack, the loops, the branches."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.interpreter.identity import Spot, Use
from jaxlint.interpreter.values import DictV, ListV, TupleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.machine import Machine

Holds = Callable[[Value], bool]


def use_now(m: Machine, item: object, node: ast.AST, holds: Holds, what: str = "", inner: tuple[Spot, ...] = ()) -> Use:
    """A use of `item` at `node`. `holds` tells a value that is the item; `inner`: frames below, of a remembered run."""
    spots: list[Spot] = []
    at: ast.AST | None = node
    for frame in reversed(m.frames):
        spots.append(Spot(frame.uid, at, frame.module.source, frame.qualname, was_given(frame, holds)))
        at = frame.call_node
    spots.reverse()
    rounds = tuple((run.uid, run.round) for run in (*m.veiled, *m.steady_loops()))
    graded = any(trace.transform == "grad" for trace in m.traces)
    bound = any(holds(value) for held_by in m.partials for value in held_by)
    return Use(item, (*spots, *inner), rounds, tuple(m.arms), m.era, what, graded, bound)


def was_given(frame: Frame, holds: Holds) -> bool:
    """Whether a parameter of the frame's function is, or directly holds, the item."""
    function = frame.function
    if function is None:
        return False
    scope: Frame | None = frame
    while scope is not None and scope.qualname.endswith("<comprehension>"):
        scope = scope.outer
    if scope is None:
        return False
    node = function.node.args
    parameters = [*node.posonlyargs, *node.args, *node.kwonlyargs, *filter(None, (node.vararg, node.kwarg))]
    return any(held(scope.names.get(parameter.arg), holds) for parameter in parameters)


def held(value: object, holds: Holds, depth: int = 2) -> bool:
    """Whether a value is the item, or a plain container with the item in it."""
    if not isinstance(value, Value):
        return False
    if holds(value):
        return True
    if not depth:
        return False
    if isinstance(value, (TupleV, ListV)):
        return any(held(part, holds, depth - 1) for part in value.items or ())
    return isinstance(value, DictV) and any(held(part, holds, depth - 1) for part in value.items.values())
