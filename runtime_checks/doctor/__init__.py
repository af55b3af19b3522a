"""`jaxlint doctor`: is this environment really on the GPU? And if not, why not, and what to do.

It imports no jax itself: JAX, and the NVIDIA driver's tools, are asked in child processes with a time limit, so that a
missing or broken installation or a hanging driver is a finding and not doctor's own end.

Exit status: 0, 1 when something is broken or what `--expect` names is missing, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from runtime_checks.doctor.facts import Facts, Probe, gather
from runtime_checks.doctor.problem import ERROR, Problem
from runtime_checks.doctor.problems import Expectation, diagnose
from runtime_checks.doctor.report import as_json, as_text

__all__ = ["Expectation", "Facts", "Probe", "Problem", "diagnose", "gather", "main"]


def expectation(text: str) -> Expectation:
    """`gpu`, `gpu:8`, `tpu`, `cpu` as an `Expectation`."""
    found = re.fullmatch(r"(gpu|tpu|cpu)(?::([1-9]\d*))?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is none of gpu, tpu, cpu, each with a number if wanted (gpu:8)")
    return Expectation(found[1], int(found[2] or 1))


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as the linter's other commands say it."""
        self.exit(2, f"jaxlint: error: {message} (see {self.prog} --help)\n")


def make_parser() -> argparse.ArgumentParser:
    """The command line of doctor."""
    parser = _Parser(
        allow_abbrev=False,
        prog="jaxlint doctor",
        description="Say what JAX runs on, what keeps it off the GPU or slow, and what to do about it.",
    )
    parser.add_argument(
        "--expect", type=expectation, metavar="gpu[:N]", help="exit 1 unless JAX has it (gpu, tpu, cpu)"
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--timeout", type=seconds, default=60.0, metavar="S", help="seconds JAX may take to start and compute (60)"
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run doctor with command-line arguments (those of the process by default); returns the exit status."""
    try:
        options = make_parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    facts = gather(options.timeout)
    problems = diagnose(facts, options.expect)
    code = int(any(problem.severity == ERROR for problem in problems))
    if options.json:
        wanted = f"{options.expect.platform}:{options.expect.count}" if options.expect else None
        text = json.dumps(as_json(facts, problems, wanted, code), indent=2) + "\n"
    else:
        text = as_text(facts, problems)
    sys.stdout.write(text)
    return code
