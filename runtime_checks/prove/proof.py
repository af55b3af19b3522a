"""The proof: run the program without and with its fixes in turn, and say what each fix gained."""

from __future__ import annotations

import ast
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxlint.findings import Finding
from runtime_checks import activate
from runtime_checks.doctor.child import Ran, run_limited
from runtime_checks.prove.fixed_files import Fixes, Variant, fixes_of
from runtime_checks.prove.measured import Difference, difference
from runtime_checks.prove.printed import Compared, compare
from runtime_checks.prove.project_copy import Layout, NotCopied, fresh_copy
from runtime_checks.prove.step_clock import Total, loops_of

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runner.py")
ROUNDS = 5
# fixes that are also tried alone; a run more for each in every round
ALONE = 6
# a fixed program may take this many times as long as the program, and this many seconds more
PATIENCE, GRACE = 10.0, 60.0
Loop = tuple[str, int]
"""A loop: its file below the project's root, and its number in it."""


@dataclass(slots=True)
class Run:
    """One run of one version. `status` is None when it was stopped because it took too long."""

    status: int | None
    seconds: float
    output: str
    error: str = ""
    loops: dict[Loop, Total] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    peak: int | None = None

    def step(self, loop: Loop) -> float | None:
        """Seconds that an iteration of `loop` took; None when it didn't turn often enough."""
        total = self.loops.get(loop)
        return total.seconds / total.iterations if total is not None and total.iterations else None


@dataclass(slots=True)
class Proved:
    """What `fixes` did: the time of a step of the loop at `place`, of the whole run, the peak memory of the process,
    what was printed, and how the runs ended. A difference is None where it could not be measured."""

    fixes: list[Finding]
    place: tuple[str, int] | None = None
    step: Difference | None = None
    run: Difference | None = None
    memory: Difference | None = None
    printed: Compared | None = None
    before: int | None = 0
    after: int | None = 0
    error: str = ""


@dataclass(slots=True)
class Proof:
    """The result for a program. `proved`: each fix alone, then, of several, all together."""

    rounds: int
    unsafe: bool
    proved: list[Proved] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Request:
    """What to prove: the runner's arguments, the file or folder of the program, the paths to check, and how."""

    arguments: Sequence[str]
    root: str
    paths: Sequence[str]
    select: Sequence[str] = ()
    unsafe: bool = False
    rounds: int = ROUNDS


def prove(request: Request, say: Callable[[str], None] = lambda text: None) -> Proof:
    """Run and compare. `say` is told what comes next. Nothing but temporary folders is written to by this module."""
    proof = Proof(request.rounds, request.unsafe)
    try:
        layout = Layout.of(request.root, os.getcwd())
    except NotCopied as error:
        proof.problems.append(f"no proof: {error}")
        return proof
    fixes = fixes_of(request.paths, request.select, layout, unsafe=request.unsafe)
    proof.problems += fixes.problems
    if not fixes.alone:
        return proof
    if len(fixes.alone) > ALONE:
        proof.problems.append(f"{len(fixes.alone)} fixes: the first {ALONE} were also tried alone")
    with tempfile.TemporaryDirectory(prefix="jaxlint-prove-") as place:
        _Prover(request, layout, fixes, os.path.join(place, "copy"), say).into(proof)
    return proof


