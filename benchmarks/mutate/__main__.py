"""`python -m benchmarks.mutate PATH...`: plant faults in right programs and count, by rule, how many are found.

PATH: files and folders of right code. `--sites N`: at most N of each fault in one file (default 2). `--misses`: each
fault that was not found, with its place. See docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mutate import hot, program, traced
from benchmarks.mutate.edits import apply
from benchmarks.mutate.mutation import Mutation, Mutator
from benchmarks.mutate.sites import Sites, find_sites
from jaxlint.findings import Confidence, Finding
from jaxlint.interpreter import analyse
from jaxlint.project import Project
from jaxlint.rules import by_kind
from jaxlint.source import Source

MUTATORS: tuple[Mutator, ...] = (
    traced.value_asked,
    traced.stored_on_self,
    traced.update_forgotten,
    traced.numpy_for_jnp,
    hot.value_read,
    hot.gate_removed,
    hot.program_made,
    hot.array_grown,
    hot.arguments_changed,
    program.wait_dropped,
    program.warm_up_dropped,
    program.static_spec_broken,
    program.static_spec_dropped,
    program.last_batch_kept,
)


@dataclass
class Recall:
    """Planted and found faults, by rule and form; and the misses in words."""

    planted: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def add(self, filename: str, mutation: Mutation, found: bool) -> None:
        """Count one fault."""
        key = (mutation.codes[0], mutation.fault)
        self.planted[key] += 1
        self.found[key] += found
        if not found:
            self.misses.append(f"{filename}:{mutation.row}: {mutation.codes[0]} {mutation.fault}")


def report(filename: str, text: str, path: Path | None) -> list[Finding]:
    """What the rules say of one program, whatever their default; guesses are left out."""
    source = Source(filename, text, path)
    found: dict[tuple[str, int, int], Finding] = {}
    for event in analyse(Project([source]), sources=[source]).events:
        if event.source is not source:
            continue
        for rule in by_kind(event.kind):
            finding = rule.judge(event)
            if finding is not None and finding.confidence >= Confidence.LIKELY:
                found.setdefault((finding.code, finding.span.row, finding.span.column), finding)
    return list(found.values())


def is_found(mutation: Mutation, rows: range, before: list[Finding], after: list[Finding]) -> bool:
    """Whether a rule of the mutation reports the planted fault."""
    new = [finding for finding in after if finding.code in mutation.codes]
    if mutation.marked is not None:
        return any(finding.span.row in rows for finding in new)
    old = Counter(finding.code for finding in before)
    return any(count > old[code] for code, count in Counter(finding.code for finding in new).items())


def chosen(sites: Sites, limit: int) -> Iterator[Mutation]:
    """At most `limit` mutations of each form, spread over the program."""
    for mutator in MUTATORS:
        forms: dict[tuple[str, str], list[Mutation]] = {}
        for mutation in mutator(sites):
            forms.setdefault((mutation.codes[0], mutation.fault), []).append(mutation)
        for found in forms.values():
            yield from spread(found, limit)


def spread(found: Sequence[Mutation], limit: int) -> Sequence[Mutation]:
    """`limit` of them, at equal distances."""
    if len(found) <= limit:
        return found
    return [found[number * len(found) // limit] for number in range(limit)]


def measure(path: Path, limit: int, recall: Recall) -> None:
    """Plant the faults in one file. A file that is no Python is left out."""
    content = path.read_text(encoding="utf-8")
    try:
        sites = find_sites(str(path), content, path)
    except SyntaxError:
        return
    before = report(str(path), content, path)
    for mutation in chosen(sites, limit):
        text, rows = apply(sites.text, mutation.edits, -1 if mutation.marked is None else mutation.marked)
        recall.add(str(path), mutation, is_found(mutation, rows, before, report(str(path), text, path)))


def table(recall: Recall) -> Iterator[str]:
    """The rows of the table: a rule and its forms."""
    yield "| rule | planted | found | recall | forms not always found |"
    yield "|---|---|---|---|---|"
    for code in sorted({code for code, _ in recall.planted}):
        forms = sorted(fault for rule, fault in recall.planted if rule == code)
        planted = sum(recall.planted[code, fault] for fault in forms)
        found = sum(recall.found[code, fault] for fault in forms)
        missed = [
            f"{f} {recall.found[code, f]}/{recall.planted[code, f]}"
            for f in forms
            if recall.found[code, f] < recall.planted[code, f]
        ]
        yield f"| {code} | {planted} | {found} | {found / planted:.0%} | {', '.join(missed) or '-'} |"
    total, found = sum(recall.planted.values()), sum(recall.found.values())
    yield f"| all | {total} | {found} | {found / max(total, 1):.1%} | |"


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--sites", type=int, default=2)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    recall = Recall()
    for path in options.paths:
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            measure(file, options.sites, recall)
    if options.misses:
        print("\n".join(recall.misses), file=sys.stderr)
    print("\n".join(table(recall)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
