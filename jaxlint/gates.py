"""What a gate lets pass: the findings of a baseline, of an earlier revision, of an ignore comment."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.options import UsageError, settings_of

if TYPE_CHECKING:
    from jaxlint.baseline import Baseline
    from jaxlint.engine import Report


def passed(report: Report, paths: Sequence[str], options: argparse.Namespace) -> list[str]:
    """Take what the options let pass out of the report. Returns what to tell. Raises UsageError."""
    if options.since is not None:
        return _since(report, paths, options)
    return [] if options.baseline is None else _baseline(report, options)


def _since(report: Report, paths: Sequence[str], options: argparse.Namespace) -> list[str]:
    from jaxlint.engine import check
    from jaxlint.since import GitError, new_findings

    if options.config:
        options.config = os.path.abspath(options.config)
    before = len(report.findings)
    try:
        report.findings = new_findings(report, paths, options.since, lambda inside: check(inside, settings_of(options)))
    except GitError as error:
        raise UsageError(str(error)) from None
    known = before - len(report.findings)
    return [f"{_findings(known)} of {options.since} left out."] if known else []


def _baseline(report: Report, options: argparse.Namespace) -> list[str]:
    from jaxlint import baseline

    path = options.baseline
    complete = not (report.usage_errors or report.internal_errors)
    try:
        if options.update_baseline:
            if not complete:
                return []  # the errors say why the run saw less than there is; the file stays
            made = baseline.made(path, report.findings, report.sources.get)
            baseline.write(made)
            report.findings = []
            return [f"{path}: {_findings(made.size)} written."]
        known = baseline.load(path)
        compared = baseline.compare(known, report.findings, report.sources.get, _checked(report, known))
        report.findings = compared.new
        notes = [f"{_findings(compared.known)} of {path} left out."] if compared.known else []
        gone = known.size - compared.left.size
        if gone and complete:
            notes.append(_shrink(compared.left, gone))
    except baseline.BaselineError as error:
        raise UsageError(str(error)) from None
    return notes


def _checked(report: Report, known: Baseline) -> list[str]:
    """The files whose entries can be gone: those that were checked, and those that are there no more."""
    names = list(report.asked)
    names += [path for path in (os.path.join(known.folder, name) for name in known.entries) if not os.path.exists(path)]
    return names


def _shrink(left: Baseline, gone: int) -> str:
    """Drop what is gone from the file; on a CI server, where nobody would keep the file, only say so."""
    from jaxlint import baseline

    if os.environ.get("CI"):
        return f"{left.path}: {_findings(gone)} in it no longer there; a run outside of CI drops them."
    baseline.write(left)
    return f"{left.path}: {_findings(gone)} dropped that are no longer there."


@dataclass(frozen=True, slots=True)
class Ignored:
    """Whether files were changed, and what to tell."""

    changed: bool
    notes: list[str]


def ignored(report: Report, reason: str) -> Ignored:
    """Put comments at the findings."""
    from jaxlint import ignoring

    if any(char in reason for char in "\r\n"):
        raise UsageError("--add-ignores: a reason is one line")
    done = ignoring.add(report, reason)
    told = f"Ignored {_findings(done.findings)} in {done.files} file{'s' * (done.files != 1)}."
    return Ignored(bool(done.files), [*done.failures, told])


def _findings(number: int) -> str:
    return f"{number} finding{'s' * (number != 1)}"
