"""Why a value is what it is: the places that an explanation names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from jaxlint.findings import TraceStep
from jaxlint.interpreter.values import Array, Link, Trace, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame


def why_of(value: Value | None, traces: Sequence[Trace], frames: Sequence[Frame]) -> tuple[TraceStep, ...]:
    """The transform that traces `value`, what made it, and the calls from the transform to here.

    `traces` are the open traces and `frames` the active frames, both outermost first.
    """
    array = leaf_of(value)
    steps: list[TraceStep] = []
    trace = array.trace if array is not None else None
    if trace is None and array is None and traces:
        trace = traces[-1]
    if trace is not None:
        steps.append(step_of(trace.link))
    if array is not None and array.cause is not None and (trace is None or array.cause is not trace.link):
        steps.append(step_of(array.cause))
    if trace is not None:
        steps.extend(calls_since(trace, frames))
    return tuple(dict.fromkeys(steps))


def calls_since(trace: Trace, frames: Sequence[Frame]) -> Iterator[TraceStep]:
    """The calls that lead from the traced function to the innermost frame."""
    for below, frame in pairwise(frames):
        if frame.depth < trace.level or frame.call_node is None or below.depth < trace.level:
            continue
        source = below.module.source
        span = source.span(frame.call_node)
        note = f"`{frame.qualname}` is called from `{below.qualname or '<module>'}`"
        yield TraceStep(source.filename, span.row, span.column, note)


def leaf_of(value: Value | None) -> Array | None:
    """The array in a value that is one, or stands for a tree of them."""
    if isinstance(value, Array):
        return value
    if isinstance(value, Tree):
        return value.leaf
    return None


def step_of(link: Link) -> TraceStep:
    """A link of an explanation as a place with a note."""
    span = link.source.span(link.node)
    return TraceStep(link.source.filename, span.row, span.column, link.note)
