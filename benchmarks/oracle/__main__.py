"""`python -m benchmarks.oracle OBSERVED.json PATH...`: the interpreter's claims against what a run has seen.

PATH: the files and folders to interpret (the package and the tests that were run). See docs/accuracy.md for what a
claim is and when it counts as wrong.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.oracle.places import Place
from jaxlint import files
from jaxlint.interpreter import analyse
from jaxlint.interpreter.explaining import describe
from jaxlint.interpreter.values import Array, Const, Host, Tree, UnionV, Unknown, Value
from jaxlint.project import Project
from jaxlint.source import Source

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame

LEAVES = ("tracer", "device", "numpy", "python")


def claim_of(value: Value) -> str:
    """What the interpreter says of a value: a kind of leaf, `unknown`, `tree` or `object`."""
    if isinstance(value, Array):
        return "tracer" if value.trace is not None else "device"
    if isinstance(value, Const):
        return "python"
    if isinstance(value, Host):
        return {"ndarray": "numpy", "object": "unknown"}.get(value.kind, "python")
    if isinstance(value, Unknown | UnionV):
        return "unknown"
    return "tree" if isinstance(value, Tree) else "object"


@dataclass
class Claims:
    """The probe: every claim at every place, with the words for it.

    `blind` claims hold for a call that nobody in view makes (annotations and defaults are all that is known); `seen`
    ones follow from calls that the interpreter has seen.
    """

    seen: dict[Place, dict[str, str]] = field(default_factory=dict)
    blind: dict[Place, dict[str, str]] = field(default_factory=dict)

    def __call__(self, m: Any, f: Frame, node: ast.expr, value: Value) -> None:
        """Called by the interpreter after each evaluated expression."""
        if not isinstance(node, ast.Name):
            return
        path = os.path.realpath(f.module.source.filename)
        kept = self.blind if from_nowhere(m.frames) else self.seen
        claims = kept.setdefault((path, node.lineno, node.id), {})
        kind = claim_of(value)
        if kind not in claims:
            claims[kind] = describe(value)


def from_nowhere(frames: list[Frame]) -> bool:
    """Whether nobody in view calls the outermost function on the stack; pytest calls what is named `test*`.

    The outermost frame of a program executes statements; that of a call from nowhere has none.
    """
    if not frames or frames[0].statement is not None:
        return False
    return len(frames) < 2 or not frames[1].qualname.rpartition(".")[2].startswith("test")


@dataclass
class Score:
    """The comparison of one package."""

    definite: int = 0
    wrong: list[tuple[Place, str, str, list[str]]] = field(default_factory=list)
    traced: int = 0
    lost: Counter[str] = field(default_factory=Counter)


def compare(claims: dict[Place, dict[str, str]], observed: dict[Place, set[str]]) -> Score:
    """Judge each definite claim at each place that ran, and count the tracers that were seen but not claimed."""
    score = Score()
    for place, kinds in observed.items():
        said = claims.get(place, {})
        for claim in said.keys() & set(LEAVES):
            score.definite += 1
            if claim not in kinds:
                score.wrong.append((place, claim, said[claim], sorted(kinds)))
        if "tracer" in kinds:
            score.traced += 1
            if "tracer" not in said:
                score.lost[reason(said)] += 1
    return score


def reason(said: dict[str, str]) -> str:
    """Why a tracer that was seen isn't claimed."""
    if not said:
        return "never interpreted"
    return "unknown or one of several" if "unknown" in said else "only claimed as " + ", ".join(sorted(said))


def report(score: Score, shown: int) -> None:
    """Print the figures, then the wrong claims and the causes of lost tracers."""
    lost = sum(score.lost.values())
    print(f"definite claims checked: {score.definite}")
    print(f"wrong: {len(score.wrong)} ({100 * len(score.wrong) / max(score.definite, 1):.2f} %)")
    print(f"tracers seen: {score.traced}, not claimed: {lost} ({100 * lost / max(score.traced, 1):.1f} %)")
    for cause, count in score.lost.most_common():
        print(f"  {count:6} {cause}")
    for (file, line, name), claim, words, kinds in score.wrong[:shown]:
        print(f"{os.path.relpath(file)}:{line}: `{name}` claimed {claim} ({words}), seen: {', '.join(kinds)}")


def main() -> None:
    """Interpret the paths under the probe and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("observed")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--shown", type=int, default=40, help="how many wrong claims to print")
    options = parser.parse_args()
    observed = {(f, line, name): set(kinds) for f, line, name, kinds in json.loads(Path(options.observed).read_text())}
    found: list[Path] = []
    for path in map(Path, options.paths):
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    read = [files.read(files.Candidate(str(path), os.path.abspath(path))) for path in found]
    claims = Claims()
    result = analyse(Project([source for source in read if isinstance(source, Source)]), probe=claims)
    print("-- in calls that are in view")
    report(compare(claims.seen, observed), options.shown)
    print("-- in calls from nowhere")
    report(compare(claims.blind, observed), options.shown)
    print(f"files not interpreted to the end: {len(result.failures)}; places given up: {result.given_up}")


if __name__ == "__main__":
    main()
