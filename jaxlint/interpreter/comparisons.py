"""Comparisons: `a < b`, `a is b`, `a in b`, and what JAX makes of them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import broadcast, definite_array, dims_of, is_tracer, result_array
from jaxlint.interpreter.joining import element, kind_of
from jaxlint.interpreter.operators import NUMBERS, strip_none, sym_of, unwrap_variable
from jaxlint.interpreter.truth import guarded, truth
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


METHODS: dict[type[ast.cmpop], str] = {
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}


def compare(m: Machine, node: ast.Compare, values: list[Value]) -> Value:
    """A comparison, chained or not."""
    operands = [node.left, *node.comparators]
    result: Value = UNKNOWN
    for place, op in enumerate(node.ops):
        result = compare_two(m, node, op, values[place], values[place + 1], operands[place], operands[place + 1])
        if place < len(node.ops) - 1:
            known = truth(m, result, node, "chained-comparison")
            if known is False:
                return Const(False)
    return result


def compare_two(m: Machine, node: ast.AST, op: ast.cmpop, a: Value, b: Value, left: ast.AST, right: ast.AST) -> Value:
    """One comparison `a <op> b`."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        known = identical(a, b)
        return Host("bool") if known is None else Const(known == isinstance(op, ast.Is))
    if isinstance(op, (ast.In, ast.NotIn)):
        return contains(m, node, op, a, b, left)
    a, b = unwrap_variable(strip_none(a)), unwrap_variable(strip_none(b))
    if defines(a, METHODS[type(op)]):
        from jaxlint.interpreter.calls import call_method_named

        return call_method_named(m, a, METHODS[type(op)], node, b)
    if isinstance(a, (Array, Tree)) or isinstance(b, (Array, Tree)):
        return compare_array(m, node, op, a, b)
    tracer = compared_tracer(a, b)
    if tracer is not None:
        # sequences compare element by element, and ask each comparison for its truth
        if not guarded(m):
            m.emit(Kind.TRACER_BOOL, node, "tuple-comparison", subject=node, value=tracer)
        return Host("bool")
    if isinstance(a, Const) and isinstance(b, Const):
        try:
            return Const(bool(COMPARE[type(op)](a.value, b.value)))
        except Exception:
            return UNKNOWN
    return compare_other(op, a, b)


def defines(value: Value, method: str) -> TypeGuard[InstanceV]:
    """Whether the class of an instance, written in the project, has a method of that name."""
    from jaxlint.interpreter.attributes import class_attribute

    return isinstance(value, InstanceV) and value.cls is not None and class_attribute(value.cls, method) is not None


