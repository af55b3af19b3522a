"""How each kind of evidence is weighed. One function a kind; `join` holds what they share."""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence

from jaxlint.events import Kind
from runtime_checks.join import (
    CONCRETISATION,
    FIRST,
    RECOMPILED,
    Join,
    Judged,
    Verdict,
    confirmed,
    handles,
    real,
    refuted,
    short,
    times,
)
from runtime_checks.observed import EXCEPTION, JIT_APPLIED, ObservedEvent
from runtime_checks.plan import Target
from runtime_checks.statements import Rows

COMPILED = Kind.COMPILED_CALL.value
# a read at fewer than one in GATE iterations of its loop is not a read at each step
GATE = 4
UNROLLED = 8
# the attributes that a statement writes
_WRITES = re.compile(r"\.(\w+)\s*=(?!=)")


def _reasons(events: Sequence[ObservedEvent]) -> str:
    found: list[str] = []
    for event in events:
        for sample in event.samples:
            text = str(sample.get("reason", ""))
            if text and text not in found:
                found.append(text)
    return "; ".join(found[:3])


# -- traced code ----------------------------------------------------------------------------------------------
@handles(Kind.TRACER_BOOL, Kind.TRACER_CONVERT, Kind.TRACER_ARRAY, Kind.TRACER_SHAPE)
def concretisation(join: Join, target: Target) -> Judged:
    """A concretisation error at the line, whether or not the program caught it."""
    found = join.events(target, CONCRETISATION)
    if found:
        total = sum(event.count for event in found)
        return confirmed(target, f"raised {found[0].how} {times(total)}", found)
    run = join.runs(target.rows, target)
    if run is not None and run.traced == 0:
        return refuted(target, f"ran {times(run.count)}, never under a trace")
    return join.silent(target, "traced {traced} without an error")


@handles(Kind.TRACER_LEAK)
def leak(join: Join, target: Target) -> Judged:
    """A tracer that was still held at the end, or used after its trace."""
    off = join.off(target, "leaks")
    found = [
        event
        for event in join.by_file.get(target.file, ())
        if event.kind == Kind.TRACER_LEAK.value and _leaks_here(join, target, event)
    ]
    if found:
        sample = found[0].samples[0] if found[0].samples else {}
        holder = sample.get("held_by")
        words = f"a tracer of `{found[0].subject}` was still held by {holder}" if holder else "used after its trace"
        return confirmed(target, words, found)
    if join.runs(target.rows, target) is not None:
        used = next((event for event in join.evidence.events if _is_used_leak(event)), None)
        if used is not None:
            reason = f"a tracer was used after its trace at {short(used)}, and JAX does not say where it got out"
            return Judged(target.finding, Verdict.NOT_MEASURABLE, reason)
        if off is not None:
            return off
    return join.silent(target, "traced {traced}; no tracer was left behind")


def _is_used_leak(event: ObservedEvent) -> bool:
    """A leaked value was used: JAX's error, or that of nnx for a module that was changed in another trace."""
    if event.kind == Kind.TRACER_LEAK.value:
        return event.how == "used"
    return event.kind == EXCEPTION and event.how == "TraceContextError"


def _leaks_here(join: Join, target: Target, event: ObservedEvent) -> bool:
    if event.defined is not None and real(event.defined[0]) == target.file:
        row = event.defined[1]
        around = [rows for rows in target.functions.values() if rows[0] <= target.rows[0] <= rows[1]]
        if any(first <= row <= last and row <= target.rows[0] for first, last in around):
            return True
    if event.how == "used" and (_made_in(target, event) or _read_back(target, event)):
        return True
    held = str(event.samples[0].get("held_by", "")) if event.samples else ""
    attribute = held.rsplit(".", 1)[-1] if "." in held else ""
    return bool(attribute) and attribute in _text(target)


def _text(target: Target) -> str:
    """The statement's text; findings from JSON do not bring it."""
    first, last = target.rows
    return target.finding.statement or "".join(linecache.getlines(target.file)[first - 1 : last])


def _made_in(target: Target, event: ObservedEvent) -> bool:
    """Whether the value that got out was made in the function that the finding is about (one that keeps results)."""
    created = str(event.samples[0].get("created", "")) if event.samples else ""
    file, _, row = created.rpartition(":")
    rows = target.defines
    return rows is not None and row.isdigit() and real(file) == target.file and rows[0] <= int(row) <= rows[1]


def _read_back(target: Target, event: ObservedEvent) -> bool:
    """Whether the line that used the value reads the attribute that the finding's statement writes."""
    written = _WRITES.findall(_text(target))
    text = linecache.getline(event.file, event.line)
    return any(re.search(rf"\.{re.escape(name)}\b(?!\s*=[^=])", text) for name in written)


