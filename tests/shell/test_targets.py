"""Which versions a project may run with."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.config import Settings
from jaxlint.engine import check
from jaxlint.knowledge.removed import Target
from jaxlint.targets import Targets, combine

OLD = "import jax\n\nprint(jax.tree_leaves([1]))\n"


@pytest.mark.parametrize(
    ("requirement", "reached", "not_reached"),
    [
        ("jax", "0.10.2", None),
        ("jax>=0.4.30", "0.10.0", None),
        ("jax==0.4.30", "0.4.30", "0.4.31"),
        ("jax[cuda12]==0.4.30 ; sys_platform == 'linux'", "0.4.30", "0.5.0"),
        ("jax<0.6", "0.5.3", "0.6.0"),
        ("jax<=0.6.0", "0.6.0", "0.6.1"),
        ("jax~=0.4.3", "0.4.38", "0.5.0"),
        ("jax == 0.4.*", "0.4.38", "0.5.0"),
        ("jax ^0.4.20", "0.4.38", "0.5.0"),
        ("jaxlib<0.5", "0.4.38", "0.5.0"),
    ],
)
def test_requirements(requirement: str, reached: str, not_reached: str | None) -> None:
    target = combine([requirement])
    assert target.reaches("jax", reached)
    assert not_reached is None or not target.reaches("jax", not_reached)


def test_other_distributions_say_nothing() -> None:
    assert combine(["jaxtyping==0.2", "jax-md<1", "flaxmodels==0.1"]) == Target()


def test_the_narrowest_bound_counts() -> None:
    target = combine(["jax>=0.4.20", "jaxlib<0.6", "flax>=0.8"])
    assert not target.reaches("jax", "0.6.0") and target.predates("jax", "0.5.0") and target.predates("flax", "0.9")


@pytest.mark.parametrize(
    ("filename", "text"),
    [
        ("pyproject.toml", '[project]\nname = "p"\nversion = "1"\ndependencies = ["jax<0.5"]\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = "^0.4.20"\n'),
        ("pyproject.toml", '[project]\noptional-dependencies = { train = ["jax==0.4.30"] }\n'),
        ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    jax==0.4.30\n"),
        ("setup.py", 'from setuptools import setup\n\nsetup(install_requires=["jax<0.5"])\n'),
        ("requirements.txt", "numpy\njax[cuda12]==0.4.30\n"),
        ("requirements-gpu.txt", "jax==0.4.30  # the cluster's\n"),
        ("jaxlint.toml", 'target-jax = "0.4.30"\n'),
    ],
)
def test_a_project_that_pins_an_older_jax_is_silent(tmp_path: Path, filename: str, text: str) -> None:
    (tmp_path / filename).write_text(text, encoding="utf-8")
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "old.py").write_text(OLD, encoding="utf-8")
    assert not [f for f in check([str(folder)], Settings()).findings if f.name == "removed-api"]


def test_without_a_pin_and_isolated_the_newest_counts(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD, encoding="utf-8")
    assert [f.name for f in check([str(tmp_path)], Settings()).findings] == ["removed-api"]
    (tmp_path / "requirements.txt").write_text("jax==0.4.30\n", encoding="utf-8")
    assert [f.name for f in check([str(tmp_path)], Settings(isolated=True)).findings] == ["removed-api"]


def test_configuration_wins_over_metadata(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("jax==0.4.30\n", encoding="utf-8")
    target = Targets().of(str(tmp_path / "x.py"), "0.7")
    assert target.reaches("jax", "0.7.2") and not target.reaches("jax", "0.8.0")


def test_metadata_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("project = [jax", encoding="utf-8")
    (tmp_path / "setup.cfg").write_text("jax\n", encoding="utf-8")
    assert Targets().of(str(tmp_path / "x.py"), None) == Target()
