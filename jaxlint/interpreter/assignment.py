"""Binding targets: names, tuples, attributes, items."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.attributes import get_attribute, set_attribute
from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.item_writes import set_item
from jaxlint.interpreter.iteration import known_items
from jaxlint.interpreter.joining import element
from jaxlint.interpreter.keys import own_row
from jaxlint.interpreter.leaks import check_captured, check_store
from jaxlint.interpreter.subscripts import get_item
from jaxlint.interpreter.values import MISSING, UNKNOWN, Array, Host, ListV, Tree, TupleV, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def assign(m: Machine, f: Frame, target: ast.expr, value: Value, node: ast.AST | None) -> None:
    """Bind `target` to `value`."""
    if isinstance(target, ast.Name):
        bind_name(m, f, target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        unpack(m, f, target, value, node)
    elif isinstance(target, ast.Attribute):
        from jaxlint.interpreter.expressions import evaluate

        receiver = evaluate(m, f, target.value)
        if isinstance(receiver, Unknown) and m.traces:
            check_captured(m, f, target, value)
        set_attribute(m, receiver, target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        from jaxlint.interpreter.expressions import evaluate

        container = evaluate(m, f, target.value)
        set_item(m, container, evaluate(m, f, target.slice), value, target, augmented=False)
    elif isinstance(target, ast.Starred):
        assign(m, f, target.value, value, node)


def bind_name(m: Machine, f: Frame, target: ast.Name, value: Value) -> None:
    """Bind a name where Python would: own frame, `global`, `nonlocal`."""
    text = target.id
    if text in f.global_names:
        if not check_store(m, 0, value, target, "global", target):
            effect_on_outer(m, target, 0)
        m.write(f.module.namespace, text, value)
        return
    if text in f.nonlocal_names:
        frame = f.outer
        while frame is not None:
            if text in frame.names and not frame.is_class:
                if not check_store(m, frame.depth, value, target, "nonlocal", target) and depends_on_itself(m, text):
                    # a plain rebinding hands out something that is known while tracing (a structure, a flag)
                    effect_on_outer(m, target, frame.depth)
                m.write(frame.names, text, value)
                return
            frame = frame.outer
        return
    m.write(f.names, text, value)


def depends_on_itself(m: Machine, name: str) -> bool:
    """Whether the current statement computes the new value of `name` from the old one: it counts or collects."""
    statement = m.frames[-1].statement
    if isinstance(statement, ast.AugAssign) or not isinstance(statement, ast.Assign):
        return True
    return isinstance(statement.value, ast.BinOp) and any(
        isinstance(part, ast.Name) and part.id == name for part in (statement.value.left, statement.value.right)
    )


def effect_on_outer(m: Machine, target: ast.Name, depth: int) -> None:
    """Traced code that rebinds an outer name does so once, at trace time."""
    if m.abstract and depth < len(m.traces):
        from jaxlint.interpreter.effects import mutation

        mutation(m, target, target.id)


def unpack(m: Machine, f: Frame, target: ast.Tuple | ast.List, value: Value, node: ast.AST | None) -> None:
    """`a, *b = value`."""
    from jaxlint.interpreter.operators import unwrap_variable

    value = unwrap_variable(value)
    if m.loops and isinstance(value, Array) and value.trace is None and value.dtype != "key" and not value.piece:
        m.later(Kind.DEVICE_ITERATE, target, "unpack", subject=node, value=value)
    count = len(target.elts)
    star = next((i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)), None)
    items = known_items(m, value)
    if items is not None and star is None and len(items) == count:
        for part, item in zip(target.elts, items):
            assign(m, f, part, item, node)
        return
    if items is not None and star is not None and len(items) >= count - 1:
        after = count - star - 1
        middle = items[star : len(items) - after]
        for part, item in zip(target.elts[:star], items):
            assign(m, f, part, item, node)
        assign(m, f, target.elts[star], ListV(tuple(middle), UNKNOWN, "list", len(m.traces)), node)
        for part, item in zip(target.elts[star + 1 :], items[len(items) - after :]):
            assign(m, f, part, item, node)
        return
    for part in target.elts:
        item = unpacked_item(m, value, target)
        if isinstance(part, ast.Starred):
            assign(m, f, part, ListV(None, item, "list", len(m.traces)), node)
        else:
            assign(m, f, part, own_row(m, item), node)


def unpacked_item(m: Machine, value: Value, node: ast.AST) -> Value:
    """One element of a sequence whose length is not known."""
    if isinstance(value, Array):
        from jaxlint.interpreter.iteration import row_of

        return row_of(m, value, node)
    if isinstance(value, Tree):
        return Tree(value.leaf.but(key=None)) if value.leaf.key is not None else value
    if isinstance(value, (TupleV, ListV)):
        found = element(value)
        return UNKNOWN if found is MISSING else found
    if isinstance(value, Host):
        if value.kind == "ndarray":
            return Host("ndarray", varies=value.varies)
        if value.ragged is not None:
            return Host("object", varies=value.varies, ragged=value.ragged)
        if value.varies:
            return Host("object", varies=value.varies)
    return UNKNOWN


def read_target(m: Machine, f: Frame, target: ast.expr) -> Value:
    """The current value of an augmented assignment's target."""
    from jaxlint.interpreter.expressions import evaluate, look_up

    if isinstance(target, ast.Name):
        return look_up(m, f, target.id, target)
    if isinstance(target, ast.Attribute):
        return get_attribute(m, evaluate(m, f, target.value), target.attr, target)
    if isinstance(target, ast.Subscript):
        m.muted += 1
        try:
            container = evaluate(m, f, target.value)
            return get_item(m, container, evaluate(m, f, target.slice), target)
        finally:
            m.muted -= 1
    return UNKNOWN


def delete(m: Machine, f: Frame, target: ast.expr) -> None:
    """`del target`."""
    from jaxlint.interpreter.arrays import definite_array
    from jaxlint.interpreter.expressions import evaluate
    from jaxlint.interpreter.values import Const, DictV, InstanceV

    if isinstance(target, ast.Name):
        m.erase(f.names, target.id)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            delete(m, f, part)
    elif isinstance(target, ast.Subscript):
        container = evaluate(m, f, target.value)
        index = evaluate(m, f, target.slice)
        array = definite_array(container)
        if array is not None:
            m.emit(Kind.ARRAY_WRITE, target, "delete", subject=target.value, value=array)
        elif isinstance(container, DictV) and isinstance(index, Const):
            m.erase(container.items, index.value)
        elif isinstance(container, ListV):
            m.write(container.state, "elem", UNKNOWN if element(container) is MISSING else element(container))
            m.write(container.state, "items", None)
    elif isinstance(target, ast.Attribute):
        owner = evaluate(m, f, target.value)
        if isinstance(owner, InstanceV):
            m.erase(owner.attrs, target.attr)
