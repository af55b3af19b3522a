"""Clock reads of the user's code while device work is still pending, and compilations inside timed regions.

At a clock read the devices are *drained* by a tiny program compiled beforehand: it runs after everything that was
dispatched, so the time it takes is the work that the clock did not see, even if its result was thrown away.
The value returned to the caller is read before the drain. Draining makes the program wait, so it is done at
the first reads of each line and then at every `EVERY`-th; `verify` drains always.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NamedTuple

from jaxlint.events import Kind
from runtime_checks.drain import Drain
from runtime_checks.hub import Hub, now
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import Place, Probe, Site, active, degraded, off

STOP, COMPILE = Kind.CLOCK_STOP.value, Kind.TIMED_COMPILE.value
CLOCKS = ("time", "perf_counter", "monotonic", "time_ns", "perf_counter_ns", "monotonic_ns")
FIRST = 5
EVERY = 16
# less pending work than this (seconds) is noise of the measurement
FLOOR = 0.0003
_TRANSPARENT = ("timeit.py", "<timeit-src>")


class _Clock:
    """Stands in for a clock function. An instance, so that it does not bind as a method in a class body."""

    # no __slots__: __doc__ and __wrapped__ are set per clock

    def __init__(self, timers: Timers, original: Callable[[], Any], name: str) -> None:
        self._read = original
        self._timers = timers
        self.__wrapped__ = original
        self.__name__ = self.__qualname__ = name
        self.__module__ = "time"
        self.__doc__ = original.__doc__

    def __call__(self) -> Any:
        value = self._read()
        timers = self._timers
        if timers.on:
            timers.seen(self.__name__, sys._getframe(1))
        return value

    def __repr__(self) -> str:
        return repr(self._read)

    def __reduce__(self) -> str | tuple[Any, ...]:
        if getattr(time, self.__name__, None) is self:
            return str(self.__name__)  # like a function: by module and name
        reduced: str | tuple[Any, ...] = self._read.__reduce__()
        return reduced


class _Read(NamedTuple):
    """One clock read of a thread: when, in which functions (innermost first), after how many syncs."""

    at: float
    codes: tuple[int, ...]
    syncs: int


class _Compile(NamedTuple):
    at: float
    places: tuple[tuple[int, Place], ...]
    seconds: float
    subject: str


class Timers:
    """Wraps the clocks of the module `time`."""

    def __init__(self, hub: Hub, verify: bool = False) -> None:
        self._hub = hub
        self.verify = verify
        self.on = False
        self._saved: dict[str, Callable[[], Any]] = {}
        self._replaced: list[tuple[Any, str, Any]] = []
        self._drain: Drain | None = None
        self._trying = False
        self._failed = ""
        self._counts: dict[tuple[str, int], int] = {}
        self._jax: Internals | None = None

    # -- life ---------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Wrap the clocks, before the user's modules take their own references where possible."""
        self.on = True
        for name in CLOCKS:
            original = getattr(time, name)
            if isinstance(original, _Clock):
                continue
            self._saved[name] = original
            self._swap(original, _Clock(self, original, name))

    def _swap(self, old: Any, new: Any) -> None:
        """Replace `old` in `time`, `timeit` and in modules of the project that imported it by name."""
        for module_name, module in list(sys.modules.items()):
            if not hasattr(module, "__dict__") or module_name.startswith("runtime_checks"):
                continue
            mine = module_name in ("time", "timeit") or self._hub.project.owns(getattr(module, "__file__", None) or "<")
            if not mine and module_name != "__main__":
                continue
            for name, value in list(vars(module).items()):
                if value is old:
                    setattr(module, name, new)
                    self._replaced.append((module, name, old))
        timeit = sys.modules.get("timeit")
        if timeit is not None:
            for function in (timeit.Timer.__init__, timeit.timeit, timeit.repeat):
                defaults = function.__defaults__
                if defaults and any(value is old for value in defaults):
                    function.__defaults__ = tuple(new if value is old else value for value in defaults)
                    self._replaced.append((function, "__defaults__", defaults))

    def attach(self, jax: Internals) -> None:
        """Usually nothing is compiled yet: the drain program is made after the first compilation of the user."""
        self._jax = jax
        if jax.backends_ready():
            self._prepare()

    def stop(self) -> None:
        """Put the clocks back. References that somebody else took keep working and cost one attribute test."""
        self.on = False
        for owner, name, value in reversed(self._replaced):
            setattr(owner, name, value)
        for clock_name, original in self._saved.items():
            for module in list(sys.modules.values()):
                for name, value in list(getattr(module, "__dict__", {}).items()):
                    if isinstance(value, _Clock) and value.__wrapped__ is original and value.__name__ == clock_name:
                        setattr(module, name, original)
        self._replaced.clear()
        self._saved.clear()
        self._drain = None
        self._jax = None

    def probes(self) -> list[Probe]:
        """The state of "timers"."""
        if self._failed:
            return [degraded("timers", self._failed)]
        if not self.on:
            return [off("timers", "stopped")]
        if self._jax is not None and not self.verify:
            return [active("timers", f"drained at the first {FIRST} reads of each line, then at every {EVERY}th")]
        return [active("timers")]

    # -- the drain ----------------------------------------------------------------------------------------
    def _prepare(self) -> None:
        """Compile the drain program for the local devices. Called right after a compilation of the user's."""
        jax = self._jax
        if (
            self._drain is not None
            or self._trying
            or jax is None
            or self._failed
            or jax.tracing()
            or not jax.backends_ready()
        ):
            return
        try:
            self._trying = True
            self._drain = Drain(jax.jax)
        except Exception as error:
            self._failed = f"the devices cannot be drained: {type(error).__name__}: {error}"
        finally:
            self._trying = False

    # -- clock reads --------------------------------------------------------------------------------------
    def seen(self, clock: str, frame: FrameType | None) -> None:
        """One clock read by `frame`, if it is the user's."""
        while frame is not None and frame.f_code.co_filename.endswith(_TRANSPARENT):
            frame = frame.f_back
        if frame is None or not self._hub.project.owns(frame.f_code.co_filename):
            return
        local = self._hub.local
        if local.busy or self._jax is None:
            return
        local.busy = 1
        try:
            self._read(clock, frame)
        except Exception as error:
            self._hub.failures["Timers"] = f"{type(error).__name__}: {error}"
        finally:
            local.busy = 0

    def _read(self, clock: str, frame: FrameType) -> None:
        at = now()
        jax, local = self._jax, self._hub.local
        reads: deque[_Read] = self._thread("reads")
        codes = tuple(id(code) for code in self._codes(frame))
        last = reads[-1] if reads else None
        traced = jax is not None and jax.tracing()
        if not traced:
            self._timed_compiles(reads, _Read(at, codes, local.syncs), frame)
        if jax is not None and not traced and self._drain is not None:
            place = (frame.f_code.co_filename, frame.f_lineno or 0)
            number = self._counts[place] = self._counts.get(place, 0) + 1
            if self.verify or number <= FIRST or number % EVERY == 0:
                self._check(self._drain, clock, frame, at, last)
        reads.append(_Read(now(), codes, local.syncs))

    def _check(self, drain: Drain, clock: str, frame: FrameType, at: float, last: _Read | None) -> None:
        start = now()
        waited = drain.wait()
        took = now() - start
        interval = at - last.at if last is not None else 0.0
        pending = took - drain.idle
        # before a thread's first read nothing was timed, whatever is pending
        late = last is not None and waited and pending > FLOOR and pending > 0.02 * interval
        if last is None:
            how = "first-read"
        elif late:
            how = "pending"
        else:
            how = "blocked" if self._hub.local.syncs > last.syncs else "idle"
        self._hub.emit(
            STOP,
            how,
            frame,
            seconds=pending if late else 0.0,
            waited=late,
            details={"clock": clock, "interval": round(interval, 6), "pending": round(max(pending, 0.0), 6)}
            if late
            else None,
        )

    # -- compilations inside timed regions ------------------------------------------------------------------
    def on_compile(self, frame: FrameType | None, seconds: float, subject: str, owned: bool) -> None:
        """A compilation that took `seconds` has just ended on this thread (called by the compile observer)."""
        self._prepare()
        places: list[tuple[int, Place]] = []
        while frame is not None:
            if self._hub.project.owns(frame.f_code.co_filename):
                places.append(
                    (id(frame.f_code), Place(frame.f_code.co_filename, frame.f_lineno or 0, frame.f_code.co_name))
                )
            frame = frame.f_back
        if owned:
            self._thread("compiles").append(_Compile(now(), tuple(places), seconds, subject))

    def _timed_compiles(self, reads: deque[_Read], read: _Read, frame: FrameType) -> None:
        compiles: deque[_Compile] = self._thread("compiles")
        if not compiles:
            return
        keep: list[_Compile] = []
        for record in compiles:
            place = self._timed_at(record, reads, read)
            if place is None:
                keep.append(record)
                continue
            site = Site(place.file, place.line, place.function)
            self._hub.emit(
                COMPILE,
                "first-call",
                site=site,
                seconds=record.seconds,
                details={"callee": record.subject, "clock": f"{frame.f_code.co_filename}:{frame.f_lineno}"},
                subject=record.subject,
                traced=False,
            )
        compiles.clear()
        compiles.extend(keep)

    @staticmethod
    def _timed_at(record: _Compile, reads: deque[_Read], read: _Read) -> Place | None:
        """The line, in the function that read the clock before and after the compilation, that led to it."""
        for code, place in record.places:
            for before in reversed(reads):
                if before.at > record.at:
                    continue
                outer, outer_now = before.codes[1:2], read.codes[1:2]
                same = before.codes[:1] == read.codes[:1] == (code,)
                helper = outer == outer_now == (code,) and before.codes[0] != read.codes[0]
                inline = before.codes[:1] == outer_now == (code,) or outer == read.codes[:1] == (code,)
                if same or helper or inline:
                    return place
        return None

    def _codes(self, frame: FrameType) -> list[CodeType]:
        """The two innermost project functions of the read."""
        found: list[CodeType] = []
        outer: FrameType | None = frame
        while outer is not None and len(found) < 2:
            if self._hub.project.owns(outer.f_code.co_filename):
                found.append(outer.f_code)
            outer = outer.f_back
        return found

    def _thread(self, name: str) -> deque[Any]:
        local = self._hub.local
        found = getattr(local, name, None)
        if found is None:
            found = deque(maxlen=64)
            setattr(local, name, found)
        return found
