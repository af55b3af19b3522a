"""The API for programs and tests: watch a block, or fail it.

    from runtime_checks import no_recompiles, no_transfers, watch

    with watch() as report:
        train(steps=10)
    print(report)

    step(params, first_batch)
    with no_recompiles(), no_transfers():
        for batch in batches:
            params = step(params, batch)

The guards raise subclasses of AssertionError that name file, line, count and reason. `no_transfers` stops a read at
the line where it happens; the others speak at the end of the block. A guard never hides an exception of the block.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from types import FrameType
from typing import Any

from jaxlint.events import Kind
from runtime_checks.compiles import Compiles
from runtime_checks.hub import HUB
from runtime_checks.observed import ObservedEvent, Probe
from runtime_checks.places import project_root
from runtime_checks.recorder import Options, Recorder
from runtime_checks.timers import Timers
from runtime_checks.transfers import Transfers

READ, COMPILED, CLOCK = Kind.HOST_READ.value, Kind.COMPILED_CALL.value, Kind.CLOCK_STOP.value
_REFUSED = re.compile(r"[Dd]isallowed (device-to-host|host-to-device|device-to-device) transfer")
_EAGER = frozenset(("eager", "first-eager"))
_AGAIN = frozenset(("ragged-batch", "static-varies", "signature", "new-function", "context"))


class RuntimeCheckError(AssertionError):
    """A guard's block did what the guard forbids. `events` are the observations."""

    def __init__(self, message: str, events: Sequence[ObservedEvent] = ()) -> None:
        super().__init__(message)
        self.events = list(events)


class TransferError(RuntimeCheckError):
    """A device value was read on the host (or the other way) where that is forbidden."""


class RecompileError(RuntimeCheckError):
    """A function that was already compiled was compiled again."""


class TooManyCompilesError(RuntimeCheckError):
    """More programs were compiled than allowed."""


class UnblockedTimingError(RuntimeCheckError):
    """A clock was read while the work that it should time was still pending."""