@handles(Kind.TRACER_TYPE_TEST)
def type_test(join: Join, target: Target) -> Judged:
    """The tested name held a tracer when the line ran."""
    found = join.events(target, (Kind.TRACER_TYPE_TEST.value,), chain=False)
    if found:
        name = found[0].samples[0].get("tracer", "") if found[0].samples else ""
        return confirmed(target, f"`{name}` was a tracer when the test ran", found)
    run = join.runs(target.rows, target)
    if run is not None and run.traced:
        reason = "traced, but the tested value is not a local name of the function"
        return Judged(target.finding, Verdict.NOT_MEASURABLE, reason)
    return join.silent(target, "ran {count}, never under a trace")


@handles(Kind.TRACE_EFFECT)
def effect(join: Join, target: Target) -> Judged:
    """The line ran while JAX traced: its effect happened then, and only then."""
    run = join.runs(target.rows, target)
    if run is not None and run.traced:
        judged = confirmed(target, f"ran {times(run.count)}, {times(run.traced)} of that at trace time", ())
        if run.traced == run.count:
            judged.reason = f"ran {times(run.count)}, at trace time only"
        judged.count = run.traced
        return judged
    return join.silent(target, "ran {count}, never under a trace")


@handles(Kind.TRACE_UNROLL)
def unroll(join: Join, target: Target) -> Judged:
    """The loop's body was traced many times."""
    beat = join.runs(target.beat, target)
    if beat is not None and beat.traced >= UNROLLED:
        judged = confirmed(target, f"the body was traced {times(beat.traced)}", ())
        judged.count = beat.traced
        return judged
    return join.silent(target, f"the body was traced {times(beat.traced if beat else 0)} only")


@handles(Kind.ARRAY_WRITE)
def write(join: Join, target: Target) -> Judged:
    """Writing raises (judged by the exception); an update whose result is not used is lost whenever its line runs."""
    run = join.runs(target.rows, target)
    if run is not None and target.lost_update and not target.optional:
        lost = confirmed(target, f"ran {times(run.count)}, and each time the new array was thrown away", ())
        lost.count = run.count
        return lost
    return join.silent(target, "ran {count} without an error")


# -- the host and the device ------------------------------------------------------------------------------------
@handles(Kind.HOST_READ, Kind.HOST_BLOCK, Kind.DEVICE_ITERATE)
def transfer(join: Join, target: Target) -> Judged:
    """Reads and waits at the line, or below it in the call that stands there."""
    kind = target.finding.evidence or Kind.HOST_READ.value
    found = join.events(target, (kind,), chain=False) or join.events(target, (kind,))
    found = [event for event in found if event.count > event.traced]
    words = {
        Kind.HOST_READ.value: "no value was read from the device",
        Kind.HOST_BLOCK.value: "nothing waited for the device",
        Kind.DEVICE_ITERATE.value: "no device array was iterated",
    }
    if not found:
        return join.off(target, "transfers") or join.silent(
            target, "ran {count}; " + words.get(kind, "nothing was seen")
        )
    count = sum(event.count for event in found)
    beat = join.runs(target.beat, target)
    if kind != Kind.DEVICE_ITERATE.value and beat is not None and count * GATE < beat.count:
        return refuted(target, f"{times(count)} in {beat.count:,} iterations: not at each step", found)
    waits = sum(event.waits for event in found)
    per = f" in {beat.count:,} iterations" if beat is not None else ""
    how = ", ".join(dict.fromkeys(event.how for event in found))
    reason = (
        f"{how}: {times(count)}{per}, {times(waits)} the work was not ready" if waits else f"{how}: {times(count)}{per}"
    )
    return confirmed(target, reason, found, gain=sum(event.avoidable for event in found))


@handles(Kind.HOST_TO_DEVICE)
def put(join: Join, target: Target) -> Judged:
    """Copies to the device while the statement ran."""
    found = join.events(target, (Kind.HOST_TO_DEVICE.value,), chain=False)
    if not found:
        off = join.off(target, "host-to-device")
        if off is None and "settrace" in getattr(join.states.get("lines"), "reason", ""):
            off = Judged(target.finding, Verdict.NOT_MEASURABLE, "copies are not counted under sys.settrace")
        return off or join.silent(target, "ran {count}; nothing was copied to the device")
    run = join.runs(target.rows, target)
    per = f" in {times(run.count)} through the line" if run is not None and run.count > 1 else ""
    return confirmed(target, f"{sum(event.count for event in found):,} copies to the device{per}", found)


