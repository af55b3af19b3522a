"""One package: its size, the CPU seconds of `ast.parse` and of jaxlint, and the findings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PARSE = """
import ast, json, sys, time, warnings
warnings.simplefilter("ignore")
texts = [open(name, "rb").read() for name in json.load(sys.stdin)]
start = time.process_time()
for text in texts:
    ast.parse(text)
print(time.process_time() - start)
"""
LINT = "import sys; from jaxlint.cli import main; sys.exit(main())"


@dataclass
class Result:
    """The figures of one package. Times are the least of the repeats, in CPU seconds."""

    name: str
    files: int = 0
    lines: int = 0
    parse_seconds: float = 0.0
    lint_seconds: float = 0.0
    lint_bytes: int = 0
    findings: list[dict[str, Any]] = field(default_factory=list)
    failure: str = ""
    summary: str = ""

    @property
    def ratio(self) -> float:
        return self.lint_seconds / self.parse_seconds if self.parse_seconds else 0.0

    def count(self, prefixes: tuple[str, ...]) -> int:
        return sum(finding["code"].startswith(prefixes) for finding in self.findings)

    def by_rule(self) -> Counter[tuple[str, str]]:
        return Counter((finding["code"], finding["name"]) for finding in self.findings)


def run_child(command: list[str], text: str, timeout: float) -> tuple[int, str, str, float, int]:
    """Exit status, output, errors, CPU seconds and peak bytes of one child process."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as child:
        before = os.times()
        try:
            out, err = child.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return 124, "", f"no end after {timeout:.0f} s", timeout, 0
        after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return child.returncode, out, err, seconds, peak_bytes()


def peak_bytes() -> int:
    """The most memory that any child held so far (0 where the system does not say)."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def measure(name: str, folder: Path, *, repeats: int, select: str, timeout: float) -> Result:
    """Parse and lint everything below `folder`, each in fresh processes, alternating."""
    files = sorted(str(path) for path in folder.rglob("*.py"))
    result = Result(name, files=len(files))
    result.lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    lint = [sys.executable, "-c", LINT, "check", "--isolated", "--no-cache", "--output-format", "json"]
    if select:
        lint += ["--select", select]
    parse_times, lint_times = [], []
    for _ in range(repeats):
        status, out, err, _, _ = run_child([sys.executable, "-c", PARSE], json.dumps(files), timeout)
        if status:
            result.failure = f"ast.parse: {last_line(err)}"
            return result
        parse_times.append(float(out))
        status, out, err, seconds, result.lint_bytes = run_child([*lint, str(folder)], "", timeout)
        lint_times.append(seconds)
        result.summary = last_line(err)
        if status > 1:
            result.failure = f"exit status {status}: {last_line(err)}"
        if status == 124 or not out.strip():
            return result
        result.findings = json.loads(out)
    result.parse_seconds, result.lint_seconds = min(parse_times), min(lint_times)
    return result


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""
