"""`x[i] = v`: writes into containers, and into arrays that never change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import definite_array, is_tracer
from jaxlint.interpreter.environment import is_environ, written
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.nnx_attributes import filled
from jaxlint.interpreter.subscripts import without_none
from jaxlint.interpreter.truth import guarded
from jaxlint.interpreter.values import (
    UNKNOWN,
    Const,
    DictV,
    Host,
    InstanceV,
    ListV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def set_item(m: Machine, value: Value, index: Value, new: Value, node: ast.Subscript, *, augmented: bool) -> None:
    """`value[index] = new`."""
    from jaxlint.interpreter.containers import set_key
    from jaxlint.interpreter.leaks import check_store

    value = unwrap_target(m, value, index, new)
    if is_environ(value):
        written(m, index, node)
        return
    if isinstance(value, UnionV):
        value = without_none(value)
    array = definite_array(value)
    if array is not None:
        m.emit(Kind.ARRAY_WRITE, node, "augmented" if augmented else "item", subject=node.value, value=array)
        return
    if isinstance(value, Host) and value.kind == "ndarray":
        if is_tracer(new) and not guarded(m):
            m.emit(Kind.TRACER_ARRAY, node, "assign", subject=node, value=new)
        return
    if isinstance(value, DictV):
        check_store(m, value.depth, new, node, "container", node)
        if is_tracer(index):
            return
        key_write(m, value, index, new)
    elif isinstance(value, ListV):
        check_store(m, value.depth, new, node, "container", node)
        list_write(m, value, index, new)
    elif isinstance(value, InstanceV) and value.cls is not None:
        from jaxlint.interpreter.attributes import class_attribute
        from jaxlint.interpreter.calls import call_method_named

        if class_attribute(value.cls, "__setitem__") is not None:
            call_method_named(m, value, "__setitem__", node, index, new)
    del set_key


def unwrap_target(m: Machine, value: Value, index: Value, new: Value) -> Value:
    """`variable[...] = new` of a flax Variable writes its value (legal under nnx transforms)."""
    from jaxlint.interpreter.operators import is_variable

    if isinstance(value, InstanceV) and is_variable(value):
        if isinstance(index, Const) and index.value is Ellipsis:
            m.write(value.attrs, "value", new)
        return UNKNOWN
    return value


def key_write(m: Machine, value: DictV, index: Value, new: Value) -> None:
    """Store into a dict, journaled."""
    if m.watched:
        filled(m, value, new)
    if isinstance(index, Const):
        try:
            m.write(value.items, index.value, new)
        except TypeError:
            return
    else:
        rest = new if value.rest is None else join(value.rest, new)
        m.write(value.meta, "rest", rest)


def list_write(m: Machine, value: ListV, index: Value, new: Value) -> None:
    """Store into a list, journaled."""
    items = value.items
    if items is not None and isinstance(index, Const) and isinstance(index.value, int):
        place = index.value
        if -len(items) <= place < len(items):
            changed = list(items)
            changed[place] = new
            m.write(value.state, "items", tuple(changed))
            return
    if items is not None:
        m.write(value.state, "items", tuple(join(item, new) for item in items))
    else:
        m.write(value.state, "elem", join(value.elem, new))
