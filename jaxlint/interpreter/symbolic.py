"""Symbolic integers: just enough algebra to tell that `n // bs * bs` is a multiple of `bs`."""

from __future__ import annotations

from dataclasses import dataclass

Atom = tuple[object, ...]
Monomial = tuple[Atom, ...]

# A polynomial with more terms than this is forgotten: nobody writes batch sizes like that.
MAX_TERMS = 8


@dataclass(frozen=True, slots=True)
class Poly:
    """An integer polynomial: coefficients by monomial (a sorted tuple of atoms); `()` is the constant term."""

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(number: int) -> Poly:
        """The constant polynomial."""
        return Poly((((), number),) if number else ())

    @staticmethod
    def atom(*name: object) -> Poly:
        """An unknown integer, told from others by `name`."""
        return Poly(((((name),), 1),))

    @property
    def constant(self) -> int | None:
        """The value if it is a plain number."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and self.terms[0][0] == ():
            return self.terms[0][1]
        return None

    def multiple_of(self, other: Poly) -> bool:
        """Whether every term certainly holds `other` as a factor."""
        divisor = other.constant
        if divisor is not None:
            return divisor != 0 and all(c % divisor == 0 for _, c in self.terms)
        if len(other.terms) != 1:
            return self == other
        factor, weight = other.terms[0]
        if weight != 1:
            return False
        return all(_contains(m, factor) for m, _ in self.terms)


def _contains(monomial: Monomial, factor: Monomial) -> bool:
    left = list(monomial)
    for atom in factor:
        if atom not in left:
            return False
        left.remove(atom)
    return True


def _build(terms: dict[Monomial, int]) -> Poly | None:
    kept = tuple(sorted(((m, c) for m, c in terms.items() if c), key=repr))
    return Poly(kept) if len(kept) <= MAX_TERMS else None


def add(a: Poly, b: Poly, sign: int = 1) -> Poly | None:
    """`a + sign * b`."""
    terms = dict(a.terms)
    for monomial, coefficient in b.terms:
        terms[monomial] = terms.get(monomial, 0) + sign * coefficient
    return _build(terms)


def multiply(a: Poly, b: Poly) -> Poly | None:
    """`a * b`."""
    terms: dict[Monomial, int] = {}
    for m1, c1 in a.terms:
        for m2, c2 in b.terms:
            monomial = tuple(sorted(m1 + m2, key=repr))
            if len(monomial) > 4:
                return None
            terms[monomial] = terms.get(monomial, 0) + c1 * c2
    return _build(terms)


def floor_divide(a: Poly, b: Poly) -> Poly | None:
    """`a // b`: exact where it can be worked out, else an atom that remembers both."""
    x, y = a.constant, b.constant
    if y == 0:
        return None
    if x is not None and y is not None:
        return Poly.of(x // y)
    if len(b.terms) == 1 and a.multiple_of(b) and a.terms:
        factor, weight = b.terms[0]
        quotient: dict[Monomial, int] = {}
        for monomial, coefficient in a.terms:
            left = list(monomial)
            for atom in factor:
                left.remove(atom)
            quotient[tuple(left)] = coefficient // weight
        return _build(quotient)
    return Poly.atom("floordiv", a, b)


def modulo(a: Poly, b: Poly) -> Poly | None:
    """`a % b` as `a - b * (a // b)`, so that `a - a % b` is seen to be a multiple of b."""
    quotient = floor_divide(a, b)
    if quotient is None:
        return None
    product = multiply(quotient, b)
    return None if product is None else add(a, product, -1)
