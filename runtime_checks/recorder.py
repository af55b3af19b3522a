"""The sink that sums events per place, keeps them, and appends them to the evidence file as they come."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from jaxlint.events import Kind
from runtime_checks.evidence import Evidence, LineCount, Process, Writer, merge
from runtime_checks.hub import HUB, Emitted, Hub, Observer, now
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import NOWHERE, ObservedEvent, Probe
from runtime_checks.places import Project, project_root

# An event that came before is written again after the first ALWAYS times when this much time (seconds) has
# passed or its count has grown by an eighth; `os._exit`, `exec` and normal ends write the rest.
ALWAYS = 8
PAUSE = 0.05
_COMPILED = Kind.COMPILED_CALL.value
# seconds between two writes of the timelines, which are long lines
TIMES_PAUSE = 2.0


@dataclass(frozen=True, slots=True)
class Options:
    """What to observe. `verify_timers`: drain the devices at every clock read, not only at some."""

    transfers: bool = True
    compiles: bool = True
    tracers: bool = True
    leaks: bool = False
    timers: bool = True
    verify_timers: bool = False
    memory: bool = True
    keys: bool = True
    warnings: bool = True


def standard_observers(options: Options) -> Callable[[Hub], Iterable[Observer]]:
    """The observers for `Hub.join`, imported only now."""

    def build(hub: Hub) -> list[Observer]:
        from runtime_checks.compiles import Compiles
        from runtime_checks.jax_warnings import JaxWarnings
        from runtime_checks.keys import Keys
        from runtime_checks.memory import Memory
        from runtime_checks.timers import Timers
        from runtime_checks.tracers import Tracers
        from runtime_checks.transfers import Transfers

        chosen: list[Observer] = []
        if options.transfers:
            chosen.append(Transfers(hub))
        if options.timers:
            chosen.append(Timers(hub, verify=options.verify_timers))
        if options.compiles:
            chosen.append(Compiles(hub))
        if options.tracers:
            chosen.append(Tracers(hub, leaks=options.leaks))
        if options.memory:
            chosen.append(Memory(hub))
        if options.keys:
            chosen.append(Keys(hub))
        if options.warnings:
            chosen.append(JaxWarnings(hub))
        return chosen

    return build


class Counts(Protocol):
    """Who counts lines (`runtime_checks.lines.Counter`)."""

    def counts(self) -> dict[tuple[str, int], LineCount]:
        """The counts so far."""

    def reset(self) -> None:
        """Begin at zero."""


class Recorder:
    """Sums events while it runs. Use it through `runtime_checks.watch()` or the runner.

    `directory`: where to append the evidence, None to keep it in memory only. `hook`, when given, is called
    with each event before it is summed (guards use it).
    """

    def __init__(
        self,
        *,
        roots: Iterable[str] | None = None,
        directory: str | None = None,
        options: Options | None = None,
        hook: Callable[[Emitted], None] | None = None,
    ) -> None:
        self._roots = tuple(roots) if roots is not None else (project_root(os.getcwd()),)
        self._directory = directory
        self._options = options or Options()
        self._hook = hook
        self._lock = threading.RLock()
        self._events: dict[tuple[object, ...], ObservedEvent] = {}
        self._written: dict[int, tuple[int, float]] = {}
        self._numbers: dict[int, int] = {}
        self._times_written: dict[int, int] = {}
        self._times_at = 0.0
        self._lines: Counts | None = None
        self._lines_written: dict[tuple[str, int], int] = {}
        self._writer: Writer | None = None
        self._probes: list[Probe] = []
        self.more_probes: Callable[[], list[Probe]] = list
        self._probes_written: dict[str, Probe] = {}
        self._identity_known = False
        self._jax_version = ""
        self.started = 0.0
        self.ended = 0.0
        self.running = False

    # -- life ---------------------------------------------------------------------------------------------
    def start(self) -> Recorder:
        """Install the hooks (if nobody has) and begin."""
        if self.running:
            return self
        self.started = now()
        if self._directory:
            self._writer = Writer.in_directory(self._directory)
            self._write_process()
        self.running = True
        _RECORDERS.add(self)
        HUB.join(self, standard_observers(self._options), Project(self._roots))
        _register_ends()
        if self._writer is not None:
            _write_before_exit()
        self.flush()
        return self

    def stop(self, status: str = "exit") -> None:
        """Remove the hooks (unless another recorder needs them) and write everything."""
        if not self.running:
            return
        self.ended = now()
        self._probes = HUB.probes() + self.more_probes()
        HUB.leave(self)
        self.running = False
        _RECORDERS.discard(self)
        self.flush(status)
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            _restore_exits()

    def attached(self, jax: Internals) -> None:
        """Jax is imported now."""
        self._jax_version = jax.version
        self._write_process()

    # -- events -------------------------------------------------------------------------------------------
    def add(self, event: Emitted) -> None:
        """Count one event (called by the hub)."""
        hook = self._hook
        if hook is not None:
            hook(event)
        key = (event.kind, event.how, event.file, event.line, event.subject, event.applied)
        at = now() - self.started
        with self._lock:
            seen = self._events.get(key)
            details = event.details
            if seen is None:
                seen = self._events[key] = self._new(event)
                if callable(details):
                    details = details()
            elif callable(details):
                details = None
            seen.add(
                count=event.count,
                seconds=event.seconds,
                avoidable=event.avoidable,
                bytes=event.bytes,
                waited=event.waited,
                traced=event.traced,
                at=at,
                details=details,
            )
            if self._writer is not None:
                if not self._identity_known and event.kind == _COMPILED:
                    # something was compiled, so that the backends are up; at exit JAX has taken them down before us
                    self._write_process()
                number = self._numbers.setdefault(id(seen), len(self._numbers))
                count, when = self._written.get(number, (0, -1.0))
                if seen.count <= ALWAYS or at - when > PAUSE or seen.count > count * 1.125:
                    self._written[number] = (seen.count, at)
                    self._writer.write({"t": "event", "id": number, **seen.as_json()})
                if at - self._times_at > TIMES_PAUSE:
                    self._write_times(at)

    @staticmethod
    def _new(event: Emitted) -> ObservedEvent:
        site = event.site
        if site is None:
            site = HUB.project.site(event.frame) if event.frame is not None else NOWHERE
        return ObservedEvent(
            event.kind,
            event.how,
            os.path.abspath(event.file) if event.file and not event.file.startswith("<") else event.file,
            event.line,
            site.function,
            event.subject,
            event.defined,
            event.applied,
            site.via,
            site.chain,
        )

    def count_lines_with(self, lines: Counts) -> None:
        """Where `flush` finds the number of times that each planned line ran."""
        self._lines = lines

    # -- writing ------------------------------------------------------------------------------------------
    def _write_process(self) -> None:
        if self._writer is None:
            return
        data: dict[str, Any] = {
            "t": "process",
            "pid": os.getpid(),
            "parent": os.getppid(),
            "argv": list(sys.argv),
            "python": sys.version.split()[0],
            "start": round(time.time() - (now() - self.started), 6),
            "planned": self._lines is not None,
        }
        jax = HUB.jax
        if self._jax_version or jax is not None:
            data["jax"] = self._jax_version or (jax.version if jax else "")
        if jax is not None:
            index = jax.process_index()
            if index is not None:
                data["index"], data["processes"] = index
                data["platform"] = jax.platform()
                self._identity_known = True
        self._writer.write(data)

    def flush(self, status: str = "") -> None:
        """Write what is not yet in the file; with `status`, also the goodbye line."""
        with self._lock:
            if self._writer is None or self._writer.pid != os.getpid():
                return
            if HUB.jax is not None and not self._identity_known:
                self._write_process()
            for probe in self.probes:
                if self._probes_written.get(probe.name) != probe:
                    self._probes_written[probe.name] = probe
                    self._writer.write({"t": "probe", **probe.as_json()})
            for seen in list(self._events.values()):
                number = self._numbers.setdefault(id(seen), len(self._numbers))
                if self._written.get(number, (0, 0.0))[0] != seen.count:
                    self._written[number] = (seen.count, now() - self.started)
                    self._writer.write({"t": "event", "id": number, **seen.as_json()})
            self._write_lines()
            if status or now() - self.started - self._times_at > TIMES_PAUSE:
                self._write_times(now() - self.started)
            if status:
                seconds = (self.ended or now()) - self.started
                self._writer.write({"t": "end", "seconds": round(seconds, 6), "status": status})

    def _write_times(self, at: float) -> None:
        """Write the timelines that grew. Holds the lock."""
        self._times_at = at
        for seen in list(self._events.values()):
            number = self._numbers.get(id(seen))
            if self._writer is not None and number is not None and self._times_written.get(number) != seen.count:
                self._times_written[number] = seen.count
                self._writer.write({"t": "times", "id": number, "times": seen.timeline.as_json()})

    def _write_lines(self) -> None:
        if self._lines is None or self._writer is None:
            return
        for (file, line), count in self._lines.counts().items():
            if self._lines_written.get((file, line)) == count.count:
                continue
            self._lines_written[file, line] = count.count
            data = {"t": "line", "file": file, "line": line, "count": count.count, "traced": count.traced}
            if count.timeline is not None:
                data["times"] = count.timeline.as_json()
            self._writer.write(data)

    def _after_fork(self) -> None:
        """In a forked child: count from zero into a file of its own."""
        self._lock = threading.RLock()
        self._events, self._written, self._numbers, self._lines_written = {}, {}, {}, {}
        self._times_written = {}
        self._probes_written = {}
        self._identity_known = False
        if self._lines is not None:
            self._lines.reset()
        if self._writer is not None and self._directory:
            self._writer.close()
            try:
                self._writer = Writer.in_directory(self._directory)
            except OSError:
                self._writer = None
            self._write_process()

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def events(self) -> list[ObservedEvent]:
        """What was seen so far, by file and line. A copy: it does not change any more."""
        with self._lock:
            seen = [event.copy() for event in self._events.values()]
        return sorted(seen, key=lambda event: (event.file, event.line, event.kind, event.how))

    @property
    def probes(self) -> list[Probe]:
        """The observers' states."""
        return HUB.probes() + self.more_probes() if self.running else list(self._probes)

    @property
    def seconds(self) -> float:
        """How long the recorder has run, in seconds."""
        return (self.ended or now()) - self.started

    @property
    def writes(self) -> bool:
        """Whether the evidence goes to a file."""
        return self._writer is not None

    def evidence(self) -> Evidence:
        """What was seen by this process, in the shape in which files are read."""
        process = Process(pid=os.getpid(), jax=self._jax_version, seconds=self.seconds, ended="exit")
        process.events = self.events
        process.probes = {probe.name: probe for probe in self.probes}
        if self._lines is not None:
            process.lines = self._lines.counts()
            process.planned = True
        return merge([process])