class _Prover:
    """Runs the versions of one program. `folder` is where the copies stand, one at a time."""

    def __init__(self, request: Request, layout: Layout, fixes: Fixes, folder: str, say: Callable[[str], None]) -> None:
        self._request = request
        self._layout = layout
        self._folder = folder
        self._say = say
        self._versions = [Variant(), *fixes.alone[:ALONE]]
        if len(fixes.alone) > 1:
            self._versions.append(fixes.together)

    def into(self, proof: Proof) -> None:
        """Do the runs, and fill the proof."""
        first = self._run(self._versions[0], None)
        count = len(self._versions) * self._request.rounds
        self._say(f"proving {len(self._versions) - 1} versions: {count} runs of about {first.seconds:.0f} s")
        runs: list[list[Run]] = [[] for _ in self._versions]
        limit = first.seconds * PATIENCE + GRACE
        for turn in range(self._request.rounds):
            order = range(len(self._versions))
            for number in order if turn % 2 == 0 else reversed(order):
                runs[number].append(self._run(self._versions[number], limit))
        base = [first, *runs[0]]
        proof.problems += self._of_original([run for found in runs for run in found])
        for version, found in zip(self._versions[1:], runs[1:], strict=True):
            proof.proved.append(self._compare(version, base, found))

    def _of_original(self, runs: Sequence[Run]) -> list[str]:
        """A run that loaded the original's modules tells nothing about the fixes in them."""
        found = sorted({module for run in runs for module in run.modules if self._layout.copied(module)})
        return [f"{name} was loaded from the original, not from the copy: its fixes were not tried" for name in found]

    # -- one run ------------------------------------------------------------------------------------------
    def _run(self, version: Variant, limit: float | None) -> Run:
        with tempfile.TemporaryDirectory(prefix="jaxlint-prove-") as place:
            out = os.path.join(place, "times.json")
            with fresh_copy(self._layout, self._folder, version.changed) as folder:
                words = [self._moved(word, folder) for word in self._request.arguments]
                ran = run_limited(
                    [sys.executable, RUNNER, out, folder, *words], limit, self._environment(folder), self._cwd(folder)
                )
            return _read(ran, out, folder, self._layout.root)

    def _cwd(self, folder: str) -> str:
        return self._layout.inside(self._layout.cwd, folder)

    def _moved(self, word: str, folder: str) -> str:
        """An argument that names a file of the project by its absolute path names the copy's."""
        name, equals, value = word.rpartition("=")
        return name + equals + (self._layout.inside(value, folder) if os.path.isabs(value) else value)

    def _environment(self, folder: str) -> dict[str, str]:
        """Ours, with the folders of the project on the import path replaced, and installed links to it overruled."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(activate.VARIABLE)}
        known = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
        linked = [path for path in sys.path[1:] if path and path not in known and self._layout.copied(path)]
        paths = [self._layout.inside(path, folder) if os.path.isabs(path) else path for path in [*known, *linked]]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
        environment["PWD"] = self._cwd(folder)
        return environment

    # -- the comparison -----------------------------------------------------------------------------------
    def _compare(self, version: Variant, base: Sequence[Run], runs: Sequence[Run]) -> Proved:
        proved = Proved(list(version.fixes), before=base[0].status, after=runs[0].status, error=runs[0].error)
        if proved.before or proved.after or None in (proved.before, proved.after):
            return proved  # times of a part of a run say nothing
        pairs = list(zip(base[1:], runs, strict=True))
        proved.printed = compare([run.output for run in base], runs[0].output)
        proved.run = difference([(one.seconds, other.seconds) for one, other in pairs])
        proved.memory = difference([(one.peak, other.peak) for one, other in pairs if one.peak and other.peak])
        loop = self._loop(version, base[0])
        if loop is not None:
            steps = [(one.step(loop), other.step(loop)) for one, other in pairs]
            proved.step = difference([(a, b) for a, b in steps if a is not None and b is not None])
            proved.place = self._row(loop)
        return proved

    def _loop(self, version: Variant, first: Run) -> Loop | None:
        """The loop whose steps tell: that of the fix where it is in one, else the one that took the most time."""
        wanted = [self._around(finding) for finding in version.fixes]
        inside = next((loop for loop in wanted if loop is not None and first.step(loop) is not None), None)
        loop = inside or self._hottest(first)
        if loop is None or len(self._trees(version, loop[0])) != len(self._trees(Variant(), loop[0])):
            return None
        return loop

    def _trees(self, version: Variant, file: str) -> list[ast.For | ast.While]:
        data = version.changed.get(file)
        source = Path(self._layout.root, file).read_bytes() if data is None else data
        return list(loops_of(ast.parse(source)))

    def _around(self, finding: Finding) -> Loop | None:
        """The innermost loop around a finding."""
        file = self._layout.copied(finding.filename)
        if not file:
            return None
        row, found = finding.span.row, None
        for number, loop in enumerate(self._trees(Variant(), file)):
            if loop.body[0].lineno <= row <= (loop.end_lineno or row):
                found = (file, number)  # inner loops come later
        return found

    def _hottest(self, first: Run) -> Loop | None:
        """The loop that took the most time; of a loop and one inside it that took half of it, the inner one."""
        ranked = sorted(
            ((loop, total) for loop, total in first.loops.items() if total.iterations >= 2),
            key=lambda item: -item[1].seconds,
        )
        if not ranked:
            return None
        most = ranked[0][1].seconds
        return max((item for item in ranked if 2 * item[1].seconds >= most), key=lambda item: item[1].iterations)[0]

    def _row(self, loop: Loop) -> tuple[str, int]:
        return os.path.join(self._layout.root, loop[0]), self._trees(Variant(), loop[0])[loop[1]].lineno


def _read(ran: Ran, out: str, folder: str, root: str) -> Run:
    """A finished run, with what its step clock wrote (nothing after `os._exit` or a signal)."""
    error = next((line for line in reversed(ran.err.splitlines()) if line.strip()), "") if ran.code else ""
    run = Run(ran.code, ran.seconds, ran.out.replace(folder, root), error.replace(folder, root)[:200])
    try:
        data: dict[str, Any] = json.loads(Path(out).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return run
    run.loops = {(file, number): Total(n, seconds, entered) for file, number, n, seconds, entered in data["loops"]}
    run.modules, run.peak = data["modules"], data["peak"]
    return run