# -- clocks -----------------------------------------------------------------------------------------------------
@handles(Kind.CLOCK_STOP)
def clock(join: Join, target: Target) -> Judged:
    """Work that was still pending when the clock was read."""
    found = join.events(target, (Kind.CLOCK_STOP.value,), chain=False) or join.events(target, (Kind.CLOCK_STOP.value,))
    pending = [event for event in found if event.how == "pending"]
    drained = sum(event.count for event in found if event.how != "first-read")
    late = sum(event.count for event in pending)
    if pending and late * 5 >= drained:
        seconds = sum(event.seconds for event in pending)
        sample = max((s for e in pending for s in e.samples), key=lambda s: float(s.get("pending", 0.0)), default={})
        shown, missing = float(sample.get("interval", 0.0)), float(sample.get("pending", 0.0))
        ratio = (shown + missing) / shown if shown > 0 else 1.0
        factor = f", the true time is {ratio:.3g} times the one read" if ratio >= 1.1 else ""
        reason = f"{1e3 * seconds / late:.3g} ms of work pending at the read ({late} of {drained} looks){factor}"
        return confirmed(target, reason, pending)
    blocked = sum(event.count for event in found if event.how == "blocked")
    if blocked:
        return refuted(target, f"the work had ended: something waited for it before the read ({blocked} looks)", found)
    off = join.off(target, "timers")
    if off is not None:
        return off
    if join.runs(target.rows, target) is None and not found:
        return join.silent(target, "")
    if join.evidence.platform in ("", "cpu"):
        reason = "the work had ended at the read: on CPU small programs run at once; only an accelerator tells"
        return Judged(target.finding, Verdict.NOT_MEASURABLE, reason)
    return join.silent(target, "ran {count}; no work was pending")


@handles(Kind.TIMED_COMPILE)
def timed_compile(join: Join, target: Target) -> Judged:
    """A compilation at the line, between two reads of a clock."""
    found = join.events(target, (Kind.TIMED_COMPILE.value,))
    if found:
        names = ", ".join(f"`{event.subject}`" for event in found[:3])
        return confirmed(target, f"{names} compiled between two clock reads", found)
    compiled = [event for event in join.events(target, (COMPILED,)) if event.how not in ("eager", "first-eager")]
    if compiled:
        return confirmed(target, f"`{compiled[0].subject}` compiled here", compiled)
    return join.silent(target, "ran {count}; nothing compiled here")


# -- compilations -----------------------------------------------------------------------------------------------
@handles(Kind.COMPILED_CALL)
def recompiled(join: Join, target: Target) -> Judged:
    """The function called here was compiled again, and why."""
    found = join.events(target, (COMPILED,))
    again = [event for event in found if event.how in RECOMPILED]
    if again:
        count = sum(event.count for event in again)
        gain = sum(event.seconds for event in again)
        return confirmed(target, f"compiled again {times(count)}: {_reasons(again)}", again, gain=gain)
    first = sum(event.count for event in found if event.how in FIRST)
    return join.silent(target, "ran {count}; " + ("compiled once" if first else "nothing compiled here"))


@handles(Kind.ARRAY_GROW)
def grow(join: Join, target: Target) -> Judged:
    """Programs compiled in each turn of the loop, for shapes that grow."""
    rows: Rows = target.loop or target.rows
    found = [e for e in join.events(target, (COMPILED,), rows) if e.how not in FIRST and e.how != "new-function"]
    count = sum(event.count for event in found)
    beat = join.runs(target.beat, target)
    # without: single operations with other parameters, which a window of one size has, too, in its first turn
    changed = any("argument" in str(sample.get("reason", "")) for event in found for sample in event.samples)
    if count >= 2 and (changed or (beat is not None and count * 2 >= beat.count)):
        gain = sum(event.seconds for event in found)
        return confirmed(target, f"compiled again {times(count)} in this loop: {_reasons(found)}", found, gain=gain)
    return join.silent(target, f"ran {{count}}; compiled again {times(count) if count else 'never'} in this loop")


@handles(Kind.COMPILE_WRAP)
def wrapped(join: Join, target: Target) -> Judged:
    """Functions to which `jit` was applied at the line, each compiled anew."""
    first, last = target.rows
    found: list[ObservedEvent] = []
    once: list[ObservedEvent] = []
    applied = 0
    for event in join.by_file.get(target.file, ()):
        made = event.applied
        here = made is not None and real(made[0]) == target.file and first <= made[1] <= last
        direct = event.line and real(event.file) == target.file and first <= event.line <= last
        if event.kind == COMPILED and (here or (direct and made is None)):
            (found if event.how == "new-function" else once).append(event)
        elif event.kind == JIT_APPLIED and direct:
            applied += event.count
    if found:
        count = sum(event.count for event in found)
        reason = f"compiled {times(count)} more for new function objects"
        return confirmed(target, reason, found, gain=sum(event.seconds for event in found))
    programs = sum(event.count for event in once if event.how == "first")
    applied_words = f"`jit` was applied {times(applied)}" if applied else "ran {count}"
    return join.silent(target, f"{applied_words}, {times(programs) if programs else 'nothing'} compiled")


