"""JSON: an array of objects in the schema of ruff's JSON, plus `name`, `severity` and `trace`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jaxlint.findings import Finding, Fix
from jaxlint.output import View
from jaxlint.output.terminal import as_unicode


def render(findings: Sequence[Finding], view: View) -> str:
    """The array, ASCII only, so that no terminal, encoding or file name can break it."""
    return json.dumps([as_object(finding) for finding in findings], indent=2) + "\n"


def as_object(finding: Finding) -> dict[str, Any]:
    """One finding; rows and columns are 1-based, the end is exclusive."""
    span = finding.span
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity.value,
        "filename": as_unicode(finding.filename),
        "cell": span.cell,
        "location": _location(span.row, span.column),
        "end_location": _location(span.end_row, span.end_column),
        "url": None,  # the pages of the rules are not on the web; `jaxlint rule CODE` prints them
        "fix": None if finding.fix is None else _fix(finding.fix),
        "trace": [
            {
                "filename": as_unicode(step.filename),
                **_cell(step.cell),
                "row": step.row,
                "column": step.column,
                "note": step.note,
            }
            for step in finding.trace
        ],
    }


def _location(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column}


def _cell(cell: int | None) -> dict[str, int]:
    """The cell of an edit or of a step, in notebooks only."""
    return {} if cell is None else {"cell": cell}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "edits": [
            {
                "content": edit.content,
                **_cell(edit.span.cell),
                "location": _location(edit.span.row, edit.span.column),
                "end_location": _location(edit.span.end_row, edit.span.end_column),
            }
            for edit in fix.edits
        ],
    }
