"""`jaxlint confirm`: check a program, run it as it always runs, and give each finding a verdict.

    jaxlint confirm [OPTIONS] SCRIPT [ARGS]
    jaxlint confirm [OPTIONS] -m MODULE [ARGS]
    jaxlint confirm [OPTIONS] -- pytest [ARGS]

Options stand before SCRIPT; everything after it goes to the program unchanged (`train.py --steps 200`). The
program's output, exit status and signals are passed through; the report follows its output on stdout. With
`--output-format json` and no `--output-file` the program's stdout goes to stderr, so that stdout is JSON only.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxlint.findings import Finding
from runtime_checks import activate
from runtime_checks.evidence import read_directory
from runtime_checks.join import Confirmation, Verdict, confirm
from runtime_checks.places import project_root
from runtime_checks.plan import make_plan, make_targets
from runtime_checks.static import findings_from_json, program_files, static_findings

if TYPE_CHECKING:
    from runtime_checks.prove.proof import Proof

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runner.py")
USAGE = 2
# seconds between two progress lines
PROGRESS = 10.0
# options with a value
_VALUED = ("paths", "findings", "select", "output-format", "output-file", "html", "fail-on", "evidence", "rounds")


@dataclass(slots=True)
class Command:
    """The program: the runner's arguments, the file or folder where its code is, and how a person would name it."""

    arguments: list[str]
    entry: str
    words: list[str] = field(default_factory=list)


class UsageProblem(Exception):
    """The command line makes no sense; the message says why."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jaxlint confirm",
        usage="jaxlint confirm [OPTIONS] (SCRIPT | -m MODULE | -- pytest) [ARGS]",
        description="Run a program and say of each finding whether it happened, how often, and what it cost.",
        epilog="Everything after SCRIPT or MODULE goes to the program.",
        allow_abbrev=False,
    )
    parser.add_argument("--paths", action="append", metavar="PATH", help="what to check (default: the program's files)")
    parser.add_argument("--findings", metavar="FILE", help="take the findings from `jaxlint check` JSON, check nothing")
    parser.add_argument("--select", action="append", metavar="RULE", help="rules on top of the configured ones")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    parser.add_argument("--output-file", metavar="FILE", help="write the report there instead of to stdout")
    parser.add_argument("--html", metavar="FILE", help="also write the report as one HTML file, with code and timeline")
    parser.add_argument("--fail-on", choices=("confirmed", "never"), default="never", help="exit 1 if any is confirmed")
    parser.add_argument("--verify-timers", action="store_true", help="wait for the device at every clock read")
    parser.add_argument("--evidence", metavar="DIR", help="keep the evidence there; without a program: only read it")
    parser.add_argument("--prove", action="store_true", help="then run copies with the fixes: what does each gain?")
    parser.add_argument("--unsafe-fixes", action="store_true", help="with --prove: also fixes that may change meaning")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="with --prove: runs of each version (5)")
    parser.add_argument("--no-progress", action="store_true")
    return parser


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options of `confirm`, and the program with its arguments."""
    valued = {f"--{name}" for name in _VALUED}
    position = 0
    while position < len(arguments):
        word = arguments[position]
        if word in ("--", "-m") or not word.startswith("-"):
            break
        position += 2 if word in valued else 1
    return list(arguments[:position]), list(arguments[position:])


def command_of(words: Sequence[str]) -> Command:
    """What to run. Raises UsageProblem."""
    rest = list(words)
    if rest[:1] == ["--"]:
        rest = rest[1:]
        if not rest:
            raise UsageProblem("nothing to run after `--`")
        if os.path.basename(rest[0]).startswith("python"):
            rest = rest[1:]
        elif rest[0] in ("pytest", "py.test"):
            rest = ["-m", "pytest", *rest[1:]]
        elif not os.path.exists(rest[0]):
            found = shutil.which(rest[0])
            if found is None or not _is_python(found):
                raise UsageProblem(f"`{rest[0]}` is not a Python script, `python` or `pytest`")
            rest[0] = found
    if not rest:
        raise UsageProblem("nothing to run: give a script, -m MODULE or -- pytest")
    if rest[0] == "-m":
        if len(rest) < 2:
            raise UsageProblem("-m needs a module")
        return Command(rest, _module_entry(rest[1], rest[2:]), ["python", *rest])
    if not os.path.isfile(rest[0]):
        raise UsageProblem(f"{rest[0]}: no such file")
    return Command(rest, rest[0], ["python", *rest])


