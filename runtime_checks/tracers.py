"""Concretisation errors, also those that the program swallows, and values that escape from a trace.

The error classes of `jax.errors` are Python classes: wrapping their `__init__` shows each construction with the
user's line on the stack. Libraries also try a conversion and catch the error themselves; such an error never came to
the project's code, which its traceback tells when it dies. Errors without a class of their own (a traced shape is a
plain TypeError) are only seen when they end the program; the runner records those.
"""

from __future__ import annotations

import gc
import inspect
import os
import re
import sys
import weakref
from types import FrameType
from typing import Any

from jaxlint.events import Kind
from runtime_checks.hub import Hub
from runtime_checks.jax_internals import CONCRETISATION, LEAK, Internals
from runtime_checks.observed import CAUGHT, NOWHERE, Probe, Site, active, degraded, off

LEAKED = Kind.TRACER_LEAK.value
_TRACED = re.compile(r"function being traced when the value leaked was (\S+) at (.+?):(\d+) traced for")
_CREATED = re.compile(r"on line (.+?):(\d+)(?::\d+)? \((.+?)\)")
MAX_TRACES = 4096
_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


class Tracers:
    """Watches the error classes; with `leaks`, also whether traces outlive their end."""

    def __init__(self, hub: Hub, leaks: bool = False) -> None:
        self._hub = hub
        self._leaks = leaks
        self._saved: list[tuple[Any, str, Any, bool]] = []
        self._missing: list[str] = []
        self._traces: list[tuple[weakref.ref[Any], str, str, int]] = []
        # living errors by identity: class and place
        self._errors: dict[int, tuple[str, Site]] = {}
        self._jax: Internals | None = None
        self._leak_probe = off("leaks", "only asked for by `jaxlint confirm`")

    def start(self) -> None:
        """Nothing to do before jax is there."""

    def attach(self, jax: Internals) -> None:
        """Wrap the error classes."""
        self._jax = jax
        for name in (*CONCRETISATION, LEAK):
            cls = getattr(jax.errors, name, None)
            if cls is None:
                self._missing.append(name)
                continue
            own = "__init__" in vars(cls)
            original = cls.__init__
            self._saved.append((cls, "__init__", vars(cls).get("__init__"), own))
            cls.__init__ = self._init(cls, name, original)
            if name in CONCRETISATION and not hasattr(cls, "__del__"):
                self._saved.append((cls, "__del__", None, False))
                cls.__del__ = self._died
        if self._leaks:
            self._watch_traces(jax)

    def _watch_traces(self, jax: Internals) -> None:
        cls = jax.trace_class
        if cls is None:
            self._leak_probe = off("leaks", "this JAX has no DynamicJaxprTrace")
            return
        if "debug_info" not in inspect.signature(cls).parameters:
            self._leak_probe = off("leaks", f"the traces of JAX {jax.version} do not name their function")
            return
        original = cls.__init__  # type: ignore[misc]
        traces = self._traces

        def __init__(self: Any, debug_info: Any = None, *args: Any, **kwargs: Any) -> None:
            original(self, debug_info, *args, **kwargs)
            if len(traces) < MAX_TRACES:
                try:
                    name, file, line = _function_of(debug_info)
                    traces.append((weakref.ref(self), name, file, line))
                except Exception:
                    return

        self._saved.append((cls, "__init__", vars(cls).get("__init__"), "__init__" in vars(cls)))
        cls.__init__ = __init__  # type: ignore[misc]
        self._leak_probe = active("leaks")

    def stop(self) -> None:
        """Look for leaks a last time and put the classes back."""
        if self._leaks and self._jax is not None:
            self.find_leaks()
        for owner, name, original, own in reversed(self._saved):
            if own:
                setattr(owner, name, original)
            else:
                delattr(owner, name)
        self._saved.clear()
        self._traces.clear()
        self._errors.clear()
        self._jax = None

    def probes(self) -> list[Probe]:
        """The states of "tracers" and "leaks"."""
        if self._jax is None:
            return [off("tracers", "jax was not imported"), self._leak_probe]
        if self._missing:
            return [degraded("tracers", "this JAX has no " + ", ".join(self._missing)), self._leak_probe]
        return [
            active("tracers", "plain TypeErrors (a traced shape) are seen when they end the program"),
            self._leak_probe,
        ]

    # -- errors ---------------------------------------------------------------------------------------------
    def _init(self, cls: type, name: str, original: Any) -> Any:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            # a subclass calls its parent's __init__: only the class that was asked for counts
            if type(self) is cls:
                observe(self)

        def observe(error: Any) -> None:
            local = self._hub.local
            before, local.busy = local.busy, 1
            try:
                # the frames: observe, __init__, then JAX and the user
                frame = sys._getframe(2)
                text = str(error)
                if name == LEAK:
                    self._leak_error(text, frame)
                else:
                    site = self._hub.project.site(frame)
                    details = {"error": text.split("\n", 1)[0][:200]}
                    self._hub.emit(CONCRETISATION[name], name, site=site, details=details, traced=True)
                    if len(self._errors) < MAX_TRACES:
                        self._errors[id(error)] = name, site
            except Exception as failure:
                self._hub.failures["Tracers"] = f"{type(failure).__name__}: {failure}"
            finally:
                local.busy = before

        return __init__

    @property
    def _died(self) -> Any:
        """A `__del__` that tells of errors whose traceback never reached the project."""
        errors, hub = self._errors, self._hub

        def __del__(error: Any) -> None:
            known = errors.pop(id(error), None)
            if known is None or hub.local.busy:
                return
            hub.local.busy = 1
            try:
                step = error.__traceback__
                while step is not None and not hub.project.owns(step.tb_frame.f_code.co_filename):
                    step = step.tb_next
                # without any traceback it was made and never raised, or somebody took it off: not known
                if step is None and error.__traceback__ is not None:
                    hub.emit(CAUGHT, known[0], site=known[1], traced=True)
            except Exception:
                return
            finally:
                hub.local.busy = 0

        return __del__

    def _leak_error(self, text: str, frame: Any) -> None:
        traced = _TRACED.search(text)
        details: dict[str, Any] = {"error": text.split("\n", 1)[0][:200]}
        defined = None
        if traced:
            details["traced"] = traced[1]
            defined = (traced[2], int(traced[3]))
        created = _CREATED.search(text)
        if created:
            details["created"] = f"{created[1]}:{created[2]}"
        self._hub.emit(LEAKED, "used", frame, details=details, defined=defined, subject=traced[1] if traced else "")

    # -- leaks ----------------------------------------------------------------------------------------------
    def find_leaks(self) -> None:
        """Report every trace of a project function that is still alive although it has ended."""
        jax = self._jax
        if jax is None or jax.tracing():
            return
        alive = [entry for entry in self._traces if entry[0]() is not None]
        if alive:
            gc.collect()
        for reference, name, file, line in self._traces:
            trace = reference()
            if trace is None or not file or not self._hub.project.owns(file):
                continue
            target = _holder(trace, jax.tracer_class)
            if not target:
                continue
            site = Site(file, line, name) if file else NOWHERE
            self._hub.emit(
                LEAKED, "kept", site=site, details={"held_by": target}, subject=name, defined=(file, line), traced=True
            )
        self._traces.clear()


