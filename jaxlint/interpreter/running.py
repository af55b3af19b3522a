"""What the interpreter keeps about a program that runs: loops, clocks, counters."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxlint.events import Kind, Loop
    from jaxlint.findings import Confidence, TraceStep
    from jaxlint.interpreter.values import Array
    from jaxlint.source import Source


class ClockV(Value):
    """A clock reading: how much work had been dispatched and waited for at that time."""

    __slots__ = ("blocked", "era", "frame", "loops", "node", "now", "seq", "source", "what")

    def __init__(
        self,
        node: ast.AST,
        source: Source,
        now: int,
        seq: int,
        blocked: int,
        frame: int,
        what: str,
        era: int,
        loops: tuple[LoopRun, ...] = (),
    ) -> None:
        self.era = era
        # the loops that were running, outermost first
        self.loops = loops
        # `now` counts all work handed out on any path so far, `seq` only what certainly was
        self.now = now
        self.node = node
        self.source = source
        self.seq = seq
        self.blocked = blocked
        self.frame = frame
        self.what = what


class Level(Value):
    """A counter in the journaled state: joined by `low` (the smaller) or the larger."""

    __slots__ = ("low", "number")

    def __init__(self, number: int, low: bool) -> None:
        self.number = number
        self.low = low


@dataclass(eq=False, slots=True)
class LoopRun:
    """One execution of a loop by the interpreter."""

    loop: Loop
    uid: int
    node: ast.AST
    frame: int
    round: int = 1
    dispatched: bool = False
    inner_hot: bool = False
    # arrays are put together in a place that the first round did not reach: whether they grow shows in a third one
    again: bool = False
    joined: set[int] = field(default_factory=set)
    # operations that each iteration hands out one by one, not compiled together: the text, node and file of each
    eager: dict[int, tuple[str, ast.AST, Source]] = field(default_factory=dict)
    inner_eager: bool = False
    # all places of the body that make an array on the device, the cheap ones (an index, a key) included
    made: set[int] = field(default_factory=set)
    driver: LoopRun | None = None
    exits: list[Any] = field(default_factory=list)
    journal_depth: int = 0
    # how many journals are open where its body begins: more of them mean a path that is one of several
    body_depth: int = 0
    rounds_done: int = 0
    last_dispatch: int = 0
    # a sweep over a few known things (two solvers, three seeds): what happens in each is no per-step cost
    short: bool = False
    # a loop over names, functions or settings to be compared
    choices: bool = False
    # a clock was read inside
    clocked: bool = False
    # how often its body runs, when that is known
    count: int | None = None
    # the loop has ended
    over: bool = False
    # variables with host values that compiled calls of the loop take in
    inputs: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Pending:
    """The saves of one checkpointer, by the node of the call: those that nobody has waited for, and the others.

    On two paths that meet, a save that either has waited for counts as done.
    """

    open: frozenset[ast.AST] = frozenset()
    done: frozenset[ast.AST] = frozenset()

    def merge(self, other: Pending) -> Pending:
        """The join of two paths."""
        done = self.done | other.done
        return Pending((self.open | other.open) - done, done)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where jax was imported or first used the devices in this run. Of two on paths that meet, either will do."""

    node: ast.AST
    source: Source


def main_guard(source: Source) -> ast.If | None:
    """`if __name__ == "__main__":` of a file."""
    for statement in source.parse().body:
        if isinstance(statement, ast.If) and isinstance(statement.test, ast.Compare):
            left = statement.test.left
            if isinstance(left, ast.Name) and left.id == "__name__":
                return statement
    return None


@dataclass(slots=True, eq=False)
class Dispatch:
    """Device work handed out: its number, the call, and the frames it happened under (uid, call node, source)."""

    seq: int
    node: ast.AST
    source: Source
    text: str
    stack: tuple[tuple[int, ast.AST | None, Source, str], ...]
    compiled: bool
    first: bool
    # the loops it happened in, outermost first
    loops: tuple[LoopRun, ...] = ()


@dataclass(slots=True, eq=False)
class PendingRead:
    """A device value read on the host, kept until it is known which loops are hot."""

    kind: Kind
    node: ast.AST
    source: Source
    how: str
    subject: ast.AST | None
    data: dict[str, object]
    value: Array | None
    stack: tuple[tuple[int, ast.AST | None, Source, str], ...]
    loops: tuple[tuple[LoopRun, int, bool], ...]
    lagged: bool
    trace: tuple[TraceStep, ...]
    confidence: Confidence
    ragged: object = None
