"""JUnit XML: a failed test case for each finding, one test suite a file, for the many CI servers that read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from jaxlint.findings import Finding
from jaxlint.output import View
from jaxlint.output.terminal import clean
from jaxlint.output.text import place, position

# what XML 1.0 cannot hold, in any escape
_INVALID = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(findings: Sequence[Finding], view: View) -> str:
    """The document. Without findings it has one test case that passes: an empty report fails some servers."""
    number = len(findings)
    head = f'<testsuites name="jaxlint" tests="{max(number, 1)}" failures="{number}" errors="0">'
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *_suites(findings), "</testsuites>", ""])


def _suites(findings: Sequence[Finding]) -> Iterator[str]:
    if not findings:
        yield '  <testsuite name="jaxlint" tests="1" failures="0" errors="0">'
        yield '    <testcase name="no findings" classname="jaxlint"/>'
        yield "  </testsuite>"
    for filename, group in groupby(findings, key=lambda finding: finding.filename):
        cases = list(group)
        name = _attribute(filename)
        yield f'  <testsuite name={name} tests="{len(cases)}" failures="{len(cases)}" errors="0">'
        for finding in cases:
            yield from _case(finding, name)
        yield "  </testsuite>"


def _case(finding: Finding, name: str) -> Iterator[str]:
    span = finding.span
    where = f"{span.row}:{span.column}" if span.cell is None else f"cell {span.cell}:{span.row}:{span.column}"
    title = _attribute(f"{finding.code} {finding.name} {where}")
    body = [f"{place(finding)}: {finding.code} [{finding.name}] {clean(finding.message)}"]
    body += [f"help: {clean(finding.help)}"] if finding.help else []
    body += [f"{position(step.filename, step)} {clean(step.note)}" for step in finding.trace]
    line = f' line="{span.row}"' if span.cell is None else ""  # the rows of a cell are none of the file's
    yield f"    <testcase name={title} classname={name} file={name}{line}>"
    yield (
        f"      <failure type={_attribute(finding.name)} message={_attribute(finding.message)}>"
        f"{escape(_valid(chr(10).join(body)))}</failure>"
    )
    yield "    </testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_valid(clean(text)))


def _valid(text: str) -> str:
    return _INVALID.sub("\ufffd", text)
