"""The confirmation as one self-contained HTML file: verdicts in the order of fixing, timeline, code, observers."""

from __future__ import annotations

import linecache
from collections.abc import Sequence

from runtime_checks.join import Confirmation, Judged, Verdict
from runtime_checks.observed import ObservedEvent
from runtime_checks.report.chart import chart
from runtime_checks.report.elements import Element, add, document, element
from runtime_checks.report.price import fix_order, peak_memory, price
from runtime_checks.report.proof import lines_of
from runtime_checks.report.terminal import cost_words, duration, event_words, place, size

AROUND = 2
MAX_EVENTS = 100
STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; white-space: nowrap; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; margin: .4rem 0; }
pre .hit { background: #f5a62344; display: block; } pre .row { opacity: .6; }
.verdict { border-radius: .6rem; padding: 0 .5rem; white-space: nowrap; color: #fff; }
.confirmed { background: #c0392b; } .refuted { background: #2e7d32; }
.not-reached { background: #8a6d00; } .not-measurable-here { background: #00798c; }
section.finding { border-top: 1px solid var(--line); padding-top: .6rem; margin-top: 1.2rem; }
.timeline { width: 100%; height: auto; } .timeline text { font: 12px system-ui, sans-serif; fill: currentColor; }
.timeline .floor { stroke: #8888; } .timeline .steps { fill: #4a7bd0; } .timeline .compilations { fill: #c0392b; }
.timeline .syncs { fill: #d98200; } .timeline .copies { fill: #00798c; }
.problem { color: #c0392b; } .note { opacity: .8; }
"""


def render(result: Confirmation) -> str:
    """The page. Everything that came from the program or its files is escaped."""
    ordered = fix_order(result.judged)
    title = f"jaxlint confirm: {' '.join(result.command)}"
    parts = [element("h1", title), _facts(result)]
    if ordered:
        parts += [element("h2", "What to fix first"), _table(ordered, result.evidence.seconds)]
    picture = chart(result.evidence)
    if picture is not None:
        parts += [element("h2", "When it happened"), picture]
    if ordered:
        parts.append(element("h2", "Findings"))
        parts += [_finding(number, judged, result.evidence.seconds) for number, judged in enumerate(ordered, 1)]
    if result.proof is not None:
        parts += [element("h2", "What the fixes gain"), element("pre", "\n".join(lines_of(result.proof)))]
    if result.unpredicted:
        parts += [element("h2", "Seen without a finding"), *_unpredicted(result.unpredicted, result.evidence.seconds)]
    parts += [element("h2", "How it was seen"), _observers(result)]
    return document(title, STYLE, *parts)


def _facts(result: Confirmation) -> Element:
    evidence = result.evidence
    versions = sorted({process.jax for process in evidence.processes if process.jax})
    peak, source = peak_memory(evidence)
    facts = [
        ("run time", duration(evidence.seconds)),
        ("backend", evidence.platform or "not used"),
        ("jax", ", ".join(versions) or "not imported"),
        ("processes", str(len(evidence.processes))),
        ("exit status", "unknown" if result.status is None else str(result.status)),
        ("verdicts", ", ".join(f"{result.count(verdict)} {verdict.value}" for verdict in Verdict)),
        ("seen without a finding", str(len(result.unpredicted))),
    ]
    if peak:
        how = "backend's counters" if source == "backend" else "live arrays when something compiled"
        facts.append(("peak memory on the devices", f"{size(peak)} ({how})"))
    table = element("table")
    for name, value in facts:
        add(table, element("tr", element("th", name), element("td", value)))
    box = element("div", table)
    for problem in result.problems:
        add(box, element("p", f"problem: {problem}", class_="problem"))
    return box


def _table(ordered: Sequence[Judged], total: float) -> Element:
    names = ("", "place", "rule", "verdict", "times", "cost", "ms a step", "% of the run", "estimated gain")
    head = element(
        "tr", *(element("th", name, class_="number" if index > 3 else "") for index, name in enumerate(names))
    )
    table = element("table", head)
    for number, judged in enumerate(ordered, 1):
        cost = price(judged, total)
        numbers = (
            f"{judged.count:,}" if judged.count else "",
            f"{duration(cost.seconds)} {cost_words(judged)}" if cost.seconds > 0 else "",
            f"{1e3 * cost.per_step:.3g}" if cost.per_step is not None else "",
            f"{100 * cost.share:.1f}" if cost.share is not None else "",
            duration(cost.gain) if cost.gain else "",
        )
        link = element("a", _where(judged), href=f"#finding-{number}")
        row = element("tr", element("td", str(number)), element("td", link), element("td", _rule(judged)))
        add(row, element("td", _badge(judged.verdict)))
        add(row, *(element("td", text, class_="number") for text in numbers))
        add(table, row)
    return table


def _where(judged: Judged) -> str:
    return place(judged.finding.filename, judged.finding.span.row)


def _rule(judged: Judged) -> str:
    return f"{judged.finding.code} {judged.finding.name}"


def _badge(verdict: Verdict) -> Element:
    return element("span", verdict.value, class_=f"verdict {verdict.value.replace(' ', '-')}")


def _finding(number: int, judged: Judged, total: float) -> Element:
    finding = judged.finding
    box = element("section", class_="finding", id=f"finding-{number}")
    add(box, element("h3", f"{number}. {_where(judged)} {_rule(judged)} ", _badge(judged.verdict)))
    add(box, element("p", finding.message))
    if judged.reason:
        add(box, element("p", element("strong", "What the run showed: "), judged.reason))
    add(box, _frame(finding.filename, finding.span.row, finding.span.end_row))
    if finding.help:
        add(box, element("p", element("strong", "What to do: "), finding.help))
    for event in judged.events[:5]:
        add(box, *_how_seen(event, total))
    if finding.trace:
        steps = [element("li", f"{place(step.filename, step.row)} {step.note}") for step in finding.trace]
        add(box, element("details", element("summary", "Why the analyser thought so"), element("ul", *steps)))
    return box


def _how_seen(event: ObservedEvent, total: float) -> list[Element]:
    """The call chain and the details of one observation."""
    found = []
    if event.via:
        found.append(element("p", f"via {event.via}", class_="note"))
    if len(event.chain) > 1:
        steps = [element("li", f"{place(step.file, step.line)} in {step.function}") for step in event.chain]
        found.append(element("details", element("summary", "Call chain"), element("ol", *steps)))
    reasons = [str(sample["reason"]) for sample in event.samples if sample.get("reason")]
    if reasons:
        items = [element("li", reason) for reason in dict.fromkeys(reasons)]
        found.append(element("details", element("summary", "Why it was compiled again"), element("ul", *items)))
    if any(sample.get("cache_hit") for sample in event.samples):
        found.append(element("p", "read from the persistent compilation cache", class_="note"))
    return found


def _frame(filename: str, first: int, last: int) -> Element:
    """The code around some rows, these marked."""
    last = min(max(first, last), first + 10)
    frame = element("pre")
    for row in range(max(1, first - AROUND), last + AROUND + 1):
        text = linecache.getline(filename, row)
        if not text:
            continue
        line = element("span", element("span", f"{row:>5}  ", class_="row"), text.rstrip("\n") + "\n")
        if first <= row <= last:
            line.set("class", "hit")
            line[-1].tail = text.rstrip("\n")
        add(frame, line)
    if not len(frame):
        add(frame, "(the source is not here)")
    return frame


def _unpredicted(events: Sequence[ObservedEvent], total: float) -> list[Element]:
    found = []
    for event in events[:MAX_EVENTS]:
        box = element("section", class_="finding")
        add(box, element("p", element("strong", place(event.file, event.line)), f" {event_words(event, total)}"))
        add(box, _frame(event.file, event.line, event.line), *_how_seen(event, total))
        found.append(box)
    if len(events) > MAX_EVENTS:
        found.append(element("p", f"and {len(events) - MAX_EVENTS} more (--output-format json shows all)"))
    return found


def _observers(result: Confirmation) -> Element:
    box = element("div")
    table = element("table", element("tr", *(element("th", name) for name in ("observer", "state", "remark"))))
    for probe in result.evidence.probes:
        add(table, element("tr", *(element("td", text) for text in (probe.name, probe.state, probe.reason))))
    add(box, table)
    for process in result.evidence.processes:
        name = f"process {process.index if process.processes > 1 and process.index is not None else process.pid}"
        ended = process.ended or "ended without a word (killed or crashed)"
        add(box, element("p", f"{name}: {' '.join(process.argv)}, {duration(process.seconds)}, {ended}", class_="note"))
    words = (
        "Blocked time is an upper bound of what a sync costs; the estimated gain is the part during which the host had "
        "work of its own to hand out. Compile times are those of this run."
    )
    add(box, element("p", words, class_="note"))
    return box
