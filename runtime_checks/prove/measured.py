"""What a change gained over interleaved runs, and whether the difference is more than noise."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

# a smaller change than this share is not called one, however steady
LEAST = 0.02


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure without (`before`) and with (`after`) a fix: medians over the rounds. `share`: the median of each
    round's saving as a part of its own `before`; `steady`: all rounds agree on its sign."""

    before: float
    after: float
    share: float
    steady: bool
    rounds: int

    @property
    def measured(self) -> bool:
        """Whether this is a difference, and not what two runs of one program differ by."""
        return self.steady and abs(self.share) >= LEAST

    def as_json(self) -> dict[str, object]:
        """The figures, with the verdict."""
        return {
            "before": self.before,
            "after": self.after,
            "share": round(self.share, 4),
            "rounds": self.rounds,
            "measured": self.measured,
        }


def difference(pairs: Sequence[tuple[float, float]]) -> Difference | None:
    """The difference over the rounds' pairs (without, with); None without pairs.

    All rounds must agree: with five that happens by chance once in sixteen times, on top of the least size.
    """
    pairs = [(before, after) for before, after in pairs if before > 0]
    if not pairs:
        return None
    shares = [(before - after) / before for before, after in pairs]
    steady = all(share > 0 for share in shares) or all(share < 0 for share in shares)
    return Difference(
        statistics.median(before for before, _ in pairs),
        statistics.median(after for _, after in pairs),
        statistics.median(shares),
        steady and len(pairs) >= 3,
        len(pairs),
    )
