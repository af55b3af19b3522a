"""Which PRNG key a value is, and the places where keys and buffers were used up."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.source import Source


# what stands for the call of a function that nobody calls
ROOTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Pass)


@dataclass(eq=False, slots=True)
class Key:
    """One PRNG key, or an array of keys. Two values are the same key when they carry the same object.

    `seed` is set for a key made of a constant: the place and the number. `row` marks the stand-in for any row of an
    array of keys: each iteration gets one of its own. `depth` counts the traces that were open when it was made.
    """

    uid: int
    depth: int = 0
    seed: tuple[int, object] | None = None
    row: bool = False
    parent: Key | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """One frame of the stack at a use. `given`: the frame received what is used as an argument."""

    frame: int
    node: ast.AST | None
    source: Source
    scope: str
    given: bool


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A key or buffer is used up: where, in which rounds of which loops, and in which branches."""

    item: object
    stack: tuple[Spot, ...]
    rounds: tuple[tuple[int, int], ...]
    arms: tuple[int, ...]
    era: int
    what: str = ""
    # under autodiff: a function and its gradient are meant to see the same numbers
    graded: bool = False
    # through a `functools.partial` that holds the item: each call is meant to see the same
    bound: bool = False

    @property
    def place(self) -> Spot:
        """The innermost frame."""
        return self.stack[-1]


def certain(first: Use, now: Use) -> bool | None:
    """Whether both uses happen in one run: True always, None when the branch of the first is taken, False unknown."""
    if first.era != now.era:
        return False
    if now.arms[: len(first.arms)] == first.arms:
        return True
    return None if first.arms[: len(now.arms)] == now.arms else False


def where(use: Use, other: Use | None) -> Spot:
    """The frame at fault: the innermost one that did not just receive the thing, or that both uses share."""
    shared = {spot.frame for spot in other.stack} if other is not None else set()
    for spot in reversed(use.stack):
        if spot.node is not None and (spot.frame in shared or not spot.given) and not isinstance(spot.node, ROOTS):
            return spot
    # a call from nowhere: the outermost frame that has code
    return next((s for s in use.stack if s.node is not None and not isinstance(s.node, ROOTS)), use.stack[-1])


def later_rounds(first: Use, now: Use) -> list[int]:
    """The loops in which `now` happens in a later round than `first`."""
    rounds = dict(first.rounds)
    return [loop for loop, number in now.rounds if rounds.get(loop, number) < number]
