"""`python -m runtime_checks.workloads list | NAME [--faulty] [--steps N] [--json FILE]`.

Prints one result line and the whole result as one line of JSON (or writes that to FILE). Exit status: 0; 1 when a right
version misses what is stated for it; 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from runtime_checks.workloads import WORKLOADS, load


def main(argv: Sequence[str] | None = None) -> int:
    """Run one workload by name."""
    parser = argparse.ArgumentParser(prog="python -m runtime_checks.workloads", description="Run a real JAX program.")
    parser.add_argument(
        "name", choices=["list", *WORKLOADS], metavar="NAME", help="`list`, or one of the names it gives"
    )
    parser.add_argument("--faulty", action="store_true", help="the version with the mistakes")
    parser.add_argument("--steps", type=int, metavar="N", help="how long (see `list`)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there instead of printing it")
    try:
        options = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    if options.name == "list":
        for workload in WORKLOADS.values():
            print(f"{workload.name:<14} {workload.steps:>4} {workload.unit:<15} {workload.summary}")
        return 0
    workload = WORKLOADS[options.name]
    usual = workload.faulty_steps if options.faulty else workload.steps
    steps = usual if options.steps is None else options.steps
    if steps < 1:
        print("--steps must be at least 1", file=sys.stderr)
        return 2
    outcome = load(options.name, options.faulty)(steps)
    print(outcome.line())
    if options.json is None:
        print(outcome.as_json())
    else:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(outcome.as_json() + "\n", encoding="utf-8")
    return int(outcome.passed is False and not options.faulty)


if __name__ == "__main__":
    sys.exit(main())