class Report:
    """What a `watch()` block saw; complete once the block has ended, readable at any time."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    @property
    def events(self) -> list[ObservedEvent]:
        """All events, by file and line."""
        return self._recorder.events

    @property
    def seconds(self) -> float:
        """Length of the block so far, in seconds."""
        return self._recorder.seconds

    @property
    def probes(self) -> list[Probe]:
        """The state of each observer."""
        return self._recorder.probes

    def find(self, kind: Kind | str, *, file: str = "", line: int = 0, how: str = "") -> list[ObservedEvent]:
        """Events of a kind; `file` may be the end of a path."""
        name = kind.value if isinstance(kind, Kind) else kind
        return [
            event
            for event in self.events
            if event.kind == name
            and (not file or event.file == file or event.file.endswith(os.sep + file))
            and (not line or event.line == line)
            and (not how or event.how == how)
        ]

    @property
    def reads(self) -> list[ObservedEvent]:
        """Device values read on the host."""
        return self.find(READ)

    @property
    def compiles(self) -> list[ObservedEvent]:
        """Compilations of functions (without single operations run eagerly)."""
        return [event for event in self.find(COMPILED) if event.how not in _EAGER]

    @property
    def recompiles(self) -> list[ObservedEvent]:
        """Compilations of functions that were compiled before, with reasons in `samples`."""
        return [event for event in self.find(COMPILED) if event.how in _AGAIN]

    def __str__(self) -> str:
        """A table: place, kind, count, seconds."""
        lines = [f"{self.seconds:.3f} s watched"]
        for event in self.events:
            reason = next((str(s["reason"]) for s in event.samples if s.get("reason")), "")
            cost = f" {event.seconds * 1e3:.3g} ms" if event.seconds else ""
            text = f"{event.where} {event.kind} {event.how} {event.subject} x{event.count}{cost} {reason}"
            lines.append("  " + " ".join(text.split()))
        return "\n".join(lines)


@contextmanager
def watch(
    *,
    roots: Iterable[str] | None = None,
    verify_timers: bool = False,
    leaks: bool = False,
    directory: str | None = None,
) -> Iterator[Report]:
    """Record what the block does. `roots`: the project's folders (default: that of the current folder).

    `verify_timers` waits for the devices at every clock read; `leaks` looks for tracers that outlive their
    trace; `directory` appends the evidence to a file there.
    """
    options = Options(verify_timers=verify_timers, leaks=leaks)
    recorder = Recorder(roots=_roots(roots), options=options, directory=directory)
    recorder.start()
    with ExitStack() as stack:
        stack.callback(recorder.stop)
        if verify_timers:
            stack.enter_context(_verifying())
        yield Report(recorder)


def _roots(roots: Iterable[str] | None) -> list[str]:
    return list(roots) if roots is not None else [project_root(os.getcwd())]


def _observer(kind: type) -> Any:
    return next((observer for observer in HUB.observers if isinstance(observer, kind)), None)


@contextmanager
def _verifying() -> Iterator[None]:
    timers: Timers | None = _observer(Timers)
    if timers is None:
        yield
        return
    before, timers.verify = timers.verify, True
    try:
        yield
    finally:
        timers.verify = before


def _lines(events: Iterable[ObservedEvent]) -> str:
    found = []
    for event in events:
        reason = next((str(s["reason"]) for s in event.samples if s.get("reason")), "")
        name = f" `{event.subject}`" if event.subject else ""
        times = "" if event.count == 1 else f" {event.count} times"
        found.append(f"\n  {event.where}:{name} {event.how}{times}{': ' + reason if reason else ''}")
    return "".join(found)


# -- compilations -----------------------------------------------------------------------------------------------
@contextmanager
def no_recompiles(*, roots: Iterable[str] | None = None) -> Iterator[Report]:
    """Fail if a function is compiled that was compiled before, in the block or ahead of it.

    The first compilation of a function is allowed, so the block may hold the warm-up. Single operations that run
    eagerly (`x[:n]`, `jnp.concatenate`) are not counted.
    """
    with watch(roots=roots) as report:
        compiles: Compiles | None = _observer(Compiles)
        before = compiles.ask_jax_for_earlier if compiles is not None else False
        if compiles is not None:
            compiles.ask_jax_for_earlier = True
        try:
            yield report
        finally:
            if compiles is not None:
                compiles.ask_jax_for_earlier = before
        found = report.recompiles
    if found:
        count = sum(event.count for event in found)
        raise RecompileError(f"{count} recompilation{'s' if count != 1 else ''}{_lines(found)}", found)


@contextmanager
def max_compiles(limit: int, *, eager: bool = False, roots: Iterable[str] | None = None) -> Iterator[Report]:
    """Fail if more than `limit` programs are compiled in the block; `eager` also counts single operations."""
    with watch(roots=roots) as report:
        yield report
        found = report.find(COMPILED) if eager else report.compiles
    count = sum(event.count for event in found)
    if count > limit:
        raise TooManyCompilesError(f"{count} programs compiled, {limit} allowed{_lines(found)}", found)


# -- transfers --------------------------------------------------------------------------------------------------
class _Permitted(threading.local):
    """How many `allow_transfers` regions this thread is in."""

    depth: int = 0


_PERMITTED = _Permitted()


@contextmanager
def allow_transfers() -> Iterator[None]:
    """A region inside `no_transfers` where reads are meant (logging every hundred steps)."""
    depth = _PERMITTED.depth
    _PERMITTED.depth = depth + 1
    permit = Transfers.permit
    try:
        with permit() if permit is not None else nullcontext():
            yield
    finally:
        _PERMITTED.depth = depth


@contextmanager
def no_transfers(
    *,
    device_to_host: bool = True,
    host_to_device: bool = False,
    allow: Iterable[str] = (),
    explicit: bool = False,
    jax_guard: bool | None = None,
    roots: Iterable[str] | None = None,
) -> Iterator[Report]:
    """Fail at the line that reads a device value on the host (in this thread).

    `host_to_device` also forbids implicit copies to the device by JAX's own guard, which on every backend
    includes Python numbers in eager operations (`x + 1`). `jax_guard`: set JAX's own device-to-host guard too, which
    also stops reads that reach no Python method; None sets it where the backend has copies to guard (not on CPU, where
    JAX's guard lets every read pass). `explicit` forbids `jax.device_get` too. `allow`: names
    of functions, `file.py` or `file.py:line` of the project where reads are meant; see also `allow_transfers`.
    A read that the block's own `except` swallowed is reported at the end.
    """
    allowed = frozenset(allow)
    thread = threading.get_ident()
    refused: list[str] = []

    def veto(kind: str, how: str, frame: FrameType) -> None:
        if kind != READ or threading.get_ident() != thread or _PERMITTED.depth:
            return
        if how == "device_get" and not explicit:
            return
        if HUB.jax is not None and HUB.jax.tracing():
            return
        site = HUB.project.site(frame)
        for place in site.chain:
            names = {place.function, place.function.rsplit(".", 1)[-1], os.path.basename(place.file)}
            if allowed & (names | {f"{os.path.basename(place.file)}:{place.line}"}):
                return
        via = f" (via {site.via})" if site.via else ""
        refused.append(f"{site.file}:{site.line}: `{how}` reads a device value{via}")
        raise TransferError(refused[-1])

    with ExitStack() as stack:
        report = stack.enter_context(watch(roots=roots))
        level = "disallow_explicit" if explicit else "disallow"
        if device_to_host:
            Transfers.vetoes = (*Transfers.vetoes, veto)
            stack.callback(_remove_veto, veto)
            if jax_guard or (jax_guard is None and _guards_reads()):
                stack.enter_context(_jax_guard(level))
        if host_to_device:
            import jax

            stack.enter_context(jax.transfer_guard_host_to_device(level))
        with _named():
            yield report
    if refused:
        raise TransferError("a read was refused and the error swallowed: " + "; ".join(refused))


def _guards_reads() -> bool:
    """Whether this process computes on devices whose memory is not the host's."""
    import jax

    return jax.default_backend() != "cpu"


@contextmanager
def _jax_guard(level: str) -> Iterator[None]:
    """JAX's device-to-host guard for this thread; reads that the hooks let pass are let pass by it as well."""
    import jax

    before = Transfers.permit
    Transfers.permit = staticmethod(lambda: jax.transfer_guard_device_to_host("allow"))
    try:
        with jax.transfer_guard_device_to_host(level):
            yield
    finally:
        Transfers.permit = before


@contextmanager
def _named() -> Iterator[None]:
    """An error of JAX's guard becomes ours, with the project's line."""
    try:
        yield
    except TransferError:
        raise
    except Exception as error:
        found = _REFUSED.search(str(error))
        if found is None:
            raise
        raise TransferError(f"{_line_of(error)}: JAX's guard refused a {found[1]} copy: {error}") from error


def _line_of(error: BaseException) -> str:
    """The innermost line of the project in the traceback."""
    found = "<outside the project>"
    step = error.__traceback__
    while step is not None:
        if HUB.project.owns(step.tb_frame.f_code.co_filename):
            found = f"{step.tb_frame.f_code.co_filename}:{step.tb_lineno}"
        step = step.tb_next
    return found


def _remove_veto(veto: Any) -> None:
    Transfers.vetoes = tuple(other for other in Transfers.vetoes if other is not veto)


# -- timing -----------------------------------------------------------------------------------------------------
@contextmanager
def assert_blocked_timing(*, roots: Iterable[str] | None = None) -> Iterator[Report]:
    """Fail if a clock is read in the block while device work that was dispatched before is still pending."""
    with watch(roots=roots, verify_timers=True) as report:
        yield report
        found = report.find(CLOCK, how="pending")
    if found:
        worst = max(found, key=lambda event: event.longest)
        message = f"{worst.where}: the clock was read with {worst.longest * 1e3:.3g} ms of work pending"
        rest = [event.where for event in found if event is not worst]
        raise UnblockedTimingError(message + (f" (also {', '.join(rest)})" if rest else ""), found)
