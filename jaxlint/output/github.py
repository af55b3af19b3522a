"""GitHub Actions: one workflow command a finding, which becomes an annotation of the changed lines."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.findings import Finding, Severity
from jaxlint.output import View
from jaxlint.output.terminal import clean
from jaxlint.output.text import place, position

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}


def render(findings: Sequence[Finding], view: View) -> str:
    """`::error file=...,line=...,title=...::message`."""
    return "".join(_one(finding) + "\n" for finding in findings)


def _one(finding: Finding) -> str:
    span = finding.span
    properties = {"title": f"jaxlint ({finding.code} {finding.name})", "file": clean(finding.filename)}
    if span.cell is not None:
        pass  # the rows of a cell are not those of the file that GitHub shows; the message has the place
    elif span.end_row == span.row:
        # GitHub drops an annotation whose columns lie on different lines
        properties |= {
            "line": str(span.row),
            "endLine": str(span.end_row),
            "col": str(span.column),
            "endColumn": str(span.end_column),
        }
    else:
        properties |= {"line": str(span.row), "endLine": str(span.end_row)}
    # the log of the run shows only the message: repeat the place there
    message = [f"{place(finding)}: {finding.code} [{finding.name}] {clean(finding.message)}"]
    if finding.help:
        message.append(f"help: {clean(finding.help)}")
    message += [f"{position(step.filename, step)} {clean(step.note)}" for step in finding.trace]
    fields = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {fields}::{_data(chr(10).join(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
