"""The algebra of symbolic integers agrees with Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jaxlint.interpreter.symbolic import Poly, add, floor_divide, modulo, multiply

NAMES = ("n", "bs", "k")
Numbers = dict[str, int]
Pair = tuple[Poly | None, Callable[[Numbers], int]]


def value(poly: Poly, numbers: Numbers) -> int:
    """What a polynomial is for given integers."""
    total = 0
    for monomial, coefficient in poly.terms:
        product = coefficient
        for atom in monomial:
            product *= atom_value(atom, numbers)
        total += product
    return total


def atom_value(atom: tuple[Any, ...], numbers: Numbers) -> int:
    if atom[0] == "floordiv":
        return value(atom[1], numbers) // value(atom[2], numbers)
    return numbers[atom[0]]


leaves = st.one_of(st.integers(-6, 6).map(Poly.of), st.sampled_from(NAMES).map(Poly.atom))
operations = st.sampled_from((add, lambda a, b: add(a, b, -1), multiply, floor_divide, modulo))
PYTHON: dict[Any, Callable[[int, int], int]] = {
    add: int.__add__,
    multiply: int.__mul__,
    floor_divide: int.__floordiv__,
    modulo: int.__mod__,
}


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> tuple[Any, ...]:
    """Nested tuples `(operation, left, right)` over leaves."""
    if depth == 0 or draw(st.booleans()):
        return ("leaf", draw(leaves))
    return (draw(st.sampled_from("+-*/%")), draw(expressions(depth - 1)), draw(expressions(depth - 1)))


def symbolic(tree: tuple[Any, ...]) -> Poly | None:
    if tree[0] == "leaf":
        return tree[1]
    a, b = symbolic(tree[1]), symbolic(tree[2])
    if a is None or b is None:
        return None
    if tree[0] == "-":
        return add(a, b, -1)
    return {"+": add, "*": multiply, "/": floor_divide, "%": modulo}[tree[0]](a, b)


def concrete(tree: tuple[Any, ...], numbers: Numbers) -> int:
    if tree[0] == "leaf":
        return value(tree[1], numbers)
    a, b = concrete(tree[1], numbers), concrete(tree[2], numbers)
    return {"+": a + b, "-": a - b, "*": a * b}[tree[0]] if tree[0] in "+-*" else a // b if tree[0] == "/" else a % b


assignments = st.fixed_dictionaries({name: st.integers(-20, 20) for name in NAMES})


@given(expressions(), assignments)
def test_value_is_what_python_computes(tree: tuple[Any, ...], numbers: Numbers) -> None:
    poly = symbolic(tree)
    if poly is None:
        return
    try:
        wanted = concrete(tree, numbers)
    except ZeroDivisionError:
        return
    try:
        assert value(poly, numbers) == wanted
    except (
        ZeroDivisionError
    ):  # a kept quotient whose divisor is zero for these numbers: Python raised or never got here
        pass


@given(expressions(), expressions(), assignments)
def test_multiples_are_multiples(a: tuple[Any, ...], b: tuple[Any, ...], numbers: Numbers) -> None:
    x, y = symbolic(a), symbolic(b)
    if x is None or y is None or not x.multiple_of(y):
        return
    try:
        divisor = value(y, numbers)
        dividend = value(x, numbers)
    except ZeroDivisionError:
        return
    assert dividend == 0 if divisor == 0 else dividend % divisor == 0


@given(expressions(), expressions())
def test_sum_and_product_commute(a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
    x, y = symbolic(a), symbolic(b)
    if x is None or y is None:
        return
    assert add(x, y) == add(y, x)
    assert multiply(x, y) == multiply(y, x)


N, BS = Poly.atom("n"), Poly.atom("bs")


def test_what_programs_write() -> None:
    steps = floor_divide(N, BS)
    assert steps is not None
    whole = multiply(steps, BS)
    rest = modulo(N, BS)
    assert whole is not None and rest is not None
    assert whole.multiple_of(BS)
    trimmed = add(N, rest, -1)
    assert trimmed == whole
    assert not N.multiple_of(BS)
    next_one = add(steps, Poly.of(1))
    assert next_one is not None
    up = multiply(next_one, BS)
    assert up is not None and up.multiple_of(BS)
    assert Poly.of(1024).multiple_of(Poly.of(64)) and not Poly.of(1000).multiple_of(Poly.of(64))
    assert floor_divide(Poly.of(7), Poly.of(-2)) == Poly.of(-4)
    assert modulo(Poly.of(-7), Poly.of(3)) == Poly.of(2)
    assert floor_divide(N, Poly.of(0)) is None
