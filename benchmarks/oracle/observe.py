"""What local names hold while a program runs.

`python -m benchmarks.oracle.observe OUT ROOT pytest ARGS...` or `... OUT ROOT SCRIPT ARGS...`.

A trace function (Python 3.11 has no `sys.monitoring`) looks, before each line of a file below ROOT, at the local names
that the line reads. Written to OUT as JSON: [file, line, name, [kinds]]. Runs in the environment of the watched
package, so it imports nothing of jaxlint.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks.oracle.places import Place, places_of

# A line is looked at this many times; later rounds of a loop seldom hold anything new.
VISITS = 40


class Observer:
    """Collects the kinds of values seen at each place."""

    def __init__(self, root: str) -> None:
        import jax
        import numpy

        self.root = os.path.realpath(root)
        self.seen: dict[Place, set[str]] = {}
        self.tables: dict[str, dict[int, frozenset[str]]] = {}
        self.visits: dict[tuple[CodeType, int], int] = {}
        self.tracer, self.array = jax.core.Tracer, jax.Array
        self.host: tuple[type, ...] = (numpy.ndarray, numpy.generic)

    def kind(self, value: Any) -> str:
        """tracer, device, numpy, python (a number, text or None) or object."""
        if isinstance(value, self.tracer):
            return "tracer"
        if isinstance(value, self.array):
            return "device"
        if isinstance(value, self.host):
            return "numpy"
        return "python" if value is None or isinstance(value, int | float | complex | str | bytes) else "object"

    def table(self, filename: str) -> dict[int, frozenset[str]]:
        """What to look at in a file; nothing outside of the root."""
        known = self.tables.get(filename)
        if known is None:
            path = os.path.realpath(filename)
            inside = path.startswith(self.root + os.sep) and path.endswith(".py")
            known = self.tables[filename] = places_of(Path(path).read_text("utf-8")) if inside else {}
        return known

    def call(self, frame: FrameType, event: str, arg: Any) -> Any:
        """The global trace function: follow the frames of the package only."""
        return self.line if self.table(frame.f_code.co_filename) else None

    def line(self, frame: FrameType, event: str, arg: Any) -> Any:
        """The local trace function."""
        if event != "line" or frame.f_code.co_name == "<module>":
            return self.line
        key = frame.f_code, frame.f_lineno
        visits = self.visits[key] = self.visits.get(key, 0) + 1
        if visits > VISITS:
            return self.line
        file = frame.f_code.co_filename
        local = frame.f_locals
        for name in self.tables[file].get(frame.f_lineno, ()):
            if name in local:
                place = os.path.realpath(file), frame.f_lineno, name
                self.seen.setdefault(place, set()).add(self.kind(local[name]))
        return self.line

    def write(self, out: str) -> None:
        """Save what was seen."""
        rows = [[*place, sorted(kinds)] for place, kinds in sorted(self.seen.items())]
        Path(out).write_text(json.dumps(rows), "utf-8")


def main(arguments: list[str]) -> int:
    """Run the program under the observer; its exit status is passed on."""
    out, root, program, *rest = arguments
    observer = Observer(root)
    status: Any = 0
    sys.settrace(observer.call)
    threading.settrace(observer.call)
    try:
        if program == "pytest":
            import pytest

            status = pytest.main(rest)
        else:
            sys.argv = [program, *rest]
            sys.path[0] = str(Path(program).parent)
            runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        status = end.code
    finally:
        sys.settrace(None)
        observer.write(out)
    return int(status) if isinstance(status, int) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
