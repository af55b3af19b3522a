"""Reading arrays on the host: conversions, NumPy, printing. Errors for tracers, waits for device values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import arrays_in, definite_array
from jaxlint.interpreter.donation import read
from jaxlint.interpreter.operators import unwrap_variable
from jaxlint.interpreter.truth import guarded
from jaxlint.interpreter.values import Array, Const, DictV, Host, InstanceV, ListV, Tree, TupleV, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def convert(
    m: Machine,
    value: Value,
    node: ast.AST,
    how: str,
    subject: ast.AST | None,
    *,
    kind: str,
    function: str = "",
    jnp: str = "",
) -> Value:
    """`float(x)`, `x.item()` and their kin; the Python value that comes out, of Python type `kind`."""
    value = unwrap_variable(value)
    array = definite_array(value)
    read(m, arrays_in(value, 1), node)
    if array is not None:
        if array.is_tracer or (array.trace is not None and how in ("float", "int", "complex", "math")):
            if not guarded(m):
                m.emit(
                    Kind.TRACER_CONVERT,
                    node,
                    how,
                    subject=subject,
                    value=array,
                    function=function or how,
                    jnp=jnp or None,
                )
        elif array.trace is None:
            m.later(
                Kind.HOST_READ, node, how, subject=subject, value=array, function=function or how, piece=array.piece
            )
            m.block(array.born)
        return Host(kind, varies=loop_ids(m))
    if isinstance(value, Tree):
        if value.leaf.is_tracer and not guarded(m) and how != "bool":
            m.emit(
                Kind.TRACER_CONVERT, node, how, subject=subject, value=value, function=function or how, jnp=jnp or None
            )
        elif value.leaf.trace is None:
            m.later(Kind.HOST_READ, node, how, subject=subject, value=value, function=function or how, piece=False)
            m.block(value.leaf.born)
        return Host(kind, varies=loop_ids(m))
    if isinstance(value, Host):
        return Host(
            kind,
            varies=value.varies,
            sym=value.sym if kind == "int" else None,
            index=value.index if kind == "int" else None,
        )
    if isinstance(value, Unknown):
        # it may be the newest array
        m.block()
    return Host(kind)


def loop_ids(m: Machine) -> frozenset[int]:
    """The loops that are running: a value read from the device changes in each."""
    return frozenset(run.uid for run in m.loops)


def to_numpy(m: Machine, value: Value, node: ast.AST, subject: ast.AST | None, function: str, jnp: str = "") -> None:
    """A NumPy (or SciPy) function receives `value`: report each array that it converts."""
    value = unwrap_variable(value)
    direct = definite_array(value)
    if isinstance(value, Unknown):
        m.block()
    arrays = [direct] if direct is not None else list(held_arrays(value))
    read(m, arrays, node)
    for array in arrays:
        if array.trace is not None:
            if not guarded(m):
                m.emit(
                    Kind.TRACER_ARRAY, node, "call", subject=subject, value=array, function=function, jnp=jnp or None
                )
            return
    # assertions of a test are there to read
    silent = function.rpartition(".")[2].startswith("assert")
    for array in arrays:
        if not silent:
            m.later(Kind.HOST_READ, node, "numpy", subject=subject, value=array, function=function)
        m.block(array.born)
        return
    if isinstance(value, Tree):
        if value.leaf.is_tracer:
            if not guarded(m):
                m.emit(
                    Kind.TRACER_ARRAY, node, "call", subject=subject, value=value, function=function, jnp=jnp or None
                )
        else:
            if not silent:
                m.later(Kind.HOST_READ, node, "numpy", subject=subject, value=value, function=function)
            m.block(value.leaf.born)


def held_arrays(value: Value) -> list[Array]:
    """The arrays in a list or tuple handed to NumPy (which converts each of them)."""
    if isinstance(value, (TupleV, ListV)):
        found = list(arrays_in(value, 3))
        newest = value.state.get("newest") if isinstance(value, ListV) else None
        return [newest, *found] if found and isinstance(newest, Array) else found
    return []


def render(m: Machine, value: Value, node: ast.AST, subject: ast.AST | None, function: str, spec: bool = False) -> None:
    """`print`, formatting and logging read what they show."""
    value = unwrap_variable(value)
    if isinstance(value, Const):
        return
    array = definite_array(value)
    if array is not None and array.is_tracer:
        if spec and not guarded(m):
            m.emit(Kind.TRACER_CONVERT, node, "format", subject=subject, value=array, function="format")
        return
    read(m, shown_arrays(value), node)
    for held in shown_arrays(value):
        if held.trace is None:
            m.later(Kind.HOST_READ, node, "print", subject=subject, value=held, function=function)
            m.block(held.born)
            return


def shown_arrays(value: Value) -> list[Array]:
    """The arrays that printing a value shows."""
    if isinstance(value, Array):
        return [value]
    if isinstance(value, Tree):
        return [value.leaf]
    if isinstance(value, (TupleV, ListV, DictV)):
        return list(arrays_in(value, 3))
    if (
        isinstance(value, InstanceV)
        and value.cls is not None
        and value.cls.family in ("namedtuple", "dataclass", "pytree")
    ):
        return list(arrays_in(value, 2))
    return []
