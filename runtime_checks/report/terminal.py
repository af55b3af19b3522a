"""The confirmation as text for a person."""

from __future__ import annotations

import os

from jaxlint.events import Kind
from runtime_checks.join import Confirmation, Judged, Verdict
from runtime_checks.observed import KEY_REUSE, ObservedEvent
from runtime_checks.report.price import fix_order, peak_memory, price

_COST = {
    Kind.HOST_READ.value: "blocked",
    Kind.HOST_BLOCK.value: "blocked",
    Kind.DEVICE_ITERATE.value: "spent",
    Kind.CLOCK_STOP.value: "not seen by the clock",
    Kind.TIMED_COMPILE.value: "of compilation inside the timed region",
    Kind.COMPILED_CALL.value: "compiling",
    Kind.ARRAY_GROW.value: "compiling",
    Kind.COMPILE_WRAP.value: "compiling",
}
_MOVED = frozenset((Kind.HOST_READ.value, Kind.HOST_TO_DEVICE.value))
_COLORS = {
    Verdict.CONFIRMED: "31;1",
    Verdict.REFUTED: "32",
    Verdict.NOT_REACHED: "33",
    Verdict.NOT_MEASURABLE: "36",
}
MAX_UNPREDICTED = 20


def duration(seconds: float) -> str:
    """`12.3 s`, `4.56 ms`, `0.7 µs`."""
    if seconds >= 1:
        return f"{seconds:.3g} s" if seconds < 1000 else f"{seconds:,.0f} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.0f} µs" if seconds >= 1e-5 else f"{seconds * 1e6:.2g} µs"


def size(count: int) -> str:
    """`1.5 MB` (powers of ten)."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} B"


def render(result: Confirmation, color: bool = False) -> str:
    """The whole report."""
    lines = [_title(result)]
    for verdict in Verdict:
        group = [judged for judged in result.judged if judged.verdict is verdict]
        if not group:
            continue
        if verdict is Verdict.CONFIRMED:
            group = fix_order(group)
        lines += ["", _paint(f"{verdict.value} ({len(group)})", _COLORS[verdict], color)]
        for judged in group:
            lines += _finding(judged, result.evidence.seconds)
    if result.unpredicted:
        lines += ["", _paint(f"seen without a finding ({len(result.unpredicted)})", "35", color)]
        lines += [_event(event, result.evidence.seconds) for event in result.unpredicted[:MAX_UNPREDICTED]]
        rest = len(result.unpredicted) - MAX_UNPREDICTED
        if rest > 0:
            lines.append(f"  and {rest} more (--output-format json shows all)")
    if result.proof is not None:
        from runtime_checks.report.proof import lines_of

        lines += ["", *lines_of(result.proof)]
    lines += ["", *_state(result)]
    lines += [f"problem: {problem}" for problem in result.problems]
    lines.append(_summary(result))
    return "\n".join(lines) + "\n"


def _paint(text: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if color else text


def _title(result: Confirmation) -> str:
    evidence = result.evidence
    versions = sorted({process.jax for process in evidence.processes if process.jax})
    parts = [f"{evidence.seconds:.1f} s"]
    if evidence.platform:
        parts.append(f"on {evidence.platform}")
    if versions:
        parts.append("jax " + ", ".join(versions))
    if len(evidence.processes) > 1:
        parts.append(f"{len(evidence.processes)} processes")
    if result.status is not None:
        parts.append(f"exit status {result.status}")
    return f"jaxlint confirm: {' '.join(result.command)} ({', '.join(parts)})"


def place(file: str, line: int) -> str:
    """`file:line`, relative to the current folder where that is near."""
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return f"{file if relative.startswith('..' + os.sep + '..') else relative}:{line}"


def _finding(judged: Judged, total: float) -> list[str]:
    finding = judged.finding
    lines = [
        f"  {place(finding.filename, finding.span.row)}:{finding.span.column} {finding.code} {finding.name}",
        f"      {judged.reason}",
    ]
    if judged.verdict is Verdict.CONFIRMED:
        cost = _price(judged, total)
        if cost:
            lines.append(f"      {cost}")
        via = next((event.via for event in judged.events if event.via), "")
        if via:
            lines.append(f"      via {via}")
    return lines


def cost_words(judged: Judged) -> str:
    """What the finding's seconds are: blocked, compiling, ..."""
    kind = judged.events[0].kind if judged.events else ""
    return _COST.get(judged.finding.evidence or kind, "spent")


def _price(judged: Judged, total: float) -> str:
    parts = []
    cost = price(judged, total)
    if cost.seconds > 0:
        share = f" ({100 * cost.share:.1f} % of the run)" if cost.share is not None else ""
        parts.append(f"{duration(cost.seconds)} {cost_words(judged)}{share}")
    if cost.per_step is not None and (judged.iterations or judged.runs or 0) > 1:
        parts.append(f"{duration(cost.per_step)} a step")
    if cost.gain is not None and cost.gain > 0:
        parts.append(f"estimated gain {duration(cost.gain)}")
    if judged.bytes and judged.events[0].kind in _MOVED:
        parts.append(f"{size(judged.bytes)} moved")
    return ", ".join(parts)


def event_words(event: ObservedEvent, total: float) -> str:
    """What was seen at a line without a finding, in one sentence."""
    share = f", {100 * event.seconds / total:.1f} % of the run" if total > 0 and event.seconds > 0 else ""
    cost = f" ({duration(event.seconds)}{share})" if event.seconds > 0 else ""
    sample = event.samples[0] if event.samples else {}
    times = "once" if event.count == 1 else f"{event.count:,} times"
    if event.kind == Kind.COMPILED_CALL.value:
        return f"`{event.subject}` compiled again {times}{cost}: {sample.get('reason', '')}"
    if event.kind == Kind.CLOCK_STOP.value:
        return f"clock read {times} with work pending{cost}"
    if event.kind == Kind.TRACER_LEAK.value:
        return f"a tracer of `{event.subject}` outlived its trace, held by {sample.get('held_by', 'something')}"
    if event.kind == KEY_REUSE:
        return f"random key used again {times}, first at {sample.get('first', '?')}"
    if event.kind in (Kind.HOST_READ.value, Kind.HOST_BLOCK.value):
        return f"{event.how} waited for the device, {times}{cost}"
    return f"{event.how} {times}"


def _event(event: ObservedEvent, total: float) -> str:
    via = f" via {event.via}" if event.via else ""
    return f"  {place(event.file, event.line)} {event_words(event, total)}{via}"


def _state(result: Confirmation) -> list[str]:
    lines = []
    peak, source = peak_memory(result.evidence)
    if peak:
        words = "the backend's counters" if source == "backend" else "live arrays when something compiled"
        lines.append(f"peak memory on the devices: {size(peak)} ({words})")
    for process in result.evidence.processes:
        if not process.ended and process.pid:
            name = f"process {process.index if process.processes > 1 else process.pid}"
            lines.append(f"{name} ended without a word (killed or crashed): what it had written is shown")
    for probe in result.evidence.probes:
        if probe.state != "active":
            lines.append(f"observer {probe.name} {probe.state}: {probe.reason}")
    return lines


def _summary(result: Confirmation) -> str:
    counts = ", ".join(f"{result.count(verdict)} {verdict.value}" for verdict in Verdict)
    return f"{counts}; {len(result.unpredicted)} seen without a finding"
