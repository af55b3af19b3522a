"""A baseline: findings that an old repository has and that a gate lets pass, until they are gone.

The file is JSON, made to be read in a review: by path, the rule, the function and the fingerprint of each finding. It
only ever gets shorter by itself: an entry whose finding is gone is dropped. `--update-baseline` writes it anew.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxlint.files import reason
from jaxlint.findings import Finding
from jaxlint.fingerprint import SourceOf, relative, stamp
from jaxlint.fixing import put

VERSION = 1


class BaselineError(Exception):
    """The file cannot be used. The text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One finding that is let pass. `scope` and `rule` are for people; the fingerprint decides."""

    rule: str
    scope: str
    fingerprint: str


@dataclass(slots=True)
class Baseline:
    """The entries of a baseline file by path, relative to the file's folder."""

    path: str
    entries: dict[str, list[Entry]] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The folder that the paths start from."""
        return os.path.dirname(os.path.abspath(self.path))

    @property
    def size(self) -> int:
        """How many findings it lets pass."""
        return sum(map(len, self.entries.values()))


@dataclass(frozen=True, slots=True)
class Compared:
    """The findings that the baseline does not have, how many it has, and the baseline without what is gone."""

    new: list[Finding]
    known: int
    left: Baseline


def load(path: str) -> Baseline:
    """Read a baseline. Raises BaselineError where there is none, or where it is not one."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        hint = " (make it with --update-baseline)" if isinstance(error, FileNotFoundError) else ""
        raise BaselineError(f"--baseline: {path}: {reason(error)}{hint}") from None
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise BaselineError(f"--baseline: {path} is not JSON; make it anew with --update-baseline") from None
    try:
        return Baseline(path, parsed(document))
    except (TypeError, KeyError, ValueError):
        raise BaselineError(f"--baseline: {path} is no baseline of jaxlint; make it with --update-baseline") from None


def parsed(document: Any) -> dict[str, list[Entry]]:
    """The entries of a document. Raises TypeError, KeyError or ValueError for another form."""
    if document["version"] != VERSION:
        raise ValueError(document["version"])
    found: dict[str, list[Entry]] = {}
    for path, rows in document["findings"].items():
        for row in rows:
            entry = Entry(row["rule"], row["scope"], row["fingerprint"])
            if not all(isinstance(part, str) for part in (entry.rule, entry.scope, entry.fingerprint)):
                raise TypeError(path)
            found.setdefault(path, []).append(entry)
    return found


def made(path: str, findings: Iterable[Finding], source_of: SourceOf) -> Baseline:
    """A baseline of all these findings."""
    baseline = Baseline(path)
    for finding in stamp(findings, source_of, baseline.folder):
        entry = Entry(finding.name, finding.scope, finding.fingerprint)
        baseline.entries.setdefault(relative(finding.filename, baseline.folder), []).append(entry)
    return baseline


def compare(baseline: Baseline, findings: Iterable[Finding], source_of: SourceOf, checked: Iterable[str]) -> Compared:
    """Take the baseline's findings out. `checked`: the files that were looked at; only their entries can be gone."""
    waiting = {path: Counter(entry.fingerprint for entry in rows) for path, rows in baseline.entries.items()}
    new: list[Finding] = []
    used: dict[str, Counter[str]] = {}
    for finding in stamp(findings, source_of, baseline.folder):
        path = relative(finding.filename, baseline.folder)
        left = waiting.get(path, Counter())
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
            used.setdefault(path, Counter())[finding.fingerprint] += 1
        else:
            new.append(finding)
    looked_at = {relative(name, baseline.folder) for name in checked}
    entries = {
        path: kept(rows, used.get(path, Counter())) if path in looked_at else rows
        for path, rows in baseline.entries.items()
    }
    known = sum(number.total() for number in used.values())
    return Compared(new, known, Baseline(baseline.path, {path: rows for path, rows in entries.items() if rows}))


def kept(rows: list[Entry], used: Counter[str]) -> list[Entry]:
    """The entries whose findings are still there."""
    left = Counter(used)
    result = []
    for entry in rows:
        if left[entry.fingerprint] > 0:
            left[entry.fingerprint] -= 1
            result.append(entry)
    return result


def write(baseline: Baseline) -> None:
    """Write the file in one step. Raises BaselineError."""
    document = {
        "version": VERSION,
        "findings": {
            path: [{"rule": e.rule, "scope": e.scope, "fingerprint": e.fingerprint} for e in rows]
            for path, rows in sorted(baseline.entries.items())
        },
    }
    try:
        put(baseline.path, (json.dumps(document, indent=1) + "\n").encode())
    except OSError as error:
        raise BaselineError(f"--baseline: {baseline.path} cannot be written: {reason(error)}") from None
