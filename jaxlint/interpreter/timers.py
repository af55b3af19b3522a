"""Clocks: what was still in flight when one was read, and what was compiled meanwhile."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.findings import Confidence, TraceStep
from jaxlint.interpreter.running import ClockV, Dispatch, Level

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.source import Source


def read_clock(m: Machine, node: ast.AST, what: str) -> ClockV:
    """A clock is read now."""
    m.effects += 1
    done: Level = m.state["done"]
    blocked: Level = m.state["blocked"]
    frame = m.frames[-1]
    m.clock_frames.add(frame.uid)
    for run in m.loops:
        run.clocked = True
    now, source, loops = m.seq, frame.module.source, tuple(m.loops)
    return ClockV(node, source, now, done.number, blocked.number, frame.uid, what, m.era, loops)


def interval(m: Machine, start: ClockV, stop: ClockV, node: ast.AST, how: str = "read") -> None:
    """`stop - start` is computed: report work of the interval that was not waited for, and compiles in it."""
    if start.era != stop.era or m.traces:
        return
    work = [d for d in m.dispatches if start.now < d.seq <= stop.seq]
    if not work or is_stamp(m, start):
        return
    pending = [d for d in work if d.seq > stop.blocked]
    if pending:
        last = next((d for d in reversed(pending) if d.compiled), pending[-1])
        compiled = any(d.compiled for d in pending)
        node, source, how = reported_at(m, stop, how)
        span = last.source.span(last.node)
        note = TraceStep(
            last.source.filename, span.row, span.column, f"`{last.text}` is handed out here and not waited for"
        )
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
    if first is None or drops_first(m):
        return
    if how == "timeit" or measures_once(m, start, stop, first):
        timed_compile(m, first, start)


def measures_once(m: Machine, start: ClockV, stop: ClockV, first: Dispatch) -> bool:
    """Whether the one compile spoils the figure, which stands for the work itself.

    Not where a clock is read on every step of an open loop: only the first of many times is too long. Not where the
    region holds a run over data (what a training run took is the time with its compile), and not where one call ends
    the interval that the last one began.
    """
    stepwise = any(run.count is None and run.frame == start.frame for run in stop.loops if run in start.loops)
    if stepwise or start.node is stop.node:
        return False
    return all(run.count is not None or over_range(run.node) for run in first.loops if run not in start.loops)


def over_range(loop: ast.AST) -> bool:
    """`for _ in range(n)`: so many repetitions, however many."""
    iterated = loop.iter if isinstance(loop, ast.For) else None
    return isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "range"


def is_stamp(m: Machine, start: ClockV) -> bool:
    """Whether a log line in a loop shows the time since a moment before the loop: that is no measurement."""
    statement = m.frames[-1].statement
    if not m.loops or not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    loop = m.loops[-1].node
    first, last = getattr(loop, "lineno", 0), getattr(loop, "end_lineno", 0) or 0
    if m.loops[-1].frame != m.frames[-1].uid or first <= getattr(start.node, "lineno", 0) <= last:
        return False
    return all(
        not isinstance(part, ast.BinOp) or isinstance(part.op, (ast.Sub, ast.Mod)) for part in ast.walk(statement.value)
    )


def drops_first(m: Machine) -> bool:
    """Whether the times of a loop are collected in a list whose first entries are left out: `times[1:]`."""
    frame = m.frames[-1]
    root = frame.function.node if frame.function is not None else frame.module.source.parse()
    return bool(m.loops) and bool(warm_lists(root))


def warm_lists(root: ast.AST) -> bool:
    """Whether a function appends to a list and later slices its head off. Cached on the node."""
    found: bool | None = getattr(root, "_jaxlint_warm", None)
    if found is None:
        grown: set[str] = set()
        cut: set[str] = set()
        for part in ast.walk(root):
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and isinstance(part.func.value, ast.Name)
            ):
                if part.func.attr == "append":
                    grown.add(part.func.value.id)
                elif (
                    part.func.attr == "pop"
                    and part.args
                    and isinstance(part.args[0], ast.Constant)
                    and part.args[0].value == 0
                ):
                    cut.add(part.func.value.id)
            elif (
                isinstance(part, ast.Subscript)
                and isinstance(part.value, ast.Name)
                and isinstance(part.slice, ast.Slice)
            ):
                lower = part.slice.lower
                if isinstance(lower, ast.Name) or (
                    isinstance(lower, ast.Constant) and isinstance(lower.value, int) and lower.value > 0
                ):
                    cut.add(part.value.id)
        found = bool(grown & cut)
        root._jaxlint_warm = found  # type: ignore[attr-defined]
    return found


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
