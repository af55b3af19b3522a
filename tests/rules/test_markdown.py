"""Every program of the rule tests and of the rules' pages is linted, and executed where it says what then happens."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path

import pytest
import rule_lint
import rule_runs
from rule_blocks import Case

# What the programs use besides jax itself.
LIBRARIES = ("flax", "optax", "equinox", "haiku", "chex", "tqdm", "sklearn")
# What they show was measured with JAX 0.10; older versions word errors and spell transforms differently.
OLDEST_JAX = (0, 9)


def test_run(program: Case, runner: rule_runs.Runner) -> None:
    """The fault is real, and the right code works: the program does on the CPU what its block says."""
    version = importlib.metadata.version("jax")
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_JAX:
        pytest.skip(f"the programs need JAX {'.'.join(map(str, OLDEST_JAX))}, this is {version}")
    for library in LIBRARIES:
        used = any(f"import {library}" in text or f"from {library}" in text for text in program.files.values())
        if used and importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    answer = runner.answer(program)
    complaints = [text for wanted in program.runs if (text := rule_runs.complaint(wanted, answer))]
    assert not complaints, "\n".join([program.identifier, *complaints])


def test_lint(case: Case, tmp_path: Path) -> None:
    """Exactly the marked lines are reported."""
    if missing := rule_lint.missing_part():
        pytest.skip(f"{missing} does not exist yet")
    if case.rule in ("syntax-error", "unused-suppression"):  # reported by the engine, not by the interpreter
        findings = rule_lint.lint_by_command(case.files, tmp_path)
    else:
        findings = rule_lint.lint(case.files)
    wrong, known = rule_lint.differences(case, findings)
    assert not wrong, "\n".join([case.identifier, *wrong])
    if known:
        pytest.xfail("; ".join(known))
