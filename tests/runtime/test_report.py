"""The reports: order and price of findings, the HTML page, the timeline. No JAX needed."""

from html.parser import HTMLParser

import pytest

from jaxlint.findings import Applicability, Confidence, Finding, Fix, Severity, Span, TraceStep
from runtime_checks.evidence import Evidence, LineCount, Process, merge, read_file
from runtime_checks.join import Confirmation, Judged, Verdict
from runtime_checks.observed import MEMORY, ObservedEvent, Place, active, degraded
from runtime_checks.prove.measured import difference
from runtime_checks.prove.printed import Compared
from runtime_checks.prove.proof import Proof, Proved
from runtime_checks.report import html, json, terminal
from runtime_checks.report.chart import chart, columns, lanes
from runtime_checks.report.elements import element
from runtime_checks.report.price import fix_order, peak_memory, price
from runtime_checks.timeline import MAX_BINS, Timeline

NASTY = "</style><script>alert('x')</script>&amp; \"quoted\" \x00\x1b[31m \ud800 ünï"


def finding(file="train.py", row=3, code="JAX201", severity=Severity.WARNING, **changes):
    values = {"message": "waits", "help": "don't", "statement": "float(loss)", "evidence": "host-read", **changes}
    return Finding(code, "sync-in-loop", severity=severity, confidence=Confidence.PROVEN, filename=str(file),
                   span=Span(row, 1, row, 9), **values)  # fmt: skip


def judged(verdict=Verdict.CONFIRMED, reason="", **values):
    found = values.pop("finding", None) or finding()
    return Judged(found, verdict, reason, **values)


# -- the timeline ---------------------------------------------------------------------------------------------
def test_a_timeline_keeps_its_sums_however_long_the_run():
    timeline = Timeline()
    for second in range(10_000):
        timeline.add(second + 0.5, 2, 0.25)
    assert len(timeline.bins) <= MAX_BINS
    assert sum(count for count, _ in timeline.bins.values()) == 20_000
    assert sum(seconds for _, seconds in timeline.bins.values()) == pytest.approx(2500)
    # evenly spread events stay evenly spread
    middle = [count for index, (count, _) in timeline.bins.items() if 10 < index < 140]
    assert max(middle) - min(middle) <= 2
    again = Timeline.from_json(timeline.as_json())
    assert again.width == timeline.width and again.bins == timeline.bins


def test_timelines_of_processes_are_shifted_to_one_clock():
    one, other = Timeline(), Timeline()
    one.add(1.0)
    other.add(1.0, seconds=0.5)
    one.merge(other, shift=1.0)
    assert {round(index * one.width, 1): values for index, values in one.bins.items()} == {
        1.0: [1, 0.0],
        2.0: [1, 0.5],
    }


@pytest.mark.parametrize("data", [[], [0, []], ["x", []], [1.0, [[1]]], [1.0, 3]])
def test_a_broken_timeline_is_refused(data):
    with pytest.raises((ValueError, TypeError)):
        Timeline.from_json(data)


def test_the_evidence_file_brings_the_timelines(tmp_path):
    event = ObservedEvent("host-read", "float", "a.py", 3, "f")
    for step in range(5):
        event.add(seconds=0.1, at=float(step))
    lines = [
        {"t": "process", "pid": 1, "start": 100.0},
        {"t": "event", "id": 0, **event.as_json()},
        {"t": "times", "id": 0, "times": event.timeline.as_json()},
        {"t": "line", "file": "a.py", "line": 3, "count": 5, "traced": 0, "times": event.timeline.as_json()},
    ]
    import json as library

    path = tmp_path / "evidence-1-0.jsonl"
    path.write_text("\n".join(map(library.dumps, lines)) + '\n{"t": "times", "id": 0, "tim')
    evidence = merge([read_file(path)])
    assert sum(count for count, _ in evidence.events[0].timeline.bins.values()) == 5
    assert evidence.lines["a.py", 3].timeline.bins.keys() == event.timeline.bins.keys()


# -- price and order ------------------------------------------------------------------------------------------
def test_price_per_step_and_share():
    cost = price(judged(seconds=2.0, iterations=1000, gain=0.5), 10.0)
    assert (cost.per_step, cost.share, cost.gain) == (0.002, 0.2, 0.5)
    outside = price(judged(seconds=2.0, runs=4), 0.0)
    assert (outside.per_step, outside.share) == (0.5, None)


def test_what_ends_the_program_comes_first_then_what_can_be_gained():
    cheap, dear = judged(seconds=9.0, gain=0.1), judged(seconds=1.0, gain=0.9)
    fatal = judged(finding=finding(code="JAX101", severity=Severity.ERROR))
    refuted = judged(Verdict.REFUTED, seconds=0.0)
    assert fix_order([refuted, cheap, dear, fatal]) == [fatal, dear, cheap, refuted]


def memory(peak, source="backend"):
    return ObservedEvent(MEMORY, "sample", "", 0, "", bytes=peak, samples=[{"source": source}])


def test_peak_memory_is_told_in_every_report():
    process = Process(pid=1, jax="0.10", seconds=1.0, ended="exit", events=[memory(3_000_000)])
    result = Confirmation([], [], merge([process]))
    assert peak_memory(result.evidence) == (3_000_000, "backend")
    assert json.as_object(result)["peak_bytes"] == 3_000_000
    assert "3 MB" in terminal.render(result) and "3 MB" in html.render(result)
    assert json.as_object(Confirmation([], [], Evidence()))["peak_bytes"] is None


