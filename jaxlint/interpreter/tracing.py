"""Entering and leaving traces: arguments become tracers, results become arrays of the trace outside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import as_shape, dims_of, result_array
from jaxlint.interpreter.classes import is_leaf_field, is_pytree
from jaxlint.interpreter.joining import join_options, kind_of
from jaxlint.interpreter.keys import key_of, new_key
from jaxlint.interpreter.running import ClockV
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    OPEN,
    UNKNOWN,
    Array,
    Const,
    DictV,
    ExternV,
    Host,
    InstanceV,
    IterV,
    Link,
    ListV,
    Trace,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.identity import Key
    from jaxlint.interpreter.machine import Machine

DEPTH = 8
STRUCT = "jax.ShapeDtypeStruct"
LeafMaker = Callable[[Value], Value]
PYTHON_DTYPES = {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex64"}


def map_leaves(value: Value, leaf: LeafMaker, depth: int = DEPTH, *, statics: bool = True) -> Value:
    """A copy of a pytree with each leaf replaced by `leaf(value)`; static fields and non-pytrees stay.

    With `statics=False` unknown objects become unknown too.
    """
    if isinstance(value, (TupleV, ListV)) and depth:
        return map_sequence(value, leaf, depth)
    if isinstance(value, DictV) and depth:
        items = {k: map_leaves(v, leaf, depth - 1) for k, v in value.items.items() if v is not MISSING}
        return DictV(
            items, map_leaves(value.rest, leaf, depth - 1) if value.rest is not None else None, value.depth + 1
        )
    if isinstance(value, InstanceV) and depth and (is_pytree(value) or value.extern) and value.extern != STRUCT:
        return map_instance(value, leaf, depth)
    if isinstance(value, UnionV):
        return join_options(tuple(map_leaves(v, leaf, depth) for v in value.options))
    if isinstance(value, Const) and value.value is None:
        return value
    return leaf(value)


def map_sequence(value: TupleV | ListV, leaf: LeafMaker, depth: int) -> Value:
    """Tuples and lists."""
    items = None if value.items is None else tuple(map_leaves(v, leaf, depth - 1) for v in value.items)
    elem = map_leaves(value.elem, leaf, depth - 1) if value.items is None else UNKNOWN
    if isinstance(value, TupleV):
        return TupleV(items, elem)
    made = ListV(items, elem, value.kind, value.depth + 1)
    if value.state.get("grown"):
        made.state["grown"] = value.state["grown"]
    return made


def map_instance(value: InstanceV, leaf: LeafMaker, depth: int) -> Value:
    """Pytree instances: leaf fields are mapped, static ones kept."""
    made = InstanceV(value.cls, value.extern, value.depth, value.generic)
    for name, item in value.attrs.items():
        if item is MISSING or not isinstance(item, Value):
            made.attrs[name] = item
        elif value.cls is None or value.cls.family in ("nnx_variable",):
            made.attrs[name] = map_leaves(item, leaf, depth - 1) if holds_arrays(item) else item
        elif value.cls.family == "nnx":
            made.attrs[name] = map_leaves(item, leaf, depth - 1) if nnx_state(item) else item
        elif is_leaf_field(value.cls, name):
            made.attrs[name] = map_leaves(item, leaf, depth - 1)
        else:
            made.attrs[name] = item
    made.trace = Array()
    return made


def holds_arrays(value: Value) -> bool:
    """Whether an attribute of an outside instance is array state."""
    return isinstance(value, (Array, Tree, InstanceV, TupleV, DictV, ListV))


def nnx_state(value: Value) -> bool:
    """Whether an attribute of an nnx module is state: variables, modules, arrays and containers of them."""
    if isinstance(value, (TupleV, ListV)):
        return any(nnx_state(v) for v in value.items or (value.elem,))
    if isinstance(value, DictV):
        return any(isinstance(v, Value) and nnx_state(v) for v in value.items.values())
    return isinstance(value, (InstanceV, Array, Tree))


def tracer_for(m: Machine, value: Value, trace: Trace, cause: Link, *, drop: bool = False) -> Value:
    """The tracer that an argument leaf becomes; `drop`: without its leading dimension (vmap, scan)."""
    if isinstance(value, Array):
        shape = value.shape[1:] if drop and value.shape else None if drop else value.shape
        return Array(trace, shape, value.dtype, cause, value.weak, key=value.key)
    if isinstance(value, Tree):
        return Tree(Array(trace, None, None, cause, key=value.leaf.key))
    if isinstance(value, InstanceV) and value.extern == STRUCT:
        return Array(trace, as_shape(value.attrs["shape"]), None, cause, False)
    kind = kind_of(value)
    if kind in PYTHON_DTYPES or kind == "npnumber":
        return Array(trace, (), PYTHON_DTYPES.get(kind), cause, kind not in ("npnumber", "bool"))
    if kind == "ndarray":
        dims = dims_of(value)
        shape = dims[1:] if drop and dims else None if drop else dims
        return Array(trace, shape, value.dtype if isinstance(value, Host) else None, cause, False)
    if isinstance(value, ClockV):
        return Array(trace, (), "float32", cause, True)
    if isinstance(value, ExternV) and value.name.startswith(("builtins.", "numpy.dtype")):
        return UNKNOWN
    if isinstance(value, IterV) and value.kind == "range":
        return Array(trace, (), "int32", cause, False)
    if isinstance(value, Unknown):
        return value if value is OPEN else Tree(Array(trace, None, None, cause, key=key_of(m, value) or new_key(m)))
    if isinstance(value, Host) and value.kind == "object" and value.ragged is None:
        return Tree(Array(trace, None, None, cause))
    if isinstance(value, Host) and value.kind == "object":
        return Array(trace, None, None, cause)
    if isinstance(value, InstanceV) and value.cls is not None and value.cls.family == "enum":
        if any(isinstance(b, ExternV) and b.name in ("enum.IntEnum", "enum.IntFlag") for b in value.cls.bases):
            return Array(trace, (), "int32", cause, True)
    elif is_opaque(value):
        return UNKNOWN
    return value


def is_opaque(value: Value) -> bool:
    """An instance that crosses a trace although we know no way to flatten it: its class is registered out of sight.

    JAX takes it apart and makes another one, so neither what it holds nor what is written to it is known.
    """
    return isinstance(value, InstanceV) and value.cls is not None and value.cls.family != "enum"


def enter(
    m: Machine, value: Value, trace: Trace, cause: Link, *, drop: bool = False, arrays_only: bool = False
) -> Value:
    """A traced argument: its leaves as tracers of `trace`. `arrays_only`: Python numbers stay (equinox's filters)."""

    def leaf(item: Value) -> Value:
        if arrays_only and not isinstance(item, (Array, Tree)) and kind_of(item) not in ("ndarray", "npnumber"):
            return UNKNOWN if isinstance(item, Unknown) else item
        return tracer_for(m, item, trace, cause, drop=drop)

    return map_leaves(value, leaf)


def leave(
    m: Machine,
    value: Value,
    trace: Trace,
    node: ast.AST,
    outer: list[Value],
    *,
    add: bool = False,
    arrays_only: bool = False,
    ready: bool = False,
    keys: Mapping[int, Key] | None = None,
) -> Value:
    """A result outside of `trace`: a tracer of an outer trace or a device array.

    `arrays_only`: Python values stay what they are (equinox's filters). `ready`: the call waits for its result.
    `keys`: the keys of this call's arguments, by those of the call that was traced; other keys are new ones.
    """
    template = result_array(m, node, outer)
    if template.trace is None:
        # whatever it was handed, the work is handed out here
        template = template.but(ready=ready, stack=m.frame_ids())

    def out(leaf: Value) -> Value:
        if isinstance(leaf, Array):
            if leaf.trace is not None and leaf.trace.level < trace.level:
                return leaf
            shape = (None, *leaf.shape) if add and leaf.shape is not None else leaf.shape
            key = None if leaf.key is None else (keys or {}).get(leaf.key.uid) or new_key(m)
            return template.but(shape=shape, dtype=leaf.dtype, weak=leaf.weak, ragged=None, key=key)
        if isinstance(leaf, Tree):
            return Tree(template.but(shape=None, dtype=None, weak=None, ragged=None, weight=leaf.leaf.weight))
        kind = kind_of(leaf)
        if arrays_only and kind in PYTHON_DTYPES:
            return leaf
        if kind in PYTHON_DTYPES or kind in ("ndarray", "npnumber"):
            return template.but(
                shape=() if kind != "ndarray" else None,
                dtype=PYTHON_DTYPES.get(kind),
                weak=kind in PYTHON_DTYPES,
                ragged=None,
            )
        if isinstance(leaf, Unknown):
            return Tree(template.but(shape=None, dtype=None, weak=None, ragged=None))
        return UNKNOWN if is_opaque(leaf) and not arrays_only else leaf

    return map_leaves(value, out)


def settle(value: Value, trace: Trace, template: Array) -> Value:
    """Replace tracers of a finished trace by `template`, keeping everything else (for eager autodiff)."""

    def out(leaf: Value) -> Value:
        if isinstance(leaf, Array) and leaf.trace is trace:
            return template.but(shape=leaf.shape, dtype=leaf.dtype, weak=leaf.weak)
        if isinstance(leaf, Tree) and leaf.leaf.trace is trace:
            return Tree(template.but(shape=None, dtype=None, weak=None))
        return leaf

    return map_leaves(value, out)


def none_of(value: Any) -> bool:
    """Whether a value is None (the constant)."""
    return value is NONE or (isinstance(value, Const) and value.value is None)
