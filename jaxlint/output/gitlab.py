"""GitLab Code Quality: an array of issues. GitLab tells new ones from old by their fingerprints.

Source of the format: https://docs.gitlab.com/ci/testing/code_quality/
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jaxlint.findings import Finding, Severity, Span
from jaxlint.output import View
from jaxlint.output.terminal import as_unicode
from jaxlint.output.text import in_cell
from jaxlint.output.uris import relative

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.ADVICE: "info"}


def render(findings: Sequence[Finding], view: View) -> str:
    """The array, ASCII only."""
    issues = [
        {
            "description": f"{finding.code} [{finding.name}] {in_cell(finding.span)}{finding.message}",
            "check_name": finding.name,
            "fingerprint": finding.fingerprint,
            "severity": SEVERITIES[finding.severity],
            "location": {
                "path": as_unicode(relative(finding.filename)),
                **_lines(finding.span),
            },
        }
        for finding in findings
    ]
    return json.dumps(issues, indent=2) + "\n"


def _lines(span: Span) -> dict[str, Any]:
    """GitLab asks for lines of the file. A cell has none: there the description names the place."""
    if span.cell is not None:
        return {"lines": {"begin": 1, "end": 1}}
    return {
        "positions": {
            "begin": {"line": span.row, "column": span.column},
            "end": {"line": span.end_row, "column": span.end_column},
        },
        "lines": {"begin": span.row, "end": span.end_row},
    }
