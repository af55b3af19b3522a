"""Runs a program for a proof: as Python itself would, with the step clock and nothing else.

    python .../runtime_checks/prove/runner.py OUT ROOT (SCRIPT | -m MODULE) [ARGS]

`OUT` is the file for the times, `ROOT` the folder of the project's copy.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

if __name__ == "__main__" and not __package__:
    # started by file name: sys.path[0] is this folder; the program's own entry takes its place below
    _PARENT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[0:1] = []
    if _PARENT not in sys.path:
        sys.path.append(_PARENT)

from runtime_checks.prove.step_clock import StepClock
from runtime_checks.runner import run_module, run_script


def main(arguments: list[str]) -> None:
    """Run what `arguments` name. Raises whatever the program raises."""
    out, root, *program = arguments
    clock = StepClock(root)
    clock.start()
    # the program must find its own `__main__`, and this module must stay alive
    sys.modules.setdefault("runtime_checks.prove.runner", sys.modules["__main__"])
    module = ModuleType("__main__")
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    try:
        if program[0] == "-m":
            run_module(program[1:])
        else:
            run_script(module, program, clock.compile)
    finally:
        clock.write(out)


if __name__ == "__main__":
    main(sys.argv[1:])
