"""The confirmation as one JSON object. Seconds are seconds, bytes are bytes, rows and columns 1-based."""

from __future__ import annotations

import json
from typing import Any

from runtime_checks.join import Confirmation, Judged, Verdict
from runtime_checks.report.price import fix_order, peak_memory, price
from runtime_checks.report.proof import as_object as proof_object


def render(result: Confirmation) -> str:
    """The object, ASCII only."""
    return json.dumps(as_object(result), indent=2, default=str) + "\n"


def as_object(result: Confirmation) -> dict[str, Any]:
    """The whole result as JSON data."""
    evidence = result.evidence
    peak, source = peak_memory(evidence)
    return {
        "command": result.command,
        "status": result.status,
        "seconds": round(evidence.seconds, 6),
        "platform": evidence.platform,
        "peak_bytes": peak if source else None,
        "problems": result.problems,
        "summary": {
            **{verdict.value.replace(" ", "_"): result.count(verdict) for verdict in Verdict},
            "unpredicted": len(result.unpredicted),
        },
        "findings": [_judged(judged, evidence.seconds) for judged in fix_order(result.judged)],
        "unpredicted": [event.as_json() for event in result.unpredicted],
        "processes": [
            {
                "index": process.index,
                "processes": process.processes,
                "pid": process.pid,
                "argv": process.argv,
                "python": process.python,
                "jax": process.jax,
                "platform": process.platform,
                "seconds": round(process.seconds, 6),
                "ended": process.ended or None,
            }
            for process in evidence.processes
        ],
        "proof": proof_object(result.proof) if result.proof is not None else None,
        "observers": [probe.as_json() for probe in evidence.probes],
    }


def _judged(judged: Judged, total: float) -> dict[str, Any]:
    finding = judged.finding
    span = finding.span
    cost = price(judged, total)
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.filename,
        "cell": span.cell,
        "location": {"row": span.row, "column": span.column},
        "end_location": {"row": span.end_row, "column": span.end_column},
        "verdict": judged.verdict.value,
        "reason": judged.reason,
        "count": judged.count,
        "seconds": round(judged.seconds, 6),
        "seconds_per_step": round(cost.per_step, 9) if cost.per_step is not None else None,
        "share": round(cost.share, 6) if cost.share is not None else None,
        "estimated_gain": round(judged.gain, 6) if judged.gain is not None else None,
        "bytes": judged.bytes,
        "runs": judged.runs,
        "iterations": judged.iterations,
        "events": [event.as_json() for event in judged.events],
    }
