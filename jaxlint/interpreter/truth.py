"""Truth: what `bool(value)` gives, and what JAX does when it is asked."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import definite_array
from jaxlint.interpreter.values import (
    Array,
    AtV,
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
    TransformedV,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

ALWAYS_TRUE = (FunctionV, BoundV, ClassV, ExternV, MethodV, PartialV, TransformedV, AtV)

# exceptions that JAX raises when a tracer is asked for a value; a `try` around means the author knows
CONCRETE_ERRORS = frozenset(
    {
        "Exception",
        "BaseException",
        "TypeError",
        "ConcretizationTypeError",
        "TracerBoolConversionError",
        "TracerArrayConversionError",
        "TracerIntegerConversionError",
        "NonConcreteBooleanIndexError",
        "UnexpectedTracerError",
        "JAXTypeError",
        "JAXIndexError",
        "*",
    }
)


def guarded(m: Machine) -> bool:
    """Whether a `try` around the current statement catches JAX's own errors."""
    for frame in reversed(m.frames):
        for names in frame.catching:
            if names & CONCRETE_ERRORS:
                return True
        if frame.depth == 0:
            break
    return False


def truth(m: Machine, value: Value, node: ast.AST, how: str, report: ast.AST | None = None) -> bool | None:
    """The truth of `value`, None when it is not known; reports what asking for it does. `node` holds the value."""
    if isinstance(value, Const):
        return bool(value.value)
    array = definite_array(value)
    if array is not None:
        array_truth(m, array, node, how, report)
        return None
    if isinstance(value, (TupleV, ListV)):
        return None if value.items is None else bool(value.items)
    if isinstance(value, DictV):
        if any(isinstance(item, Value) for item in value.items.values()):
            return True
        return None if value.rest is not None else False
    if isinstance(value, ALWAYS_TRUE):
        return True
    if isinstance(value, InstanceV):
        return instance_truth(m, value, node)
    if isinstance(value, UnionV):
        m.muted += 1
        try:
            found = {truth(m, option, node, how) for option in value.options}
        finally:
            m.muted -= 1
        return found.pop() if len(found) == 1 else None
    return None


def array_truth(m: Machine, array: Array, node: ast.AST, how: str, report: ast.AST | None) -> None:
    """Report the truth test of an array: an error for a tracer, a wait for a device value."""
    if array.is_tracer:
        if not guarded(m):
            m.emit(Kind.TRACER_BOOL, report or node, how, subject=node, value=array)
    elif array.trace is None:
        # in `if x:` and the like the read happens at the test; a plain bool() is JAX201's
        how_read = "bool" if how == "bool" else "branch"
        m.later(Kind.HOST_READ, report or node, how_read, subject=node, value=array, construct=how)
        m.block(array.born)


def instance_truth(m: Machine, value: InstanceV, node: ast.AST) -> bool | None:
    """Truth of an instance: `__bool__` or `__len__` when the class has them."""
    from jaxlint.interpreter.attributes import class_attribute

    if value.cls is None or value.generic:
        return None
    if value.cls.family in ("namedtuple",):
        return True
    for name in ("__bool__", "__len__"):
        if class_attribute(value.cls, name) is not None:
            from jaxlint.interpreter.calls import call_method_named

            result = call_method_named(m, value, name, node)
            return bool(result.value) if isinstance(result, Const) else None
    return None if value.cls.meta.get("open") else True


def host_bool(value: bool | None, operand: Value) -> Value:
    """The value of `not x` or a comparison: exact when known, else a bool that varies as its operand does."""
    if value is not None:
        return Const(value)
    varies = operand.varies if isinstance(operand, Host) else frozenset()
    return Host("bool", varies=varies)
