"""The timeline of a run as SVG: one lane each for steps, compilations, syncs and copies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jaxlint.events import Kind
from runtime_checks.evidence import Evidence
from runtime_checks.report.elements import Element, add, element
from runtime_checks.report.terminal import duration
from runtime_checks.timeline import Timeline

WIDTH, LEFT, LANE, GAP = 960, 110, 34, 8
COLUMNS = 200


@dataclass(slots=True)
class Lane:
    """One row of the chart. `timed`: bars show seconds; else the number of times."""

    name: str
    timeline: Timeline
    timed: bool
    unit: str


def lanes(evidence: Evidence) -> list[Lane]:
    """The lanes in which something happened."""
    steps = Timeline()
    for count in evidence.lines.values():
        if count.timeline is not None:
            steps.merge(count.timeline)
    kinds = {
        "compilations": ((Kind.COMPILED_CALL.value,), True),
        "syncs": ((Kind.HOST_READ.value, Kind.HOST_BLOCK.value), True),
        "copies to device": ((Kind.HOST_TO_DEVICE.value,), False),
    }
    found = [Lane("steps", steps, False, "steps")]
    for name, (wanted, timed) in kinds.items():
        found.append(Lane(name, _sum(evidence, wanted), timed, name))
    return [lane for lane in found if lane.timeline.bins]


def _sum(evidence: Evidence, kinds: Iterable[str]) -> Timeline:
    total = Timeline()
    for event in evidence.events:
        if event.kind in kinds:
            total.merge(event.timeline)
    return total


def columns(timeline: Timeline, seconds: float) -> dict[int, list[float]]:
    """`[count, seconds]` by column of the chart, for a run of `seconds`."""
    found: dict[int, list[float]] = {}
    for index, (count, spent) in timeline.bins.items():
        middle = (index + 0.5) * timeline.width
        place = min(int(COLUMNS * middle / seconds), COLUMNS - 1) if seconds > 0 else 0
        held = found.setdefault(place, [0, 0.0])
        held[0] += count
        held[1] += spent
    return found


def chart(evidence: Evidence) -> Element | None:
    """The chart; None when nothing was seen."""
    shown = lanes(evidence)
    if not shown:
        return None
    height = len(shown) * (LANE + GAP) + 24
    picture = element("svg", viewBox=f"0 0 {WIDTH} {height}", role="img", class_="timeline")
    add(picture, element("title", "When steps, compilations and syncs happened"))
    for number, lane in enumerate(shown):
        _draw(picture, lane, number * (LANE + GAP), evidence.seconds)
    base = len(shown) * (LANE + GAP) + 14
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = LEFT + share * (WIDTH - LEFT - 30)
        label = duration(share * evidence.seconds) if share else "0"
        add(picture, element("text", label, x=f"{x:.1f}", y=str(base), class_="axis"))
    return picture


def _draw(picture: Element, lane: Lane, top: int, seconds: float) -> None:
    found = columns(lane.timeline, seconds)
    part = 1 if lane.timed else 0
    highest = max(values[part] for values in found.values()) or 1
    step = (WIDTH - LEFT - 30) / COLUMNS
    add(picture, element("text", lane.name, x="0", y=str(top + LANE - 6), class_="lane"))
    floor = str(top + LANE)
    add(picture, element("line", x1=str(LEFT), x2=str(WIDTH - 30), y1=floor, y2=floor, class_="floor"))
    for column, values in sorted(found.items()):
        tall = max(2.0, LANE * values[part] / highest)
        words = f"{values[0]:,.0f} {lane.unit}" + (f", {duration(values[1])}" if lane.timed else "")
        at = duration((column + 0.5) / COLUMNS * seconds) if seconds > 0 else "0"
        bar = element(
            "rect",
            element("title", f"at {at}: {words}"),
            x=f"{LEFT + column * step:.1f}",
            y=f"{top + LANE - tall:.1f}",
            width=f"{max(step - 0.5, 1):.1f}",
            height=f"{tall:.1f}",
            class_=lane.name.split()[0],
        )
        add(picture, bar)
