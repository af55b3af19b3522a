"""What a test implies for the names in it: `x is None`, `isinstance(x, T)`, `not x`, `a and b`, lengths."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.joining import join_options
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    Const,
    DictV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    Ragged,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

Place = tuple[dict[Any, Any], Any, Value]


def narrow(m: Machine, f: Frame, test: ast.expr, outcome: bool) -> None:
    """Write what `test` being `outcome` says about the variables in it."""
    if outcome:
        leftover(m, f, test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(m, f, test.operand, not outcome)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) == outcome:
            for part in test.values:
                narrow(m, f, part, outcome)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        narrow_compare(m, f, test, outcome)
    elif isinstance(test, ast.Call):
        narrow_call(m, f, test, outcome)
    elif isinstance(test, ast.NamedExpr):
        narrow(m, f, test.target, outcome)
    elif isinstance(test, (ast.Name, ast.Attribute)):
        place = find_place(m, f, test)
        if place is not None:
            narrow_truth(m, place, outcome)


def find_place(m: Machine, f: Frame, node: ast.expr) -> Place | None:
    """The container and key that a name or an attribute chain is stored under, with its value."""
    if isinstance(node, ast.NamedExpr):
        node = node.target
    if isinstance(node, ast.Name):
        frame: Frame | None = f
        while frame is not None:
            value = frame.names.get(node.id, MISSING)
            if value is not MISSING:
                return frame.names, node.id, value
            frame = frame.outer
        value = f.module.namespace.get(node.id, MISSING)
        return (f.module.namespace, node.id, value) if value is not MISSING else None
    if isinstance(node, ast.Attribute):
        base = find_place(m, f, node.value)
        if base is not None and isinstance(base[2], InstanceV):
            value = base[2].attrs.get(node.attr, MISSING)
            if value is not MISSING:
                return base[2].attrs, node.attr, value
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        base = find_place(m, f, node.value)
        if base is not None and isinstance(base[2], DictV):
            value = base[2].items.get(node.slice.value, MISSING)
            if value is not MISSING:
                return base[2].items, node.slice.value, value
    return None


def store(m: Machine, place: Place, value: Value) -> None:
    """Replace the value at `place`."""
    if value is not place[2]:
        m.write(place[0], place[1], value)


def narrow_truth(m: Machine, place: Place, outcome: bool) -> None:
    """`if x:`: keep the alternatives whose truth can be `outcome`."""
    value = place[2]
    if not isinstance(value, UnionV):
        return
    kept = tuple(v for v in value.options if plain_truth(v) in (None, outcome))
    if kept and len(kept) < len(value.options):
        store(m, place, join_options(kept))


def plain_truth(value: Value) -> bool | None:
    """Truth without any report."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, FunctionV):
        return True
    if isinstance(value, (TupleV, ListV)) and value.items is not None:
        return bool(value.items)
    return None


def narrow_compare(m: Machine, f: Frame, test: ast.Compare, outcome: bool) -> None:
    """`x is None`, `x == "mean"`, `len(x) == n`, `x.shape[0] < n`."""
    op, right = test.ops[0], test.comparators[0]
    constant = right if isinstance(right, ast.Constant) else test.left if isinstance(test.left, ast.Constant) else None
    if constant is None:
        return
    place = find_place(m, f, test.left if constant is right else right)
    if place is None:
        return
    if isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        same = isinstance(op, (ast.Is, ast.Eq)) == outcome
        keep_constant(m, place, constant.value, same)


def keep_constant(m: Machine, place: Place, constant: object, same: bool) -> None:
    """Keep the alternatives that are (`same`) or are not the constant."""
    value = place[2]
    if isinstance(value, UnionV):
        kept = tuple(v for v in value.options if matches(v, constant) in (None, same))
        if kept and len(kept) < len(value.options):
            store(m, place, join_options(kept))
    elif isinstance(value, (Unknown, Host)) and same and isinstance(constant, (str, bool, int, type(None))):
        if constant is None or (isinstance(value, Host) and value.kind in ("str", "bool")):
            store(m, place, NONE if constant is None else Const(constant))


def matches(value: Value, constant: object) -> bool | None:
    """Whether an alternative is the constant."""
    if isinstance(value, Const):
        return type(value.value) is type(constant) and value.value == constant
    if isinstance(value, (Unknown, Host)):
        return None
    return False


