"""The output formats: what they hold, and that nothing in a name or a line can break out of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.findings import Applicability, Confidence, Edit, Finding, Fix, Severity, Span, TraceStep
from jaxlint.output import MACHINE, NAMES, View, renderer
from jaxlint.output.summary import statistics, summary
from jaxlint.output.terminal import as_unicode, width

FINDING = Finding(
    code="JAX201",
    name="sync-in-loop",
    message="`float(loss)` waits for the GPU",
    severity=Severity.WARNING,
    confidence=Confidence.PROVEN,
    filename="a/train.py",
    span=Span(2, 5, 2, 16),
    help="Read it every N steps.",
    trace=(TraceStep("lib.py", 7, 3, "`step` is compiled here"),),
    fix=Fix(Applicability.SAFE, "Keep it", (Edit(Span(2, 5, 2, 10), "x"),)),
)
LINES = {"a/train.py": ["for x in y:", "    float(loss)", "done"]}
BARE = replace(FINDING, help="", trace=(), fix=None)


def render(name: str, *findings: Finding, lines: dict[str, list[str]] | None = None, color: bool = False) -> str:
    return renderer(name)(findings, View((LINES if lines is None else lines).get, color))


def test_text() -> None:
    assert render("text", FINDING) == (
        "a/train.py:2:5: JAX201 [sync-in-loop] `float(loss)` waits for the GPU\n"
        "  |\n"
        "1 | for x in y:\n"
        "2 |     float(loss)\n"
        "  |     ^^^^^^^^^^^\n"
        "  |\n"
        "  = help: Read it every N steps.\n"
        "  = fix: Keep it\n"
        "  = why:\n"
        "      lib.py:7:3 `step` is compiled here\n"
        "\n"
    )


def test_concise() -> None:
    assert (
        render("concise", FINDING, BARE).splitlines()
        == ["a/train.py:2:5: JAX201 [sync-in-loop] `float(loss)` waits for the GPU"] * 2
    )


def test_json_has_the_schema_of_the_design() -> None:
    [item, bare] = json.loads(render("json", FINDING, BARE))
    assert item == {
        "code": "JAX201",
        "name": "sync-in-loop",
        "message": "`float(loss)` waits for the GPU",
        "severity": "warning",
        "filename": "a/train.py",
        "cell": None,
        "location": {"row": 2, "column": 5},
        "end_location": {"row": 2, "column": 16},
        "url": None,
        "fix": {
            "applicability": "safe",
            "message": "Keep it",
            "edits": [{"content": "x", "location": {"row": 2, "column": 5}, "end_location": {"row": 2, "column": 10}}],
        },
        "trace": [{"filename": "lib.py", "row": 7, "column": 3, "note": "`step` is compiled here"}],
    }
    assert bare["fix"] is None and bare["trace"] == []
    assert json.loads(render("json")) == []


def test_github() -> None:
    assert render("github", BARE) == (
        "::warning title=jaxlint (JAX201 sync-in-loop),file=a/train.py,line=2,endLine=2,col=5,endColumn=16"
        "::a/train.py:2:5: JAX201 [sync-in-loop] `float(loss)` waits for the GPU\n"
    )
    assert "%0Ahelp: Read it every N steps.%0Alib.py:7:3 `step`" in render("github", FINDING)
    commands = [render("github", replace(BARE, severity=severity)).split()[0] for severity in Severity]
    assert commands == ["::error", "::warning", "::notice"]


def test_github_has_no_columns_over_several_lines_and_escapes() -> None:
    odd = replace(BARE, filename="a:b,c%.py", message="50%\n::error::x", span=Span(1, 5, 3, 2))
    text = render("github", odd)
    assert text.startswith("::warning title=jaxlint (JAX201 sync-in-loop),file=a%3Ab%2Cc%25.py,line=1,endLine=3::")
    assert "col=" not in text and "50%25 ::error::x" in text
    assert text.count("\n") == 1


def test_a_frame_over_several_lines_is_cut() -> None:
    lines = {"a/train.py": [f"    line{i}(" for i in range(30)]}
    text = render("text", replace(BARE, span=Span(3, 5, 20, 11)), lines=lines)
    assert "2 |     line1(" in text and "7 |     line6(" in text and "line7(" not in text
    assert "... (13 more)" in text


@pytest.mark.parametrize(
    ("line", "span", "shown", "carets"),
    [
        ("\tx = f(y)", (6, 10), "    x = f(y)", "        ^^^^"),
        ("é = 'ü' + f", (11, 12), "é = 'ü' + f", "          ^"),
        ("'漢字' + f", (8, 9), "'漢字' + f", "         ^"),
        ("x", (1, 1), "x", "^"),
        ("x = \x1b[31m", (5, 6), "x = \ufffd[31m", "    ^"),
    ],
)
def test_carets_stand_below_what_is_meant(line: str, span: tuple[int, int], shown: str, carets: str) -> None:
    finding = replace(BARE, span=Span(1, span[0], 1, span[1]))
    rows = render("text", finding, lines={"a/train.py": [line]}).splitlines()
    assert rows[2:4] == [f"1 | {shown}", f"  | {carets}"]


def test_very_long_lines_are_cut_around_the_place() -> None:
    line = "a" * 5000 + "MARK" + "b" * 5000
    [_, _, code, carets, *_] = render(
        "text", replace(BARE, span=Span(1, 5001, 1, 5005)), lines={"a/train.py": [line]}
    ).splitlines()
    assert len(code) < 200
    assert code[carets.index("^") :].startswith("MARK") and carets.count("^") == 4


def test_a_place_outside_the_file_or_an_unknown_file() -> None:
    for finding in (replace(BARE, span=Span(99, 1, 99, 5)), replace(BARE, filename="gone.py")):
        assert render("text", finding).startswith(finding.filename)


NASTY = st.text(st.sampled_from("a\x1b\x07\n\r\t\x9b\u202e\u2028\ud800\x00%:,漢é"), max_size=12)


@given(NASTY, NASTY, NASTY, st.booleans())
@settings(max_examples=200, deadline=None)
def test_nothing_from_the_outside_reaches_the_terminal(name: str, message: str, line: str, color: bool) -> None:
    finding = replace(FINDING, filename=name, message=message, help=message, trace=(TraceStep(name, 1, 1, message),))
    line = line.replace("\n", "").replace("\r", "")
    for style in ("text", "concise", "github"):
        text = render(style, finding, lines={name: ["x", line]}, color=color)
        text.encode("utf-8")  # no lone surrogate is left
        plain = re.sub(r"\x1b\[[0-9;]*m", "", text) if color else text
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", plain)
        if style != "text":
            assert text.count("\n") == 1
    [item] = json.loads(render("json", finding))
    assert (item["filename"], item["message"]) == (as_unicode(name), message)
    assert render("json", finding).isascii()


def test_colour_only_adds_colour() -> None:
    colored = render("text", FINDING, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render("text", FINDING)


@pytest.mark.parametrize("name", NAMES)
def test_every_format_takes_no_findings_and_findings_without_anything(name: str) -> None:
    assert "JAX" not in render(name)
    assert "JAX201" in render(name, replace(BARE, span=Span(1, 1, 1, 1)), lines={})


def test_machine_formats_are_formats() -> None:
    assert set(NAMES) >= MACHINE


def test_width_counts_columns_of_a_terminal() -> None:
    assert [width(text) for text in ("abc", "é", "e\u0301", "漢", "\u200b")] == [3, 1, 1, 2, 0]


def test_summary() -> None:
    error = replace(BARE, severity=Severity.ERROR, filename="b.py")
    advice = replace(BARE, severity=Severity.ADVICE)
    seen = "1 traced function, 0 places given up)."
    assert summary([], 9, 1, 0) == f"All checks passed (9 files, {seen}"
    assert summary([], 9, 1, 0, incomplete=True) == f"No findings, but see the errors (9 files, {seen}"
    assert summary([error], 9, 1, 0) == f"Found 1 error in 1 of 9 files ({seen}"
    assert summary([error], 0, 1, 0) == f"Found 1 error in 1 of 1 file ({seen}"
    assert summary([error, error, BARE, advice], 9, 1, 0) == (
        f"Found 2 errors, 1 warning and 1 piece of advice in 2 of 9 files ({seen}"
    )


def test_statistics() -> None:
    other = replace(BARE, code="JAX101", name="traced-branch")
    assert statistics([other, BARE, BARE], as_json=False) == "2  JAX201  sync-in-loop\n1  JAX101  traced-branch\n"
    assert json.loads(statistics([other], as_json=True)) == [{"code": "JAX101", "name": "traced-branch", "count": 1}]
    assert statistics([], as_json=False) == ""
