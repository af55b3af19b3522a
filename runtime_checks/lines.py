"""Which planned lines ran, how often, and whether at trace time; around some also the host-to-device copies.

Python 3.12 and newer: `sys.monitoring`, on for the code objects with planned lines only. Before that: calls
inserted into the planned modules' syntax trees as they are loaded (`line_probes`), or, where another tool
compiles the modules (pytest), `sys.settrace` limited to those code objects.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

from jaxlint.events import Kind
from runtime_checks.evidence import LineCount
from runtime_checks.hub import Hub, now
from runtime_checks.observed import Probe, Site, active, off
from runtime_checks.plan import Plan
from runtime_checks.timeline import Timeline

# seconds between two writes of the counts
PAUSE = 0.5
TYPE_TEST, PUT = Kind.TRACER_TYPE_TEST.value, Kind.HOST_TO_DEVICE.value


class Counter:
    """The counts, and what is noted when a planned line runs. Shared by all ways of seeing lines."""

    def __init__(self, hub: Hub, plan: Plan) -> None:
        self.hub = hub
        self.plan = plan
        self.rows: dict[str, frozenset[int]] = {}
        for file, statements in plan.statements.items():
            rows: set[int] = set()
            for first, last in statements:
                rows.update(range(first, min(last, first + 200) + 1))
            self.rows[file] = frozenset(rows)
        self.put_rows: dict[str, frozenset[int]] = {
            file: frozenset(row for first, last in found for row in range(first, last + 1))
            for file, found in plan.puts.items()
        }
        self._beats = frozenset((file, row) for file, rows in plan.beats.items() for row in rows)
        self._began = now()
        self._counts: dict[tuple[str, int], LineCount] = {}
        self._names: dict[str, str] = {}
        self._seen_types: set[tuple[str, int, str]] = set()
        self._written = now()
        self.when_due: Callable[[], None] | None = None

    def file_of(self, code: CodeType) -> str:
        """The planned file of a code object, '' when it is none."""
        name = code.co_filename
        known = self._names.get(name)
        if known is None:
            path = os.path.abspath(name) if not name.startswith("<") else name
            known = path if path in self.rows else os.path.realpath(path)
            known = self._names[name] = known if known in self.rows else ""
        return known

    def hit(self, file: str, row: int, frame: FrameType | None = None) -> None:
        """Line `row` of `file` runs now."""
        count = self._counts.get((file, row))
        if count is None:
            timeline = Timeline() if (file, row) in self._beats else None
            count = self._counts.setdefault((file, row), LineCount(timeline=timeline))
        count.count += 1
        if count.timeline is not None:
            count.timeline.add(now() - self._began)
        jax = self.hub.jax
        if jax is not None and jax.tracing():
            count.traced += 1
            names = self.plan.names.get(file, {}).get(row)
            if names and frame is not None:
                self._look(file, row, names, frame)
        if self.when_due is not None and now() - self._written > PAUSE:
            self._written = now()
            self.when_due()

    def _look(self, file: str, row: int, names: Iterable[str], frame: FrameType) -> None:
        jax = self.hub.jax
        if jax is None or jax.tracer_class is None:
            return
        found = frame.f_locals
        for name in names:
            if isinstance(found.get(name), jax.tracer_class) and (file, row, name) not in self._seen_types:
                self._seen_types.add((file, row, name))
                site = Site(file, row, frame.f_code.co_name)
                self.hub.emit(TYPE_TEST, "isinstance", site=site, details={"tracer": name}, traced=True)

    def puts(self) -> int | None:
        """The process's number of host-to-device copies so far."""
        return self.hub.jax.device_puts() if self.hub.jax is not None else None

    def put_done(self, file: str, row: int, before: int | None) -> None:
        """A statement with counted copies has ended."""
        after = self.puts()
        if before is not None and after is not None and after > before:
            site = Site(file, row, "")
            self.hub.emit(PUT, "argument", site=site, count=after - before, traced=False)

    def counts(self) -> dict[tuple[str, int], LineCount]:
        """The counts so far."""
        return dict(self._counts)

    def reset(self) -> None:
        """Begin at zero, in a forked child."""
        self._counts.clear()


