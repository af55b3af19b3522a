"""What was seen at one place of the program: the runtime's side of the event vocabulary.

An `ObservedEvent` sums everything of one kind that happened at one line. It holds text and numbers only:
no frame, array, tracer or function is ever kept alive by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from runtime_checks.timeline import Timeline

# Kinds that only a run can see; the others are the values of `jaxlint.events.Kind`.
EXCEPTION = "exception"
KEY_REUSE = "key-reuse"
MEMORY = "memory"
JIT_APPLIED = "jit-applied"
USE_AFTER_DONATE = "use-after-donate"
DONATION_UNUSED = "donation-unused"
# a concretisation error that a library raised and caught itself: its `how` and place are those of the error's event
CAUGHT = "caught-by-library"

MAX_SAMPLES = 8


class Place(NamedTuple):
    """One line of a file, and the function around it."""

    file: str
    line: int
    function: str


class Site(NamedTuple):
    """Where an event belongs: the innermost project line, the library frame between, and the project's call chain."""

    file: str
    line: int
    function: str
    via: str = ""
    chain: tuple[Place, ...] = ()


NOWHERE = Site("", 0, "")


@dataclass(slots=True)
class ObservedEvent:
    """Everything of one `kind` and `how` seen at `file`:`line`.

    `seconds` is the time blocked, compiled or still pending in total, `longest` the greatest single value,
    `avoidable` an estimate of what the run would have saved (never more than `seconds`); `waits` counts the
    events that really had to wait; `bytes` is the data moved. `first` and `last` are seconds since the
    recorder's start. `traced` counts the events that happened while JAX traced. `samples` holds the first
    few distinct details in the order seen. `timeline` tells when; it travels beside the other fields, not in them.
    """

    kind: str
    how: str
    file: str
    line: int
    function: str
    subject: str = ""
    defined: tuple[str, int] | None = None
    applied: tuple[str, int] | None = None
    via: str = ""
    chain: tuple[Place, ...] = ()
    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    avoidable: float = 0.0
    bytes: int = 0
    waits: int = 0
    traced: int = 0
    first: float = 0.0
    last: float = 0.0
    samples: list[dict[str, Any]] = field(default_factory=list)
    timeline: Timeline = field(default_factory=Timeline)

    @property
    def where(self) -> str:
        """`file:line` for messages."""
        return f"{self.file}:{self.line}" if self.file else "<outside the project>"

    def add(
        self,
        *,
        count: int = 1,
        seconds: float = 0.0,
        avoidable: float = 0.0,
        bytes: int = 0,
        waited: bool = False,
        traced: bool = False,
        at: float = 0.0,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        """Count one more event (or `count` of them) that took `seconds` in total, ending at `at`."""
        if self.count == 0:
            self.first = at
        self.count += count
        self.last = at
        self.seconds += seconds
        if seconds > self.longest:
            self.longest = seconds
        self.avoidable += min(avoidable, seconds)
        self.bytes += bytes
        self.waits += waited
        self.traced += count if traced else 0
        self.timeline.add(at, count, seconds)
        if details and len(self.samples) < MAX_SAMPLES:
            sample = dict(details)
            if sample not in self.samples:
                self.samples.append(sample)

    def merge(self, other: ObservedEvent, shift: float = 0.0) -> None:
        """Add what another process saw at the same place, whose clock began `shift` seconds later."""
        self.timeline.merge(other.timeline, shift)
        self.first = min(self.first, other.first) if self.count else other.first
        self.last = max(self.last, other.last)
        self.count += other.count
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.avoidable += other.avoidable
        self.bytes += other.bytes
        self.waits += other.waits
        self.traced += other.traced
        for sample in other.samples:
            if len(self.samples) < MAX_SAMPLES and sample not in self.samples:
                self.samples.append(sample)

    def as_json(self) -> dict[str, Any]:
        """The event as JSON data. Seconds are seconds, bytes are bytes."""
        return {
            "kind": self.kind,
            "how": self.how,
            "file": self.file,
            "line": self.line,
            "function": self.function,
            "subject": self.subject,
            "defined": list(self.defined) if self.defined else None,
            "applied": list(self.applied) if self.applied else None,
            "via": self.via,
            "chain": [list(place) for place in self.chain],
            "count": self.count,
            "seconds": round(self.seconds, 9),
            "longest": round(self.longest, 9),
            "avoidable": round(self.avoidable, 9),
            "bytes": self.bytes,
            "waits": self.waits,
            "traced": self.traced,
            "first": round(self.first, 6),
            "last": round(self.last, 6),
            "samples": self.samples,
        }

    def copy(self) -> ObservedEvent:
        """Another one with the same content."""
        made = self.from_json(self.as_json())
        made.timeline.merge(self.timeline)
        return made

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ObservedEvent:
        """The inverse of `as_json`; unknown keys are ignored, so that newer files can be read."""
        names = cls.__dataclass_fields__
        known = {name: value for name, value in data.items() if name in names and name != "timeline"}
        known["chain"] = tuple(Place(*place) for place in data.get("chain", ()))
        known["samples"] = list(data.get("samples", ()))
        for name in ("defined", "applied"):
            place = data.get(name)
            known[name] = (place[0], place[1]) if place else None
        return cls(**known)


@dataclass(slots=True)
class Probe:
    """The state of one observer or private name: `active`, `degraded` or `off`, and why."""

    name: str
    state: str
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        """The probe as JSON data."""
        return {"name": self.name, "state": self.state, "reason": self.reason}


def active(name: str, reason: str = "") -> Probe:
    """A probe that sees everything it should."""
    return Probe(name, "active", reason)


def degraded(name: str, reason: str) -> Probe:
    """A probe that sees a part; `reason` says which part is missing."""
    return Probe(name, "degraded", reason)


def off(name: str, reason: str) -> Probe:
    """A probe that sees nothing."""
    return Probe(name, "off", reason)
