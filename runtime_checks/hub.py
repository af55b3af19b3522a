"""The one set of hooks of a process, and the sinks that it feeds.

Hooks are installed when the first sink arrives and removed with the last, so that a `watch()` inside a
watched process, or two guards at once, never patch a name twice.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import FrameType, ModuleType
from typing import Any, Protocol

from runtime_checks import jax_internals
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import NOWHERE, Probe, Site, off
from runtime_checks.places import Project

now = time.perf_counter  # the clock itself, taken before any hook
# a function is only called for the first event of its place
Details = Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None


class Observer(Protocol):
    """One family of hooks."""

    def start(self) -> None:
        """Install what does not need jax."""

    def attach(self, jax: Internals) -> None:
        """Install what needs jax; called once, after `import jax`."""

    def stop(self) -> None:
        """Remove everything that `start` and `attach` installed."""

    def probes(self) -> list[Probe]:
        """The observer's state."""


class Sink(Protocol):
    """Who is told. `add` must be quick, must not raise, and must keep nothing but text and numbers."""

    def add(self, event: Emitted) -> None:
        """Take note of one event."""

    def attached(self, jax: Internals) -> None:
        """Jax is there."""


class Emitted:
    """One event on its way to the sinks. The frame is only valid during `Sink.add`."""

    __slots__ = (
        "applied", "avoidable", "bytes", "count", "defined", "details", "file", "frame", "how", "kind", "line",
        "seconds", "site", "subject", "traced", "waited",
    )  # fmt: skip

    def __init__(self, kind: str, how: str, file: str, line: int, frame: FrameType | None, site: Site | None) -> None:
        self.kind = kind
        self.how = how
        self.file = file
        self.line = line
        self.frame = frame
        self.site = site
        self.count = 1
        self.seconds = 0.0
        self.avoidable = 0.0
        self.bytes = 0
        self.waited = False
        self.traced = False
        self.details: Details = None
        self.subject = ""
        self.defined: tuple[str, int] | None = None
        self.applied: tuple[str, int] | None = None


class Local(threading.local):
    """State of one thread. `busy` > 0: inside one of our hooks, so inner hooks stay silent.

    `syncs`: number of waits so far; `last_sync`: when the last one ended; `compiled`: seconds compiled since.
    """

    busy: int = 0
    syncs: int = 0
    last_sync: float = 0.0
    compiled: float = 0.0


class Hub:
    """Owns the hooks. Use the module's `HUB`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.local = Local()
        self.sinks: tuple[Sink, ...] = ()
        self.project = Project()
        self.jax: Internals | None = None
        self.observers: Sequence[Observer] = ()
        self._finder: _AfterImport | None = None
        self.failures: dict[str, str] = {}

    # -- life ---------------------------------------------------------------------------------------------
    def join(self, sink: Sink, observers: Callable[[Hub], Iterable[Observer]], project: Project | None = None) -> None:
        """Add `sink`; the first one installs `observers(hub)`."""
        with self.lock:
            first = not self.sinks
            if first:
                if project is not None:
                    self.project = project
                self.jax = None
                self.failures = {}
                self.observers = tuple(observers(self))
            self.sinks = (*self.sinks, sink)
            if first:
                for observer in self.observers:
                    self._guarded(observer, observer.start)
                if jax_internals.jax_loaded():
                    self._attach()
                else:
                    self._finder = _AfterImport(self._attach)
                    sys.meta_path.insert(0, self._finder)
            elif self.jax is not None:
                sink.attached(self.jax)

    def leave(self, sink: Sink) -> None:
        """Remove `sink`; the last one removes all hooks."""
        with self.lock:
            if sink not in self.sinks:
                return
            rest = tuple(other for other in self.sinks if other is not sink)
            if not rest:
                if self._finder is not None:
                    self._finder.remove()
                    self._finder = None
                for observer in reversed(self.observers):
                    self._guarded(observer, observer.stop)
            self.sinks = rest

    def _attach(self) -> None:
        with self.lock:
            if not self.sinks or self.jax is not None:
                return
            self.local.busy += 1
            try:
                self.jax = jax_internals.load()
                for name in os.listdir(os.path.dirname(os.path.abspath(__file__))):
                    if name.endswith(".py"):
                        self.jax.hide_frames(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))
                for observer in self.observers:
                    self._guarded(observer, partial(observer.attach, self.jax))
                for sink in self.sinks:
                    sink.attached(self.jax)
            finally:
                self.local.busy -= 1

    def _guarded(self, observer: Observer, action: Callable[[], None]) -> None:
        try:
            action()
        except Exception as error:  # a failing observer must not stop the program
            self.failures[type(observer).__name__] = f"{type(error).__name__}: {error}"

    def probes(self) -> list[Probe]:
        """The state of every observer and of every private name that it stands on."""
        found: list[Probe] = []
        for observer in self.observers:
            failure = self.failures.get(type(observer).__name__)
            probes = observer.probes()
            found += [off(probe.name, failure) for probe in probes] if failure else probes
        if self.jax is not None:
            found += [probe for probe in self.jax.probes if probe.state != "active"]
        return found

    # -- events -------------------------------------------------------------------------------------------
    def emit(
        self,
        kind: str,
        how: str,
        frame: FrameType | None = None,
        *,
        site: Site | None = None,
        count: int = 1,
        seconds: float = 0.0,
        avoidable: float = 0.0,
        bytes: int = 0,
        waited: bool = False,
        details: Details = None,
        subject: str = "",
        defined: tuple[str, int] | None = None,
        applied: tuple[str, int] | None = None,
        traced: bool | None = None,
    ) -> None:
        """Tell every sink. Place: `site` when given, else the innermost project line of `frame`'s stack."""
        if site is not None:
            file, line = site.file, site.line
        else:
            mine = self.project.frame(frame)
            if mine is None:
                file, line, site = "", 0, NOWHERE
            else:
                file, line = mine.f_code.co_filename, mine.f_lineno or 0
        event = Emitted(kind, how, file, line, frame, site)
        event.count = count
        event.seconds = seconds
        event.avoidable = avoidable
        event.bytes = bytes
        event.waited = waited
        event.details = details
        event.subject = subject
        event.defined = defined
        event.applied = applied
        event.traced = traced if traced is not None else self.jax is not None and self.jax.tracing()
        for sink in self.sinks:
            try:
                sink.add(event)
            except Exception as error:
                self.failures[type(sink).__name__] = f"{type(error).__name__}: {error}"
        event.frame = None


class _AfterImport(importlib.abc.MetaPathFinder):
    """Calls `action` once the module `jax` has been imported, then gets out of the way."""

    def __init__(self, action: Callable[[], None]) -> None:
        self._action = action
        self._looking = False

    def remove(self) -> None:
        """Take the finder off `sys.meta_path`."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find `jax` by the other finders and wrap its loader."""
        if fullname != "jax" or path is not None or self._looking:
            return None
        # a program may look for jax (`importlib.util.find_spec`) long before it imports it: stay until then
        self._looking = True
        try:
            spec = importlib.util.find_spec("jax")
        finally:
            self._looking = False
        if spec is None or spec.loader is None or not hasattr(spec.loader, "exec_module"):
            return spec
        loader, action = spec.loader, self._action
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            try:
                del loader.exec_module
            except AttributeError:
                pass
            self.remove()
            execute(module)
            action()

        loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


HUB = Hub()
