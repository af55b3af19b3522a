"""A proof as text and as JSON data."""

from __future__ import annotations

from typing import Any

from runtime_checks.prove.measured import Difference
from runtime_checks.prove.proof import Proof, Proved
from runtime_checks.report.terminal import duration, place, size


def lines_of(proof: Proof) -> list[str]:
    """The section of the terminal report; the problems stand with those of the run."""
    kind = "safe and unsafe fixes" if proof.unsafe else "safe fixes"
    if not proof.proved:
        hint = "" if proof.unsafe else " (--unsafe-fixes also tries those that may change the meaning)"
        return [] if proof.problems else [f"nothing to prove: no finding has a fix to try{hint}"]
    lines = [f"{kind}, proved by {proof.rounds} interleaved runs of each version"]
    for proved in proof.proved:
        lines.append(f"  {_name(proved)}")
        lines += [f"      {text}" for text in sentences(proved)]
    return lines


def _name(proved: Proved) -> str:
    if len(proved.fixes) > 1:
        return f"all {len(proved.fixes)} fixes together"
    finding = proved.fixes[0]
    what = f": {finding.fix.message}" if finding.fix is not None and finding.fix.message else ""
    return f"{place(finding.filename, finding.span.row)}:{finding.span.column} {finding.code} {finding.name}{what}"


def sentences(proved: Proved) -> list[str]:
    """What a version did, a sentence each."""
    if proved.before or proved.after or None in (proved.before, proved.after):
        return [_ends(proved)]
    found = []
    if proved.step is not None and proved.place is not None:
        found.append(f"a step of the loop at {place(*proved.place)}: {change(proved.step, duration)}")
    if proved.run is not None:
        found.append(f"the whole run: {change(proved.run, duration)}")
    if proved.memory is not None and proved.memory.measured:
        found.append(f"peak memory of the process: {change(proved.memory, lambda count: size(int(count)))}")
    if proved.printed is not None:
        found.append(proved.printed.words if proved.printed.same else f"prints something else: {proved.printed.words}")
    return found


def _ends(proved: Proved) -> str:
    before, after = (f"exit status {status}" if status is not None else "no end" for status in _statuses(proved))
    if proved.before and proved.after == 0:
        return f"ended with {before}, and ends well with the fix"
    cause = f" ({proved.error})" if proved.error and proved.after else ""
    return f"{before} before, {after} with the fix{cause}: no times to compare"


def _statuses(proved: Proved) -> tuple[int | None, int | None]:
    return proved.before, proved.after


def change(found: Difference, unit: Any) -> str:
    """`12.1 ms -> 10.4 ms, 14 % less`, or that no difference was measured."""
    figures = f"{unit(found.before)} -> {unit(found.after)}"
    if not found.measured:
        return f"no difference measured ({figures})"
    return f"{figures}, {100 * abs(found.share):.0f} % {'less' if found.share > 0 else 'more'}"


def as_object(proof: Proof) -> dict[str, Any]:
    """The proof as JSON data. Seconds are seconds, bytes are bytes, shares are 0 to 1."""
    return {
        "rounds": proof.rounds,
        "unsafe": proof.unsafe,
        "proved": [_proved(proved) for proved in proof.proved],
        "problems": proof.problems,
    }


def _proved(proved: Proved) -> dict[str, Any]:
    fixes = [
        {"code": f.code, "name": f.name, "filename": f.filename, "row": f.span.row, "column": f.span.column}
        for f in proved.fixes
    ]
    loop = {"filename": proved.place[0], "row": proved.place[1]} if proved.place is not None else None
    printed = proved.printed
    return {
        "fixes": fixes,
        "loop": loop,
        "step_seconds": proved.step.as_json() if proved.step is not None else None,
        "run_seconds": proved.run.as_json() if proved.run is not None else None,
        "peak_bytes": proved.memory.as_json() if proved.memory is not None else None,
        "same_output": printed.same if printed is not None else None,
        "output": printed.words if printed is not None else None,
        "status_before": proved.before,
        "status_after": proved.after,
        "words": sentences(proved),
    }
