"""One line a finding, for editors, grep and long lists."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.findings import Finding
from jaxlint.output import View
from jaxlint.output.terminal import Paint, clean
from jaxlint.output.text import place


def render(findings: Sequence[Finding], view: View) -> str:
    """`file:row:col: CODE [name] message`."""
    paint = Paint(view.color)
    return "".join(
        f"{paint('bold', place(finding))}: {paint(finding.severity.value, finding.code)} "
        f"[{finding.name}] {clean(finding.message)}\n"
        for finding in findings
    )
