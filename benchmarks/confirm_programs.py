"""Every example and workload under `confirm`: are the faulty ones' findings confirmed, and the right ones quiet?

    python -m benchmarks.confirm_programs [--only WORD] [--limit SECONDS]

The faults of the examples that raise stand behind an option (`examples/expected.toml`): a program is run as it is, and
once more with each such option, and the evidence of its runs is taken together.

Faulty: each finding of the families JAX1 to JAX4 must be confirmed, or its reason must say that only an accelerator
tells. Right: no finding; in the run no recompilation in a hot loop, and no read or wait at each step of one. A hot loop
is an innermost loop; one that reads a clock, itself or in a function that it calls, measures, and may wait. Exit status
1 when something deviates.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jaxlint.events import Kind
from runtime_checks.confirm import RUNNER, Command, child_environment, command_of
from runtime_checks.evidence import Evidence, read_directory
from runtime_checks.join import Confirmation, Verdict, confirm
from runtime_checks.observed import ObservedEvent
from runtime_checks.plan import make_plan, make_targets, runs
from runtime_checks.statements import Rows, header_rows
from runtime_checks.static import program_files, static_findings
from runtime_checks.verdicts import GATE
from runtime_checks.workloads import WORKLOADS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = ("JAX1", "JAX2", "JAX3", "JAX4")
CLOCKS = frozenset(("time", "perf_counter", "monotonic", "time_ns", "perf_counter_ns", "monotonic_ns"))
READS = frozenset((Kind.HOST_READ.value, Kind.HOST_BLOCK.value))
AGAIN = frozenset(("ragged-batch", "static-varies", "signature", "context", "new-function"))


@dataclass(slots=True)
class Program:
    """One program: its name, whether it is the faulty version, the words after `confirm`, the arguments of its runs.

    The first run must end well; the others end in the exception that they are for.
    """

    name: str
    faulty: bool
    words: list[str]
    arguments: list[list[str]] = field(default_factory=lambda: [[]])


@dataclass(slots=True)
class Loop:
    """An innermost loop: its rows, the first statement of its body, whether it reads a clock."""

    file: str
    rows: Rows
    beat: Rows
    clock: bool


@dataclass(slots=True)
class Row:
    """What came out for one program; `deviations` is empty when all is as it should be."""

    program: Program
    seconds: float = 0.0
    judged: int = 0
    confirmed: int = 0
    gpu_only: int = 0
    deviations: list[str] = field(default_factory=list)


def programs() -> Iterator[Program]:
    """All examples and workloads."""
    for entry in tomllib.loads((ROOT / "examples" / "expected.toml").read_text(encoding="utf-8"))["program"]:
        usual: list[str] = entry.get("args", [])
        raising = [fault["with_args"] for fault in entry["fault"] if "with_args" in fault]
        name = f"example {Path(entry['right']).stem}"
        yield Program(name, True, [f"examples/{entry['faulty']}"], [usual, *raising])
        yield Program(name, False, [f"examples/{entry['right']}"], [usual])
    for name in WORKLOADS:
        for faulty in (True, False):
            module = f"runtime_checks.workloads.{name.replace('-', '_')}.{'faulty' if faulty else 'right'}"
            yield Program(f"workload {name}", faulty, ["-m", module])


def names_of_calls(node: ast.AST) -> set[str]:
    """The last names of the functions called in `node`."""
    calls = [inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    return {getattr(call, "attr", "") or getattr(call, "id", "") for call in calls}


def functions_with_clock(files: list[str]) -> set[str]:
    """The names of the program's functions that read a clock themselves."""
    trees = [ast.parse(Path(file).read_bytes()) for file in files]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {function.name for function in functions if names_of_calls(function) & CLOCKS}


def loops_of(file: str, measuring: set[str]) -> list[Loop]:
    """The innermost loops of a file. `measuring`: names of functions that read a clock, beside the clocks."""
    found = []
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if not isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            continue
        inside = [inner for statement in node.body for inner in ast.walk(statement)]
        if any(isinstance(inner, (ast.For, ast.AsyncFor, ast.While)) for inner in inside):
            continue
        clock = bool(names_of_calls(node) & (CLOCKS | measuring))
        rows = (node.lineno, node.end_lineno or node.lineno)
        found.append(Loop(os.path.abspath(file), rows, header_rows(node.body[0]), clock))
    return found


