"""PRNG keys: which value is which key, who uses it up, and when that is once too often.

A draw and a `split` use a key up; `fold_in` and `clone` do not. What is not known to be a key, or not known to be the
same key, is silent.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.findings import Confidence, TraceStep
from jaxlint.interpreter.identity import Key, Spot, Use, certain, later_rounds, where
from jaxlint.interpreter.uses import use_now
from jaxlint.interpreter.values import (
    OPEN,
    UNKNOWN,
    Array,
    Const,
    DictV,
    Host,
    InstanceV,
    ListV,
    Tree,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.interpreter.values import Trace

# splits, initialisations and shuffles with a constant key are meant to be the same each time
DRAW = re.compile(r"(\w+\.)*(?!split|permutation|shuffle|choice|init)\w+\(")
# traces whose body runs again and again with what it captured
LOOP_TRACES = frozenset({"lax.scan", "lax.while_loop", "lax.fori_loop", "lax.map"})


def new_key(m: Machine, *, seed: tuple[int, object] | None = None, row: bool = False) -> Key:
    """A key that was not there before. Calls that make one are not recalled: each makes another."""
    m.effects += 1
    return Key(m.fresh(), len(m.traces), seed, row)


def derived(m: Machine, parent: Key, *index: object) -> Key:
    """A part of `parent` (a row of a split, a `fold_in` of a constant): the same one each time."""
    place = ("key part", parent.uid, *index)
    found: Key | None = m.memo.get(place)
    if found is None:
        found = m.memo[place] = Key(m.fresh(), parent.depth, parent=parent)
    return found


def key_of(m: Machine, value: Value | None) -> Key | None:
    """The key that a value certainly is, None when that is not known."""
    if isinstance(value, Array):
        return value.key
    if isinstance(value, Tree):
        return value.leaf.key
    if isinstance(value, Unknown) and value is not UNKNOWN and value is not OPEN and value.sym is not None:
        return named_key(m, value)
    return None


def named_key(m: Machine, value: Unknown) -> Key | None:
    """The key that a parameter of a call from nowhere, or an attribute of any instance, would be."""
    terms = value.sym.terms if value.sym is not None else ()
    if len(terms) != 1 or len(terms[0][0]) != 1 or terms[0][1] != 1:
        return None
    atom = terms[0][0][0]
    if atom[0] not in ("param", "attr"):
        return None
    place = ("named key", id(value)) if atom[0] == "param" else ("named key", m.era, *atom[1:])
    found = m.memo.get(place)
    if found is None:
        # the value is kept: its identity must not pass to another one
        found = m.memo[place] = (Key(m.fresh(), 0), value)
    key: Key = found[0]
    return key


def keys_in(m: Machine, value: Value, depth: int = 4) -> list[Key]:
    """The keys in an argument, in a fixed order."""
    found = key_of(m, value)
    if found is not None:
        return [found]
    parts: Iterable[Any] = ()
    if depth and isinstance(value, (TupleV, ListV)):
        parts = value.items or ()
    elif depth and isinstance(value, DictV):
        parts = value.items.values()
    elif depth and isinstance(value, InstanceV) and not value.generic:
        parts = list(value.attrs.values())
    return [key for part in parts if isinstance(part, Value) for key in keys_in(m, part, depth - 1)]


def consume_all(m: Machine, value: Value | None, node: ast.AST) -> None:
    """A key, or each key of a dict of them, is used up."""
    if isinstance(value, DictV):
        # one key under several names (params and dropout) is folded with the names' paths
        for key in {key.uid: part for part in value.items.values() for key in keys_in(m, part, 0)}.values():
            consume(m, key, node)
    elif value is not None:
        consume(m, value, node)


def consume(m: Machine, value: Value, node: ast.AST) -> bool:
    """`node` uses a key up; True when it had been used before (and that was reported)."""
    key = key_of(m, value)
    if key is None or key.row or m.muted or m.dry or not m.frames or for_parameters(m, key):
        return False
    level = value.trace.level if isinstance(value, Array) and value.trace is not None else 0
    if isinstance(value, Tree) and value.leaf.trace is not None:
        level = value.leaf.trace.level
    return used(m, key, node, max(level, key.depth))


def for_parameters(m: Machine, key: Key) -> bool:
    """Whether the key is a field of the linen module that is running: it makes parameters, which are made once."""
    receiver = m.frames[-1].names.get("self")
    if not isinstance(receiver, InstanceV) or receiver.cls is None or receiver.cls.family != "linen":
        return False
    return any(isinstance(held, Value) and key_of(m, held) is key for held in receiver.attrs.values())


def used(m: Machine, key: Key, node: ast.AST, level: int, inner: tuple[Spot, ...] = (), what: str = "") -> bool:
    """Note that `key` is used up at `node`, or in the frames `inner` below it; report a second time."""
    source = m.frames[-1].module.source
    if any(trace.transform == "vmap" and not repeats(m, trace, key) for trace in m.traces):
        # `in_axes=None` says that the same numbers are meant
        return False
    use = use_now(m, key, node, lambda v: key_of(m, v) is key, what or source.segment(node, 50), inner)
    if m.key_log:
        m.key_log[-1].append(use)
    shared = next((t for t in m.traces if t.level > level and repeats(m, t, key)), None)
    if shared is not None:
        report_shared(m, use, shared)
        return True
    first = m.state.get(("key", key.uid))
    if not isinstance(first, Use) or first.era != use.era:
        first = parent_use(m, key)
    if isinstance(first, Use):
        return report_again(m, first, use)
    m.write(m.state, ("key", key.uid), use)
    if key.seed is not None and DRAW.match(use.what):
        seeded(m, key, use)
    return False


def parent_use(m: Machine, key: Key) -> Use | None:
    """The use of a whole array of keys that `key` is a row of."""
    found = m.state.get(("key", key.parent.uid)) if key.parent is not None else None
    return found if isinstance(found, Use) and found.what.startswith(("jax.vmap", "vmap")) else None


def repeats(m: Machine, trace: Trace, key: Key) -> bool:
    """Whether a trace runs its body several times with one and the same captured key."""
    if trace.transform == "vmap":
        return key.uid not in m.memo.get(("unmapped", id(trace)), (trace, ()))[1]
    return trace.transform in LOOP_TRACES


def report_shared(m: Machine, use: Use, trace: Trace) -> None:
    """A key captured by the body of vmap or of a loop primitive."""
    spot = where(use, None)
    lanes = trace.transform == "vmap"
    step = step_at(Spot(0, trace.link.node, trace.link.source, "", False), trace.link.note)
    emit(m, use, spot, "lanes" if lanes else "loop", (step,), None, trace.transform)


def report_again(m: Machine, first: Use, use: Use) -> bool:
    """The key was used before: in an earlier iteration at the same place, or elsewhere."""
    sure = certain(first, use)
    if sure is False or first.graded != use.graded or (first.bound and use.bound):
        return False
    later = later_rounds(first, use)
    runs = {run.uid: run for run in (*m.veiled, *m.loops)}
    if later and all(runs[uid].short or runs[uid].choices for uid in later if uid in runs):
        return False
    again = where(use, first)
    before = where(first, use)
    same = again.node is before.node
    if same and not later:
        return False
    if again.frame != before.frame and m.memo.get(("reused", use.item)):
        # reported where the key was used for the second time
        return True
    m.memo["reused", use.item] = True
    if later and not same and again.frame == before.frame and behind(before, again):
        again, before = before, again
    step = step_at(before, f"`{text(before)}` uses the key first")
    direct = before.node is first.place.node and again.node is use.place.node
    names = (first.what, use.what)
    emit(m, use, again, "loop" if same else "again", () if same else (step,), sure, "", before, direct, names)
    return True


def behind(a: Spot, b: Spot) -> bool:
    """Whether `a` stands below `b` in the same text."""
    return a.source is b.source and getattr(a.node, "lineno", 0) > getattr(b.node, "lineno", 0)


def seeded(m: Machine, key: Key, use: Use) -> None:
    """A key made of a constant inside a loop is the same key in each iteration."""
    place = ("seed", key.seed)
    first = m.state.get(place)
    if not isinstance(first, Use) or certain(first, use) is not True:
        m.write(m.state, place, use)
        return
    inside = [uid for uid in later_rounds(first, use) if isinstance(first.item, Key) and uid < first.item.uid]
    runs = {run.uid: run for run in (*m.veiled, *m.loops)}
    if inside and not all(runs[uid].short or runs[uid].choices for uid in inside if uid in runs):
        emit(m, use, use.place, "loop", (), None, "constant")


def emit(
    m: Machine,
    use: Use,
    spot: Spot,
    how: str,
    steps: tuple[TraceStep, ...],
    sure: bool | None,
    trace: str,
    before: Spot | None = None,
    direct: bool = True,
    names: tuple[str, str] = ("", ""),
) -> None:
    """Report a key that is used again at `spot`."""
    assert spot.node is not None
    m.emit(
        Kind.KEY_REUSE,
        spot.node,
        how,
        source=spot.source,
        scope=spot.scope,
        trace=steps,
        confidence=Confidence.PROVEN if sure else Confidence.LIKELY,
        first=steps[0].row if steps else None,
        other=before.node if before is not None and before.source is spot.source else None,
        direct=direct,
        transform=trace,
        use=use.what,
        names=names,
    )


def text(spot: Spot) -> str:
    """The code of a spot."""
    return spot.source.segment(spot.node, 50) if spot.node is not None else ""


def step_at(spot: Spot, note: str) -> TraceStep:
    """A step of the explanation."""
    assert spot.node is not None
    span = spot.source.span(spot.node)
    return TraceStep(spot.source.filename, span.row, span.column, note)


# -- compiled functions: what a remembered trace does to keys ------------------------------------------------------


def replay(m: Machine, log: Iterable[Use], mapping: dict[int, Key], since: int, depth: int, node: ast.AST) -> None:
    """A compiled function runs again: it uses up the keys of this call, and again those that it captured.

    `mapping` gives the key of this call for one of the first call, `since` is the number of the newest thing before
    the trace, `depth` the number of frames that were around it.
    """
    for use in list(log):
        key = use.item
        assert isinstance(key, Key)
        # other activations of the same frames
        inner = tuple(replace(spot, frame=m.fresh()) for spot in use.stack[depth:])
        now = mapping.get(key.uid)
        if now is None and key.uid > since:
            if key.seed is not None and DRAW.match(use.what):
                fresh = use_now(m, key, node, lambda v: False, use.what, inner)
                seeded(m, key, fresh)
            continue
        now = now or key
        if not now.row and not m.muted and not m.dry:
            used(m, now, node, len(m.traces) if now is not key else now.depth, inner, use.what)


def note_unmapped(m: Machine, trace: Trace, values: Iterable[Value]) -> None:
    """Keys that `in_axes=None` hands to all rows alike."""
    found = {key.uid for value in values for key in keys_in(m, value)}
    if found:
        m.memo[("unmapped", id(trace))] = (trace, found)


def check_carry(m: Machine, func: Value, trace: Trace, before: Value, after: Value, node: ast.AST) -> None:
    """A loop body must not carry on a key that it has used."""
    from jaxlint.interpreter.callables import bottom

    if m.muted or m.dry:
        return
    function = bottom(func)
    old = {key.uid for key in keys_in(m, before)}
    for key in keys_in(m, after):
        use = m.state.get(("key", key.uid))
        if not isinstance(use, Use) or key.row or function is None or len(use.stack) <= len(m.frames):
            continue
        if tuple(m.arms) != use.arms:
            continue
        if key.uid in old:
            # in the body at the most: what it is given is its carry
            inside = replace(
                use, stack=(replace(use.stack[len(m.frames)], given=False), *use.stack[len(m.frames) + 1 :])
            )
            emit(m, use, where(inside, None), "loop", (), True, trace.transform)
            continue
        spot = Spot(0, returned(function.node) or node, function.module.source, function.qualname, False)
        used_at = where(use, None)
        step = step_at(used_at, f"`{text(used_at)}` uses the key")
        emit(m, use, spot, "carry", (step,), True, trace.transform)


def returned(node: ast.AST) -> ast.AST | None:
    """What a function hands back: its last `return`, or the body of a lambda."""
    if isinstance(node, ast.Lambda):
        return node.body
    found = [part for part in ast.walk(node) if isinstance(part, ast.Return) and part.value is not None]
    return found[-1] if found else None


def without_keys(value: Value) -> Value:
    """A value that stands for several: their keys are not the same ones."""
    if isinstance(value, Array):
        return value.but(key=None) if value.key is not None else value
    if isinstance(value, TupleV) and value.items is not None:
        return TupleV(tuple(without_keys(item) for item in value.items))
    return value


def row_key(m: Machine, key: Key | None, index: object = None) -> Key | None:
    """The key in a row of an array of keys; without an index, a stand-in for any row."""
    if key is None:
        return None
    if index is None:
        return new_key(m, row=True)
    return derived(m, key, index)


def own_row(m: Machine, value: Value) -> Value:
    """A row of an array of keys: each iteration, each variable has a key of its own."""
    array = value.leaf if isinstance(value, Tree) else value
    if not isinstance(array, Array) or array.key is None or not array.key.row:
        return value
    array = array.but(key=new_key(m))
    return Tree(array) if isinstance(value, Tree) else array


def item_key(m: Machine, value: Array, index: Value) -> Key | None:
    """The key that `keys[index]` is."""
    if value.key is None:
        return None
    if isinstance(index, Const) and isinstance(index.value, int) and not isinstance(index.value, bool):
        number: int = index.value
        length = value.shape[0] if value.shape else None
        if number < 0 and isinstance(length, int):
            number += length
        return derived(m, value.key, number)
    if isinstance(index, (Array, Unknown, Host)) and index is not UNKNOWN:
        # the same index object is the same number
        m.memo[("kept", id(index))] = index
        return derived(m, value.key, "at", id(index))
    return None
