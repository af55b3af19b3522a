"""When things happened: counts and seconds in bins of time, few and exact however long the run is.

The width of the bins doubles when the run outgrows them, so that a timeline takes the same room for a second and for
a week, and its sums are those of the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_BINS = 240
# seconds
FIRST_WIDTH = 1 / 64


@dataclass(slots=True)
class Timeline:
    """`bins[i]` is `[count, seconds]` of what ended from `i * width` to `(i + 1) * width` seconds after the start."""

    width: float = FIRST_WIDTH
    bins: dict[int, list[float]] = field(default_factory=dict)

    def add(self, at: float, count: float = 1, seconds: float = 0.0) -> None:
        """Something happened `count` times, ending `at` seconds after the start, and took `seconds` in all."""
        index = int(at / self.width) if at > 0 else 0
        while index >= MAX_BINS:
            self._coarsen()
            index = int(at / self.width)
        found = self.bins.get(index)
        if found is None:
            self.bins[index] = [count, seconds]
        else:
            found[0] += count
            found[1] += seconds

    def _coarsen(self) -> None:
        before, self.bins = self.bins, {}
        self.width *= 2
        for index, (count, seconds) in before.items():
            found = self.bins.setdefault(index // 2, [0, 0.0])
            found[0] += count
            found[1] += seconds

    def merge(self, other: Timeline, shift: float = 0.0) -> None:
        """Add another timeline whose start was `shift` seconds after this one's."""
        while self.width < other.width:
            self._coarsen()
        for index, (count, seconds) in other.bins.items():
            self.add((index + 0.5) * other.width + shift, count, seconds)

    def as_json(self) -> list[object]:
        """`[width, [[index, count, seconds], ...]]`."""
        return [self.width, [[index, n, round(seconds, 6)] for index, (n, seconds) in sorted(self.bins.items())]]

    @classmethod
    def from_json(cls, data: list[object]) -> Timeline:
        """The inverse of `as_json`. Raises ValueError or TypeError for anything else."""
        width, found = data
        if not isinstance(width, (int, float)) or not width > 0 or not isinstance(found, list):
            raise ValueError("not a timeline")
        return cls(float(width), {int(index): [n, float(seconds)] for index, n, seconds in found})
