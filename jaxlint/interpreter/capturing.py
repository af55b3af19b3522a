"""Large arrays that a compiled function takes from outside: they are constants of its program."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter.layers import weight_of
from jaxlint.interpreter.sizes import LARGE, size_of
from jaxlint.interpreter.values import Array, DictV, Host, InstanceV, ListV, Store, Tree, TupleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

# what is known of an array without its content
METADATA = frozenset({"shape", "ndim", "dtype", "size", "nbytes", "itemsize", "weak_type", "sharding"})
LOOKS = frozenset({"len", "isinstance", "type", "hasattr", "id"})


def note_captured(m: Machine, container: dict[Any, Any], value: Value, node: ast.AST) -> None:
    """Traced code reads `value`, which was in `container` before the trace began."""
    if not isinstance(value, (Array, Tree, Host, DictV, TupleV, ListV, InstanceV)) or m.muted:
        return
    trace = m.staging
    if trace is None or not isinstance(container, Store) or container.stamp > first_stamp(m):
        return
    size = bytes_of(value)
    if size < LARGE or looked_at(m, node):
        return
    m.emit(
        Kind.CAPTURED_CONSTANT,
        node,
        "array" if isinstance(value, (Array, Host)) else "tree",
        subject=node,
        bytes=size,
        function=trace.function,
    )


def first_stamp(m: Machine) -> int:
    """What was there before the outermost staging trace has a stamp up to this."""
    return next((t.stamp for t in m.traces if t.abstract and t.transform != "vmap"), 0)


def bytes_of(value: Value, depth: int = 4) -> int:
    """The bytes that a value certainly takes as constants of a program; 0 for what is traced or not known."""
    if isinstance(value, Array):
        return size_of(value) if value.trace is None else 0
    if isinstance(value, Host):
        return size_of(value) if value.kind == "ndarray" else 0
    if isinstance(value, Tree):
        return value.leaf.weight if value.leaf.trace is None else 0
    parts: list[Any] = []
    if isinstance(value, (TupleV, ListV)) and depth:
        parts = list(value.items or ())
    elif isinstance(value, DictV) and depth:
        parts = list(value.items.values())
    elif isinstance(value, InstanceV) and depth:
        if value.generic or value.trace is not None or not is_model(value):
            return 0
        parts = list(value.attrs.values())
        return weight_of(value) + sum(bytes_of(part, depth - 1) for part in parts if isinstance(part, Value))
    return sum(bytes_of(part, depth - 1) for part in parts if isinstance(part, Value))


def is_model(value: InstanceV) -> bool:
    """Whether an instance is a pytree of arrays. A module of nnx is put together in compiled code, from its state."""
    if value.cls is not None:
        return value.cls.family in ("eqx", "struct", "pytree", "namedtuple")
    return value.extern.startswith(("equinox.", "flax.training."))


def looked_at(m: Machine, node: ast.AST) -> bool:
    """Whether only the shape or type is asked for, or a part is taken that is judged by itself."""
    statement = m.frames[-1].statement
    for parent in ast.walk(statement) if statement is not None else ():
        if isinstance(parent, ast.Attribute) and parent.value is node:
            return parent.attr in METADATA
        if isinstance(parent, ast.Call) and any(argument is node for argument in parent.args):
            return isinstance(parent.func, ast.Name) and parent.func.id in LOOKS
    return False
