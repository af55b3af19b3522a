"""Compilations: which function, how long, at which line, and why it was not already compiled.

JAX's monitoring calls a listener on the compiling thread while the call is still on the stack, so that the
user's line, the function and its arguments can be read there. Only text of them is kept.
"""

from __future__ import annotations

import sys
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from jaxlint.events import Kind
from runtime_checks import jax_internals
from runtime_checks.hub import Hub
from runtime_checks.jax_internals import Internals, JitCall, Lowered
from runtime_checks.observed import JIT_APPLIED, Probe, active, degraded, off
from runtime_checks.signatures import STRUCTURE, Difference, Leaf, Signature, closest, describe, signature_of

COMPILED = Kind.COMPILED_CALL.value
CONSTANT, UNDONATED = Kind.CAPTURED_CONSTANT.value, Kind.UNDONATED_CALL.value
# bytes of constants, or of arguments that could be reused, from which on a program is noted
LARGE = 10**6
HISTORY = 16

# change of an argument -> `how` of a compiled-call event
_HOW = {"leading-dimension": "ragged-batch", "static": "static-varies", "metadata": "static-varies"}


class _Known:
    """One function that `jit` was applied to: where, and a number that no other function gets."""

    __slots__ = ("applied", "number", "reference")

    def __init__(self, number: int, applied: tuple[str, int] | None, reference: Any) -> None:
        self.number = number
        self.applied = applied
        self.reference = reference


