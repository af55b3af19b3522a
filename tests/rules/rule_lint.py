"""Lints a case as the engine does: source, project, interpreter, rules; and compares with its marks."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from rule_blocks import ROOT, Case, Mark

from jaxlint.findings import Confidence, Finding, Severity, Span
from jaxlint.rules import CODES, NAMES, by_kind
from jaxlint.source import Source


def missing_part() -> str:
    """Which part of the linter does not exist yet, or ''."""
    for module in ("jaxlint.project", "jaxlint.interpreter"):
        if importlib.util.find_spec(module) is None or not _origin(module):
            return module
    return ""


def _origin(module: str) -> str | None:
    spec = importlib.util.find_spec(module)
    return spec.origin if spec else None


def lint(files: dict[str, str]) -> list[Finding]:
    """The findings of all rules in a project of these files, sure ones only."""
    from jaxlint.interpreter import analyse
    from jaxlint.project import Project

    sources = [Source(name, text) for name, text in files.items()]
    findings: dict[tuple[str, str, int, int], Finding] = {}
    for event in analyse(Project(sources)).events:
        for rule in by_kind(event.kind):
            finding = rule.judge(event)
            if finding is not None and finding.confidence >= Confidence.LIKELY:
                place = (finding.code, finding.filename, finding.span.row, finding.span.column)
                findings.setdefault(place, finding)
    return sorted(findings.values(), key=lambda finding: finding.sort_key)


def lint_by_command(files: dict[str, str], folder: Path) -> list[Finding]:
    """The findings of `jaxlint check` on a folder with these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--select", "ALL", "--output-format", "json"]
    run = subprocess.run([*command, str(folder)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode in (0, 1), run.stderr
    findings = []
    for found in json.loads(run.stdout):
        start, end = found["location"], found["end_location"]
        span = Span(start["row"], start["column"], end["row"], end["column"])
        filename = Path(found["filename"]).relative_to(folder).as_posix()
        severity = Severity(found["severity"])
        finding = Finding(found["code"], found["name"], found["message"], severity, Confidence.PROVEN, filename, span)
        findings.append(finding)
    return findings


def matches(mark: Mark, finding: Finding) -> bool:
    """Whether `finding` is what `mark` says: same rule, file and line (any line of what it spans)."""
    return (
        mark.rule == finding.name
        and mark.filename == finding.filename
        and finding.span.row <= mark.row <= finding.span.end_row
        and mark.text in f"{finding.message} {finding.help}"
    )


def differences(case: Case, findings: Iterable[Finding]) -> tuple[list[str], list[str]]:
    """What is wrong, and what is a known miss or false alarm that still stands.

    Advice (rules that are off by default) counts only in the tests of the rule itself.
    """
    wrong: list[str] = []
    known: list[str] = []
    marks = case.marks
    advice = {info.name for info in CODES.values() if not info.default and info.name != case.rule}
    left = [finding for finding in findings if finding.name not in advice]
    for mark in marks:
        if mark.rule not in NAMES:
            wrong.append(f"{mark.filename}:{mark.row}: no rule is named {mark.rule!r}")
            continue
        hit = [finding for finding in left if matches(mark, finding)]
        left = [finding for finding in left if finding not in hit]
        if mark.kind == "error" and not hit:
            wrong.append(f"{mark.filename}:{mark.row}: [{mark.rule}] is not reported {mark.text}".rstrip())
        elif mark.kind == "todo":
            state = "found now: make it an error mark" if hit else "missed"
            (wrong if hit else known).append(f"{mark.filename}:{mark.row}: [{mark.rule}] is {state}")
        elif mark.kind == "false":
            state = "a false alarm" if hit else "silent now: remove the mark"
            (known if hit else wrong).append(f"{mark.filename}:{mark.row}: [{mark.rule}] is {state}")
    for finding in left:
        wrong.append(f"{finding.filename}:{finding.span.row}: unexpected [{finding.name}] {finding.message}")
    return wrong, known
