"""What became of the loops: reads and waits are reported where a loop turned out to be hot."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Event, Kind
from jaxlint.findings import TraceStep
from jaxlint.interpreter.feedback import VALUES, feeds_back
from jaxlint.interpreter.machine import Machine
from jaxlint.interpreter.running import PendingRead
from jaxlint.interpreter.values import Ragged

if TYPE_CHECKING:
    from jaxlint.interpreter.running import LoopRun
    from jaxlint.source import Source

# events that matter in any loop, hot or not
ANY_LOOP = frozenset({Kind.ARRAY_GROW, Kind.COMPILED_CALL})


def settle_reads(m: Machine) -> None:
    """Turn the pending reads into events, and take back those that another call shows to be none."""
    # a helper that is handed numbers and tracers alike does not ask in vain
    m.events = [e for e in m.events if e.kind is not Kind.TRACER_TYPE_TEST or id(e.node) not in m.type_hits]
    seen: set[object] = set()
    for read in m.reads:
        if read.lagged and read.kind is not Kind.COMPILED_CALL:
            continue
        if isinstance(read.ragged, Ragged) and read.ragged.handled:
            continue
        chosen = choose_loop(read)
        if chosen is None or timed(m, read):
            continue
        run, _place, node, source, scope = chosen
        if read.kind is Kind.HOST_READ and read.how in VALUES and feeds_back(m, run, in_loop(read, run, node)):
            continue
        key = (read.kind, read.how, id(node), id(source))
        if key in seen:
            continue
        seen.add(key)
        m.events.append(
            Event(
                read.kind,
                node,
                source,
                read.how,
                read.subject if node is read.node else None,
                scope,
                trace_of(read, node, source, run),
                loop=run.loop,
                steady=True,
                confidence=read.confidence,
                data={**read.data, "helper": "" if node is read.node else read.source.segment(read.node, 60)},
            )
        )


def in_loop(read: PendingRead, run: LoopRun, node: ast.AST) -> ast.AST:
    """The expression of the loop's own function in which the read happens: itself, or the call of a helper."""
    return next((at for uid, at, _, _ in read.stack if uid == run.frame and at is not None), node)


def timed(m: Machine, read: PendingRead) -> bool:
    """Whether a clock is read in one of the frames around: then the wait is the point."""
    if read.kind is Kind.HOST_BLOCK:
        return any(row[0] in m.clock_frames for row in read.stack) or any(run.clocked for run, _, _ in read.loops)
    if read.kind is not Kind.HOST_READ or not read.loops:
        return False
    # a helper that reads the clock and fetches its result: the fetch is what it waits for
    outer = read.loops[-1][0].frame
    below = [row[0] for row in read.stack]
    inner = below[below.index(outer) + 1 :] if outer in below else below
    return any(uid in m.clock_frames for uid in inner)


def choose_loop(read: PendingRead) -> tuple[LoopRun, int, ast.AST, Source, str] | None:
    """The innermost hot loop in which the read is steady, and the place to report."""
    for place in range(len(read.loops) - 1, -1, -1):
        run, number, gated = read.loops[place]
        if gated or number < 2 or run.short:
            continue
        if run.loop.hot or (read.kind in ANY_LOOP) or reads_pieces(read, place):
            run.loop.hot = run.loop.hot or reads_pieces(read, place)
            node, source, scope = report_place(read, run)
            return run, place, node, source, scope
        if run.inner_hot:
            return None
    return None


def reads_pieces(read: PendingRead, place: int) -> bool:
    """A loop over the pieces of a device array reads one after the other: each is a wait of its own."""
    return place == len(read.loops) - 1 and read.kind is Kind.HOST_READ and read.value is not None and read.value.piece


def report_place(read: PendingRead, run: LoopRun) -> tuple[ast.AST, Source, str]:
    """Where to report: the deepest frame that both the dispatch of the value and the read happened under.

    A helper that only reads what it is given is right elsewhere: then the call in the loop is reported.
    """
    stack = read.stack
    loop_at = next((i for i, row in enumerate(stack) if row[0] == run.frame), 0)
    place = len(stack) - 1
    if read.value is not None and read.value.stack:
        born = read.value.stack
        common = 0
        while common < len(stack) and common < len(born) and stack[common][0] == born[common]:
            common += 1
        place = max(loop_at, common - 1)
    elif read.kind in ANY_LOOP:
        place = len(stack) - 1
    place = min(place, len(stack) - 1)
    _, node, source, scope = stack[place]
    return (read.node, read.source, stack[-1][3]) if node is None else (node, source, scope)


def trace_of(read: PendingRead, node: ast.AST, source: Source, run: LoopRun) -> tuple[TraceStep, ...]:
    """The explanation: what makes the loop hot, and the helper in which the read happens."""
    steps: list[TraceStep] = []
    work, at, file = run.loop.work, run.loop.work_node, run.loop.work_source
    if work and at is not None and file is not None:
        span = file.span(at)
        steps.append(
            TraceStep(file.filename, span.row, span.column, f"`{work}` hands out device work in each iteration")
        )
    if node is not read.node:
        inner = read.source.span(read.node)
        text = read.source.segment(read.node, 50)
        steps.append(TraceStep(read.source.filename, inner.row, inner.column, f"`{text}` reads it here"))
    return tuple(steps)
