"""Watching a process from the outside: by environment variables, and by the `jax_plugins` route.

`JAXLINT_RUNTIME=1` makes any program that uses jax watch itself, if the package's entry point is installed (or
`PYTHON_PATH_FOLDER` is on PYTHONPATH). The evidence goes to `JAXLINT_RUNTIME_DIR` (default `jaxlint-runtime`);
`python -m runtime_checks.confirm --evidence DIR` reads it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime_checks.lines import Lines
    from runtime_checks.recorder import Recorder

VARIABLE = "JAXLINT_RUNTIME"
ROOTS_VARIABLE = "JAXLINT_RUNTIME_ROOTS"
VERIFY_VARIABLE = "JAXLINT_RUNTIME_VERIFY"
DIRECTORY_VARIABLE = "JAXLINT_RUNTIME_DIR"
PLAN_VARIABLE = "JAXLINT_RUNTIME_PLAN"
PYTHON_PATH_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "activation")


class Session:
    """A recorder started from the environment, with its line counter."""

    def __init__(self, recorder: Recorder, lines: Lines | None) -> None:
        self.recorder = recorder
        self.lines = lines


_SESSION: Session | None = None


def wanted() -> bool:
    """Whether the environment asks for a watch."""
    return os.environ.get(VARIABLE, "") not in ("", "0", "false", "no")


def start_from_environment(*, own_loader: bool = False) -> Session | None:
    """Start the process's recorder, once; None when the environment does not ask for it.

    `own_loader`: the caller loads the program itself, so calls may be put into its code (see `lines`).
    """
    global _SESSION
    if _SESSION is not None or not wanted():
        return _SESSION
    from runtime_checks.hub import HUB
    from runtime_checks.lines import Lines
    from runtime_checks.plan import Plan
    from runtime_checks.recorder import Options, Recorder

    roots = [root for root in os.environ.get(ROOTS_VARIABLE, "").split(os.pathsep) if root]
    verify = os.environ.get(VERIFY_VARIABLE, "") not in ("", "0")
    recorder = Recorder(
        roots=roots or None,
        directory=os.environ.get(DIRECTORY_VARIABLE) or "jaxlint-runtime",
        options=Options(leaks=True, verify_timers=verify),
    )
    lines: Lines | None = None
    path = os.environ.get(PLAN_VARIABLE)
    if path:
        try:
            plan = Plan.read(path)
        except (OSError, ValueError, KeyError):
            plan = Plan()
        lines = Lines(HUB, plan, own_loader=own_loader)
        lines.start()
        recorder.count_lines_with(lines.counter)
        lines.counter.when_due = recorder.flush
        counted = lines
        recorder.more_probes = lambda: [counted.probe()]
    recorder.start()
    _SESSION = Session(recorder, lines)
    return _SESSION
