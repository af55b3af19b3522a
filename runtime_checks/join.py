"""The join of findings and evidence: a verdict for each finding, and what nobody had predicted."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.findings import Finding
from runtime_checks.evidence import Evidence, LineCount
from runtime_checks.observed import CAUGHT, EXCEPTION, KEY_REUSE, USE_AFTER_DONATE, ObservedEvent
from runtime_checks.plan import Target, runs
from runtime_checks.statements import Rows

if TYPE_CHECKING:
    from runtime_checks.prove.proof import Proof


class Verdict(enum.Enum):
    """What the run says about a finding."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_REACHED = "not reached"
    NOT_MEASURABLE = "not measurable here"


@dataclass(slots=True)
class Judged:
    """A finding with its verdict. `seconds` were blocked, compiled or not seen by the clock; `gain` is an estimate
    of the seconds that the run would have saved; `runs` and `iterations` count the statement and its loop."""

    finding: Finding
    verdict: Verdict
    reason: str
    count: int = 0
    seconds: float = 0.0
    gain: float | None = None
    bytes: int = 0
    runs: int | None = None
    iterations: int | None = None
    events: list[ObservedEvent] = field(default_factory=list)


@dataclass(slots=True)
class Confirmation:
    """The result of a run. `share` values are of `evidence.seconds`."""

    judged: list[Judged]
    unpredicted: list[ObservedEvent]
    evidence: Evidence
    status: int | None = None
    command: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    proof: Proof | None = None

    def count(self, verdict: Verdict) -> int:
        """Number of findings with this verdict."""
        return sum(judged.verdict is verdict for judged in self.judged)


CONCRETISATION = frozenset(
    kind.value for kind in (Kind.TRACER_BOOL, Kind.TRACER_CONVERT, Kind.TRACER_ARRAY, Kind.TRACER_SHAPE)
)
FIRST = frozenset(("first", "first-eager"))
RECOMPILED = frozenset(("ragged-batch", "static-varies", "signature", "context"))
# rules whose fault ends in an exception at the reported line: a run through it without one refutes them
RAISING = frozenset(
    ("JAX502", "JAX801", "JAX802", "JAX804", "JAX805", "JAX906", "JAX907", "JAX908", "JAX405", "JAX407")
)
GPU_ONLY = frozenset(("JAX701",))


def real(path: str) -> str:
    """One name for one file."""
    return os.path.realpath(path) if path and not path.startswith("<") else path