def _function_of(debug_info: Any) -> tuple[str, str, int]:
    """Name, file and line of the traced function, from JAX's debug information."""
    text = str(getattr(debug_info, "func_src_info", None) or "")
    matched = re.match(r"(\S+) at (.+):(\d+)$", text)
    return (matched[1], matched[2], int(matched[3])) if matched else (text, "", 0)


def _holder(trace: Any, tracer_class: type | None) -> str:
    """Who keeps a tracer of `trace`: the name of an attribute, a global or a container; '' when nobody does."""
    if tracer_class is None:
        return ""
    tracers = [item for item in gc.get_referrers(trace) if isinstance(item, tracer_class)]
    for number in range(min(len(tracers), 8)):
        for holder in gc.get_referrers(tracers[number]):
            if isinstance(holder, FrameType) and not holder.f_code.co_filename.startswith(_OWN_FOLDER):
                return ""  # the trace ended with an exception, whose traceback is kept
    for number in range(min(len(tracers), 8)):
        for holder in gc.get_referrers(tracers[number]):
            if holder is tracers or type(holder).__module__.startswith(("jax", "runtime_checks")):
                continue
            text = _held_in(holder, tracers[number])
            if text:
                return text
    return ""


def _held_in(holder: Any, tracer: Any) -> str:
    """How `holder` refers to `tracer`, in words. No closure may capture `tracer`: its cell would be a holder too."""
    if isinstance(holder, dict):
        key = _key_of(holder, tracer)
        for owner in gc.get_referrers(holder):
            if isinstance(owner, FrameType):
                return ""  # the locals of a frame that an exception's traceback keeps
            if getattr(owner, "__dict__", None) is holder:
                return f"{getattr(owner, '__name__', type(owner).__name__)}.{key}"
        return f"the key {key!r} of a dict"
    if isinstance(holder, (list, set)):
        return f"a {type(holder).__name__} of {len(holder)}"
    if isinstance(holder, tuple):
        # tuples are everywhere inside jax and in frames: only one that a name of the user's holds counts
        for table in gc.get_referrers(holder):
            if isinstance(table, dict):
                for owner in gc.get_referrers(table):
                    if getattr(owner, "__dict__", None) is table and not type(owner).__module__.startswith("jax"):
                        name = getattr(owner, "__name__", type(owner).__name__)
                        return f"{name}.{_key_of(table, holder)}"
        return ""
    if type(holder).__name__ == "cell":
        return "a nonlocal variable"
    if hasattr(holder, "__dict__"):
        key = _key_of(vars(holder), tracer)
        return f"{type(holder).__name__}.{key}" if key else ""
    return ""


def _key_of(table: Any, tracer: Any) -> str:
    for key, value in table.items():
        if value is tracer:
            return str(key)
    return ""
