"""Checkpointers: what is handed to them, where it is written to, and whether anybody waits for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence, TraceStep
from jaxlint.interpreter.paths import is_relative
from jaxlint.interpreter.running import Pending
from jaxlint.interpreter.values import (
    MISSING,
    BoundV,
    Const,
    DictV,
    FunctionV,
    GeneratorV,
    InstanceV,
    ListV,
    PartialV,
    TransformedV,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.source import Source

PENDING = ("pending",)


@dataclass(eq=False, slots=True)
class Saver:
    """One asynchronous checkpointer: where it was made, whether in a run that starts the program, and its saves."""

    instance: InstanceV
    unprompted: bool
    # handed to something that is not followed, or kept where others can reach it
    escaped: bool = False


@dataclass(eq=False, slots=True)
class Save:
    """One save: its place, and the path it goes to, as value and as text."""

    node: ast.AST
    source: Source
    scope: str
    path: Value | None
    text: str
    # the calls that led there, outermost first
    trace: tuple[TraceStep, ...] = ()


# -- what is saved -------------------------------------------------------------------------------------------


def unsavable(value: Value | None, depth: int = 6) -> tuple[str, str] | None:
    """A part of a tree that is no array data: what it is (module, nnx, optimizer, callable), and its name."""
    if isinstance(value, (FunctionV, BoundV, PartialV, TransformedV)):
        return "callable", getattr(value, "name", "") or "function"
    if isinstance(value, InstanceV):
        return unsavable_instance(value)
    if isinstance(value, (TupleV, ListV)) and depth:
        return next((found for item in value.items or () if (found := unsavable(item, depth - 1))), None)
    if isinstance(value, DictV) and depth:
        items = [item for item in value.items.values() if item is not MISSING]
        return next((found for item in items if (found := unsavable(item, depth - 1))), None)
    return None


def unsavable_instance(value: InstanceV) -> tuple[str, str] | None:
    """Modules, optimisers and schedules."""
    from jaxlint import knowledge

    short = value.cls.name if value.cls is not None else value.extern.rpartition(".")[2]
    family = value.cls.family if value.cls is not None else ""
    if family in ("nnx", "linen"):
        return ("nnx" if family == "nnx" else "module"), short
    if value.extern in ("optax.GradientTransformation", "optax.Schedule"):
        return "optimizer", "optimiser" if value.extern.endswith("Transformation") else "schedule"
    if value.extern == "flax.nnx.GraphDef":
        return "graphdef", "GraphDef"
    entry = knowledge.lookup(value.extern) if value.extern.startswith("flax.") else None
    if entry is not None and entry.model in ("nnx_module", "nnx_optimizer", "nnx_metric"):
        return "nnx", short
    if entry is not None and entry.model == "linen_module":
        return "module", short
    return None


def check_object(m: Machine, value: Value | None, node: ast.AST, subject: ast.AST | None) -> None:
    """Only trees of arrays and numbers are saved as they are."""
    found = unsavable(value)
    if found is not None:
        m.emit(
            Kind.CHECKPOINT_OBJECT,
            node,
            found[0],
            subject=subject,
            trace=(),
            what=found[1],
            whole=isinstance(value, InstanceV),
        )


def check_path(m: Machine, value: Value | None, node: ast.AST, subject: ast.AST | None) -> None:
    """Orbax wants an absolute path."""
    if is_relative(value):
        m.emit(Kind.CHECKPOINT_PATH, node, "relative", subject=subject, trace=(), object=isinstance(value, InstanceV))


# -- who waits -----------------------------------------------------------------------------------------------


def made(m: Machine, instance: InstanceV) -> None:
    """An asynchronous checkpointer was made: by each call a new one, so that such calls are not recalled."""
    m.effects += 1
    m.savers.append(Saver(instance, m.unprompted))


def calls_above(m: Machine) -> tuple[TraceStep, ...]:
    """The calls that led to the current frame, for a save in a helper that others use rightly."""
    steps: list[TraceStep] = []
    for frame, caller in zip(m.frames[1:], m.frames):
        if isinstance(frame.call_node, ast.Call):
            source = caller.module.source
            span = source.span(frame.call_node)
            note = f"`{source.segment(frame.call_node.func, 40)}` is called, and saves"
            steps.append(TraceStep(source.filename, span.row, span.column, note))
    return tuple(steps)


def saved(m: Machine, instance: InstanceV, save: Save) -> None:
    """A save begins; an earlier one of the same checkpointer has ended by then."""
    m.saves[save.node] = save
    m.effects += 1
    before = instance.attrs.get(PENDING, Pending())
    done = before.done | before.open
    m.write(instance.attrs, PENDING, Pending(frozenset({save.node}), done - {save.node}))


def waited(m: Machine, instance: InstanceV) -> None:
    """All saves of a checkpointer have ended."""
    m.effects += 1
    before = instance.attrs.get(PENDING, Pending())
    if isinstance(before, Pending):
        m.write(instance.attrs, PENDING, Pending(frozenset(), before.done | before.open))


def pending_of(instance: InstanceV) -> frozenset[ast.AST]:
    """The saves of a checkpointer that may not have ended."""
    found = instance.attrs.get(PENDING)
    return found.open if isinstance(found, Pending) else frozenset()


def note_use(m: Machine, path: Value | None, node: ast.AST | None, by: InstanceV | None = None) -> None:
    """Files are read: a save to that very path that nobody has waited for is not there yet."""
    if node is None or m.muted:
        return
    text = ast.dump(node)
    for saver in m.savers:
        if saver.instance is by:
            continue
        for place in pending_of(saver.instance):
            save = m.saves[place]
            same = path is not None and (
                save.path is path or (is_text(path) and is_text(save.path) and equal(path, save.path))
            )
            if same or (save.text == text and save.source is m.frames[-1].module.source):
                report(m, save, "used", node)


def is_text(value: Value | None) -> bool:
    """Whether a value is a known string."""
    return isinstance(value, Const) and isinstance(value.value, str)


def equal(a: Value, b: Value | None) -> bool:
    """Whether two constants are equal."""
    return isinstance(a, Const) and isinstance(b, Const) and bool(a.value == b.value)


def report(m: Machine, save: Save, how: str, at: ast.AST | None = None) -> None:
    """Emit, once for each save."""
    key = (Kind.UNFINISHED_SAVE, save.node)
    if key not in m.seen:
        m.seen.add(key)
        sure = Confidence.PROVEN if how == "used" else Confidence.LIKELY
        data = {"row": getattr(at, "lineno", 0)}
        m.events.append(
            Event(
                Kind.UNFINISHED_SAVE,
                save.node,
                save.source,
                how,
                save.node,
                save.scope,
                save.trace,
                confidence=sure,
                data=data,
            )
        )


def escape(m: Machine, values: Iterator[Value] | list[Value]) -> None:
    """Values are handed to where they are not followed: a checkpointer among them may be waited for there."""
    for value in values:
        for instance in savers_in(value):
            for saver in m.savers:
                if saver.instance is instance:
                    saver.escaped = True


def savers_in(value: Value | None, depth: int = 3) -> Iterator[InstanceV]:
    """The instances that a value is, holds or is bound to."""
    if isinstance(value, InstanceV):
        yield value
        if depth:
            for item in list(value.attrs.values()):
                if isinstance(item, Value):
                    yield from savers_in(item, depth - 1)
    elif isinstance(value, BoundV):
        yield from savers_in(value.receiver, depth)
    elif isinstance(value, PartialV):
        yield from savers_in(value.func, depth)
        for item in value.args:
            yield from savers_in(item, depth - 1)
    elif isinstance(value, (TupleV, ListV)) and depth:
        for item in value.items or ():
            yield from savers_in(item, depth - 1)
    elif isinstance(value, DictV) and depth:
        for item in value.items.values():
            yield from savers_in(item, depth - 1) if isinstance(item, Value) else ()
    elif isinstance(value, UnionV):
        for item in value.options:
            yield from savers_in(item, depth)


def end_of_call(m: Machine, since: int, result: Value, function: FunctionV) -> None:
    """A call from nowhere has ended: checkpointers that it made and gave to nobody are gone, with their saves."""
    if len(m.savers) == since:
        return
    escape(m, [result, *(value for value in function.module.namespace.values() if isinstance(value, InstanceV))])
    if isinstance(result, (FunctionV, PartialV, UnionV, GeneratorV)):
        # what holds variables of the call may wait later
        del m.savers[since:]
    for saver in m.savers[since:]:
        if not saver.escaped and saver.unprompted:
            for place in pending_of(saver.instance):
                report(m, m.saves[place], "exit")
    del m.savers[since:]


def end_of_program(m: Machine) -> None:
    """The module has run: what is still being written then is lost at exit."""
    for saver in m.savers:
        if not saver.escaped and not saver.unprompted:
            for place in pending_of(saver.instance):
                report(m, m.saves[place], "exit")
