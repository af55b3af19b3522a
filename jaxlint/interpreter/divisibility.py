"""`assert n % batch_size == 0`: what the author promises about sizes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.operators import sym_of
from jaxlint.interpreter.symbolic import Poly, multiply
from jaxlint.interpreter.values import Array, Const, Host, Unknown

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
        m.write(place[0], place[1], Host("ndarray", sym=rows))


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
    if held is not None:
        remember_rows(m, held, whole)
    place = find_place(m, f, number)
    if place is not None and not isinstance(value, Const) and isinstance(value, Host | Unknown):
        m.write(place[0], place[1], Host("int", sym=whole))
