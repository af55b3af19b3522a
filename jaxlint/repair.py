"""`check --fix` and `check --diff`: check, fix, and check again until nothing changes."""

from __future__ import annotations

import difflib
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from jaxlint import fixing
from jaxlint.engine import Report

ROUNDS = 10
"""A fix may make room for another one; more rounds than this mean that two fixes undo each other."""


@dataclass(slots=True)
class Repaired:
    """The last report, what was fixed (count by file), and messages for what was not."""

    report: Report
    fixed: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def fix(check: Callable[[], Report], *, unsafe: bool) -> Repaired:
    """Apply the fixes to the files, round after round.

    A round that leaves a file with as many findings as before, or more, is undone for that file.
    """
    done = Repaired(check())
    closed: set[str] = set()
    for _ in range(ROUNDS):
        changed = _round(done, closed, unsafe=unsafe)
        if not changed:
            break
        after = check()
        fewer = Counter(finding.filename for finding in after.findings)
        earlier = Counter(finding.filename for finding in done.report.findings)
        undone = False
        for name, (old, new, number) in changed.items():
            if fewer[name] < earlier[name]:
                done.fixed[name] += number
                continue
            closed.add(name)
            undone = True
            _write(done, closed, name, new, old)
            done.failures.append(f"{name}: its fixes were undone: they did not remove their findings")
        done.report = check() if undone else after
    return done


def _round(done: Repaired, closed: set[str], *, unsafe: bool) -> dict[str, tuple[str, str, int]]:
    """Apply the fixes once; the old text, the new one and the number of fixes by file."""
    changed: dict[str, tuple[str, str, int]] = {}
    written: set[str] = set()
    for name, findings in fixing.wanted(done.report.findings, unsafe=unsafe).items():
        source = done.report.sources.get(name)
        if name in closed or source is None or source.path is None:
            continue
        target = os.path.realpath(source.path)
        if leads_away(str(source.path), target):
            closed.add(name)
            done.failures.append(
                f"{name}: not fixed: a link to {target}, outside of this folder; name that file itself"
            )
            continue
        if target in written:  # a link to a file that this round has fixed under another name
            continue
        result = fixing.apply_to(source, findings)
        if result.applied and _write(done, closed, name, source.document, result.text):
            written.add(target)
            changed[name] = (source.document, result.text, len(result.applied))
    return changed


def leads_away(path: str, target: str) -> bool:
    """Whether `path` is a link out of the working directory: what a repository links to is not its own to change."""
    here = os.path.realpath(os.getcwd())
    return os.path.islink(path) and os.path.commonpath([here, target]) != here


def _write(done: Repaired, closed: set[str], name: str, before: str, after: str) -> bool:
    source = done.report.sources[name]
    try:
        fixing.rewrite(str(source.path), before, after)
    except fixing.FixError as error:
        closed.add(name)
        done.failures.append(str(error))
        return False
    return True


def diff(report: Report, *, unsafe: bool) -> str:
    """The fixes as a unified diff; '' when there are none. No file is touched."""
    parts: list[str] = []
    for name, findings in fixing.wanted(report.findings, unsafe=unsafe).items():
        source = report.sources.get(name)
        if source is None:
            continue
        result = fixing.apply_to(source, findings)
        old, new = _diff_lines(source.document), _diff_lines(result.text)
        for line in difflib.unified_diff(old, new, name, name):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _diff_lines(text: str) -> list[str]:
    """Lines as `patch` counts them: a form feed or another of `str.splitlines`' separators ends none."""
    return re.findall(r"[^\n]*\n|[^\n]+", text.replace("\r\n", "\n"))


def stdin_text(report: Report, name: str, *, unsafe: bool) -> str | None:
    """The fixed text of what came on standard input; None when it could not be read."""
    source = report.sources.get(name)
    if source is None:
        return None
    findings = fixing.wanted(report.findings, unsafe=unsafe).get(name, [])
    return fixing.apply_to(source, findings).text
