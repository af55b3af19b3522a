"""Data: arrays, trees of them, host values, containers, lazy sequences."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.symbolic import Poly

if TYPE_CHECKING:
    from jaxlint.interpreter.identity import Key
    from jaxlint.source import Source
from jaxlint.interpreter.values.base import MISSING, UNKNOWN, Link, Ragged, Store, Trace, Value

Dims = tuple["int | Poly | None", ...]


class Array(Value):
    """A jax array: a tracer where `trace` is set, else a concrete array on the device.

    `born` counts the device dispatches before it existed; `round` is the loop round it was made in, `stack` the
    interpreter frames at that time (to find the frame that a dispatch and a read have in common).
    """

    __slots__ = (
        "born",
        "cause",
        "dtype",
        "grows",
        "key",
        "origin",
        "parts",
        "piece",
        "ragged",
        "ready",
        "rounds",
        "shape",
        "stack",
        "trace",
        "weak",
        "weight",
    )

    def __init__(
        self,
        trace: Trace | None = None,
        shape: Dims | None = None,
        dtype: str | None = None,
        cause: Link | None = None,
        weak: bool | None = None,
        born: int = 0,
        ragged: Ragged | None = None,
        rounds: tuple[tuple[int, int], ...] = (),
        stack: tuple[int, ...] = (),
        origin: Value | None = None,
        piece: bool = False,
        grows: object = None,
        ready: bool = False,
        key: Key | None = None,
        parts: tuple[Array, ...] = (),
        weight: int = 0,
    ) -> None:
        self.trace = trace
        self.shape = shape
        self.dtype = dtype
        self.cause = cause
        self.weak = weak
        self.born = born
        self.ragged = ragged
        self.rounds = rounds
        self.stack = stack
        self.origin = origin
        self.piece = piece
        self.grows = grows
        # the call that made it has waited for it
        self.ready = ready
        # which PRNG key (or array of keys) it is
        self.key = key
        # the arrays of which it is one, where paths have met
        self.parts = parts
        # bytes that the tree it stands for has at least
        self.weight = weight

    def but(self, **changes: Any) -> Array:
        """A copy with some fields changed."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields.update(changes)
        return Array(**fields)

    @property
    def is_tracer(self) -> bool:
        """Whether it has no value: it belongs to an abstract trace."""
        return self.trace is not None and self.trace.abstract


class Tree(Value):
    """A pytree of arrays whose structure is not known; `leaf` stands for each of them."""

    __slots__ = ("leaf",)

    def __init__(self, leaf: Array) -> None:
        self.leaf = leaf


class Host(Value):
    """A Python or NumPy value whose content is not known.

    kind: int float bool str bytes complex ndarray object. `varies` holds the loops (ids) in which it changes
    from one iteration to the next; `index` tells of a loop index that walks a range in batch steps.
    """

    __slots__ = ("dtype", "grows", "index", "kind", "prefix", "ragged", "shape", "sym", "varies")

    def __init__(
        self,
        kind: str,
        sym: Poly | None = None,
        shape: Dims | None = None,
        varies: frozenset[int] = frozenset(),
        ragged: Ragged | None = None,
        index: BatchIndex | None = None,
        dtype: str | None = None,
        grows: object = None,
        prefix: str = "",
    ) -> None:
        self.grows = grows
        # how a string begins, as far as it is known
        self.prefix = prefix
        self.kind = kind
        self.sym = sym
        self.shape = shape
        self.varies = varies
        self.ragged = ragged
        self.index = index
        self.dtype = dtype


@dataclass(frozen=True, slots=True, eq=False)
class BatchIndex:
    """An integer that walks over the batches of `total` rows in steps of `step`.

    role: start (`i` of range(0, n, step), or `k * step`), stop (start + step), number (`k` of range(ceil(n / step))),
    next (`k + 1`), count (the number of batches itself, rounded up).
    """

    role: str
    total: Value
    step: Value
    node: ast.AST
    source: Source


class TupleV(Value):
    """An immutable sequence: `items` when the length is known, else `elem` for every element."""

    __slots__ = ("elem", "items")

    def __init__(self, items: tuple[Value, ...] | None, elem: Value = UNKNOWN) -> None:
        self.items = items
        self.elem = elem


class ListV(Value):
    """A list, deque or set. `state` holds "items" (tuple of values or None) and "elem"; writes are journaled."""

    __slots__ = ("depth", "kind", "made", "state")

    def __init__(
        self, items: tuple[Value, ...] | None, elem: Value = UNKNOWN, kind: str = "list", depth: int = 0
    ) -> None:
        self.state: dict[Any, Any] = Store({"items": items, "elem": elem})
        self.kind = kind
        # number of traces open when it was made: a tracer of a later trace must not be stored in it
        self.depth = depth
        self.made = 0

    @property
    def items(self) -> tuple[Value, ...] | None:
        """The elements, or None when the length is not known."""
        result: tuple[Value, ...] | None = self.state.get("items")
        return result

    @property
    def elem(self) -> Value:
        """What every element looks like when the length is not known."""
        result: Value = self.state.get("elem", UNKNOWN)
        return UNKNOWN if result is MISSING else result


class DictV(Value):
    """A dict: values by constant key; `open` when there may be others, which look like `rest`."""

    __slots__ = ("depth", "items", "meta")

    def __init__(self, items: dict[Any, Value] | None = None, rest: Value | None = None, depth: int = 0) -> None:
        self.items: dict[Any, Any] = Store(items if items is not None else {})
        self.meta: dict[Any, Any] = Store({"rest": rest})
        self.depth = depth

    @property
    def rest(self) -> Value | None:
        """The value under keys that are not known, or None if there are none."""
        result: Value | None = self.meta["rest"]
        return result


class AtV(Value):
    """`x.at` and `x.at[index]`."""

    __slots__ = ("array", "indexed")

    def __init__(self, array: Value, indexed: bool = False) -> None:
        self.array = array
        self.indexed = indexed


class UnionV(Value):
    """One of a few alternatives."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Value, ...]) -> None:
        self.options = options


class IterV(Value):
    """A lazy sequence: range, enumerate, zip, map, filter, dict views, loaders, iterators.

    kind: range enumerate zip map items keys values loader iter comprehension. `parts` are its arguments.
    """

    __slots__ = ("kind", "node", "options", "parts")

    def __init__(
        self, kind: str, parts: tuple[Value, ...], node: ast.AST | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        self.kind = kind
        self.parts = parts
        self.node = node
        self.options = options or {}


class SliceV(Value):
    """slice(lower, upper, step)."""

    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: Value, upper: Value, step: Value) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step
