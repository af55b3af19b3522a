"""Clocks: what was still in flight when one was read, and what was compiled meanwhile."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.findings import Confidence, TraceStep
from jaxlint.interpreter.values import ClockV, Level

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Dispatch, Machine
    from jaxlint.source import Source


def read_clock(m: Machine, node: ast.AST, what: str) -> ClockV:
    """A clock is read now."""
    m.effects += 1
    done: Level = m.state["done"]
    blocked: Level = m.state["blocked"]
    frame = m.frames[-1]
    m.clock_frames.add(frame.uid)
    clock = ClockV(node, frame.module.source, m.seq, done.number, blocked.number, frame.uid, what, m.era)
    return clock


def interval(m: Machine, start: ClockV, stop: ClockV, node: ast.AST, how: str = "read") -> None:
    """`stop - start` is computed: report work of the interval that was not waited for, and compiles in it."""
    if start.era != stop.era:
        return
    work = [d for d in m.dispatches if start.now < d.seq <= stop.seq]
    if not work:
        return
    pending = [d for d in work if d.seq > stop.blocked]
    if pending:
        last = next((d for d in reversed(pending) if d.compiled), pending[-1])
        compiled = any(d.compiled for d in pending)
        node, source, how = reported_at(m, stop, how)
        span = last.source.span(last.node)
        note = TraceStep(last.source.filename, span.row, span.column, f"`{last.text}` is handed out here and not waited for")
        m.emit(
            Kind.CLOCK_STOP,
            node,
            how,
            subject=last.node,
            source=source,
            trace=(note,),
            confidence=Confidence.PROVEN if compiled else Confidence.LIKELY,
            work=last.text,
            start=start.node,
            clock=stop.what,
        )
    first = next((d for d in work if d.first), None)
    if first is not None:
        timed_compile(m, first, start)


def reported_at(m: Machine, stop: ClockV, how: str) -> tuple[ast.AST, Source, str]:
    """Where to report: at the clock, or at the `with` whose timer class is another file's and right elsewhere."""
    frame = m.frames[-1]
    leaving = frame.function is not None and frame.function.name in ("__exit__", "__aexit__")
    if leaving and frame.caller is not None and frame.call_node is not None and frame.caller.module is not frame.module:
        return frame.call_node, frame.caller.module.source, "context"
    return stop.node, stop.source, how


def timed_compile(m: Machine, dispatch: Dispatch, start: ClockV) -> None:
    """The first call of a compiled function lies in a timed region: report the call in the clock's frame."""
    for uid, node, source, scope in dispatch.stack:
        if uid == start.frame and node is not None:
            m.emit(
                Kind.TIMED_COMPILE,
                node,
                "first-call",
                subject=dispatch.node,
                source=source,
                scope=scope,
                trace=(),
                callee=dispatch.text,
            )
            return
    m.emit(Kind.TIMED_COMPILE, dispatch.node, "first-call", source=dispatch.source, trace=(), callee=dispatch.text)
