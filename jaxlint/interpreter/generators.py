"""Generators: run when they are consumed, handing each yielded value to the consumer at once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.machine import MAX_CALL_DEPTH
from jaxlint.interpreter.values import MISSING, NONE, UNKNOWN, GeneratorV, IterV, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def run_generator(m: Machine, generator: GeneratorV, node: ast.AST, consume: Callable[[Value], Value]) -> Value:
    """Run the body of a generator; `consume` gets each yielded value."""
    from jaxlint.interpreter.functions import bind_arguments, new_frame, run_body

    function = generator.func
    if len(m.frames) > MAX_CALL_DEPTH or m.steps > m.budget:
        m.given_up += 1
        return UNKNOWN
    if sum(1 for frame in m.frames if frame.function is not None and frame.function.node is function.node) >= 2:
        return UNKNOWN
    m.effects += 1
    frame = new_frame(m, function, node)
    frame.on_yield = consume
    bind_arguments(m, function, frame, Args(generator.args, generator.kwargs))
    return run_body(m, function, frame)


def yield_value(m: Machine, f: Frame, value: Value) -> Value:
    """`yield value`."""
    m.effects += 1
    frame: Frame | None = f
    while frame is not None and frame.on_yield is None and frame.qualname.endswith("<comprehension>"):
        frame = frame.outer
    if frame is not None and frame.on_yield is not None:
        return frame.on_yield(value)
    f.yields.append(value)
    return UNKNOWN


def yield_all(m: Machine, f: Frame, value: Value, node: ast.AST) -> Value:
    """`yield from value`."""
    from jaxlint.interpreter.iteration import steps_of
    from jaxlint.interpreter.loops import run_steps

    if isinstance(value, GeneratorV):
        return run_generator(m, value, node, lambda item: yield_value(m, f, item))

    def body(item: Value, run: Any) -> End:
        yield_value(m, f, item)
        return End.NORMAL

    run_steps(m, f, node, steps_of(m, value, node, "for"), body)
    return NONE


def collect(m: Machine, generator: GeneratorV, node: ast.AST) -> list[Value]:
    """The values that a generator yields (those of two rounds of its loops)."""
    found: list[Value] = []

    def consume(value: Value) -> Value:
        found.append(value)
        return UNKNOWN

    run_generator(m, generator, node, consume)
    return found


def next_value(m: Machine, value: Value, node: ast.AST) -> Value:
    """`next(iterator)`."""
    from jaxlint.interpreter.iteration import one_item

    if isinstance(value, GeneratorV):
        stored = value.state.get("elem")
        if isinstance(stored, Value):
            return renew(m, stored)
        saved = (m.loops, m.gates)
        m.loops, m.gates = [], []
        try:
            found = collect(m, value, node)
        finally:
            m.loops, m.gates = saved
        result: Any = MISSING
        for item in found:
            result = join(result, item)
        result = UNKNOWN if result is MISSING else result
        value.state["elem"] = result
        return renew(m, result)
    if isinstance(value, IterV):
        return one_item(m, value)
    if isinstance(value, Tree):
        return value
    return UNKNOWN


def renew(m: Machine, value: Value) -> Value:
    """A value handed out again is a new one: made now, in the current round of the loops."""
    from jaxlint.interpreter.values import Array, TupleV

    if isinstance(value, Array) and value.trace is None:
        return value.but(born=m.seq, rounds=m.rounds_now(), stack=m.frame_ids())
    if isinstance(value, TupleV) and value.items is not None:
        return TupleV(tuple(renew(m, item) for item in value.items))
    return value
