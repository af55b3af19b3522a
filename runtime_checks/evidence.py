"""The evidence file: JSON lines, one file a process, appended as things happen.

Lines are objects with a key `t`:

    process   pid, parent, argv, python, jax, start (seconds since the epoch), index (process index or None)
    probe     name, state, reason (a later line for the same name replaces the earlier one)
    event     id and the fields of `ObservedEvent`; cumulative, so the last line of an id counts
    line      file, line, count, traced; cumulative as well; `times` (a timeline) for the first line of a loop's body
    times     id of an event and its `times` so far (a timeline); the last line of an id counts
    end       seconds (run time of the watched program), status ("exit", "exec", "killed" is told by its absence)

A crash can cut the last line; readers skip what does not parse. Every write is one `os.write` on a
descriptor opened with O_APPEND, so nothing waits in a buffer that `os._exit` would drop.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runtime_checks.observed import ObservedEvent, Probe
from runtime_checks.timeline import Timeline

# the number of the file's descriptor, where allowed; seconds between two looks whether it is still the file
HIGH = 900
LOOK = 1.0
_clock = time.perf_counter  # the clock itself, taken before any hook
PATTERN = "evidence-*.jsonl"
DIRECTORY_VARIABLE = "JAXLINT_RUNTIME_DIR"


class Writer:
    """Appends lines to one file. All errors are swallowed: a full disk must not stop the watched program."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.pid = os.getpid()
        self._descriptor = -1
        self._identity = (0, 0)
        self._looked = 0.0
        self._open()

    @classmethod
    def in_directory(cls, directory: str) -> Writer:
        """A new file of this process in `directory`."""
        Path(directory).mkdir(parents=True, exist_ok=True)
        for attempt in range(1000):
            path = os.path.join(directory, f"evidence-{os.getpid()}-{attempt}.jsonl")
            if not os.path.exists(path):
                return cls(path)
        raise FileExistsError(f"too many evidence files of process {os.getpid()} in {directory}")

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = _out_of_the_way(os.open(self.path, flags, 0o644))
        self._identity = _identity(self._descriptor)

    def write(self, data: Mapping[str, Any]) -> None:
        """Append one line. A program may close all descriptors (daemons do), and even own this number afterwards."""
        if self._descriptor < 0:
            return
        try:
            text = json.dumps(data, separators=(",", ":"), default=str, ensure_ascii=True).encode("ascii") + b"\n"
            if _clock() - self._looked > LOOK and not self._is_mine():
                self._open()
            self._append(text)
        except (OSError, ValueError, TypeError):
            return

    def _is_mine(self) -> bool:
        """Whether the descriptor is still the file; a system call, so not before each line."""
        self._looked = _clock()
        return _identity(self._descriptor) == self._identity

    def _append(self, text: bytes) -> None:
        try:
            os.write(self._descriptor, text)
        except OSError as error:
            if error.errno != errno.EBADF:
                raise
            self._open()
            os.write(self._descriptor, text)

    def close(self) -> None:
        """Close the descriptor; later writes do nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0 and _identity(descriptor) == self._identity:
            try:
                os.close(descriptor)
            except OSError:
                return


def _out_of_the_way(descriptor: int) -> int:
    """The same open file under a high number, which a program that closes and opens files doesn't come to use."""
    try:
        import fcntl

        high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    except (ImportError, OSError, AttributeError):
        return descriptor  # another system, or a low limit on the number of files
    os.close(descriptor)
    return high


