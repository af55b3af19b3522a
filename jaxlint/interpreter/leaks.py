"""Tracers that outlive their trace: stored on something that was there before the trace began."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import arrays_in
from jaxlint.interpreter.values import Array, Const, DictV, Host, InstanceV, ListV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.machine import Machine


def escaping(value: Value, depth: int) -> Array | None:
    """A tracer in `value` whose trace began after `depth` traces were open."""
    for array in arrays_in(value, 3):
        if array.trace is not None and array.trace.level > depth:
            return array
    return None


def adopt(value: Value, depth: int) -> None:
    """A container stored on something older lives as long as that: what it takes in from now on leaks, too."""
    if isinstance(value, (ListV, DictV)) and value.depth > depth:
        value.depth = depth


def check_store(m: Machine, depth: int, value: Value, node: ast.AST, how: str, target: ast.AST) -> bool:
    """Something made when `depth` traces were open receives `value`; True when that leaks a tracer."""
    adopt(value, depth)
    if not m.traces or depth >= len(m.traces):
        return False
    tracer = escaping(value, depth)
    if tracer is not None:
        source = m.frames[-1].module.source
        m.emit(Kind.TRACER_LEAK, node, how, subject=target, value=tracer, target=source.segment(target, 40))
    return tracer is not None


def check_attribute(m: Machine, receiver: InstanceV, name: str, value: Value, node: ast.AST) -> None:
    """`receiver.name = value`: a leak, unless the receiver was made in this trace or is a copy that JAX made."""
    if not m.traces:
        return
    family = receiver.cls.family if receiver.cls is not None else ""
    if family == "linen" or (receiver.trace is not None and not plain_nnx_write(m, receiver, name)):
        return
    if receiver.trace is not None:
        depth = len(m.traces) - 1
        if m.traces[-1].transform.startswith("nnx."):
            check_store(m, depth, value, node, "attribute", node)
        return
    check_store(m, receiver.depth, value, node, "attribute", node)


def check_captured(m: Machine, f: Frame, target: ast.Attribute, value: Value) -> None:
    """`captured.a[0].b = value`: whatever it is that stands there, it is part of a variable from outside."""
    root: ast.expr = target.value
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    if not isinstance(root, ast.Name) or root.id in f.names:
        return
    frame = f.outer
    while frame is not None and (frame.is_class or root.id not in frame.names):
        frame = frame.outer
    if frame is not None:
        check_store(m, frame.depth, value, target, "attribute", target)
    elif root.id in f.module.namespace:
        check_store(m, 0, value, target, "attribute", target)


def plain_nnx_write(m: Machine, receiver: InstanceV, name: str) -> bool:
    """Whether the write sets a plain attribute of an nnx module that a transform received.

    Variables and attributes that hold arrays are state: the transform carries their new values out. What held a
    number, or was not there, is part of the module's static structure, and a tracer in it is left behind.
    """
    if receiver.cls is None or receiver.cls.family != "nnx":
        return False
    old = receiver.attrs.get(name)
    if id(old) in m.registered:  # `nnx.data(0)`
        return False
    return (old is None and not receiver.generic) or isinstance(old, (Const, Host))