def run(program: Program, limit: float) -> Row:
    """Check, run and judge one program."""
    row = Row(program)
    command = command_of(program.words)
    files = program_files(command.entry)
    findings, problems = static_findings(files)
    measuring = functions_with_clock(files)
    loops = [loop for file in files for loop in loops_of(file, measuring)]
    with tempfile.TemporaryDirectory(prefix="confirm-programs-") as directory:
        targets = make_targets(findings)
        plan = make_plan(targets)
        for loop in loops:
            if loop.beat not in plan.statements.setdefault(loop.file, []):
                plan.statements[loop.file].append(loop.beat)
        plan.write(f"{directory}/plan.json")
        statuses = [_run(command, arguments, directory, limit) for arguments in program.arguments]
        evidence = read_directory(directory)
        result = confirm(targets, evidence)
    row.seconds = evidence.seconds
    row.deviations += problems
    if statuses[0] != 0 or None in statuses:
        row.deviations.append(f"exit status {statuses}")
    if program.faulty:
        _judge_faulty(row, result)
    else:
        row.deviations += [f"finding {place(f.filename, f.span.row)} {f.code}" for f in findings]
        row.deviations += list(_noise(result, loops))
    return row


def _run(command: Command, arguments: list[str], directory: str, limit: float) -> int | None:
    try:
        done = subprocess.run(
            [sys.executable, RUNNER, *command.arguments, *arguments],
            env=child_environment(command, directory, f"{directory}/plan.json"),
            capture_output=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode


def _judge_faulty(row: Row, result: Confirmation) -> None:
    for judged in result.judged:
        if not judged.finding.code.startswith(FAMILIES):
            continue
        row.judged += 1
        if judged.verdict is Verdict.CONFIRMED:
            row.confirmed += 1
        elif judged.verdict is Verdict.NOT_MEASURABLE and "accelerator" in judged.reason:
            row.gpu_only += 1
        else:
            where = place(judged.finding.filename, judged.finding.span.row)
            row.deviations.append(f"{where} {judged.finding.code} {judged.verdict.value}: {judged.reason}")
    if not row.judged:
        row.deviations.append("no finding of JAX1 to JAX4")


def _noise(result: Confirmation, loops: list[Loop]) -> Iterator[str]:
    """What a right version must not show."""
    for event in result.evidence.events:
        loop = next((loop for loop in loops if _holds(loop, event)), None)
        if loop is None:
            continue
        where = f"{place(event.file, event.line)} {event.kind} {event.how} x{event.count}"
        if event.kind == Kind.COMPILED_CALL.value and event.how in AGAIN:
            yield f"recompiles in a hot loop: {where}"
        if event.kind in READS and not loop.clock and _each_step(event, loop, result.evidence):
            yield f"waits at each step: {where}"
    for event in result.unpredicted:
        if event.kind not in READS and event.kind != Kind.COMPILED_CALL.value:
            yield f"seen: {place(event.file, event.line)} {event.kind} {event.how} x{event.count}"


def _holds(loop: Loop, event: ObservedEvent) -> bool:
    return os.path.abspath(event.file) == loop.file and loop.rows[0] < event.line <= loop.rows[1]


def _each_step(event: ObservedEvent, loop: Loop, evidence: Evidence) -> bool:
    beat = runs(evidence.lines, loop.file, loop.beat)
    return beat is not None and beat.count >= GATE and event.count * GATE >= beat.count


def place(file: str, row: int) -> str:
    """`name.py:row`, with the folder."""
    return f"{Path(file).parent.name}/{Path(file).name}:{row}"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.confirm_programs", description=__doc__)
    parser.add_argument("--only", default="", help="programs whose name holds this word")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for each program")
    options = parser.parse_args()
    os.chdir(ROOT)
    rows = []
    for program in programs():
        if options.only not in program.name:
            continue
        row = run(program, options.limit)
        rows.append(row)
        version = "faulty" if program.faulty else "right"
        counts = f"{row.confirmed}/{row.judged} confirmed" if program.faulty else "quiet" * (not row.deviations)
        only = f", {row.gpu_only} only on an accelerator" if row.gpu_only else ""
        print(f"{'NO' if row.deviations else 'ok'} | {program.name} | {version} | {counts}{only} | {row.seconds:.0f} s")
        for text in row.deviations:
            print(f"     {text}")
        sys.stdout.flush()
    wrong = sum(bool(row.deviations) for row in rows)
    confirmed, judged = sum(row.confirmed for row in rows), sum(row.judged for row in rows)
    only = sum(row.gpu_only for row in rows)
    print(f"\n{len(rows) - wrong} of {len(rows)} programs as they should be; of {judged} findings in faulty versions")
    print(f"{confirmed} confirmed, {only} only on an accelerator, {judged - confirmed - only} neither")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
