"""SARIF 2.1.0, for GitHub code scanning and other viewers.

One run. Locations are relative to the folder that the command was started in; columns count characters. The
fingerprint stays when code moves, so that an alert does too.
Source of the format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jaxlint import __version__
from jaxlint.findings import Finding, Fix, Severity, Span, TraceStep
from jaxlint.output import View
from jaxlint.output.text import in_cell
from jaxlint.output.uris import uri
from jaxlint.rules import TABLE, Info, find_info, load

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
FINGERPRINT = "jaxlint/v1"
ROOT = "%SRCROOT%"


def render(findings: Sequence[Finding], view: View) -> str:
    """The document, ASCII only."""
    used = {finding.code for finding in findings}
    rules = [info for info in TABLE if info.code in used]
    index = {info.code: place for place, info in enumerate(rules)}
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "jaxlint",
                        "semanticVersion": __version__,
                        "rules": [_rule(info) for info in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, index) for finding in findings],
            }
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(info: Info) -> dict[str, Any]:
    from jaxlint.rules.docs import page

    rule = load(info)
    text = page(info)
    return {
        "id": info.code,
        "name": info.name,
        "shortDescription": {"text": info.summary},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": LEVELS[rule.severity], "enabled": info.default},
        "properties": {"tags": ["jax", info.family]},
    }


def _result(finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    text = f"{finding.message} {finding.help}" if finding.help else finding.message
    text = f"{in_cell(finding.span)}{text}"
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [_location(finding)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"name": finding.name, "confidence": finding.confidence.name.lower()},
    }
    if find_info(finding.code) is not None:
        result["ruleIndex"] = index[finding.code]
    if finding.trace:
        result["relatedLocations"] = [_step(number, step) for number, step in enumerate(finding.trace, 1)]
    if finding.fix is not None and finding.fix.edits and finding.span.cell is None:
        result["fixes"] = [_fix(finding.filename, finding.fix)]
    return result


def _artifact(filename: str) -> dict[str, str]:
    return {"uri": uri(filename), "uriBaseId": ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.row,
        "startColumn": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
    }


def _location(finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(finding.filename)}}
    if finding.span.cell is None:  # the rows of a cell are none of the file's
        location["physicalLocation"]["region"] = _region(finding.span)
    if finding.scope:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.scope}]
    return location


def _step(number: int, step: TraceStep) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(step.filename)}
    if step.cell is None:
        place["region"] = {"startLine": step.row, "startColumn": step.column}
    return {"id": number, "message": {"text": f"{in_cell(step)}{step.note}"}, "physicalLocation": place}


def _fix(filename: str, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}} for edit in fix.edits
    ]
    return {
        "description": {"text": fix.message},
        "artifactChanges": [{"artifactLocation": _artifact(filename), "replacements": replacements}],
    }
