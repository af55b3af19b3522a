"""Builtins that look at objects: isinstance, type, getattr, hasattr, setattr, super, callable."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import is_tracer
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.joining import join, kind_of
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    MethodV,
    PartialV,
    SuperV,
    TransformedV,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

NUMBER_TYPES = {"float": float, "int": int, "complex": complex, "bool": bool, "str": str}


def check_instance(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """isinstance(x, T): silently false for Python types on a tracer."""
    from jaxlint.interpreter.types import PYTHON_TYPES, instance_of, type_names

    if len(args.pos) < 2 or not isinstance(node, ast.Call) or len(node.args) < 2:
        return Host("bool")
    value = args.pos[0]
    names = type_names(m, m.frames[-1], node.args[1])
    python = [n for n in names if PYTHON_TYPES.get(n) in ("int", "float", "bool", "complex", "number")]
    known = instance_of(value, names) if not isinstance(value, UnionV) else union_instance(value, names)
    if is_tracer(value) and python and known is False and was_number(m, value):
        m.emit(
            Kind.TRACER_TYPE_TEST,
            node,
            "isinstance",
            subject=node.args[0],
            value=value,
            types=", ".join(n.rpartition(".")[2] for n in python),
        )
    elif python and known:
        m.type_hits.add(id(node))
    return Host("bool") if known is None else Const(known)


def was_number(m: Machine, value: Value) -> bool:
    """Whether a tracer may stand for a Python number: an argument of the traced function itself, or a scalar.

    Helpers that serve numbers and arrays alike ask for the type, too, and take the array's way rightly.
    """
    if isinstance(value, Array) and (value.shape == () or value.dtype == "key"):
        return value.dtype != "key"
    return len(m.frames) < 2 or m.frames[-2].depth < m.frames[-1].depth


def union_instance(value: UnionV, names: tuple[str, ...]) -> bool | None:
    """isinstance for alternatives."""
    from jaxlint.interpreter.types import instance_of

    found = {instance_of(v, names) for v in value.options}
    return found.pop() if len(found) == 1 else None


def has_attribute(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """hasattr(x, "name")."""
    value = args.pos[0] if args.pos else UNKNOWN
    attr = args.pos[1] if len(args.pos) > 1 else UNKNOWN
    if isinstance(value, InstanceV) and isinstance(attr, Const) and isinstance(attr.value, str):
        if value.attrs.get(attr.value, MISSING) is not MISSING:
            return Const(True)
        if value.cls is not None and not value.generic:
            from jaxlint.interpreter.attributes import class_attribute, mro

            if class_attribute(value.cls, attr.value) is not None:
                return Const(True)
            if mro(value.cls)[1]:
                return Const(False)
    if isinstance(value, Array) and isinstance(attr, Const) and isinstance(attr.value, str):
        from jaxlint.interpreter.attributes import array_has

        return Const(True) if array_has(attr.value) else Host("bool")
    return Host("bool")


def get_attribute(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """getattr(x, "name", default)."""
    from jaxlint.interpreter.attributes import get_attribute as read

    if len(args.pos) < 2:
        return UNKNOWN
    attr = args.pos[1]
    if isinstance(attr, Const) and isinstance(attr.value, str):
        found = read(m, args.pos[0], attr.value, node)
        return join(found, args.pos[2]) if len(args.pos) > 2 and isinstance(found, Unknown) else found
    return UNKNOWN


def set_attribute(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """setattr(x, "name", value)."""
    from jaxlint.interpreter.attributes import set_attribute as write

    if len(args.pos) != 3:
        return NONE
    target, attr, value = args.pos
    if isinstance(attr, Const) and isinstance(attr.value, str):
        write(m, target, attr.value, value, node)
    elif isinstance(target, InstanceV):
        # it may be any of them that is written
        for held, old in list(target.attrs.items()):
            m.write(target.attrs, held, join(old, value))
    return NONE


def type_of(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """type(x)."""
    value = args.pos[0] if len(args.pos) == 1 else UNKNOWN
    if isinstance(value, InstanceV) and value.cls is not None:
        return value.cls
    kind = kind_of(value)
    if kind in NUMBER_TYPES and not isinstance(value, Host):
        return ExternV("builtins." + kind)
    if is_tracer(value):
        compared = type_comparison(m, node)
        if compared and was_number(m, value):
            m.emit(Kind.TRACER_TYPE_TEST, node, "type", subject=node, value=value, types=compared)
        return ExternV("jax.core.Tracer")  # of the number types it is none
    return UNKNOWN


def type_comparison(m: Machine, node: ast.AST) -> str:
    """The Python number types that the statement compares `type(x)` with, '' when it does not."""
    statement = m.frames[-1].statement
    for part in ast.walk(statement) if statement is not None else ():
        if isinstance(part, ast.Compare) and part.left is node:
            names = [n.id for c in part.comparators for n in ast.walk(c) if isinstance(n, ast.Name)]
            python = [n for n in names if n in ("float", "int", "bool", "complex")]
            return ", ".join(python)
    return ""


def make_super(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """super()."""
    frame = m.frames[-1]
    owner = frame.owner
    if frame.function is not None and frame.function.owner is not None:
        owner = frame.function.owner
    if args.pos and isinstance(args.pos[0], ClassV):
        owner = args.pos[0]
    if owner is None or frame.function is None:
        return UNKNOWN
    parameters = frame.function.node.args
    names = [a.arg for a in (*parameters.posonlyargs, *parameters.args)]
    receiver = frame.names.get(names[0], UNKNOWN) if names else UNKNOWN
    return SuperV(owner, receiver if isinstance(receiver, Value) else UNKNOWN)


def is_callable(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """callable(x)."""
    value = args.pos[0] if args.pos else UNKNOWN
    if isinstance(value, (FunctionV, BoundV, PartialV, TransformedV, ClassV, MethodV)):
        return Const(True)
    if isinstance(value, (Const, Array, TupleV, ListV, DictV)):
        return Const(False)
    return Host("bool")


def make_object(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """object()."""
    return InstanceV(None, "builtins.object", depth=len(m.traces))