def compare_array(m: Machine, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
    """A comparison with a jax array on one side is an elementwise operation."""
    array, other = (a, b) if isinstance(a, (Array, Tree)) else (b, a)
    if isinstance(other, Const) and not isinstance(other.value, (int, float, complex, bool)):
        return UNKNOWN if isinstance(array, Tree) else FALSE_OR_TRUE
    if isinstance(other, UnionV) and all(isinstance(o, Array) or kind_of(o) in NUMBERS for o in other.options):
        return result_array(m, node, (array, *other.options), dtype="bool", weak=False)
    if isinstance(other, (UnionV, FunctionV, TupleV, ListV, DictV, ExternV, ClassV)):
        return UNKNOWN
    if isinstance(other, Host) and other.kind in ("str", "bytes", "object"):
        return UNKNOWN
    if isinstance(other, InstanceV) and not (other.cls is not None and other.cls.family == "enum"):
        return UNKNOWN
    if isinstance(array, Tree) and not isinstance(other, Array):
        return compare_tree(m, node, op, array, other)
    shape = broadcast((dims_of(a), dims_of(b)))
    return result_array(m, node, (a, b), shape=shape, dtype="bool", weak=False)


FALSE_OR_TRUE = Host("bool")


def compare_tree(m: Machine, node: ast.AST, op: ast.cmpop, tree: Tree, other: Value) -> Value:
    """A tree of unknown structure compared with a number: ordering means that it is an array."""
    if isinstance(op, (ast.Eq, ast.NotEq)) and not isinstance(other, Const):
        return UNKNOWN
    return result_array(m, node, (tree, other), dtype="bool", weak=False)


def compare_other(op: ast.cmpop, a: Value, b: Value) -> Value:
    """Comparison of host values, instances, functions."""
    varies: frozenset[int] = frozenset()
    for value in (a, b):
        if isinstance(value, Host):
            varies |= value.varies
    if isinstance(op, (ast.Eq, ast.NotEq)):
        known = equal(a, b)
        if known is not None:
            return Const(known == isinstance(op, ast.Eq))
    if kind_of(a) == "ndarray" or kind_of(b) == "ndarray":
        return Host("ndarray", dtype="bool", shape=broadcast((dims_of(a), dims_of(b))), varies=varies)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return Host("bool", varies=varies) if varies else UNKNOWN
    if isinstance(a, InstanceV) or isinstance(b, InstanceV):
        return UNKNOWN
    return Host("bool", varies=varies)


def compared_tracer(a: Value, b: Value) -> Value | None:
    """A tracer that comparing two Python sequences of one length compares with something else than itself."""
    x, y = sequence_parts(a), sequence_parts(b)
    if x is None or y is None or len(x) != len(y):
        return None
    for left, right in zip(x, y):
        if left is right:
            continue
        for one, other in ((left, right), (right, left)):
            if is_tracer(one) and (is_tracer(other) or kind_of(other) in NUMBERS):
                return one
        if isinstance(left, Const) and isinstance(right, Const) and left.value != right.value:
            return None
    return None


def sequence_parts(value: Value) -> tuple[Value, ...] | None:
    """The items of a tuple, list or NamedTuple that are known."""
    if isinstance(value, (TupleV, ListV)):
        return value.items
    cls = value.cls if isinstance(value, InstanceV) and not value.generic else None
    if isinstance(value, InstanceV) and cls is not None and cls.family == "namedtuple":
        return tuple(value.attrs.get(n, UNKNOWN) for n in cls.fields)
    return None


def equal(a: Value, b: Value) -> bool | None:
    """Equality where identity or kind decides it."""
    if isinstance(a, InstanceV) and isinstance(b, InstanceV) and a.cls is b.cls and a.cls is not None:
        if a.cls.family == "enum" and "name" in a.attrs and "name" in b.attrs:
            return enum_name(a) == enum_name(b) if enum_name(a) and enum_name(b) else None
    if isinstance(a, ExternV) and isinstance(b, ExternV) and a.name == b.name:
        return True
    for value, other in ((a, b), (b, a)):
        if isinstance(value, Const) and value.value is None and not isinstance(other, (Unknown, UnionV, Host, Const)):
            return False
    if isinstance(a, TupleV) and isinstance(b, TupleV) and a.items is not None and b.items is not None:
        if len(a.items) != len(b.items):
            return False
        found = [x.value == y.value for x, y in zip(a.items, b.items) if isinstance(x, Const) and isinstance(y, Const)]
        if False in found:
            return False
        return True if len(found) == len(a.items) else None
    x, y = sym_of(a), sym_of(b)
    if x is not None and x == y:
        return True
    return None


def enum_name(value: InstanceV) -> object:
    """The member name of an enum instance."""
    name = value.attrs.get("name")
    return name.value if isinstance(name, Const) else None


def identical(a: Value, b: Value) -> bool | None:
    """`a is b` where it is certain."""
    if isinstance(a, UnionV) or isinstance(b, UnionV):
        found = {identical(x, y) for x in alternatives(a) for y in alternatives(b)}
        return found.pop() if len(found) == 1 else None
    if isinstance(a, Const) and isinstance(b, Const):
        if a.value is None or b.value is None or isinstance(a.value, bool) or isinstance(b.value, bool):
            return a.value is b.value
        return None
    for value, other in ((a, b), (b, a)):
        if isinstance(value, Const):
            if isinstance(other, (Unknown, Tree)):
                return None
            if isinstance(other, Host):
                return None if other.kind == "object" or (other.kind == "bool" and value.value is not None) else False
            return False
    if isinstance(a, ExternV) and isinstance(b, ExternV):
        return a.name == b.name
    if isinstance(a, InstanceV) and isinstance(b, InstanceV):
        return True if a is b and not a.generic else None
    if isinstance(a, (FunctionV, ClassV)) and isinstance(b, (FunctionV, ClassV)):
        return a is b
    return None


def alternatives(value: Value) -> tuple[Value, ...]:
    """The options of a union, or the value alone."""
    return value.options if isinstance(value, UnionV) else (value,)


def contains(m: Machine, node: ast.AST, op: ast.cmpop, item: Value, container: Value, left: ast.AST) -> Value:
    """`item in container`."""
    container = strip_none(container)
    array = definite_array(container)
    if array is not None and kind_of(item) == "str":
        # whatever it is that has names in it is no array
        return Host("bool")
    if array is not None and array.is_tracer:
        if not guarded(m):
            m.emit(Kind.TRACER_BOOL, node, "in", subject=node, value=array)
        return Host("bool")
    if is_tracer(item) and isinstance(container, (TupleV, ListV)) and container.items != ():
        if not guarded(m) and kind_of(element(container)) != "str":
            m.emit(Kind.TRACER_BOOL, node, "in", subject=left, value=item)
        return Host("bool")
    if isinstance(container, (TupleV, ListV)) and container.items and any(is_tracer(v) for v in container.items[:1]):
        if kind_of(item) in NUMBERS and not guarded(m):
            m.emit(Kind.TRACER_BOOL, node, "in", subject=left, value=container.items[0])
        return Host("bool")
    if defines(container, "__contains__"):
        from jaxlint.interpreter.calls import call_method_named

        truth(m, call_method_named(m, container, "__contains__", node, item), node, "in", node)
        return Host("bool")
    known = known_member(item, container)
    if known is not None:
        return Const(known == isinstance(op, ast.In))
    varies = item.varies if isinstance(item, Host) else frozenset()
    return Host("bool", varies=varies)


def known_member(item: Value, container: Value) -> bool | None:
    """Membership where both sides are constant enough."""
    if not isinstance(item, Const):
        return None
    try:
        hash(item.value)
    except TypeError:
        return None
    if isinstance(container, DictV):
        found = container.items.get(item.value, MISSING)
        if found is not MISSING:
            return True
        return False if container.rest is None else None
    if isinstance(container, (TupleV, ListV)) and container.items is not None:
        if all(isinstance(v, Const) for v in container.items):
            return any(v.value == item.value for v in container.items if isinstance(v, Const))
    if isinstance(container, Const) and isinstance(container.value, str) and isinstance(item.value, str):
        return item.value in container.value
    return None