_RECORDERS: weakref.WeakSet[Recorder] = weakref.WeakSet()
_ENDS_REGISTERED = False
_EXITS: dict[str, Callable[..., Any]] = {}


def flush_all(status: str = "") -> None:
    """Write what every running recorder has."""
    for recorder in list(_RECORDERS):
        try:
            recorder.flush(status)
        except Exception:
            continue


def _forked() -> None:
    HUB.lock = threading.RLock()
    for recorder in list(_RECORDERS):
        recorder._after_fork()


def _stop_all() -> None:
    for recorder in list(_RECORDERS):
        recorder.stop()


def _register_ends() -> None:
    """Once per process: stop at normal exit, and start anew after `fork`."""
    global _ENDS_REGISTERED
    if _ENDS_REGISTERED:
        return
    _ENDS_REGISTERED = True
    atexit.register(_stop_all)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forked)


def _write_before_exit() -> None:
    """Write before `os._exit` and `exec`, which run no exit handler, while any recorder has a file."""
    for name in ("_exit", "execv", "execve"):
        original = getattr(os, name, None)
        if original is not None and name not in _EXITS:
            _EXITS[name] = original
            setattr(os, name, _flushing(original, "exec" if name.startswith("exec") else "exit"))


def _restore_exits() -> None:
    if not any(recorder.running and recorder.writes for recorder in list(_RECORDERS)):
        for name, original in _EXITS.items():
            setattr(os, name, original)
        _EXITS.clear()


def _flushing(original: Callable[..., Any], status: str) -> Callable[..., Any]:
    def flush_first(*args: Any, **kwargs: Any) -> Any:
        flush_all(status)
        return original(*args, **kwargs)

    flush_first.__name__ = getattr(original, "__name__", "flush_first")
    flush_first.__doc__ = getattr(original, "__doc__", None)
    flush_first.__wrapped__ = original  # type: ignore[attr-defined]
    return flush_first
