"""What every rule owes its users: a stable code and name, a complete page, and tests of both kinds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from rule_blocks import HERE, ROOT, markdown_cases, page_cases

from jaxlint.events import Kind
from jaxlint.findings import Severity
from jaxlint.rules import RULES, TABLE, Info, by_kind, docs, find, find_info, load

# Public contract, written out a second time on purpose.
DEFAULTS = """
JAX000 syntax-error on            JAX001 unused-suppression off
JAX101 traced-branch on           JAX102 traced-to-python on      JAX103 traced-to-numpy on
JAX104 dynamic-shape on           JAX105 unrolled-loop off        JAX106 tracer-leak on
JAX107 impure-trace on            JAX108 in-place-update on       JAX109 type-test-on-traced on
JAX201 sync-in-loop on            JAX202 numpy-in-loop on         JAX203 print-in-loop on
JAX204 branch-in-loop on          JAX205 block-in-loop on         JAX206 host-to-device-in-loop off
JAX207 iterate-device-array on
JAX301 unblocked-timer on         JAX302 timed-compile on
JAX401 variable-shape-batch on    JAX402 growing-array on         JAX403 jit-in-loop on
JAX404 varying-static-arg on      JAX405 unhashable-static-arg on JAX406 missing-static-arg on
JAX407 bad-static-spec on         JAX408 unstable-signature on
JAX501 missing-donation off       JAX502 use-after-donate on
JAX503 captured-constant on          JAX504 naive-attention off
JAX601 key-reuse on               JAX602 key-reuse-in-loop on
JAX701 cudnn-dtype on  JAX702 missing-causal-mask off  JAX703 float64-truncated on
JAX801 unknown-mesh-axis on         JAX802 spec-rank-mismatch on    JAX804 explicit-mesh-constraint on
JAX903 checkpoint-object on           JAX904 unfinished-save on       JAX906 removed-api on
JAX907 relative-checkpoint-path on    JAX908 nnx-plain-container on
JAX805 sharded-variable-without-mesh on    JAX901 env-after-import on
JAX803 legacy-parallel off  JAX902 no-device-check off  JAX905 cold-start-serving off
"""

each_rule = pytest.mark.parametrize("info", TABLE, ids=lambda info: info.name)


def test_codes_names_and_defaults() -> None:
    words = DEFAULTS.split()
    wanted = {(words[i], words[i + 1], words[i + 2] == "on") for i in range(0, len(words), 3)}
    assert {(info.code, info.name, info.default) for info in TABLE} == wanted
    assert len({info.code for info in TABLE}) == len({info.name for info in TABLE}) == len(TABLE)


def test_rules_are_sorted_and_all_files_are_listed() -> None:
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)
    files = {path.stem for path in (ROOT / "jaxlint" / "rules").glob("*/*.py")} - {"__init__"}
    assert files == {info.module.rsplit(".", 1)[-1] for info in TABLE}


@each_rule
def test_the_table_agrees_with_the_class(info: Info) -> None:
    rule = load(info)
    assert (rule.code, rule.name, rule.default, tuple(rule.kinds), rule.summary) == (
        info.code,
        info.name,
        info.default,
        info.kinds,
        info.summary,
    )
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z]+)+", rule.name)
    assert re.fullmatch(r"JAX\d{3}", rule.code)
    assert not rule.summary.endswith(".") and rule.summary[0] in "`ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert rule.evidence is None or rule.evidence in rule.kinds
    assert rule.default or rule.severity is not Severity.ERROR


def test_find() -> None:
    assert find("JAX101") is find("jax101") is find("traced-branch") is RULES[2]
    assert find("JAX999") is None and find("traced") is None and find_info("") is None


def test_every_kind_has_a_judge() -> None:
    for kind in Kind:
        assert by_kind(kind), f"no rule judges {kind}"
        assert list(by_kind(kind)) == [rule for rule in RULES if kind in rule.kinds]


def test_the_table_imports_no_rule() -> None:
    code = (
        "import sys, jaxlint.rules as r; r.find_info('JAX101'); "
        "print([m for m in sys.modules if m.startswith('jaxlint.rules.') and m != 'jaxlint.rules.base'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.strip() == "[]"


@each_rule
def test_the_page_is_complete(info: Info) -> None:
    text = docs.docstring(info)
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    wanted = list(docs.HEADINGS) + ([docs.RUNTIME_HEADING] if load(info).evidence else [])
    assert headings == wanted
    for heading in headings:
        section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
        assert section.strip(), heading
        if heading in ("Bad", "Good"):
            assert section.count("```python") == 1, heading
    assert not text.startswith("#") and len(text.split("## ", 1)[0].split()) >= 8


@each_rule
def test_the_page_shows_the_fault_and_its_cure(info: Info) -> None:
    bad, good = [case for case in page_cases() if case.rule == info.name]
    assert bad.title == "Bad" and [mark.rule for mark in bad.marks] == [info.name]
    assert good.title == "Good" and not good.marks and good.runs
    assert bad.runs or info.code == "JAX000"


@each_rule
def test_there_are_tests_of_both_kinds(info: Info) -> None:
    if info.family == "general":
        pytest.skip("tested with the engine, which reports it")
    path = HERE / info.family / f"{info.name}.md"
    assert path.exists()
    cases = [case for case in markdown_cases() if case.rule == info.name]
    bad = [case for case in cases if any(mark.rule == info.name for mark in case.marks)]
    silent = [case for case in cases if not case.marks]
    assert len(bad) >= 3, f"{len(bad)} bad programs"
    assert len(silent) >= 4, f"{len(silent)} silent programs"
    for case in cases:
        assert case.title, f"{case.origin} has no heading"


def test_the_written_pages_are_current() -> None:
    folder = Path(ROOT, "docs", "rules")
    assert not docs.stale(folder), "run `python -m jaxlint.rules.docs docs/rules`"
