"""The Markdown rule tests: found here, linted and executed in `test_markdown.py`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import rule_blocks
import rule_runs

CASES = rule_blocks.page_cases() + rule_blocks.markdown_cases()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case: `case` to lint, `program` to execute."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=lambda case: case.identifier)
    if "program" in metafunc.fixturenames:
        programs = [case for case in CASES if case.runs]
        metafunc.parametrize("program", programs, ids=lambda case: case.identifier)


@pytest.fixture(scope="session")
def runner(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[rule_runs.Runner]:
    """Workers that execute the selected programs."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed, so the programs cannot be executed")
    selected = []
    for item in request.session.items:
        program = getattr(item, "callspec", None) and item.callspec.params.get("program")
        if isinstance(program, rule_blocks.Case):
            selected.append(program)
    runner = rule_runs.Runner(tmp_path_factory.mktemp("programs"))
    runner.start(selected)
    yield runner
    runner.stop()
