"""Looking through wrappers: the project function under partials, methods and transforms, and its parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.interpreter.attributes import class_attribute
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.functions import default_of, parameters
from jaxlint.interpreter.values import (
    BoundV,
    ClassV,
    FunctionV,
    InstanceV,
    PartialV,
    TransformedV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


@dataclass(slots=True)
class Signature:
    """What is known of a callable's parameters, as its caller sees them.

    `bound` counts positional parameters that wrappers have already filled.
    """

    function: FunctionV | None
    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    positional_only: tuple[str, ...]
    vararg: str | None
    kwarg: str | None
    taken: frozenset[str] = frozenset()

    def name_at(self, place: int) -> str | None:
        """The parameter that a position falls on."""
        if 0 <= place < len(self.positional):
            return self.positional[place]
        return self.vararg if place >= 0 else None


def signature(value: Value) -> Signature | None:
    """The parameters of a callable, None when they are not known."""
    if isinstance(value, FunctionV):
        node = value.node.args
        return Signature(
            value,
            parameters(value.node),
            tuple(a.arg for a in node.kwonlyargs),
            tuple(a.arg for a in node.posonlyargs),
            node.vararg.arg if node.vararg else None,
            node.kwarg.arg if node.kwarg else None,
        )
    if isinstance(value, BoundV):
        return without_first(signature(value.func), 1)
    if isinstance(value, PartialV):
        inner = without_first(signature(value.func), len(value.args))
        if inner is not None:
            inner.taken = inner.taken | frozenset(value.kwargs)
        return inner
    if isinstance(value, TransformedV):
        return signature(value.func)
    if isinstance(value, InstanceV) and value.cls is not None:
        method = class_attribute(value.cls, "__call__")
        return without_first(signature(method), 1) if method is not None else None
    if isinstance(value, ClassV):
        init = class_attribute(value, "__init__")
        return without_first(signature(init), 1) if init is not None else None
    return None


def without_first(inner: Signature | None, count: int) -> Signature | None:
    """A signature whose first positional parameters are bound."""
    if inner is None:
        return None
    return Signature(
        inner.function,
        inner.positional[count:],
        inner.keyword_only,
        tuple(n for n in inner.positional_only if n in inner.positional[count:]),
        inner.vararg,
        inner.kwarg,
        inner.taken,
    )


def bottom(value: Value) -> FunctionV | None:
    """The project function under all wrappers."""
    while True:
        if isinstance(value, FunctionV):
            return value
        if isinstance(value, (BoundV, PartialV, TransformedV)):
            value = value.func
        elif isinstance(value, InstanceV) and value.cls is not None:
            method = class_attribute(value.cls, "__call__")
            if method is None:
                return None
            value = method
        else:
            return None


def callable_name(value: Value) -> str:
    """A name for a callable in messages."""
    function = bottom(value)
    if function is not None:
        return function.qualname if function.name != "<lambda>" else "<lambda>"
    return "the function"


@dataclass(slots=True)
class Bound:
    """One argument of a call with the parameter it goes to."""

    name: str | None
    place: int | None
    value: Value
    node: ast.AST | None
    by_keyword: bool


def bind(m: Machine, value: Value, args: Args) -> list[Bound]:
    """Match the arguments of a call with the parameters of a callable."""
    known = signature(value)
    found: list[Bound] = []
    for place, item in enumerate(args.pos):
        name = known.name_at(place) if known is not None else None
        node = args.nodes[place] if place < len(args.nodes) else None
        found.append(Bound(name, place, item, node, False))
    for name, item in args.kw.items():
        place_of = known.positional.index(name) if known is not None and name in known.positional else None
        found.append(Bound(name, place_of, item, args.kw_nodes.get(name), True))
    return found


def omitted(value: Value, args: Args) -> list[str]:
    """Parameters with defaults that a call leaves out."""
    known = signature(value)
    if known is None or known.function is None:
        return []
    given = set(args.kw) | set(known.positional[: len(args.pos)]) | known.taken
    names = [*known.positional, *known.keyword_only]
    return [n for n in names if n not in given and default_of(known.function, n) is not None]
