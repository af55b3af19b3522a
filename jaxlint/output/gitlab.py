"""GitLab Code Quality: an array of issues. GitLab tells new ones from old by their fingerprints.

Source of the format: https://docs.gitlab.com/ci/testing/code_quality/
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from jaxlint.findings import Finding, Severity
from jaxlint.output import View
from jaxlint.output.uris import relative

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.ADVICE: "info"}


def render(findings: Sequence[Finding], view: View) -> str:
    """The array, ASCII only."""
    issues = [
        {
            "description": f"{finding.code} [{finding.name}] {finding.message}",
            "check_name": finding.name,
            "fingerprint": finding.fingerprint,
            "severity": SEVERITIES[finding.severity],
            "location": {
                "path": relative(finding.filename),
                "positions": {
                    "begin": {"line": finding.span.row, "column": finding.span.column},
                    "end": {"line": finding.span.end_row, "column": finding.span.end_column},
                },
                "lines": {"begin": finding.span.row, "end": finding.span.end_row},
            },
        }
        for finding in findings
    ]
    return json.dumps(issues, indent=2) + "\n"