class Join:
    """Looks up the evidence for targets."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.lines: dict[tuple[str, int], LineCount] = {}
        for (file, row), count in evidence.lines.items():
            self.lines[real(file), row] = count
        self.by_file: dict[str, list[ObservedEvent]] = {}
        for event in evidence.events:
            files = {real(event.file)}
            files.update(real(place.file) for place in event.chain)
            if event.applied:
                files.add(real(event.applied[0]))
            if event.defined:
                files.add(real(event.defined[0]))
            for file in files:
                self.by_file.setdefault(file, []).append(event)
        self.states = {probe.name: probe for probe in evidence.probes}

    def judge(self, target: Target) -> Judged:
        """The verdict for one finding."""
        target = _with_real_file(target)
        evidence = target.finding.evidence or _by_code(target.finding.code)
        handler = _HANDLERS.get(evidence or "", _other)
        judged = handler(self, target)
        run, beat = self.runs(target.rows, target), self.runs(target.beat, target)
        judged.runs = run.count if run else None
        judged.iterations = beat.count if beat else None
        if judged.verdict is Verdict.CONFIRMED or handler is _other:
            return judged
        raised = self.exceptions(target)
        if raised and _fits(evidence, raised):
            return _raised(target, raised)
        return judged

    # -- look-ups -----------------------------------------------------------------------------------------
    def events(
        self, target: Target, kinds: Iterable[str], rows: Rows | None = None, chain: bool = True
    ) -> list[ObservedEvent]:
        """Events of `kinds` whose line, or (with `chain`) a caller's line, lies in `rows`."""
        wanted = frozenset(kinds)
        first, last = rows or target.rows
        found = []
        for event in self.by_file.get(target.file, ()):
            if event.kind not in wanted:
                continue
            direct = real(event.file) == target.file and first <= event.line <= last
            if direct or (chain and any(real(p.file) == target.file and first <= p.line <= last for p in event.chain)):
                found.append(event)
        return found

    def exceptions(self, target: Target) -> list[ObservedEvent]:
        """Exceptions that ended the program, a thread or a test at the statement."""
        return self.events(target, (EXCEPTION,))

    def runs(self, rows: Rows | None, target: Target) -> LineCount | None:
        """How often a statement ran."""
        return runs(self.lines, target.file, rows)

    def silent(self, target: Target, words: str) -> Judged:
        """Nothing was seen at a statement: refuted if it ran, else not reached."""
        run = self.runs(target.rows, target)
        if run is not None and target.optional:
            reason = f"the line ran {times(run.count)}, but nothing shows that this part of it was ever evaluated"
            return Judged(target.finding, Verdict.NOT_REACHED, reason)
        if run is not None:
            return Judged(
                target.finding, Verdict.REFUTED, words.format(count=times(run.count), traced=times(run.traced))
            )
        state = self.states.get("lines")
        if state is None or state.state == "off":
            why = state.reason if state else "no process counted lines"
            reason = f"nothing was seen, and lines were not counted: {why}"
            return Judged(target.finding, Verdict.NOT_MEASURABLE, reason)
        return Judged(target.finding, Verdict.NOT_REACHED, self._why_not(target))

    def _why_not(self, target: Target) -> str:
        """Why the line never ran, as far as the run tells."""
        ended = next((e for e in self.evidence.events if e.kind == EXCEPTION), None)
        why = target.way.explain(lambda rows: count.count if (count := self.runs(rows, target)) else None)
        parts = [why] if why else []
        if ended is not None:
            parts.append(f"{ended.how} at {short(ended)}")
        return f"the line never ran: {'; '.join(parts)}" if parts else "the line never ran"

    def off(self, target: Target, *names: str) -> Judged | None:
        """Not measurable, when one of the observers was off."""
        for name in names:
            state = self.states.get(name)
            if state is not None and state.state == "off":
                return Judged(target.finding, Verdict.NOT_MEASURABLE, f"{name}: {state.reason}")
        return None


def _with_real_file(target: Target) -> Target:
    target.file = real(target.file)
    return target


def _by_code(code: str) -> str | None:
    from runtime_checks.static import EVIDENCE

    kind = EVIDENCE.get(code)
    return kind.value if kind else None


def times(count: int) -> str:
    """`once`, `3 times`."""
    return "once" if count == 1 else f"{count:,} times"


def short(event: ObservedEvent) -> str:
    """File name and line of an event."""
    return f"{os.path.basename(event.file)}:{event.line}"


def confirmed(target: Target, reason: str, events: Sequence[ObservedEvent], gain: float | None = None) -> Judged:
    """A confirmed finding with the sums of its events."""
    return Judged(
        target.finding,
        Verdict.CONFIRMED,
        reason,
        count=sum(event.count for event in events),
        seconds=sum(event.seconds for event in events),
        gain=gain,
        bytes=sum(event.bytes for event in events),
        events=list(events),
    )


def refuted(target: Target, reason: str, events: Sequence[ObservedEvent] = ()) -> Judged:
    """A refuted finding."""
    return Judged(target.finding, Verdict.REFUTED, reason, events=list(events))


def _raised(target: Target, events: Sequence[ObservedEvent]) -> Judged:
    sample = events[0].samples[0] if events[0].samples else {}
    message = str(sample.get("message", "")).split("\n", 1)[0][:160]
    return confirmed(target, f"raised {events[0].how}: {message}", events)


