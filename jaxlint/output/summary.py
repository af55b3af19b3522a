"""The last lines of a report: how much was found, and how much was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jaxlint.findings import Finding, Severity

_WORDS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.ADVICE: ("piece of advice", "pieces of advice"),
}


def summary(
    findings: Sequence[Finding], files: int, traced_functions: int, given_up: int, *, incomplete: bool = False
) -> str:
    """One line. It always says how much was looked at, so that a gate that looks at nothing is seen.

    `incomplete`: errors kept the run from looking at everything, so it must not claim that all is well.
    """
    seen = (
        f"{_count(traced_functions, 'traced function', 'traced functions')}, "
        f"{_count(given_up, 'place', 'places')} given up"
    )
    if not findings:
        verdict = "No findings, but see the errors" if incomplete else "All checks passed"
        return f"{verdict} ({_count(files, 'file', 'files')}, {seen})."
    by_severity = Counter(finding.severity for finding in findings)
    parts = [_count(by_severity[severity], *words) for severity, words in _WORDS.items() if by_severity[severity]]
    found = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    where = len({finding.filename for finding in findings})
    # a file that could not be read has a finding, and may not be among those looked at
    return f"Found {found} in {where} of {_count(max(files, where), 'file', 'files')} ({seen})."


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def statistics(findings: Sequence[Finding], *, as_json: bool) -> str:
    """How often each rule reports, the most frequent first."""
    counts = Counter((finding.code, finding.name) for finding in findings)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        import json  # start-up counts: only a run that prints JSON loads it

        return (
            json.dumps([{"code": code, "name": name, "count": count} for (code, name), count in ordered], indent=2)
            + "\n"
        )
    digits = max((len(str(count)) for _, count in ordered), default=1)
    return "".join(f"{count:>{digits}}  {code}  {name}\n" for (code, name), count in ordered)
