"""A fault to plant: the edits, the rule that has to find it, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.mutate.edits import Edit
from benchmarks.mutate.sites import Sites


@dataclass(frozen=True, slots=True)
class Mutation:
    """One planted fault.

    It is found when a rule of `codes` reports in the rows of the edit with the number `marked`, or, where `marked` is
    None (the fault shows elsewhere than at the edit), when such a rule reports once more than before.
    """

    fault: str
    codes: tuple[str, ...]
    edits: tuple[Edit, ...]
    marked: int | None
    row: int


Mutator = Callable[[Sites], Iterator[Mutation]]


def planted(fault: str, code: str, edits: Sequence[Edit], row: int, marked: int | None = 0) -> Mutation:
    """A mutation that one rule has to find."""
    return Mutation(fault, (code,), tuple(edits), marked, row)