def handle_lengths(m: Machine, f: Frame, test: ast.expr) -> None:
    """A branch on a batch's length: both sides are possible, so the author deals with the short one."""
    found: list[ast.expr] | None = getattr(test, "_jaxlint_measured", None)
    if found is None:
        plain = isinstance(test, (ast.Name, ast.Attribute, ast.Call))
        lines = [] if plain else f.module.source.lines[test.lineno - 1 : test.end_lineno]
        # most tests ask for something else, and their text shows it
        found = measured(test) if any(word in line for line in lines for word in MEASURES) else []
        test._jaxlint_measured = found  # type: ignore[attr-defined]
    for part in found:
        clear(m, f, part)


MEASURES = ("len", "shape", "size")


def measured(test: ast.expr) -> list[ast.expr]:
    """The expressions whose length or shape the comparisons of a test look at."""
    found: list[ast.expr] = []
    for compare in ast.walk(test):
        if isinstance(compare, ast.Compare):
            for part in ast.walk(compare):
                if (
                    isinstance(part, ast.Call)
                    and isinstance(part.func, ast.Name)
                    and part.func.id == "len"
                    and part.args
                ):
                    found.append(part.args[0])
                elif isinstance(part, ast.Attribute) and part.attr in ("shape", "size"):
                    found.append(part.value)
    return found


def clear(m: Machine, f: Frame, node: ast.expr) -> None:
    """Forget that the value at `node` is ragged."""
    if isinstance(node, ast.Subscript):
        node = node.value
    place = find_place(m, f, node)
    if place is None:
        return
    value = place[2]
    ragged = (
        value.ragged
        if isinstance(value, (Array, Host))
        else value.state.get("ragged")
        if isinstance(value, ListV)
        else None
    )
    if isinstance(ragged, Ragged):
        ragged.handled = True
    elif isinstance(value, ListV) and isinstance(node, ast.Name) and m.loops and m.loops[-1].frame == f.uid:
        # a list that is filled up to a length in this loop
        m.memo["filled", f.uid, node.id] = True


def leftover(m: Machine, f: Frame, test: ast.expr) -> None:
    """`if buffer:` after the loop that hands out the buffer whenever it is full: what is left is a shorter batch."""
    if isinstance(test, ast.Compare):
        test = test.left
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "len" and test.args:
        test = test.args[0]
    if not isinstance(test, ast.Name) or ("filled", f.uid, test.id) not in m.memo:
        return
    value = f.names.get(test.id, MISSING)
    if not isinstance(value, ListV) or value.items is not None or any(run.frame == f.uid for run in m.loops):
        return
    left = ListV(None, value.elem, value.kind, value.depth)
    why = f"what is left in `{test.id}` after the loop is a shorter batch"
    left.state["ragged"] = Ragged(why, test, f.module.source)
    m.write(f.names, test.id, left)


def narrow_call(m: Machine, f: Frame, test: ast.Call, outcome: bool) -> None:
    """`isinstance(x, T)`, `callable(x)`, `hasattr(x, "a")`."""
    if not isinstance(test.func, ast.Name) or not test.args:
        return
    place = find_place(m, f, test.args[0])
    if place is None:
        return
    if test.func.id == "isinstance" and len(test.args) == 2:
        from jaxlint.interpreter.types import instance_of, type_names

        names = type_names(m, f, test.args[1])
        value = place[2]
        if isinstance(value, UnionV):
            kept = tuple(v for v in value.options if instance_of(v, names) in (None, outcome))
            if kept and len(kept) < len(value.options):
                store(m, place, join_options(kept))
        elif outcome and isinstance(value, (Array, Tree)) and "jax.core.Tracer" not in names:
            # inside `isinstance(x, T)`: an array that passed a test it could not pass is something else
            if instance_of(value, names) is False:
                store(m, place, UNKNOWN)
        elif not outcome and isinstance(value, Tree) and instance_of(value.leaf, names):
            # a pytree that is no array is a container: nothing is known of it
            store(m, place, UNKNOWN)
    elif test.func.id == "hasattr" and len(test.args) == 2 and isinstance(place[2], Tree):
        from jaxlint.interpreter.attributes import array_has

        attr = test.args[1].value if isinstance(test.args[1], ast.Constant) else None
        if isinstance(attr, str) and array_has(attr) != outcome:
            store(m, place, UNKNOWN)
    elif test.func.id == "callable" and isinstance(place[2], UnionV):
        kept = tuple(v for v in place[2].options if isinstance(v, FunctionV) == outcome or isinstance(v, Unknown))
        if kept:
            store(m, place, join_options(kept))
