"""The flake8 plugin in the real flake8."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell.conftest import REPOSITORY

pytest.importorskip("flake8")

BAD = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
CONFIGURATION = "[flake8]\n[flake8:local-plugins]\nextension =\n  JAX = jaxlint.flake8_plugin:Plugin\npaths = {}\n"


def flake8(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run flake8 with the plugin of this tree, whether it is installed or not."""
    (folder / ".flake8").write_text(CONFIGURATION.format(REPOSITORY))
    return subprocess.run(
        [sys.executable, "-m", "flake8", "--select", "JAX,E9", "-j", "1", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_findings_stand_at_their_place(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD)
    ran = flake8(tmp_path, "a.py")
    assert ran.returncode == 1, ran.stderr
    # installed beside the tests, the plugin is there twice: as an entry point, and from the configuration
    assert set(ran.stdout.splitlines()) == {
        "a.py:6:8: JAX101 `if x > 0` tests a traced value: raises TracerBoolConversionError."
    }


def test_noqa_and_broken_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD.replace("if x > 0:", "if x > 0:  # noqa: JAX101"))
    (tmp_path / "b.py").write_text("def f(:\n")
    ran = flake8(tmp_path, "a.py", "b.py")
    assert "JAX" not in ran.stdout and "E999" in ran.stdout


def test_standard_input(tmp_path: Path) -> None:
    ran = flake8(tmp_path, "-", stdin=BAD)
    assert "JAX101" in ran.stdout and ran.returncode == 1