def _is_python(path: str) -> bool:
    try:
        with open(path, "rb") as stream:
            first = stream.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first


def _module_entry(name: str, arguments: Sequence[str]) -> str:
    """The file or folder with the code of `-m name`; for pytest, the first test path."""
    if name == "pytest":
        named = (word.split("::", 1)[0] for word in arguments if not word.startswith("-"))
        return next((word for word in named if os.path.exists(word)), ".")
    sys.path.insert(0, os.getcwd())
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            inner = importlib.util.find_spec(name + ".__main__")
            spec = inner or spec
    except (ImportError, ValueError, AttributeError):
        spec = None
    finally:
        sys.path.pop(0)
    if spec is None or not spec.origin:
        raise UsageProblem(f"no module named {name}")
    return spec.origin


def main(argv: Sequence[str]) -> int:
    """Run the command. Returns the program's own exit status, 1 with `--fail-on confirmed`, 2 for a usage error."""
    head, tail = split(argv)
    try:
        options = _parser().parse_args(head)
    except SystemExit as stop:
        return USAGE if stop.code else 0
    try:
        return _confirm(options, tail)
    except UsageProblem as problem:
        print(f"jaxlint confirm: {problem} (see jaxlint confirm --help)", file=sys.stderr)
        return USAGE


def _confirm(options: argparse.Namespace, tail: list[str]) -> int:
    command = command_of(tail) if tail or not options.evidence else None
    _check_proof_options(options, command)
    findings, problems = _findings(options, command)
    targets = make_targets(findings)
    if command is None:
        result = confirm(targets, read_directory(options.evidence))
        result.command = ["evidence in", options.evidence]
    else:
        kept = options.evidence
        directory = kept or tempfile.mkdtemp(prefix="jaxlint-confirm-")
        try:
            Path(directory).mkdir(parents=True, exist_ok=True)
            plan = os.path.join(directory, "plan.json")
            make_plan(targets).write(plan)
            to_stderr = options.output_format == "json" and not options.output_file
            status = run_child(
                command, directory, plan, stdout_to_stderr=to_stderr, progress=not options.no_progress,
                verify=options.verify_timers,
            )  # fmt: skip
            result = confirm(targets, read_directory(directory))
            result.status = status
            result.command = command.words
        finally:
            if not kept:
                shutil.rmtree(directory, ignore_errors=True)
    result.problems = problems
    if options.prove and command is not None:
        result.proof = _prove(command, options)
        result.problems += result.proof.problems
    _show(result, options)
    return exit_status(result, options.fail_on)


def _check_proof_options(options: argparse.Namespace, command: Command | None) -> None:
    if options.prove and command is None:
        raise UsageProblem("--prove runs a program: give a script, -m MODULE or -- pytest")
    if options.unsafe_fixes and not options.prove:
        raise UsageProblem("--unsafe-fixes goes with --prove; `jaxlint check --fix --unsafe-fixes` changes the files")
    if options.rounds < 3:
        raise UsageProblem("--rounds: three at least, or a difference cannot be told from noise")


def _prove(command: Command, options: argparse.Namespace) -> Proof:
    from runtime_checks.prove.proof import Request, prove

    request = Request(
        command.arguments,
        project_root(command.entry),
        options.paths or program_files(command.entry),
        [code for text in options.select or () for code in text.split(",")],
        options.unsafe_fixes,
        options.rounds,
    )

    def say(text: str) -> None:
        if not options.no_progress and sys.stderr.isatty():
            print(f"[jaxlint confirm] {text}", file=sys.stderr)

    return prove(request, say)


def exit_status(result: Confirmation, fail_on: str) -> int:
    """The program's status (128 + n when signal n ended it); else 1 for confirmed findings, 2 for problems."""
    status = result.status or 0
    if status:
        return status if status > 0 else 128 - status
    if fail_on == "confirmed" and result.count(Verdict.CONFIRMED):
        return 1
    return USAGE if result.problems else 0


def _findings(options: argparse.Namespace, command: Command | None) -> tuple[list[Finding], list[str]]:
    if options.findings:
        try:
            return findings_from_json(options.findings), []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageProblem(f"{options.findings}: {error}") from None
    paths = options.paths or (program_files(command.entry) if command is not None else [])
    if not paths:
        return [], []
    select = [code for text in options.select or () for code in text.split(",")]
    try:
        return static_findings(paths, select)
    except Exception as error:  # the run is worth its report even if the analyser fails
        return [], [f"the static check failed: {type(error).__name__}: {error}"]


