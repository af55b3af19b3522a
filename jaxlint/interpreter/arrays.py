"""Making arrays: what a jax operation on given operands returns in the current context."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.environment import note_backend
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.values import (
    Array,
    Const,
    DictV,
    Dims,
    Host,
    InstanceV,
    Link,
    ListV,
    Ragged,
    Trace,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def arrays_in(value: Value, depth: int = 4) -> Iterable[Array]:
    """The arrays that a value certainly holds (leaves of containers, an unknown tree's leaf)."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, Tree):
        yield value.leaf
    elif depth and isinstance(value, (TupleV, ListV)):
        for item in value.items or (value.elem,):
            yield from arrays_in(item, depth - 1)
    elif depth and isinstance(value, DictV):
        for item in list(value.items.values()):
            if isinstance(item, Value):
                yield from arrays_in(item, depth - 1)
    elif depth and isinstance(value, InstanceV) and not value.generic:
        for item in list(value.attrs.values()):
            if isinstance(item, Value):
                yield from arrays_in(item, depth - 1)


def owner_trace(values: Iterable[Value]) -> Array | None:
    """The operand whose trace is the innermost, None when no operand is traced."""
    best: Array | None = None
    for value in values:
        for array in arrays_in(value):
            if array.trace is not None and (best is None or best.trace is None or array.trace.level > best.trace.level):
                best = array
    return best


def result_array(
    m: Machine,
    node: ast.AST,
    operands: Iterable[Value],
    *,
    shape: Dims | None = None,
    dtype: str | None = None,
    weak: bool | None = None,
    what: str = "",
) -> Array:
    """The array that a jax operation on `operands` returns here.

    A tracer of the innermost trace among the operands; while staging (jit, scan, ...) every operation is
    traced, also one on constants.
    """
    operands = tuple(operands)
    if m.donations:
        from jaxlint.interpreter.donation import read

        read(m, (array for operand in operands for array in arrays_in(operand)), node)
    weak = False if dtype == "bool" else weak
    owner = owner_trace(operands)
    staging = m.staging
    if staging is None and "backend in use" not in m.state:
        note_backend(m, node)
    trace: Trace | None = owner.trace if owner is not None else None
    cause: Link | None = owner.cause if owner is not None else None
    if staging is not None and (trace is None or not trace.abstract or staging.level > trace.level):
        if trace is None or not trace.abstract:
            cause = Link(created_note(m, node, staging, what), node, m.frames[-1].module.source)
            trace = staging
        else:
            trace = staging
    ragged: Ragged | None = None
    origin: Value | None = None
    for operand in operands:
        if isinstance(operand, (Array, Host)) and operand.ragged is not None:
            ragged = operand.ragged
    if trace is not None:
        return Array(trace, shape, dtype, cause, weak, ragged=ragged, origin=origin)
    if m.loops:
        m.loops[-1].made.add(id(node))
    stack = m.frame_ids()
    if len(stack) > 1:
        stack = given_stack(operands, stack)
    return Array(None, shape, dtype, None, weak, m.seq, ragged, m.rounds_now(), stack)


def given_stack(operands: tuple[Value, ...], stack: tuple[int, ...]) -> tuple[int, ...]:
    """The frames under which the youngest device operand was made.

    A function that computes a little on what it is given, and reads that, is right elsewhere: where the operand was
    made is what matters. What a PRNG key is drawn into is new: the draw is made here.
    """
    best: Array | None = None
    for operand in operands:
        for array in arrays_in(operand, 2):
            if array.trace is None and array.dtype != "key" and (best is None or array.born > best.born):
                best = array
    return best.stack if best is not None and best.stack and best.rounds else stack


def created_note(m: Machine, node: ast.AST, staging: Trace, what: str) -> str:
    """Why an operation on plain values gives a tracer."""
    text = what or m.frames[-1].module.source.segment(node, 50)
    return f"`{text}` makes a tracer: every jax operation under `{staging.transform}` is traced"


def dims_of(value: Value, depth: int = 8) -> Dims | None:
    """The shape of an array-like value; () for scalars; None when unknown."""
    if isinstance(value, Array):
        return value.shape
    if isinstance(value, Const):
        return () if isinstance(value.value, (int, float, complex)) else None
    if isinstance(value, Host):
        if value.kind in ("int", "float", "bool", "complex"):
            return ()
        return value.shape
    if depth and isinstance(value, (TupleV, ListV)) and value.items is not None:
        inner: Any = dims_of(value.items[0], depth - 1) if value.items else ()
        return None if inner is None else (len(value.items), *inner)
    return None


def broadcast(shapes: Iterable[Dims | None]) -> Dims | None:
    """The NumPy broadcast of shapes; None when one is unknown or they do not fit."""
    result: tuple[Any, ...] = ()
    for shape in shapes:
        if shape is None:
            return None
        if len(shape) > len(result):
            result = shape[: len(shape) - len(result)] + result
        merged = list(result)
        for offset in range(1, len(shape) + 1):
            a, b = merged[-offset], shape[-offset]
            if a == b:
                continue
            if a == 1:
                merged[-offset] = b
            elif b != 1:
                merged[-offset] = None
        result = tuple(merged)
    return result


def as_dim(value: Value) -> int | Poly | None:
    """A dimension from an integer value."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return int(value.value)
    if (
        isinstance(value, Host)
        and value.sym is None
        and value.kind == "int"
        and (value.varies or value.ragged is not None)
    ):
        return Poly.atom("varies", value.varies, value.ragged)
    if isinstance(value, (Host, Unknown)):
        return value.sym
    return None


def varying_dim(m: Machine, shape: Dims | None) -> Any:
    """A dimension that is another number in each iteration of a running loop; None when there is none."""
    running = m.running()
    for dim in shape or ():
        if isinstance(dim, Poly):
            for monomial, _ in dim.terms:
                for atom in monomial:
                    if atom[0] == "varies" and (atom[2] is not None or atom[1] & running):  # type: ignore[operator]
                        return atom
    return None


def as_shape(value: Value) -> Dims | None:
    """A shape from an int or a tuple/list of ints."""
    if isinstance(value, (TupleV, ListV)):
        return None if value.items is None else tuple(as_dim(item) for item in value.items)
    if kind_of(value) == "int":
        return (as_dim(value),)
    return None


def dim_value(dim: Any) -> Value:
    """The Python int that a dimension is."""
    if isinstance(dim, int):
        return Const(dim)
    return Host("int", sym=dim if isinstance(dim, Poly) else None)


def shape_value(array_shape: Dims | None) -> Value:
    """The tuple that `x.shape` is."""
    if array_shape is None:
        return TupleV(None, Host("int"))
    return TupleV(tuple(dim_value(d) for d in array_shape))


def definite_array(value: Value) -> Array | None:
    """The array that a value certainly is; alternatives that are None are left out (they would have raised)."""
    if isinstance(value, Array):
        return value
    if isinstance(value, UnionV):
        found: Array | None = None
        for option in value.options:
            if isinstance(option, Const) and option.value is None:
                continue
            if not isinstance(option, Array) or found is not None:
                return None
            found = option
        return found
    return None


def is_tracer(value: Value) -> bool:
    """Whether a value is certainly an abstract tracer (an array, not a tree of unknown structure)."""
    array = definite_array(value)
    return array is not None and array.is_tracer


def dtype_of(value: Value) -> str | None:
    """The dtype of an array-like, Python scalars as 'int', 'float', 'bool'."""
    if isinstance(value, Array):
        return value.dtype
    if isinstance(value, Host):
        return value.dtype if value.kind == "ndarray" else value.kind
    return kind_of(value) or None
