"""`python -m benchmarks.corpus CACHE`: lint the pinned packages, print a table of findings and CPU time.

The packages are installed from the registry into CACHE (a folder outside the repository), without their
dependencies and without importing them. Ratio = CPU seconds of one cold jaxlint process, start-up included,
over those of `ast.parse` on the same files alone.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from pathlib import Path

import jaxlint
from benchmarks.corpus.measure import Result, measure
from benchmarks.corpus.packages import PINNED, fetch

TRACING = ("JAX101", "JAX102", "JAX103", "JAX104", "JAX106")
"""The rules of which nearly each finding in a tested library is a bug of ours."""


def table(results: list[Result]) -> str:
    """The report, as Markdown."""
    system = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    lines = [
        f"jaxlint {jaxlint.__version__}, {system}.",
        "",
        "| package | files | lines | `ast.parse` s | jaxlint s | ratio | " + ", ".join(TRACING) + " | all findings |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for result in results:
        version = PINNED.get(result.name, "")
        lines.append(
            f"| {result.name} {version} | {result.files} | {result.lines:,} | {result.parse_seconds:.2f} | "
            f"{result.lint_seconds:.2f} | {result.ratio:.1f} | {result.count(TRACING)} | {len(result.findings)} |"
        )
    total_lines = sum(result.lines for result in results)
    parse, lint = sum(result.parse_seconds for result in results), sum(result.lint_seconds for result in results)
    tracing = sum(result.count(TRACING) for result in results)
    lines.append(
        f"| together | {sum(result.files for result in results)} | {total_lines:,} | {parse:.2f} | {lint:.2f} | "
        f"{lint / parse if parse else 0.0:.1f} | {tracing} | {sum(len(result.findings) for result in results)} |"
    )
    lines += ["", f"{', '.join(TRACING)}: one finding in {total_lines // max(tracing, 1):,} lines.", ""]
    rules: Counter[tuple[str, str]] = Counter()
    for result in results:
        rules += result.by_rule()
    lines += ["| rule | findings |", "|---|--:|"]
    lines += [f"| {code} {name} | {count} |" for (code, name), count in sorted(rules.items())]
    failures = [f"- {result.name}: {result.failure}" for result in results if result.failure]
    if failures:
        lines += ["", "Failures:", "", *failures]
    return "\n".join(lines) + "\n"


def listing(results: list[Result], cache: Path, prefixes: tuple[str, ...]) -> str:
    """Every finding of some rules: place below the cache, rule, message."""
    lines = []
    for result in results:
        for finding in result.findings:
            if finding["code"].startswith(prefixes):
                filename = Path(finding["filename"])
                shown = filename.relative_to(cache) if filename.is_relative_to(cache) else filename
                place = f"{shown.as_posix()}:{finding['location']['row']}"
                lines.append(f"{place}: {finding['code']} {finding['name']}: {finding['message']}")
    return "\n".join(lines) + "\n" if lines else ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for the packages, outside the repository")
    parser.add_argument("--packages", nargs="+", choices=sorted(PINNED), default=list(PINNED), metavar="NAME")
    parser.add_argument("--repeats", type=int, default=1, help="the least time of so many runs counts")
    parser.add_argument("--select", default="", help="rules to select instead of the default ones (ALL, JAX1, ...)")
    parser.add_argument("--list", default="", metavar="PREFIXES", help="also list the findings of these rules")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one package")
    parser.add_argument("--output", type=Path, help="also write the table to this file")
    args = parser.parse_args()

    cache: Path = args.cache.resolve()
    results = []
    for name in args.packages:
        folder = fetch(name, cache)
        result = measure(name, folder, repeats=args.repeats, select=args.select, timeout=args.timeout)
        print(f"{name}: {result.ratio:.1f} x ast.parse, {result.failure or result.summary}", file=sys.stderr)
        results.append(result)
    text = table(results)
    if args.list:
        text += "\n" + listing(results, cache, tuple(args.list.split(",")))
    print(text, end="")
    if args.output:
        args.output.write_text(text, encoding="utf-8")
    return int(any(result.failure for result in results))


if __name__ == "__main__":
    sys.exit(main())