def _show(result: Confirmation, options: argparse.Namespace) -> None:
    if options.html:
        from runtime_checks.report.html import render as render_html

        _write(options.html, render_html(result), result)
    if options.output_format == "json":
        from runtime_checks.report.json import render as render_json

        text = render_json(result)
    else:
        from runtime_checks.report.terminal import render

        text = render(result, color=not options.output_file and sys.stdout.isatty() and "NO_COLOR" not in os.environ)
    if options.output_file:
        if _write(options.output_file, text, result):
            return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader has gone; the program's status still counts, and Python must not complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(file: str, text: str, result: Confirmation) -> bool:
    """Write a report. A failure is a problem of the run, not its end: the text then goes to stdout."""
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        result.problems.append(f"the report could not be written: {error}")
        print(f"jaxlint confirm: {result.problems[-1]}", file=sys.stderr)
        return False
    return True


# -- the child ------------------------------------------------------------------------------------------------
def child_environment(command: Command, directory: str, plan: str, *, verify: bool = False) -> dict[str, str]:
    """The environment that makes the program, and what it starts, watch itself."""
    roots = [project_root(os.getcwd())]
    entry = os.path.dirname(os.path.abspath(command.entry)) if os.path.isfile(command.entry) else command.entry
    if not os.path.realpath(entry).startswith(os.path.realpath(roots[0]) + os.sep):
        roots.append(os.path.abspath(entry))
    environment = dict(os.environ)
    environment.update(
        {
            activate.VARIABLE: "1",
            activate.DIRECTORY_VARIABLE: os.path.abspath(directory),
            activate.PLAN_VARIABLE: os.path.abspath(plan),
            activate.ROOTS_VARIABLE: os.pathsep.join(roots),
        }
    )
    if verify:
        environment[activate.VERIFY_VARIABLE] = "1"
    known = environment.get("PYTHONPATH")
    folder = activate.PYTHON_PATH_FOLDER
    environment["PYTHONPATH"] = f"{known}{os.pathsep}{folder}" if known else folder
    return environment


def run_child(
    command: Command,
    directory: str,
    plan: str,
    *,
    stdout_to_stderr: bool = False,
    progress: bool = True,
    verify: bool = False,
) -> int:
    """Run the program and return its exit status (negative: the signal that ended it). Signals are forwarded."""
    flags = list(getattr(subprocess, "_args_from_interpreter_flags", list)())
    child = subprocess.Popen(
        [sys.executable, *flags, RUNNER, *command.arguments],
        env=child_environment(command, directory, plan, verify=verify),
        stdout=sys.stderr if stdout_to_stderr else None,
    )
    previous = _forward_signals(child)
    try:
        return _wait(child, directory, progress and sys.stderr.isatty())
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _forward_signals(child: subprocess.Popen[bytes]) -> dict[int, Any]:
    """Hand signals on to the child; Ctrl-C in a terminal reaches it by itself."""

    def forward(number: int, _: object) -> None:
        if number == signal.SIGINT and _is_foreground():
            return
        try:
            child.send_signal(number)
        except OSError:
            return

    previous: dict[int, Any] = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"):
        number = getattr(signal, name, None)
        # what was ignored when we started (nohup, a job in the background) the program ignores, too
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            try:
                previous[number] = signal.signal(number, forward)
            except ValueError:  # not the main thread
                continue
    return previous


def _is_foreground() -> bool:
    """Whether a terminal's Ctrl-C goes to this process group, so that the child got it too."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _wait(child: subprocess.Popen[bytes], directory: str, progress: bool) -> int:
    started = time.monotonic()
    while True:
        try:
            return child.wait(PROGRESS if progress else None)
        except subprocess.TimeoutExpired:
            print(f"[jaxlint confirm] {_progress(time.monotonic() - started, directory)}", file=sys.stderr)


def _progress(seconds: float, directory: str) -> str:
    events = read_directory(directory).events
    reads = sum(event.count for event in events if event.kind in ("host-read", "host-block"))
    compiled = sum(event.count for event in events if event.kind == "compiled-call")
    return f"{seconds:.0f} s: {reads:,} reads and waits, {compiled:,} compilations so far"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
