"""Does `confirm` agree with the cases? Runs every program of a folder once and judges its `# expect:` lines.

    python benchmarks/confirm_cases.py FOLDER [--only WORD] [--analyser] [--jobs N]

A case `NAME.py` marks its faulty lines with `# expect: RULE`. Each is handed to the join as if the analyser had
reported it: the run should confirm it. For a right twin `NAME__ok.py` the faulty lines' rules are looked for in
what the run showed without a finding: there should be none. `--analyser` judges the analyser's own findings
instead. What cannot be measured here (no observer sees the rule's fault) is marked `--` and not counted.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from jaxlint.findings import Confidence, Finding, Severity, Span  # noqa: E402
from jaxlint.rules import CODES  # noqa: E402
from runtime_checks.confirm import Command, child_environment  # noqa: E402
from runtime_checks.evidence import read_directory  # noqa: E402
from runtime_checks.join import Confirmation, Verdict, confirm  # noqa: E402
from runtime_checks.plan import make_plan, make_targets  # noqa: E402
from runtime_checks.static import EVIDENCE, static_findings  # noqa: E402

EXPECT = re.compile(r"#\s*expect:\s*([\w\-, ]+)")
TIMEOUT = 180  # seconds a program


@dataclass
class Case:
    """One program and its result."""

    path: Path
    findings: list[Finding]
    result: Confirmation | None = None
    note: str = ""


def codes_by_name() -> dict[str, str]:
    """Rule name -> code."""
    found: dict[str, str] = {}
    for key, value in CODES.items():
        name = getattr(value, "name", None) or (value if isinstance(value, str) else "")
        code = getattr(value, "code", None) or key
        found[str(name)] = str(code)
    return found


def expected(path: Path, names: dict[str, str]) -> list[Finding]:
    """The findings that the `# expect:` comments describe."""
    found: list[Finding] = []
    for row, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        matched = EXPECT.search(text)
        for name in matched[1].split(",") if matched else ():
            name = name.strip()
            code = names.get(name, "JAX?")
            kind = EVIDENCE.get(code)
            found.append(
                Finding(
                    code, name, name, Severity.WARNING, Confidence.PROVEN, str(path), Span(row, 1, row, len(text)),
                    statement=text.strip(), evidence=kind.value if kind else None,
                )
            )  # fmt: skip
    return found


def run(case: Case) -> Case:
    """Run one program and judge it."""
    with tempfile.TemporaryDirectory() as directory:
        targets = make_targets(case.findings)
        plan = f"{directory}/plan.json"
        make_plan(targets).write(plan)
        command = Command([str(case.path)], str(case.path))
        try:
            done = subprocess.run(
                [sys.executable, str(ROOT / "runtime_checks" / "runner.py"), str(case.path)],
                env=child_environment(command, directory, plan),
                capture_output=True,
                timeout=TIMEOUT,
                cwd=directory,
                check=False,
            )
            status: int | None = done.returncode
        except subprocess.TimeoutExpired:
            status = None
            case.note = "timeout"
        case.result = confirm(targets, read_directory(directory))
        case.result.status = status
    return case


def main() -> int:
    """Print the table; exit 1 when fewer than nine in ten performance verdicts agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--analyser", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    names = codes_by_name()
    cases: list[Case] = []
    for path in sorted(options.folder.rglob("*.py")):
        if options.only in str(path):
            findings = static_findings([str(path)])[0] if options.analyser else expected(path, names)
            cases.append(Case(path.resolve(), findings))
    with ThreadPoolExecutor(options.jobs) as pool:
        return _table(pool.map(run, cases), options.analyser)


def _table(results: Iterable[Case], analyser: bool) -> int:
    totals: Counter[str] = Counter()
    noise = 0
    for case in results:
        assert case.result is not None
        right = case.path.stem.endswith("__ok")
        for judged in case.result.judged:
            blind = judged.verdict is Verdict.NOT_MEASURABLE
            counted = judged.verdict is Verdict.CONFIRMED or (judged.finding.evidence is not None and not blind)
            wanted = judged.verdict is Verdict.CONFIRMED if not right else judged.verdict is not Verdict.CONFIRMED
            mark = ("ok" if wanted else "NO") if counted else "--"
            totals[mark] += 1
            row = judged.finding.span.row
            print(f"{mark} {case.path.name}:{row} {judged.finding.name}: {judged.verdict.value}: {judged.reason[:150]}")
        for event in case.result.unpredicted:
            if right or analyser:
                noise += 1
                words = event.samples[0] if event.samples else {}
                print(f"?? {case.path.name}:{event.line} {event.kind} {event.how} x{event.count} {str(words)[:110]}")
        if case.note:
            print(f"!! {case.path.name}: {case.note}")
        sys.stdout.flush()
    agree, all_counted = totals["ok"], totals["ok"] + totals["NO"]
    share = 100 * agree / all_counted if all_counted else 100.0
    print(f"\n{agree} of {all_counted} agree ({share:.0f} %)")
    print(f"{totals['--']} not measurable here; {noise} seen without a finding")
    return int(share < 90)


if __name__ == "__main__":
    raise SystemExit(main())