class Lines:
    """Chooses and runs one way to see lines. `own_loader`: the runner loads the planned modules itself."""

    def __init__(self, hub: Hub, plan: Plan, *, own_loader: bool) -> None:
        self.counter = Counter(hub, plan)
        self._own_loader = own_loader
        self._backend: Any = None
        self._probe = off("lines", "not started")

    def start(self) -> None:
        """Begin to count."""
        if sys.version_info >= (3, 12):
            self._backend = _Monitoring(self.counter)
        elif self._own_loader:
            from runtime_checks.line_probes import Probes

            self._backend = Probes(self.counter)
        else:
            self._backend = _Trace(self.counter)
        problem = self._backend.start()
        if problem:
            self._probe = off("lines", problem)
            self._backend = None
        else:
            self._probe = active("lines", self._backend.words)

    def code_of(self, path: str, source: bytes) -> CodeType | None:
        """The script's code with probes in it, where probes are the way; None: compile it as usual."""
        compile_script = getattr(self._backend, "compile", None)
        return compile_script(path, source) if compile_script is not None else None

    def stop(self) -> None:
        """End counting."""
        if self._backend is not None:
            self._backend.stop()

    def probe(self) -> Probe:
        """The state of "lines"."""
        return self._probe


class _Monitoring:
    """`sys.monitoring`: line events of the code objects that hold planned lines."""

    words = "sys.monitoring"

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._tool = -1
        self._local = threading.local()

    def start(self) -> str:
        monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        for tool in (3, 4, 2):
            try:
                monitoring.use_tool_id(tool, "jaxlint")
                self._tool = tool
                break
            except ValueError:
                continue
        else:
            return "all tool numbers of sys.monitoring are taken by other tools"
        events = monitoring.events
        monitoring.register_callback(self._tool, events.PY_START, self._on_start)
        monitoring.register_callback(self._tool, events.LINE, self._on_line)
        monitoring.register_callback(self._tool, events.PY_RETURN, self._on_return)
        monitoring.set_events(self._tool, events.PY_START)
        return ""

    def stop(self) -> None:
        monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        monitoring.set_events(self._tool, 0)
        monitoring.free_tool_id(self._tool)

    def _on_start(self, code: CodeType, offset: int) -> object:
        monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        file = self._counter.file_of(code)
        if file:
            rows = {row for _, _, row in code.co_lines() if row}
            if rows & self._counter.rows[file]:
                events = monitoring.events.LINE
                if rows & self._counter.put_rows.get(file, frozenset()):
                    events |= monitoring.events.PY_RETURN
                monitoring.set_local_events(self._tool, code, events)
        return monitoring.DISABLE

    def _on_line(self, code: CodeType, row: int) -> object:
        counter = self._counter
        file = counter.file_of(code)
        put_rows = counter.put_rows.get(file)
        if put_rows is not None:
            self._put_line(file, row, put_rows)
        if row in counter.rows.get(file, ()):
            counter.hit(file, row, sys._getframe(1) if counter.plan.names else None)
            return None
        return None if put_rows is not None else sys.monitoring.DISABLE  # type: ignore[attr-defined,unused-ignore]

    def _put_line(self, file: str, row: int, rows: frozenset[int]) -> None:
        before = getattr(self._local, "put", None)
        if before is not None:
            self._local.put = None
            self._counter.put_done(file, before[0], before[1])
        if row in rows:
            self._local.put = (row, self._counter.puts())

    def _on_return(self, code: CodeType, offset: int, value: object) -> object:
        self._put_line(self._counter.file_of(code), 0, frozenset())
        return None


class _Trace:
    """`sys.settrace` limited to code objects with planned lines, for Python before 3.12."""

    words = "sys.settrace on the functions with findings"

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._wanted: dict[str, bool] = {}

    def start(self) -> str:
        if sys.gettrace() is not None:
            return "another tool (debugger, coverage) uses sys.settrace"
        threading.settrace(self._call)
        sys.settrace(self._call)
        return ""

    def stop(self) -> None:
        if sys.gettrace() == self._call:
            sys.settrace(None)
        threading.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        wanted = self._wanted.get(code.co_filename)
        if wanted is None:
            wanted = self._wanted[code.co_filename] = bool(self._counter.file_of(code))
        if not wanted:
            return None
        rows = self._counter.rows[self._counter.file_of(code)]
        if not any(row in rows for _, _, row in code.co_lines()):
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            counter = self._counter
            file, row = counter.file_of(frame.f_code), frame.f_lineno
            if row in counter.rows[file]:
                counter.hit(file, row, frame)
        return self._line