def _identity(descriptor: int) -> tuple[int, int]:
    """Device and number of the open file; (-1, -1) when nothing is open there."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return -1, -1
    return found.st_dev, found.st_ino


@dataclass(slots=True)
class LineCount:
    """How often a line ran: `count` times in all, `traced` of them while JAX traced; when, for loop bodies."""

    count: int = 0
    traced: int = 0
    timeline: Timeline | None = None

    def merge(self, other: LineCount, shift: float) -> None:
        """Add the count of another process, whose clock began `shift` seconds later."""
        self.count += other.count
        self.traced += other.traced
        if other.timeline is not None:
            self.timeline = self.timeline or Timeline()
            self.timeline.merge(other.timeline, shift)


@dataclass(slots=True)
class Process:
    """What one process wrote. `ended` is '' when it never said goodbye (killed, crashed)."""

    pid: int = 0
    parent: int = 0
    index: int | None = None
    processes: int = 1
    platform: str = ""
    argv: list[str] = field(default_factory=list)
    python: str = ""
    jax: str = ""
    start: float = 0.0
    seconds: float = 0.0
    ended: str = ""
    probes: dict[str, Probe] = field(default_factory=dict)
    events: list[ObservedEvent] = field(default_factory=list)
    lines: dict[tuple[str, int], LineCount] = field(default_factory=dict)
    planned: bool = False


@dataclass(slots=True)
class Evidence:
    """The evidence of a whole run: every process, and the sums over them."""

    processes: list[Process] = field(default_factory=list)
    events: list[ObservedEvent] = field(default_factory=list)
    lines: dict[tuple[str, int], LineCount] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Run time of the longest process, in seconds."""
        return max((process.seconds for process in self.processes), default=0.0)

    @property
    def platform(self) -> str:
        """The JAX backend of the run ('cpu', 'gpu', ...), '' when no process got that far."""
        return next((process.platform for process in self.processes if process.platform), "")

    @property
    def probes(self) -> list[Probe]:
        """The worst state of each probe over the processes that loaded jax."""
        order = {"active": 0, "degraded": 1, "off": 2}
        worst: dict[str, Probe] = {}
        with_jax = [process for process in self.processes if process.jax] or self.processes
        for process in with_jax:
            for name, probe in process.probes.items():
                if name not in worst or order.get(probe.state, 2) > order.get(worst[name].state, 2):
                    worst[name] = probe
        return list(worst.values())


def read_file(path: str | Path) -> Process:
    """Read one evidence file, also one that is being written or was cut off."""
    process = Process()
    events: dict[int, ObservedEvent] = {}
    times: dict[int, Timeline] = {}
    last = 0.0
    with open(path, encoding="utf-8", errors="replace") as stream:
        for text in stream:
            try:
                data = json.loads(text)
                kind = data["t"]
                if kind == "event":
                    events[data["id"]] = ObservedEvent.from_json(data)
                    last = max(last, events[data["id"]].last)
                elif kind == "line":
                    found = Timeline.from_json(data["times"]) if "times" in data else None
                    process.lines[data["file"], data["line"]] = LineCount(data["count"], data["traced"], found)
                elif kind == "times":
                    times[data["id"]] = Timeline.from_json(data["times"])
                elif kind == "probe":
                    process.probes[data["name"]] = Probe(data["name"], data["state"], data["reason"])
                elif kind == "process":
                    for name in (
                        "pid", "parent", "index", "processes", "platform", "argv", "python", "jax", "start", "planned"
                    ):  # fmt: skip
                        if name in data:
                            setattr(process, name, data[name])
                elif kind == "end":
                    process.seconds = data["seconds"]
                    process.ended = data["status"]
            except (ValueError, KeyError, TypeError):
                continue  # a cut or foreign line
    for number, event in events.items():
        event.timeline = times.get(number, event.timeline)
    process.events = list(events.values())
    process.seconds = max(process.seconds, last)
    return process


def read_directory(directory: str | Path) -> Evidence:
    """Read and merge the evidence of all processes in `directory`."""
    paths = sorted(Path(directory).glob(PATTERN), key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)])
    return merge(read_file(path) for path in paths)


def merge(processes: Iterable[Process]) -> Evidence:
    """Sum the processes' events by kind, how, place and subject, in order of process index."""
    evidence = Evidence(sorted(processes, key=lambda p: (p.index if p.index is not None else 1 << 30, p.start)))
    merged: dict[tuple[object, ...], ObservedEvent] = {}
    begin = min((process.start for process in evidence.processes if process.start), default=0.0)
    for process in evidence.processes:
        shift = max(process.start - begin, 0.0)
        for event in process.events:
            key = (event.kind, event.how, event.file, event.line, event.subject, event.applied)
            if key in merged:
                merged[key].merge(event, shift)
            else:
                merged[key] = event.copy()
                merged[key].timeline = Timeline()
                merged[key].timeline.merge(event.timeline, shift)
        for place, count in process.lines.items():
            evidence.lines.setdefault(place, LineCount()).merge(count, shift)
    evidence.events = sorted(merged.values(), key=lambda event: (event.file, event.line, event.kind, event.how))
    return evidence
