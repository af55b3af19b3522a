"""What every value is: constants, what is not known, traces and causes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.symbolic import Poly

if TYPE_CHECKING:
    from jaxlint.source import Source


class Store(dict[Any, Any]):
    """The bindings of a frame, an instance or a container. `stamp` tells when it was made, for memoising calls."""

    __slots__ = ("stamp",)
    _made = 0

    def __init__(self, items: Mapping[Any, Any] = {}) -> None:
        super().__init__(items)
        Store._made = self.stamp = Store._made + 1

    @classmethod
    def now(cls) -> int:
        """The stamp of the newest store."""
        return cls._made


class Value:
    """Base of all abstract values. Values are compared by identity unless a function below says more."""

    __slots__ = ()


class Unknown(Value):
    """Nothing is known. `sym` names it as an integer, in case it is one (a parameter `batch_size`)."""

    __slots__ = ("name", "sym")

    def __init__(self, sym: Poly | None = None, name: str = "") -> None:
        self.sym = sym
        self.name = name


UNKNOWN = Unknown()


# an argument that may be left out: passed, it would be traced; left out, it is the plain default
OPEN = Unknown()


class Missing(Value):
    """Not a value: the mark of a name that is not bound, in journals."""

    __slots__ = ()


MISSING = Missing()


class Const(Value):
    """A Python constant: int, float, complex, str, bytes, bool, None or Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


NONE = Const(None)


TRUE = Const(True)


FALSE = Const(False)


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """One step of an explanation: what happened at `node` of `source`."""

    note: str
    node: ast.AST
    source: Source


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One trace that JAX makes. `abstract` traces have no values (jit, vmap, scan, ...); eager autodiff has.

    `level` orders traces: a tracer of a higher level belongs to a trace that started later, inside the others.
    """

    transform: str
    level: int
    abstract: bool
    link: Link
    # the function being traced, for messages
    function: str = ""
    parent: Trace | None = None
    # the newest store when the trace began
    stamp: int = 0


@dataclass(slots=True, eq=False)
class Ragged:
    """The leading dimension is not the same in every iteration; `why` words the reason.

    `handled` is set when the program turns out to deal with it (it tests or subtracts the length).
    """

    why: str
    node: ast.AST
    source: Source
    handled: bool = False
