"""Where findings stand in their statements. No JAX needed."""

import pytest

from jaxlint.findings import Confidence, Finding, Severity, Span
from runtime_checks.evidence import Evidence, LineCount, Process
from runtime_checks.join import Verdict, confirm
from runtime_checks.plan import Plan, make_plan, make_targets

CODE = """\
for step in range(3):
    if check and jnp.isnan(w).any():
        pass
    y = float(a) if flag else float(b)
    w.at[0].set(1.0)
    w = w.at[0].set(1.0)
    print(a or b)
"""


def target(tmp_path, row, text):
    path = tmp_path / "program.py"
    path.write_text(CODE)
    column = CODE.splitlines()[row - 1].index(text) + 1
    span = Span(row, column, row, column + len(text))
    found = Finding("JAX101", "traced-branch", "m", Severity.ERROR, Confidence.PROVEN, str(path), span,
                    evidence="tracer-bool")  # fmt: skip
    return make_targets([found])[0]


@pytest.mark.parametrize(
    ("row", "text", "optional"),
    [
        (2, "jnp.isnan(w).any()", True),
        (2, "check and jnp.isnan(w).any()", True),
        (2, "check", False),
        (4, "float(a)", True),
        (4, "flag", False),
        (5, "w.at[0].set(1.0)", False),
        (7, "print(a or b)", False),
        (7, "a or b", True),
    ],
)
def test_what_need_not_be_evaluated(tmp_path, row, text, optional):
    assert target(tmp_path, row, text).optional is optional


def test_updates_that_are_lost(tmp_path):
    assert target(tmp_path, 5, "w.at").lost_update
    assert not target(tmp_path, 6, "w.at").lost_update
    assert not target(tmp_path, 7, "print").lost_update


def test_a_part_that_may_not_have_been_evaluated_is_not_refuted(tmp_path):
    found = target(tmp_path, 2, "jnp.isnan(w).any()")
    lines = {(found.file, 2): LineCount(9, 9)}
    evidence = Evidence([Process(jax="0.10")], [], lines)
    (judged,) = confirm([found], evidence).judged
    assert judged.verdict is Verdict.NOT_REACHED and "evaluated" in judged.reason
    found.optional = False
    (judged,) = confirm([found], evidence).judged
    assert judged.verdict is Verdict.REFUTED


def test_the_plan_survives_its_file(tmp_path):
    plan = make_plan([target(tmp_path, 2, "check")])
    assert plan.beats == {str(tmp_path / "program.py"): [2]}
    plan.write(tmp_path / "plan.json")
    assert Plan.read(tmp_path / "plan.json") == plan
