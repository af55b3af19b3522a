"""Fingerprints: what they ignore, and what they tell apart."""

from __future__ import annotations

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.findings import Confidence, Finding, Severity, Span
from jaxlint.fingerprint import bare, stamp
from jaxlint.source import Source

PROGRAM = """\
class Trainer:
    def fit(self, steps):
        for step in range(steps):
            loss = self.step(step)
            print("loss", float(loss))
            print("loss", float(loss))

def fit(steps):
    print("loss", float(loss))
"""


def prints(text: str, filename: str = "a/train.py", base: str = ".") -> list[str]:
    """The fingerprints of a finding at each `float(`."""
    source = Source(filename, text)
    findings = [
        Finding("JAX201", "sync-in-loop", "m", Severity.WARNING, Confidence.PROVEN, filename, Span(row, 5, row, 9))
        for row, line in enumerate(source.lines, 1)
        if "float(" in line
    ]
    return [finding.fingerprint for finding in stamp(findings, {filename: source}.get, base)]


def test_equal_statements_of_one_function_are_counted() -> None:
    assert len(set(prints(PROGRAM))) == len(prints(PROGRAM)) == 3


def test_moves_comments_and_layout_do_not_matter() -> None:
    changed = (
        PROGRAM.replace("class Trainer", "import os\n\n\nclass Trainer")
        .replace('print("loss", float(loss))\n            print', "print(  # shown\n                'loss',\n"
                 "                float(loss),\n            )\n            print")
        .replace("loss = self.step(step)", "loss = self.other(step)")
    )  # fmt: skip
    ast.parse(changed)
    assert prints(changed) == prints(PROGRAM)


def test_the_function_the_statement_and_the_file_matter() -> None:
    assert set(prints(PROGRAM.replace("fit", "run"))).isdisjoint(prints(PROGRAM))
    assert set(prints(PROGRAM.replace('"loss"', '"cost"'))).isdisjoint(prints(PROGRAM))
    assert set(prints(PROGRAM, "b/train.py")).isdisjoint(prints(PROGRAM))
    assert prints(PROGRAM, "/x/a/train.py", "/x") == prints(PROGRAM)


def test_the_header_of_a_compound_statement_stands_for_it() -> None:
    text = "if float(x):\n    a = 1\n"
    assert prints(text) == prints(text.replace("a = 1", "b = 2"))


def test_a_file_that_does_not_parse_has_fingerprints() -> None:
    assert len(set(prints("def f(:\n float(x)\n float(y)\n"))) == 2


@given(st.text(" \n\t#abc'\"(,)[]{}\\:=0", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_has_a_bare_form(text: str) -> None:
    found = bare(text)
    assert not any(char.isspace() or char == "'" for char in found)
    assert not any(end in found for end in (",)", ",]", ",}"))