def _fits(evidence: str | None, raised: Sequence[ObservedEvent]) -> bool:
    """Whether an exception that ended the program can be the fault that the finding predicts."""
    if evidence in _NEVER_RAISE:
        return False
    ordinary = {"KeyboardInterrupt", "SystemExit", "FileNotFoundError", "ModuleNotFoundError", "ImportError"}
    return not ordinary & {event.how for event in raised}


_NEVER_RAISE = frozenset(
    kind.value
    for kind in (
        Kind.HOST_READ, Kind.HOST_BLOCK, Kind.DEVICE_ITERATE, Kind.HOST_TO_DEVICE, Kind.CLOCK_STOP, Kind.TIMED_COMPILE,
        Kind.ARRAY_GROW, Kind.COMPILE_WRAP, Kind.TRACE_UNROLL, Kind.TRACE_EFFECT, Kind.TRACER_TYPE_TEST,
    )
)  # fmt: skip


def _other(join: Join, target: Target) -> Judged:
    """Rules without an event of their own: exceptions, key reuse, deleted arrays."""
    raised = join.exceptions(target)
    code = target.finding.code
    if code in ("JAX601", "JAX602") or target.finding.name.startswith("key-reuse"):
        reused = join.events(target, (KEY_REUSE,))
        if reused:
            first = reused[0].samples[0].get("first", "") if reused[0].samples else ""
            return confirmed(target, f"the key was consumed before at {first}", reused)
        judged = join.silent(target, "")
        if judged.verdict is Verdict.REFUTED:
            reason = "ran, but only one key object used twice by jax.random in one process is seen"
            return Judged(target.finding, Verdict.NOT_MEASURABLE, reason)
        return judged
    deleted = join.events(target, (USE_AFTER_DONATE,)) if code == "JAX502" else []
    if deleted or (raised and _fits(None, raised)):
        return _raised(target, raised) if raised else confirmed(target, "a deleted array was read", deleted)
    if code in GPU_ONLY and join.evidence.platform in ("", "cpu"):
        return Judged(target.finding, Verdict.NOT_MEASURABLE, "only a GPU runs this path")
    if code in RAISING:
        return join.silent(target, "ran {count} without an error")
    judged = join.silent(target, "")
    if judged.verdict is Verdict.REFUTED:
        return Judged(target.finding, Verdict.NOT_MEASURABLE, "no observer sees this rule's fault")
    return judged


_HANDLERS: dict[str, Callable[[Join, Target], Judged]] = {}


def handles(*kinds: Kind) -> Callable[[Callable[[Join, Target], Judged]], Callable[[Join, Target], Judged]]:
    """Register the judgement for findings with this evidence."""

    def register(function: Callable[[Join, Target], Judged]) -> Callable[[Join, Target], Judged]:
        for kind in kinds:
            _HANDLERS[kind.value] = function
        return function

    return register


def without_caught(events: Sequence[ObservedEvent]) -> list[ObservedEvent]:
    """The events without the conversions that a library tried and gave up by itself at the same place."""
    caught = {(event.how, event.file, event.line): event.count for event in events if event.kind == CAUGHT}
    return [
        event
        for event in events
        if event.kind != CAUGHT
        and not (
            event.kind in CONCRETISATION and caught.get((event.how, event.file, event.line), 0) >= event.count
        )
    ]  # fmt: skip


def confirm(targets: Iterable[Target], evidence: Evidence) -> Confirmation:
    """Judge every target, and list what was seen at lines that no finding names."""
    from runtime_checks import verdicts  # noqa: F401 - registers the handlers
    from runtime_checks.unpredicted import unpredicted

    evidence.events = without_caught(evidence.events)
    join = Join(evidence)
    listed = list(targets)
    judged = [join.judge(target) for target in listed]
    return Confirmation(judged, unpredicted(listed, judged, evidence), evidence)
