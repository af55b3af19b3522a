"""Running loops: the first iteration as it is, then one that stands for all later ones.

What changed between the first and the second iteration is widened: a number becomes "a number that varies in
this loop", a list that got longer a list of unknown length. Events of the second round are steady ones.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.events import Loop
from jaxlint.interpreter.donation import share
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.iteration import Steps
from jaxlint.interpreter.joining import join, kind_of
from jaxlint.interpreter.keys import own_row
from jaxlint.interpreter.running import LoopRun
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    Const,
    DictV,
    Host,
    InstanceV,
    ListV,
    Tree,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Journal, Machine

Body = Callable[[Value, LoopRun], End]
MAX_DRIVEN = 3
# loops over so few known items are sweeps, not training loops
SWEEP = 2
# loops inside one another, from which on a loop body runs once
# single operations an iteration, from which on a loop without compiled calls keeps the device busy
BUSY = 4
MAX_LOOPS = 8


def start_loop(m: Machine, f: Frame, node: ast.AST) -> LoopRun:
    """Enter a loop."""
    run = LoopRun(Loop(node, f.module.source), m.fresh(), node, f.uid)
    run.journal_depth = len(m.journals)
    run.rounds_done = m.seq
    m.loops.append(run)
    return run


def run_steps(m: Machine, f: Frame, node: ast.AST, steps: Steps, body: Body) -> End:
    """Run `body` over the values of a loop. Ends with RETURN or RAISE only if that is certain."""
    if steps.empty:
        return End.NORMAL
    run = start_loop(m, f, node)
    run.choices = steps.choices and not isinstance(node, ast.comprehension)
    run.count = steps.count
    gates = len(m.gates)
    try:
        if steps.generator is not None:
            end = drive(m, f, steps, run, body)
        elif steps.items is not None:
            end = run_items(m, run, steps.items, body)
        else:
            end = run_rounds(m, run, steps, body)
    finally:
        m.loops.pop()
        del m.gates[gates:]
        finish(run)
        # a loop over layers inside a model that is called here is part of this loop's own work
        if m.loops and m.loops[-1].frame == run.frame and (run.inner_eager or is_busy(run)):
            m.loops[-1].inner_eager = True
    m.join_in(run.exits)
    return end if end in (End.RETURN, End.RAISE) else End.NORMAL


def finish(run: LoopRun) -> None:
    """Decide whether the loop is hot: it dispatches work itself, and no loop inside it does."""
    run.loop.hot = (run.dispatched or (is_busy(run) and not run.inner_eager)) and not run.inner_hot
    if run.loop.hot and not run.dispatched:
        run.loop.work, run.loop.work_node, run.loop.work_source = next(iter(run.eager.values()))
    run.over = True


def is_busy(run: LoopRun) -> bool:
    """Whether each iteration hands out a row of single operations, as a loop without `jit` does."""
    return bool(run.eager) and len(run.made) >= BUSY


def one_round(m: Machine, run: LoopRun, value: Value, body: Body) -> End:
    """Run the body once."""
    run.rounds_done = m.seq
    run.body_depth = len(m.journals)
    gates = len(m.gates)
    end = body(value, run)
    del m.gates[gates:]
    return End.NORMAL if end == End.CONTINUE else end


def run_items(m: Machine, run: LoopRun, items: tuple[Value, ...], body: Body) -> End:
    """Run the body for each known item."""
    run.short = len(items) <= SWEEP
    for number, item in enumerate(items, 1):
        run.round = number
        item = varying(m, item, run)
        if number > 1 and m.steps > m.budget:
            break
        end = one_round(m, run, item, body)
        if end != End.NORMAL:
            return end if number == 1 else End.NORMAL
    return End.NORMAL


def run_rounds(m: Machine, run: LoopRun, steps: Steps, body: Body) -> End:
    """Run the body for the first iteration, widen, and once more for all later ones."""
    journal = open_journal(m)
    first = steps.first if steps.first is not None else varying(m, steps.elem, run)
    end = one_round(m, run, first, body)
    close_journal(m, journal)
    if end != End.NORMAL:
        return end
    run.round = 2
    widen(m, run, journal)
    if exhausted(m):
        return End.NORMAL
    one_round(m, run, varying(m, steps.elem, run), body)
    if run.again and not exhausted(m):
        one_round(m, run, varying(m, steps.elem, run), body)
    return End.NORMAL


def exhausted(m: Machine) -> bool:
    """Whether loops get one round only: deep inside others (each level doubles the work), or past all budgets."""
    if len(m.loops) <= MAX_LOOPS and m.steps <= 2 * m.budget:
        return False
    m.given_up += 1
    return True


def varying(m: Machine, value: Value, run: LoopRun) -> Value:
    """A loop value, marked as one that changes in this loop."""
    if isinstance(value, Host) and -1 in value.varies:
        return Host(
            value.kind,
            value.sym,
            value.shape,
            (value.varies - {-1}) | {run.uid},
            value.ragged,
            value.index,
            value.dtype,
            value.grows,
        )
    if isinstance(value, (Array, Tree)):
        return another(own_row(m, value))
    if isinstance(value, (DictV, InstanceV, ListV)):
        share(m, value)
    if isinstance(value, TupleV) and value.items is not None:
        items = tuple(varying(m, v, run) for v in value.items)
        return TupleV(items) if any(a is not b for a, b in zip(items, value.items)) else value
    return value


def another(value: Value) -> Value:
    """An array of its own for each iteration."""
    if isinstance(value, Tree):
        return Tree(value.leaf.but(parts=(value.leaf,))) if value.leaf.trace is None else value
    return value.but(parts=(value,)) if isinstance(value, Array) and value.trace is None else value


def open_journal(m: Machine) -> Journal:
    """Start recording what a round writes."""
    journal: Journal = {}
    m.journals.append(journal)
    return journal


def close_journal(m: Machine, journal: Journal) -> None:
    """Stop recording, and hand what was recorded to the journal around."""
    m.journals.pop()
    if m.journals:
        outer = m.journals[-1]
        for place, entry in journal.items():
            outer.setdefault(place, entry)


def widen(m: Machine, run: LoopRun, journal: Journal) -> None:
    """Forget the exact content of what the first iteration changed."""
    for container, key, old in list(journal.values()):
        new = container.get(key, MISSING)
        if new is old or new is MISSING:
            continue
        if key == "items" and (isinstance(old, tuple) or old is None) and (isinstance(new, tuple) or new is None):
            widen_list(m, run, container, old, new)
            continue
        wide = widened(old, new, run)
        if wide is not new:
            m.write(container, key, wide)


def widened(old: Any, new: Any, run: LoopRun) -> Any:
    """The value at the start of a later iteration."""
    if not isinstance(new, Value):
        return new
    kind = kind_of(new)
    if isinstance(new, Const) and isinstance(old, Const):
        if type(new.value) is type(old.value) and new.value == old.value:
            return new
        if kind in ("int", "float", "complex"):
            return Host(kind, varies=frozenset({run.uid}))
        return new
    if isinstance(new, Const) and isinstance(old, Host) and kind in ("int", "float"):
        return Host(kind, varies=old.varies | {run.uid})
    if isinstance(new, Host) and new.kind != "ndarray" and old is not MISSING:
        return Host(new.kind, varies=new.varies | {run.uid}, ragged=new.ragged, index=new.index)
    if isinstance(new, Array) and isinstance(old, Array) and new.shape != old.shape:
        return new.but(
            shape=None
            if new.shape is None or old.shape is None or len(new.shape) != len(old.shape)
            else tuple(a if a == b else None for a, b in zip(new.shape, old.shape))
        )
    return new


def widen_list(m: Machine, run: LoopRun, container: dict[Any, Any], old: Any, new: Any) -> None:
    """A list that an iteration changed: of unknown length, unless its length is what it was."""
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        return
    if new is None:
        return
    elem: Any = container.get("elem", MISSING) if old is None else MISSING
    for item in new:
        elem = join(elem, item)
    m.write(container, "items", None)
    m.write(container, "elem", UNKNOWN if elem is MISSING else elem)
    if (isinstance(old, tuple) and len(new) > len(old)) or old is None:
        m.write(container, "grown", run.uid)


def drive(m: Machine, f: Frame, steps: Steps, run: LoopRun, body: Body) -> End:
    """A loop over a project generator: its body runs, and each `yield` runs the body of the loop."""
    from jaxlint.interpreter.generators import run_generator

    generator = steps.generator
    assert generator is not None
    ends: list[End] = []
    stack, loops, gates, traces = list(m.frames), list(m.loops), list(m.gates), list(m.traces)
    journal: list[Journal] = []

    def consume(value: Value) -> Value:
        if len(ends) >= MAX_DRIVEN or (ends and ends[-1] != End.NORMAL):
            return UNKNOWN
        saved = (m.frames, m.loops, m.gates, m.traces)
        run.driver = m.loops[-1] if len(m.loops) > len(loops) else None
        m.frames, m.loops, m.gates, m.traces = list(stack), list(loops), list(gates), list(traces)
        run.round = len(ends) + 1
        try:
            if run.round == 2 and journal:
                widen(m, run, journal[0])
            item = steps.shape(value) if steps.shape else value
            made = open_journal(m)
            ends.append(one_round(m, run, varying(m, item, run), body))
            close_journal(m, made)
            journal.append(made)
        finally:
            m.frames, m.loops, m.gates, m.traces = saved
        return UNKNOWN

    run_generator(m, generator, run.node, consume)
    return ends[0] if ends and ends[0] != End.NORMAL else End.NORMAL


def leave(m: Machine, f: Frame, end: End) -> None:
    """`break`, `continue` or `return` inside branches: keep the state for the join at the end of loop or function."""
    if end == End.RETURN:
        if len(m.journals) > f.journal_depth:
            f.exits.append(outer_part(m, f, f.journal_depth))
        return
    if m.loops:
        run = m.loops[-1]
        if len(m.journals) > run.journal_depth:
            run.exits.append(m.capture(run.journal_depth))


def outer_part(m: Machine, f: Frame, depth: int) -> Any:
    """What was written since the function began, without its own variables."""
    return [entry for entry in m.capture(depth) if entry[0] is not f.names]