# -- the page -------------------------------------------------------------------------------------------------
class Page(HTMLParser):
    """Tags, text and attributes of a page; fails on tags that do not match."""

    VOID = ("meta", "br", "link")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.attributes = [], [], "", []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


@pytest.fixture
def page(tmp_path):
    source = tmp_path / "train <b>.py"
    source.write_text(
        "import jax\nfor batch in data:\n    total += float(step('<i>&'))\nprint(total)\n", encoding="utf-8"
    )
    found = finding(source, message=NASTY, help=NASTY, trace=(TraceStep(str(source), 2, 1, NASTY),))
    event = ObservedEvent(
        "host-read", "float", str(source), 3, "main", via=NASTY,
        chain=(Place(str(source), 3, NASTY), Place("x", 1, "y")),
        samples=[{"reason": NASTY, "cache_hit": True}],
    )  # fmt: skip
    compiled = ObservedEvent("compiled-call", "ragged-batch", str(source), 3, NASTY, samples=[{"reason": NASTY}])
    for step in range(50):
        event.add(seconds=0.001, at=step / 25)
    compiled.add(seconds=0.4, at=0.5)
    beat = LineCount(50, 0, event.timeline)
    process = Process(
        pid=7, argv=[NASTY], jax="0.10", platform="cpu", seconds=2.0, ended="exit", events=[event, compiled],
        lines={(str(source), 3): beat},
        probes={"a": active("transfers"), "b": degraded("compiles", NASTY)},
    )  # fmt: skip
    evidence = merge([process])
    reads = [seen for seen in evidence.events if seen.kind == "host-read"]
    confirmed = judged(finding=found, count=50, seconds=0.05, gain=0.02, iterations=50, events=reads)
    refuted = judged(Verdict.REFUTED, NASTY, finding=finding(source, row=4))
    result = Confirmation([refuted, confirmed], [compiled], evidence, 0, ["python", NASTY], [NASTY])
    return html.render(result)


def test_the_page_is_whole_and_loads_nothing(page):
    parsed = Page(page)
    assert "script" not in parsed.tags and "link" not in parsed.tags and "img" not in parsed.tags
    assert not [name for name, _ in parsed.attributes if name.startswith("on")]
    assert not [value for name, value in parsed.attributes if name == "href" and not value.startswith("#")]
    page.encode("utf-8")
    assert "\x00" not in page and "\x1b" not in page


def test_the_page_tells_price_code_and_time(page):
    text = Page(page).text
    assert "alert('x')" in text  # as text
    assert text.index("confirmed") < text.index("refuted")
    assert "total += float(step('<i>&'))" in text
    for word in ("ms a step", "% of the run", "2.5", "20 ms", "steps", "compilations", "syncs", "Call chain",
                 "Why the analyser thought so", "persistent compilation cache", "degraded"):  # fmt: skip
        assert word in text, word
    # the dear one is number 1
    assert page.index('id="finding-1"') < page.index("JAX201", page.index('id="finding-1"'))


def test_lanes_of_the_chart():
    event = ObservedEvent("host-read", "float", "a.py", 1, "f")
    event.add(seconds=0.5, at=9.9)
    evidence = Evidence([Process(seconds=10.0)], [event])
    assert [lane.name for lane in lanes(evidence)] == ["syncs"]
    assert list(columns(event.timeline, 10.0)) == [198]
    assert chart(evidence) is not None and chart(Evidence()) is None


def test_text_between_elements_is_escaped():
    from xml.etree import ElementTree

    made = element("p", "<a>", element("b", "&"), "</p>", class_='"')
    assert ElementTree.tostring(made, encoding="unicode", method="html") == (
        '<p class="&quot;">&lt;a&gt;<b>&amp;</b>&lt;/p&gt;</p>'
    )


def test_an_empty_run_has_a_page():
    assert "jaxlint confirm" in Page(html.render(Confirmation([], [], Evidence()))).text


def test_a_proof_is_in_every_report():
    found = finding(fix=Fix(Applicability.SAFE, "Remove the wait", ()))
    gains = Proved(
        [found], ("train.py", 2), difference([(0.02, 0.01)] * 3), difference([(3.0, 3.01), (3.0, 2.9), (3.0, 3.0)]),
        difference([(2e9, 1e9)] * 3), Compared(True, "the same is printed"),
    )  # fmt: skip
    fails = Proved([found, found], before=1, after=0)
    worse = Proved([found], before=0, after=1, error="ValueError: no")
    result = Confirmation([], [], Evidence(), proof=Proof(5, False, [gains, fails, worse]))
    text = terminal.render(result)
    for words in (
        "safe fixes, proved by 5 interleaved runs of each version",
        "train.py:3:1 JAX201 sync-in-loop: Remove the wait",
        "a step of the loop at train.py:2: 20 ms -> 10 ms, 50 % less",
        "the whole run: no difference measured (3 s -> 3 s)",
        "peak memory of the process: 2 GB -> 1 GB, 50 % less",
        "all 2 fixes together",
        "ended with exit status 1, and ends well with the fix",
        "exit status 0 before, exit status 1 with the fix (ValueError: no): no times to compare",
    ):
        assert words in text, text
    (first, second, _) = json.as_object(result)["proof"]["proved"]
    assert first["step_seconds"]["measured"] and not first["run_seconds"]["measured"] and first["same_output"]
    assert second["status_before"] == 1 and second["step_seconds"] is None
    assert "50 % less" in html.render(result)
