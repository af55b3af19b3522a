"""The harness of the rule tests: a test that cannot fail proves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import rule_lint
import rule_runs
from rule_blocks import MAIN, Case, read_cases

from jaxlint.findings import Confidence, Finding, Severity, Span

TEXT = """\
# traced-branch

```py prelude
import jax
```

## two files

`lib.py:`

```py
x = 1  # error: [traced-branch] "some text"
```

```py run=ok run="prints:a b" run=traces:2
y = 2  # todo: [traced-branch]
z = 3  # todo: not [sync-in-loop]
```

## another

```text
not code  # error: [traced-branch]
```

```py
pass
```
"""


def finding(rule: str = "traced-branch", filename: str = MAIN, row: int = 1, message: str = "some text") -> Finding:
    return Finding("JAX101", rule, message, Severity.ERROR, Confidence.PROVEN, filename, Span(row, 1, row, 9))


def test_reading() -> None:
    first, second = read_cases(TEXT, "t.md", "traced-branch")
    assert list(first.files) == ["lib.py", MAIN]
    assert first.runs == ["ok", "prints:a b", "traces:2"]
    assert first.identifier == "t.md:15 two files"
    assert first.files[MAIN].startswith("import jax\n\n\ny = 2")
    assert [(mark.kind, mark.rule, mark.filename, mark.row, mark.text) for mark in first.marks] == [
        ("error", "traced-branch", "lib.py", 1, "some text"),
        ("todo", "traced-branch", MAIN, 4, ""),
        ("false", "sync-in-loop", MAIN, 5, ""),
    ]
    assert second.title == "another" and list(second.files) == [MAIN] and not second.marks


def case(*lines: str, rule: str = "traced-branch") -> Case:
    return Case("t.md:1", "", rule, {MAIN: "\n".join(lines)})


@pytest.mark.parametrize(
    ("line", "findings", "wrong", "known"),
    [
        ("x  # error: [traced-branch]", [finding()], 0, 0),
        ("x  # error: [traced-branch]", [], 1, 0),
        ("x  # error: [traced-branch]", [finding(row=2)], 2, 0),
        ("x  # error: [traced-branch]", [finding(filename="lib.py")], 2, 0),
        ("x  # error: [traced-branch]", [finding("sync-in-loop")], 2, 0),
        ('x  # error: [traced-branch] "other"', [finding()], 2, 0),
        ("x", [finding()], 1, 0),
        ("x", [], 0, 0),
        ("x  # error: [traced-brunch]", [], 1, 0),
        ("x  # todo: [traced-branch]", [], 0, 1),
        ("x  # todo: [traced-branch]", [finding()], 1, 0),
        ("x  # todo: not [traced-branch]", [finding()], 0, 1),
        ("x  # todo: not [traced-branch]", [], 1, 0),
        ("x", [finding("unrolled-loop")], 0, 0),  # advice counts in its own tests only
    ],
)
def test_comparing(line: str, findings: list[Finding], wrong: int, known: int) -> None:
    found_wrong, found_known = rule_lint.differences(case(line), findings)
    assert (len(found_wrong), len(found_known)) == (wrong, known), (found_wrong, found_known)


def test_advice_counts_in_its_own_tests() -> None:
    wrong, _ = rule_lint.differences(case("x", rule="unrolled-loop"), [finding("unrolled-loop")])
    assert len(wrong) == 1


ANSWER = {"error": [], "traceback": "", "stdout": "a b\n", "traces": 2, "compiled": ["f", "f"], "reads": 0}
FAILED = {**ANSWER, "error": ["TracerBoolConversionError", "TypeError", "Exception"]}


@pytest.mark.parametrize(
    ("wanted", "answer", "fine"),
    [
        ("ok", ANSWER, True),
        ("ok", FAILED, False),
        ("raises:TypeError", FAILED, True),
        ("raises:ValueError", FAILED, False),
        ("raises:TypeError", ANSWER, False),
        ("prints:a b", ANSWER, True),
        ("prints:c", ANSWER, False),
        ("traces:2", ANSWER, True),
        ("traces:1", ANSWER, False),
        ("reads:0", ANSWER, True),
        ("reads:1", ANSWER, False),
        ("traces:2", FAILED, False),
        ("nonsense", ANSWER, False),
    ],
)
def test_complaints(wanted: str, answer: dict[str, object], fine: bool) -> None:
    assert (rule_runs.complaint(wanted, answer) == "") is fine


def test_a_worker_that_dies_costs_one_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    monkeypatch.setattr(rule_runs, "WORKERS", 1)
    programs = [
        Case("a:1", "", "", {MAIN: "import os\nos._exit(3)\n"}, ["ok"]),
        Case("a:2", "", "", {MAIN: "import lib\nprint(lib.x)\n", "lib.py": "x = 1\n"}, ["ok"]),
        Case("a:3", "", "", {MAIN: "import lib\nprint(lib.x)\n", "lib.py": "x = 2\n"}, ["ok"]),
        Case("a:4", "", "", {MAIN: "raise SystemExit(2)\n"}, ["ok"]),
    ]
    runner = rule_runs.Runner(tmp_path)
    runner.start(programs)
    with pytest.raises(RuntimeError, match="status 3"):
        runner.answer(programs[0])
    assert runner.answer(programs[1])["stdout"] == "1\n"
    assert runner.answer(programs[2])["stdout"] == "2\n"
    assert runner.answer(programs[3])["error"][0] == "SystemExit"
    runner.stop()
