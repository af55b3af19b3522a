"""What a finding costs, and in which order to fix: shared by the reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jaxlint.findings import Severity
from runtime_checks.evidence import Evidence
from runtime_checks.join import Judged, Verdict
from runtime_checks.observed import EXCEPTION, MEMORY

_ORDER = {verdict: number for number, verdict in enumerate(Verdict)}


@dataclass(frozen=True, slots=True)
class Price:
    """Seconds in all, seconds a step, share of the run (0 to 1), estimated seconds to be gained; None: unknown.

    A step is an iteration of the loop around the statement, or, outside loops, one run of the statement.
    """

    seconds: float
    per_step: float | None
    share: float | None
    gain: float | None


def price(judged: Judged, total: float) -> Price:
    """The price of a finding in a run of `total` seconds."""
    steps = judged.iterations or judged.runs
    return Price(
        judged.seconds,
        judged.seconds / steps if steps and judged.seconds > 0 else None,
        judged.seconds / total if total > 0 and judged.seconds > 0 else None,
        judged.gain,
    )


def fix_order(judged: Iterable[Judged]) -> list[Judged]:
    """What to fix first: what ended the program or is wrong, then what costs most; then the other verdicts."""
    return sorted(judged, key=_rank)


def _rank(judged: Judged) -> tuple[int, bool, float, str, int]:
    confirmed = judged.verdict is Verdict.CONFIRMED
    wrong = confirmed and (
        judged.finding.severity is Severity.ERROR or any(event.kind == EXCEPTION for event in judged.events)
    )
    worth = judged.gain if judged.gain is not None else judged.seconds
    return _ORDER[judged.verdict], not wrong, -worth, judged.finding.filename, judged.finding.span.row


def peak_memory(evidence: Evidence) -> tuple[int, str]:
    """Peak bytes on the devices, summed over processes, as far as seen, and how that is known ('' when it is not)."""
    found = [event for event in evidence.events if event.kind == MEMORY]
    source = next((str(sample.get("source", "")) for event in found for sample in event.samples), "")
    return sum(event.bytes for event in found), source
