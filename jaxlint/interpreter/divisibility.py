"""`assert n % batch_size == 0`: what the author promises about sizes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.operators import sym_of
from jaxlint.interpreter.symbolic import Poly, multiply
from jaxlint.interpreter.values import Array, BatchIndex, Const, Host, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def learn(m: Machine, f: Frame, test: ast.expr) -> None:
    """After `a % b == 0` (or `not a % b`), `a` is a multiple of `b`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            learn(m, f, part)
        return
    remainder: ast.expr | None = None
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        right = test.comparators[0]
        if isinstance(right, ast.Constant) and right.value == 0:
            remainder = test.left
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        remainder = test.operand
    if isinstance(remainder, ast.BinOp) and isinstance(remainder.op, ast.Mod):
        promise(m, f, remainder.left, remainder.right)


def rounded_up(m: Machine, f: Frame, node: ast.expr) -> Value | None:
    """The number of batches that a rounded-up division gives, None where there is no rest.

    `-(-n // size)`, `(n + size - 1) // size`, `math.ceil(n / size)`.
    """
    parts: tuple[ast.expr, ast.expr] | int | None = getattr(node, "_jaxlint_rounded", 0)
    if parts == 0:
        parts = node._jaxlint_rounded = ceiling(node)  # type: ignore[attr-defined]
    if not isinstance(parts, tuple) or m.traces:
        return None
    from jaxlint.interpreter.expressions import evaluate

    m.muted += 1
    try:
        total, step = evaluate(m, f, parts[0]), evaluate(m, f, parts[1])
    finally:
        m.muted -= 1
    a, b = sym_of(total), sym_of(step)
    if a is None or b is None or a.multiple_of(b):
        return None
    sym = None
    if isinstance(total, Const) and isinstance(step, Const) and step.value:
        sym = Poly.of(-(-total.value // step.value))
    return Host("int", sym=sym, index=BatchIndex("count", total, step, node, f.module.source))


def ceiling(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The total and the step of a division that is written to round up."""
    if isinstance(node, ast.Call) and node.args:
        division = node.args[0]
        exact = isinstance(division, ast.BinOp) and isinstance(division.op, ast.Div)
        return (division.left, division.right) if isinstance(division, ast.BinOp) and exact else None
    if isinstance(node, ast.UnaryOp):
        division = node.operand
        if not isinstance(division, ast.BinOp) or not isinstance(division.op, ast.FloorDiv):
            return None
        inner = division.left
        return (
            (inner.operand, division.right)
            if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.USub)
            else None
        )
    if not isinstance(node, ast.BinOp) or not isinstance(node.left, ast.BinOp):
        return None
    left, step = node.left, ast.dump(node.right)
    both = left.left
    if (
        isinstance(left.op, ast.Sub)
        and is_one(left.right)
        and isinstance(both, ast.BinOp)
        and isinstance(both.op, ast.Add)
    ):
        # (n + size - 1) // size, either way round
        for total, size in ((both.left, both.right), (both.right, both.left)):
            if ast.dump(size) == step:
                return total, node.right
    if isinstance(left.op, ast.Add) and isinstance(left.right, ast.BinOp) and isinstance(left.right.op, ast.Sub):
        # n + (size - 1)
        if is_one(left.right.right) and ast.dump(left.right.left) == step:
            return left.left, node.right
    return None


def is_one(node: ast.expr) -> bool:
    """Whether an expression is the number 1."""
    return isinstance(node, ast.Constant) and node.value == 1


def measured_value(number: ast.expr) -> ast.expr | None:
    """The `x` of `len(x)` or `x.shape[0]`."""
    if isinstance(number, ast.Call) and isinstance(number.func, ast.Name) and number.func.id == "len" and number.args:
        return number.args[0]
    if isinstance(number, ast.Subscript) and isinstance(number.value, ast.Attribute) and number.value.attr == "shape":
        return number.value.value
    return None


def remember_rows(m: Machine, place: tuple[dict[object, object], object, object], rows: Poly) -> None:
    """Write into an array value that its leading dimension is `rows`."""
    value = place[2]
    if isinstance(value, Host):
        shape = (rows, *value.shape[1:]) if value.shape else value.shape
        m.write(place[0], place[1], Host(value.kind, rows, shape, value.varies, value.ragged, value.index, value.dtype))
    elif isinstance(value, Array) and value.shape:
        m.write(place[0], place[1], value.but(shape=(rows, *value.shape[1:])))
    elif isinstance(value, Unknown):
        # an array of the host or of the device
        m.write(place[0], place[1], Host("object", sym=rows))


def promise(m: Machine, f: Frame, number: ast.expr, divisor: ast.expr) -> None:
    """Write into the variable `number` that it is a multiple of `divisor`; lengths are remembered by their text."""
    from jaxlint.interpreter.expressions import evaluate
    from jaxlint.interpreter.narrowing import find_place

    m.muted += 1
    try:
        value, step = evaluate(m, f, number), evaluate(m, f, divisor)
    finally:
        m.muted -= 1
    unit = sym_of(step)
    if unit is None:
        return
    whole = multiply(Poly.atom("quotient", ast.dump(number), m.fresh()), unit)
    source = f.module.source
    m.write(f.names, ("multiple", source.segment(number, 200)), Host("int", sym=whole))
    measured = measured_value(number)
    held = find_place(m, f, measured) if measured is not None else None
    if held is not None and whole is not None:
        remember_rows(m, held, whole)
    place = find_place(m, f, number)
    if place is not None and not isinstance(value, Const) and isinstance(value, (Host, Unknown)):
        m.write(place[0], place[1], Host("int", sym=whole))
