"""Fingerprints of values: equal fingerprints mean that a call sees the same thing."""

from __future__ import annotations

from typing import Any

from jaxlint.interpreter.values import (
    MISSING,
    Array,
    BoundV,
    Const,
    DictV,
    ExternV,
    Host,
    InstanceV,
    ListV,
    PartialV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)


def fingerprint(value: Value) -> Any:
    """A hashable that is equal only for values that behave alike. Mutable values are told apart by identity."""
    work = PRINTERS.get(value.__class__)
    return work(value) if work is not None else ("id", id(value))


def _const(value: Const) -> Any:
    return ("const", type(value.value).__name__, value.value)


def _array(value: Array) -> Any:
    return (
        "array",
        id(value.trace),
        value.shape,
        value.dtype,
        value.weak,
        value.born,
        value.rounds,
        id(value.ragged) if value.ragged else None,
        id(value.origin) if value.origin is not None else None,
        value.piece,
        value.ready,
        id(value.key) if value.key is not None else None,
        id(value.grows) if value.grows else None,
    )


def _tree(value: Tree) -> Any:
    return ("tree", *_array(value.leaf))


def _tuple(value: TupleV) -> Any:
    if value.items is None:
        return ("tuple*", fingerprint(value.elem))
    return ("tuple", *(fingerprint(v) for v in value.items))


def _host(value: Host) -> Any:
    return (
        "host",
        value.kind,
        value.sym,
        value.shape,
        value.varies,
        id(value.ragged) if value.ragged else None,
        id(value.index) if value.index else None,
        value.prefix,
    )


def _unknown(value: Unknown) -> Any:
    return ("unknown", value.sym)


def _union(value: UnionV) -> Any:
    return ("union", *(fingerprint(v) for v in value.options))


def _bound(value: BoundV) -> Any:
    return ("bound", fingerprint(value.func), fingerprint(value.receiver))


def _extern(value: ExternV) -> Any:
    return ("extern", value.name)


PRINTERS: dict[type, Any] = {
    Const: _const,
    Array: _array,
    Tree: _tree,
    TupleV: _tuple,
    Host: _host,
    Unknown: _unknown,
    UnionV: _union,
    BoundV: _bound,
    ExternV: _extern,
}


def trace_signature(value: Value, depth: int = 6) -> Any:
    """What JAX's trace cache sees of an argument: structure, shapes, dtypes; static objects by identity."""
    if isinstance(value, Array):
        return ("array", value.shape, value.dtype, value.weak, id(value.trace) if value.trace is not None else None)
    if isinstance(value, Tree):
        return ("tree",)
    if isinstance(value, Const):
        return _const(value)
    if isinstance(value, Host):
        return ("host", value.kind, value.shape, value.dtype)
    if depth and isinstance(value, (TupleV, ListV)):
        if value.items is None:
            return ("seq*", trace_signature(value.elem, depth - 1))
        return ("seq", *(trace_signature(v, depth - 1) for v in value.items))
    if depth and isinstance(value, DictV):
        return (
            "dict",
            *sorted(
                ((repr(k), trace_signature(v, depth - 1)) for k, v in value.items.items() if v is not MISSING), key=repr
            ),
        )
    if depth and isinstance(value, InstanceV):
        parts = (
            (k, trace_signature(v, depth - 1))
            for k, v in value.attrs.items()
            if isinstance(v, Value) and v is not MISSING
        )
        return ("instance", id(value.cls), value.extern, *sorted(parts, key=repr))
    if isinstance(value, PartialV):
        return ("partial", fingerprint(value.func))
    return fingerprint(value)
