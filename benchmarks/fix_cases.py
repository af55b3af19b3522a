"""Apply the fixes to a copy of a folder of cases and say, by rule, whether they do their job.

    python -m benchmarks.fix_cases CASES [--unsafe-fixes]

A fix is good when its finding is gone afterwards, the file parses, every comment is still there and no finding is new.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Tally:
    """Findings by rule: all, those with a fix, those that are gone afterwards; and what went wrong."""

    found: Counter[str] = field(default_factory=Counter)
    fixable: Counter[str] = field(default_factory=Counter)
    gone: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def findings(folder: Path) -> list[dict[str, Any]]:
    """What the linter reports in a folder, every rule selected."""
    options = ["--isolated", "--select", "ALL", "--output-format", "json", "."]
    command = [sys.executable, "-m", "jaxlint", "check", *options]
    found: list[dict[str, Any]] = json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout)
    return found


def comments(path: Path) -> Counter[str]:
    """The comments of a file."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def by_file(found: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """How often each rule reports in each file."""
    return Counter((item["filename"], item["name"]) for item in found)


def measure(cases: Path, unsafe: bool) -> Tally:
    """Fix a copy of `cases`."""
    tally = Tally()
    levels = ("safe", "unsafe") if unsafe else ("safe",)
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "cases"
        shutil.copytree(cases, copy)
        before = findings(copy)
        old = {path: comments(path) for path in copy.rglob("*.py")}
        options = ["--isolated", "--select", "ALL", "--fix", *(["--unsafe-fixes"] if unsafe else []), "."]
        subprocess.run([sys.executable, "-m", "jaxlint", "check", *options], cwd=copy, capture_output=True)
        left, had = by_file(findings(copy)), by_file(before)
        tally.found = Counter(item["name"] for item in before)
        fixable = [item for item in before if item["fix"] and item["fix"]["applicability"] in levels]
        tally.fixable = Counter(item["name"] for item in fixable)
        for place, number in by_file(fixable).items():
            tally.gone[place[1]] += min(number, had[place] - left[place])
        tally.wrong += [f"{name}: {rule} is new" for (name, rule), n in left.items() if n > had[(name, rule)]]
        for path, kept in old.items():
            try:
                ast.parse(path.read_text(encoding="utf-8"))
                if comments(path) != kept:
                    tally.wrong.append(f"{path.name}: a comment is lost")
            except SyntaxError:
                tally.wrong.append(f"{path.name}: does not parse")
    return tally


def main() -> int:
    """Print the table; 1 when a fix did not do its job."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--unsafe-fixes", action="store_true")
    options = parser.parse_args()
    tally = measure(options.cases, options.unsafe_fixes)
    print(f"{'rule':<28} {'found':>5} {'fixable':>7} {'gone':>5}")
    for name, number in sorted(tally.fixable.items()):
        print(f"{name:<28} {tally.found[name]:>5} {number:>7} {tally.gone[name]:>5}")
    print(f"{'all':<28} {tally.found.total():>5} {tally.fixable.total():>7} {tally.gone.total():>5}")
    for line in tally.wrong:
        print(line)
    return int(bool(tally.wrong) or tally.gone.total() < tally.fixable.total())


if __name__ == "__main__":
    raise SystemExit(main())
