"""Joining the values of two paths. What is not the same on both is forgotten, unless it is worth an alternative."""

from __future__ import annotations

from typing import Any

from jaxlint.interpreter.running import Level, Mark, Pending
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    Const,
    FunctionV,
    Host,
    ListV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

MAX_OPTIONS = 4
HOST_KINDS = {int: "int", float: "float", bool: "bool", str: "str", bytes: "bytes", complex: "complex"}


def kind_of(value: Value) -> str:
    """The Python type of a host value, '' when it is not one."""
    if isinstance(value, Host):
        return value.kind
    if isinstance(value, Const):
        return HOST_KINDS.get(type(value.value), "")
    return ""


def join(a: Any, b: Any) -> Any:
    """What holds on both paths."""
    if a is b:
        return a
    if a is MISSING:
        return b
    if b is MISSING:
        return a
    if isinstance(a, Level):
        return a if (a.number <= b.number) == a.low else b
    if not isinstance(a, Value) or not isinstance(b, Value):
        if isinstance(a, Pending) and isinstance(b, Pending):
            return a.merge(b)
        return a if isinstance(a, Mark) and isinstance(b, Mark) else join_plain(a, b)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    if isinstance(a, Const) and isinstance(b, Const) and type(a.value) is type(b.value) and a.value == b.value:
        return a
    if isinstance(a, UnionV) or isinstance(b, UnionV):
        return join_options(options(a) + options(b))
    merged = join_alike(a, b)
    return merged if merged is not None else join_options((a, b))


def join_plain(a: Any, b: Any) -> Any:
    """Join of raw state entries: tuples of values (the items of a list), numbers, marks."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) == len(b):
            return tuple(join(x, y) for x, y in zip(a, b))
        return None
    if a == b:
        return a
    return None


def options(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value: itself, unless it is a union."""
    return value.options if isinstance(value, UnionV) else (value,)


def join_options(values: tuple[Value, ...]) -> Value:
    """A union of the different values among `values`, or Unknown when there are too many."""
    kept: list[Value] = []
    for value in values:
        if isinstance(value, Unknown):
            return UNKNOWN
        for place, other in enumerate(kept):
            if other is value:
                break
            if isinstance(other, Const) and isinstance(value, Const) and type(other.value) is type(value.value):
                if other.value == value.value:
                    break
                if isinstance(value.value, str) and len(kept) < MAX_OPTIONS:
                    continue
            merged = join_alike(other, value)
            if merged is not None:
                kept[place] = merged
                break
        else:
            kept.append(value)
    if len(kept) == 1:
        return kept[0]
    return UnionV(tuple(kept)) if len(kept) <= MAX_OPTIONS else UNKNOWN


def join_alike(a: Value, b: Value) -> Value | None:
    """The join of two values of one sort, or None when they must stay alternatives."""
    if isinstance(a, Array) and isinstance(b, Array):
        return join_arrays(a, b)
    kind_a, kind_b = kind_of(a), kind_of(b)
    if kind_a and kind_b:
        return join_hosts(a, b, kind_a, kind_b)
    if isinstance(a, TupleV) and isinstance(b, TupleV):
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            return TupleV(tuple(join(x, y) for x, y in zip(a.items, b.items)))
        return TupleV(None, join(element(a), element(b)))
    if isinstance(a, (Tree, Array)) and isinstance(b, (Tree, Array)):
        # a tree of unknown structure may be a single array
        leaf = join_arrays(a.leaf if isinstance(a, Tree) else a, b.leaf if isinstance(b, Tree) else b)
        return Tree(leaf) if leaf is not None else None
    if isinstance(a, ListV) and isinstance(b, ListV) and a.kind == b.kind:
        joined = ListV(None, join(element(a), element(b)), a.kind, min(a.depth, b.depth))
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            joined.state["items"] = join_plain(a.items, b.items)
        return joined
    if isinstance(a, FunctionV) and isinstance(b, FunctionV) and a.node is b.node and a.closure is b.closure:
        return a
    return None


def element(value: Value) -> Value:
    """What any element of a tuple or list looks like (UNKNOWN for an empty one: nothing says otherwise)."""
    if isinstance(value, (TupleV, ListV)):
        items = value.items
        if items is None:
            return value.elem
        if not items:
            return MISSING
        result: Value = items[0]
        for item in items[1:]:
            result = join(result, item)
        return result
    return UNKNOWN


def join_arrays(a: Array, b: Array) -> Array | None:
    """Join of two arrays of one trace; None when one is a tracer and the other is not."""
    if a.trace is not b.trace:
        return None
    shape = a.shape if same_shape(a.shape, b.shape) else join_shape(a.shape, b.shape)
    older = a if a.born <= b.born else b
    return older.but(
        shape=shape,
        dtype=a.dtype if a.dtype == b.dtype else None,
        weak=a.weak if a.weak == b.weak else None,
        ragged=a.ragged or b.ragged,
        cause=older.cause or a.cause or b.cause,
        piece=a.piece and b.piece,
        origin=a.origin if a.origin is b.origin else None,
        grows=a.grows or b.grows,
        key=a.key if a.key is b.key else None,
        parts=joined_parts(a, b) if a.trace is None else (),
        weight=min(a.weight, b.weight),
    )


def joined_parts(a: Array, b: Array) -> tuple[Array, ...]:
    """The arrays of which a joined one is one; none when there are too many."""
    found = {id(part): part for array in (a, b) for part in (array.parts or (array,))}
    return tuple(found.values()) if len(found) <= MAX_OPTIONS else ()


def same_shape(a: Any, b: Any) -> bool:
    """Whether two shapes are known to be equal (or both unknown)."""
    return bool(a is b or a == b)


def join_shape(a: Any, b: Any) -> Any:
    """Dimension-wise join; None when the ranks differ or one is unknown."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b))


def join_hosts(a: Value, b: Value, kind_a: str, kind_b: str) -> Value | None:
    """Join of Python values: a bool or str pair stays exact as a union, numbers become 'some number'."""
    if kind_a != kind_b:
        if {kind_a, kind_b} <= {"int", "float", "bool", "npnumber"}:
            return Host("float")
        return None if "ndarray" in (kind_a, kind_b) else Host("object")
    if isinstance(a, Const) and isinstance(b, Const):
        return None if kind_a in ("str", "bool") else Host(kind_a)
    if kind_a == "ndarray" and isinstance(a, Host) and isinstance(b, Host):
        return Host(
            "ndarray",
            shape=join_shape(a.shape, b.shape),
            ragged=a.ragged or b.ragged,
            dtype=a.dtype if a.dtype == b.dtype else None,
        )
    varies: frozenset[int] = frozenset()
    for value in (a, b):
        if isinstance(value, Host):
            varies |= value.varies
    index = a.index if isinstance(a, Host) and isinstance(b, Host) and a.index is b.index else None
    return Host(kind_a, varies=varies, index=index)