class Compiles:
    """Listens to JAX's compilation events. `on_compile` callbacks get (chain, seconds, subject)."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._jax: Internals | None = None
        self._known: dict[int, _Known] = {}
        self._numbers = 0
        # (name, file, line) -> earlier signatures with the number of the function object
        self._history: dict[tuple[str, str, int], deque[tuple[int, Signature]]] = {}
        self._original: Callable[..., Any] | None = None
        self._pending: dict[str, float] = {}
        self._unlistened = True
        self._shows_programs = True
        self.ask_jax_for_earlier = False

    def start(self) -> None:
        """Nothing to do before jax is there."""

    def attach(self, jax: Internals) -> None:
        """Register the listeners and note where `jit` is applied."""
        self._jax = jax
        self._local = self._hub.local
        jax.listen(self._on_event, self._on_duration)
        if jax.pjit is not None and callable(getattr(jax.pjit, "_cpp_pjit", None)):
            self._original = getattr(jax.pjit, "_cpp_pjit")  # noqa: B009 - not in JAX's types
            setattr(jax.pjit, "_cpp_pjit", self._applied(self._original))  # noqa: B010

    def stop(self) -> None:
        """Remove the listeners."""
        if self._jax is None:
            return
        self._unlistened = self._jax.unlisten(self._on_event, self._on_duration)
        if self._original is not None and self._jax.pjit is not None:
            setattr(self._jax.pjit, "_cpp_pjit", self._original)  # noqa: B010
        self._jax = None
        self._known.clear()
        self._history.clear()

    def probes(self) -> list[Probe]:
        """The state of "compiles"."""
        if self._jax is None:
            return [off("compiles", "jax was not imported")]
        if self._original is None:
            return [degraded("compiles", "jax._src.pjit._cpp_pjit not found: new functions are not told apart")]
        if not self._shows_programs:
            words = f"JAX {self._jax.version} does not show the programs that it compiles: no constants, no donation"
            return [active("compiles"), off("programs", words)]
        return [active("compiles"), active("programs")]

    # -- applications of jit --------------------------------------------------------------------------------
    def _applied(self, original: Callable[..., Any]) -> Callable[..., Any]:
        hub = self._hub

        def _cpp_pjit(fun: Any, *args: Any, **kwargs: Any) -> Any:
            compiled = original(fun, *args, **kwargs)
            if not hub.local.busy:
                hub.local.busy = 1
                try:
                    self._note(fun, sys._getframe(1))
                except Exception:
                    pass  # a note about a function is never worth an exception in the program
                finally:
                    hub.local.busy = 0
            return compiled

        return _cpp_pjit

    def _note(self, function: Any, frame: Any) -> None:
        mine = self._hub.project.frame(frame)
        if mine is None:
            return
        # a library function that a project line merely imports or calls first is not an application by the user
        name, file, line = describe(function)
        place = (mine.f_code.co_filename, mine.f_lineno or 0)
        known = self._register(function, place)
        if known is not None and self._hub.project.owns(file):
            self._hub.emit(JIT_APPLIED, "jit", mine, subject=name, defined=(file, line))

    def _register(self, function: Any, place: tuple[str, int] | None) -> _Known | None:
        key = id(function)
        known = self._known.get(key)
        if known is not None and known.reference() is function:
            if place is not None:
                known.applied = place
            return known
        table = self._known
        try:
            reference = weakref.ref(function, lambda _: table.pop(key, None))
        except TypeError:
            return None
        self._numbers += 1
        known = table[key] = _Known(self._numbers, place, reference)
        return known

    # -- listeners ------------------------------------------------------------------------------------------
    def _on_event(self, event: str, **_: Any) -> None:
        if event == jax_internals.CACHE_HIT_EVENT and not self._local.busy:
            self._local.cache_hit = True

    def _on_duration(self, event: str, seconds: float, **info: Any) -> None:
        local = self._local
        if local.busy:
            return
        local.busy = 1
        try:
            if event == jax_internals.TRACE_EVENT:
                # inner traces end first and are contained in the outer one
                local.trace = max(getattr(local, "trace", 0.0), seconds)
            elif event == jax_internals.LOWER_EVENT:
                local.lower = seconds
                local.lowered = self._jax.lowered(sys._getframe(1)) if self._jax is not None else None
                self._shows_programs = local.lowered is not None
            elif event == jax_internals.COMPILE_EVENT:
                trace, lower = getattr(local, "trace", 0.0), getattr(local, "lower", 0.0)
                hit = getattr(local, "cache_hit", False)
                local.trace = local.lower = 0.0
                local.cache_hit = False
                self._compiled(sys._getframe(1), trace, lower, seconds, hit, str(info.get("fun_name", "")))
        except Exception as error:
            self._hub.failures["Compiles"] = f"{type(error).__name__}: {error}"
        finally:
            local.busy = 0

    def _compiled(self, frame: Any, trace: float, lower: float, compile: float, hit: bool, fun_name: str) -> None:
        jax = self._jax
        if jax is None:
            return
        label = fun_name[4:-1] if fun_name.startswith("jit(") and fun_name.endswith(")") else fun_name
        call = jax.jit_call(frame)
        name, file, line = (label or "?"), "", 0
        known: _Known | None = None
        now: Signature = {}
        if call is not None and call.function is not None:
            name, file, line = describe(call.function)
            if label and not self._hub.project.owns(file):
                name = label
            known = self._register(call.function, None)
            now = signature_of(call, jax)
        owned = self._hub.project.owns(file) if file else False
        how, reasons = self._why(call, name, file, line, known, now, owned)
        details: dict[str, Any] = {
            "reason": "; ".join(reasons),
            "trace": round(trace, 6),
            "lower": round(lower, 6),
            "compile": round(compile, 6),
            "cache_hit": hit,
            "signature": ", ".join(f"{key.rstrip('=')}: {leaf.text}" for key, leaf in _shown(now)),
        }
        seconds = trace + lower + compile
        self._local.compiled += seconds
        self._hub.emit(
            COMPILED,
            how,
            frame,
            seconds=seconds,
            details=details,
            subject=name,
            defined=(file, line) if file else None,
            applied=known.applied if known is not None and owned else None,
        )
        self._memory(frame, name, (file, line) if owned else None, known)
        for observer in self._hub.observers:
            tell = getattr(observer, "on_compile", None)
            if tell is not None:
                tell(frame, seconds, name, owned)

    def _memory(self, frame: Any, name: str, defined: tuple[str, int] | None, known: _Known | None) -> None:
        """Note what the program holds beyond its arguments, and which of these it could have written its results to."""
        lowered: Lowered | None = getattr(self._local, "lowered", None)
        self._local.lowered = None
        if lowered is None or defined is None:
            return
        for kind, count in ((CONSTANT, lowered.constants), (UNDONATED, lowered.reusable)):
            if count >= LARGE:
                applied = known.applied if known is not None else None
                self._hub.emit(kind, "program", frame, bytes=count, subject=name, defined=defined, applied=applied)

    def _why(
        self,
        call: JitCall | None,
        name: str,
        file: str,
        line: int,
        known: _Known | None,
        now: Signature,
        owned: bool,
    ) -> tuple[str, list[str]]:
        """`how`, and the reasons in plain words. Operations run eagerly are told apart from compiled functions."""
        key = (name, file, line)
        history = self._history.get(key)
        number = known.number if known is not None else 0
        if history is None:
            self._history[key] = deque([(number, now)], HISTORY)
            jax = self._jax if self.ask_jax_for_earlier and owned else None
            if jax is not None and call is not None and jax.compiled_before(call.function):
                return "signature", ["compiled before the watch began, with other arguments"]
            return ("first" if owned else "first-eager"), []
        same = [signature for other, signature in history if other == number or not owned]
        history.append((number, now))
        if not same:
            return "new-function", [f"`{name}` is a new function object each time `jit` is applied to it"]
        found = closest(same, now) or []
        reasons = [difference.text for difference in found[:6]]
        if not owned:
            return "eager", reasons or ["the same operation with other parameters"]
        if not found:
            return "context", ["same arguments: a JAX setting, a mesh or a cleared cache asked for a new program"]
        return _how(found), reasons


def _shown(signature: Signature) -> list[tuple[str, Leaf]]:
    return [item for item in signature.items() if not item[0].endswith(STRUCTURE)][:12]


def _how(found: list[Difference]) -> str:
    changes = {difference.change for difference in found}
    if len(changes) == 1:
        return _HOW.get(changes.pop(), "signature")
    return "ragged-batch" if changes == {"leading-dimension", "shape"} else "signature"
