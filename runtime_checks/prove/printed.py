"""Whether two runs printed the same results, where times and other numbers that change by themselves may differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"[-+]?(?:\d[\d,_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# two results this near (relative) are the same sums in another order
NEAR = 1e-4


@dataclass(frozen=True, slots=True)
class Compared:
    """`same`: nothing else was printed. `words` says what differs, or how far "the same" goes."""

    same: bool
    words: str


def compare(before: Sequence[str], after: str) -> Compared:
    """The output of a changed program against some runs of the unchanged one.

    A line in which the unchanged runs differ among themselves (times, speeds) may have other numbers; in every other
    line a number may be a rounding error away.
    """
    runs = [text.splitlines() for text in before]
    lines = after.splitlines()
    if len({len(run) for run in runs}) > 1:
        return Compared(True, "not comparable: the program prints another number of lines each time")
    known = runs[0]
    if len(lines) != len(known):
        return Compared(False, f"{len(known)} lines were printed before, {len(lines)} are now")
    changing = near = 0
    for number, line in enumerate(lines):
        if line == known[number]:
            continue
        if any(run[number] != known[number] for run in runs):
            changing += 1
            if any(_words(line) == _words(run[number]) for run in runs):
                continue
        elif _is_near(line, known[number]):
            near += 1
            continue
        return Compared(False, f"line {number + 1} was `{known[number].strip()[:80]}` and is `{line.strip()[:80]}`")
    return Compared(True, _how_far(len(lines), changing, near))


def _how_far(lines: int, changing: int, near: int) -> str:
    if not lines:
        return "nothing is printed"
    parts = ["the same is printed"]
    if changing:
        parts.append(f"{changing} of {lines} lines have numbers that change from run to run")
    if near:
        parts.append(f"{near} of {lines} lines differ by less than {NEAR:g} of a number")
    return parts[0] + "".join(f" ({part})" for part in parts[1:])


def _words(line: str) -> str:
    """A line without its numbers."""
    return " ".join(NUMBER.sub("0", line).split())


def _is_near(one: str, other: str) -> bool:
    if _words(one) != _words(other):
        return False
    pairs = zip(_numbers(one), _numbers(other), strict=True)
    return all(abs(a - b) <= NEAR * max(abs(a), abs(b)) for a, b in pairs)


def _numbers(line: str) -> list[float]:
    return [float(text.replace(",", "").replace("_", "")) for text in NUMBER.findall(line)]