@handles(Kind.STATIC_SPEC)
def static_spec(join: Join, target: Target) -> Judged:
    """An exception from the call or from the body of the function that the statement compiles."""
    bodies = [target.functions[name] for name in target.names if name in target.functions]
    if target.defines:
        bodies.append(target.defines)
    for rows in bodies:
        raised = join.events(target, (*CONCRETISATION, EXCEPTION), rows)
        if raised:
            return confirmed(target, f"raised {raised[0].how} in the function", raised)
    for event in join.by_file.get(target.file, ()):
        if event.kind == EXCEPTION and event.how in ("TypeError", "ValueError"):
            message = str(event.samples[0].get("message", "")) if event.samples else ""
            if any(f"function {name} " in message or f"{name} at" in message for name in target.names):
                return confirmed(target, f"raised {event.how}: {message[:120]}", [event])
    return join.silent(target, "ran {count} without an error")


# -- memory and numbers -----------------------------------------------------------------------------------------
@handles(Kind.UNDONATED_CALL)
def undonated(join: Join, target: Target) -> Judged:
    """The program compiled for the function has results of the shapes of arguments that it may not write to."""
    found = _programs(join, target, Kind.UNDONATED_CALL)
    if found:
        largest = max(event.bytes // max(event.count, 1) for event in found)
        reason = (
            f"each call of `{found[0].subject}` makes new arrays for {largest / 1e6:.3g} MB of results, "
            "beside arguments of the same shapes (`--prove --unsafe-fixes` measures what donating them saves)"
        )
        return confirmed(target, reason, found)
    return _no_program(join, target, "no program with a megabyte of arguments to reuse was compiled for it")


@handles(Kind.CAPTURED_CONSTANT)
def constant(join: Join, target: Target) -> Judged:
    """A program compiled for the function around the line holds a megabyte of constants or more."""
    found = _programs(join, target, Kind.CAPTURED_CONSTANT)
    if found:
        largest = max(event.bytes // max(event.count, 1) for event in found)
        return confirmed(
            target, f"the program of `{found[0].subject}` holds {largest / 1e6:.3g} MB of constants", found
        )
    others = [event for event in join.evidence.events if event.kind == Kind.CAPTURED_CONSTANT.value]
    run = join.runs(target.rows, target)
    own = _programs(join, target, Kind.COMPILED_CALL)
    if others and not own and run is not None and run.traced:
        reason = f"`{others[0].subject}` holds constants, but whether they come from this line is not told"
        return Judged(target.finding, Verdict.NOT_MEASURABLE, reason)
    return _no_program(join, target, "no program with a megabyte of constants was compiled for it")


def _programs(join: Join, target: Target, kind: Kind) -> list[ObservedEvent]:
    """Events of compiled programs whose function is around the statement or defined by it, or whose `jit` it is."""
    first, last = target.rows
    around = [rows for rows in target.functions.values() if rows[0] <= first <= rows[1]]
    found = []
    for event in join.by_file.get(target.file, ()):
        if event.kind != kind.value:
            continue
        here = event.applied is not None and real(event.applied[0]) == target.file
        row = event.defined[1] if event.defined is not None and real(event.defined[0]) == target.file else 0
        inside = any(start <= row <= first for start, _ in around)
        own = target.defines is not None and target.defines[0] <= row <= target.defines[1]
        if inside or own or (here and event.applied is not None and first <= event.applied[1] <= last):
            found.append(event)
    return found


def _no_program(join: Join, target: Target, words: str) -> Judged:
    if join.runs(target.rows, target) is not None:
        off = join.off(target, "programs")
        if off is not None:
            return off
    return join.silent(target, f"ran {{count}}; {words}")


@handles(Kind.DTYPE_TRUNCATED)
def truncated(join: Join, target: Target) -> Judged:
    """JAX's warning that a type came out narrower."""
    found = join.events(target, (Kind.DTYPE_TRUNCATED.value,))
    if found:
        count = sum(event.count for event in found)
        return confirmed(target, f"{found[0].how}, {times(count)}: JAX warned that the type is not available", found)
    return join.off(target, "warnings") or join.silent(target, "ran {count}, and JAX truncated nothing")
