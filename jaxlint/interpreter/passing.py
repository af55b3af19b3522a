"""How calls of one compiled function pass their arguments: what differs from call to call compiles again."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter.callables import Bound, omitted, signature
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.functions import default_of
from jaxlint.interpreter.values import (
    MISSING,
    Array,
    Const,
    DictV,
    Host,
    InstanceV,
    ListV,
    TransformedV,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

Leaves = dict[str, str]
SCALARS = ("Python int", "Python float", "Python bool")
DEPTH = 4
# what JAX makes of NumPy's wide types unless it is told otherwise
NARROW = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}


@dataclass(eq=False, slots=True)
class CallRecord:
    """One call: which parameters by position, by keyword or left out, and what their leaves look like."""

    node: ast.AST
    source: Any
    scope: str
    passing: dict[str, str]
    leaves: dict[str, Leaves] = field(default_factory=dict)
    loops: dict[int, int] = field(default_factory=dict)
    # parameters that are given exactly their default
    needless: frozenset[str] = frozenset()


def note_passing(
    m: Machine, value: TransformedV, bound: list[Bound], mapped: list[bool | None], args: Args, node: ast.AST
) -> None:
    """Remember how this call passes its arguments; report a leaf that differs from an earlier round of the loop."""
    known = signature(value.func)
    if args.star is not None or args.double_star is not None or known is None:
        return
    record = CallRecord(node, m.frames[-1].module.source, m.frames[-1].qualname, {})
    record.loops = {run.uid: run.round for run in m.loops}
    needless: set[str] = set()
    for item, traced in zip(bound, mapped):
        if item.name is None or not traced:
            continue
        record.passing[item.name] = "by keyword" if item.by_keyword else "by position"
        record.leaves[item.name] = leaves_of(item.value)
        default = default_of(known.function, item.name) if known.function is not None else None
        if (
            isinstance(default, Const)
            and isinstance(item.value, Const)
            and type(default.value) is type(item.value.value)
        ):
            if default.value == item.value.value and default.value is not None:
                needless.add(item.name)
    record.needless = frozenset(needless)
    for name in omitted(value.func, args):
        record.passing.setdefault(name, "left out")
    earlier = [r for r in value.keys[1:] if isinstance(r, CallRecord)]
    value.keys.append(record)
    if m.frames[-1].depth == 0:
        compare_rounds(m, earlier, record)
        compare_scalars(m, earlier, record)


def leaves_of(value: Value, path: str = "", depth: int = DEPTH) -> Leaves:
    """The leaves of an argument by path, each in words that are equal when JAX compiles once; unknown ones left out."""
    if isinstance(value, Const):
        return {path: "None"} if value.value is None else {path: f"Python {type(value.value).__name__}"}
    if isinstance(value, Host) and value.kind == "ndarray":
        found = {path: "array", path + "/weak": "strongly typed"}
        if value.dtype is not None:
            found[path + "/dtype"] = NARROW.get(value.dtype, value.dtype)
        return found
    if isinstance(value, Host):
        return {path: f"Python {value.kind}"} if value.kind in ("int", "float", "bool") else {}
    if isinstance(value, Array):
        found = {path: "array"}
        if value.dtype is not None and value.dtype not in ("int", "float", "bool"):
            found[path + "/dtype"] = value.dtype
        if value.weak is not None and value.dtype != "key":
            found[path + "/weak"] = "weakly typed" if value.weak else "strongly typed"
        return found
    if not depth:
        return {}
    found = {}
    if isinstance(value, (TupleV, ListV)) and value.items is not None:
        found[path + "/"] = "tuple" if isinstance(value, TupleV) else "list"
        for place, item in enumerate(value.items):
            found.update(leaves_of(item, f"{path}[{place}]", depth - 1))
    elif isinstance(value, DictV) and value.rest is None:
        keys = sorted(str(k) for k, v in value.items.items() if v is not MISSING)
        found[path + "/"] = "dict with keys " + ", ".join(keys)
        for key, item in value.items.items():
            if item is not MISSING:
                found.update(leaves_of(item, f"{path}[{key!r}]", depth - 1))
    elif (
        isinstance(value, InstanceV)
        and value.cls is not None
        and value.cls.family in ("namedtuple", "struct", "pytree")
    ):
        for name, item in value.attrs.items():
            if isinstance(name, str) and isinstance(item, Value) and item is not MISSING:
                found.update(leaves_of(item, f"{path}.{name}", depth - 1))
    return found


def compare_rounds(m: Machine, earlier: list[CallRecord], record: CallRecord) -> None:
    """The same call in a later iteration of the same loop: whatever differs compiles the function again.

    Run again outside of loops (a helper with two callers), a difference of dtype or structure does.
    """
    same = [r for r in earlier if r.node is record.node]
    later = [r for r in same if later_round(r, record)]
    for name, leaves in record.leaves.items():
        for path, now in leaves.items():
            compared = same if path.endswith(("/dtype", "/")) and not record.loops else later
            others = [r for r in compared if path in r.leaves.get(name, {})]
            others = [r for r in others if strength(r.leaves[name], path) == strength(leaves, path)]
            before = [r.leaves[name][path] for r in others]
            if before and now not in before and not any(same_type(r.leaves[name], leaves, path) for r in others):
                report(m, record, name + path.split("/")[0], before[0], now)
                return


def strength(leaves: Leaves, path: str) -> str:
    """Whether the array whose dtype `path` names is weakly typed ('' for other paths)."""
    return leaves.get(path[: -len("/dtype")] + "/weak", "strongly typed") if path.endswith("/dtype") else ""


def later_round(old: CallRecord, new: CallRecord) -> bool:
    """Whether `new` is a later iteration of a loop that both calls are in."""
    return any(old.loops.get(uid, number) < number for uid, number in new.loops.items())


PYTHON_DTYPES = {"Python int": "int32", "Python float": "float32", "Python bool": "bool"}


def same_type(a: Leaves, b: Leaves, path: str) -> bool:
    """Whether a Python number and an array may be one type to JAX: a weakly typed scalar is what a number becomes."""
    for number, array in ((a, b), (b, a)):
        wanted = PYTHON_DTYPES.get(number.get(path, ""))
        if wanted is not None and array.get(path) == "array" and array.get(path + "/weak") != "strongly typed":
            return array.get(path + "/dtype", wanted) == wanted
    return False


def compare_scalars(m: Machine, earlier: list[CallRecord], record: CallRecord) -> None:
    """A Python number in one call and an array in another, for the same parameter."""
    for name, leaves in record.leaves.items():
        now = leaves.get("")
        others = [r for r in earlier if "" in r.leaves.get(name, {})]
        before = [r.leaves[name][""] for r in others]
        if now is None or not before or now in before or any(same_type(r.leaves[name], leaves, "") for r in others):
            continue
        kinds = {now, *before}
        if len(kinds & set(SCALARS)) == 1 and kinds <= {*SCALARS, "array"}:
            report(m, record, name, before[0], now)
            return


def compare_passing(m: Machine, value: TransformedV) -> None:
    """After the run: a parameter passed by position here and by keyword there, or given its default needlessly."""
    records = [r for r in value.keys[1:] if isinstance(r, CallRecord)]
    ways: dict[str, set[str]] = {}
    for record in records:
        for name, way in record.passing.items():
            ways.setdefault(name, set()).add(way)
    for name, found in ways.items():
        first = records[0].passing.get(name)
        for record in records[1:]:
            passed = record.passing.get(name)
            mixed = {"by position", "by keyword"} <= found and passed not in (None, first, "left out")
            if first is not None and (mixed or (name in record.needless and first == "left out")):
                report(m, record, name, first, str(passed))


def report(m: Machine, record: CallRecord, name: str, before: str, now: str) -> None:
    """One argument of a compiled call differs from earlier calls."""
    m.emit(
        Kind.COMPILED_CALL,
        record.node,
        "signature",
        subject=record.node,
        source=record.source,
        scope=record.scope,
        trace=(),
        parameter=name,
        before=before,
        now=now,
    )
