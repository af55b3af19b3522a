"""The Python interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import jaxlint
from tests.shell.conftest import REPOSITORY

BAD = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


def test_paths(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD)
    result = jaxlint.check_paths([tmp_path], isolated=True)
    (finding,) = result.findings
    assert (finding.code, finding.name, finding.span.row) == ("JAX101", "traced-branch", 6)
    assert finding.severity is jaxlint.Severity.ERROR and finding.confidence is jaxlint.Confidence.PROVEN
    assert (result.files, result.traced_functions, result.errors) == (1, 1, ())


def test_rules_and_confidence(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(BAD)
    assert not jaxlint.check_paths([str(path)], select=["JAX2"]).findings
    assert not jaxlint.check_paths([str(path)], ignore=["traced-branch"]).findings
    assert jaxlint.check_paths([str(path)], select=["ALL"], confidence="guess").findings
    for wrong in ({"select": ["JAX999"]}, {"ignore": ["tracedbranch"]}, {"confidence": "sure"}, {"select": "JAX1"}):
        with pytest.raises(ValueError):
            jaxlint.check_paths([str(path)], **wrong)  # type: ignore[arg-type]


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    result = jaxlint.check_paths([tmp_path / "gone.py"])
    assert result.errors == (f"{tmp_path / 'gone.py'}: no such file or folder",) and not result.findings
    (tmp_path / "a.py").write_text(BAD)
    (tmp_path / "jaxlint.toml").write_text("colour = 1\n")
    with pytest.raises(jaxlint.ConfigError, match="colour"):
        jaxlint.check_paths([tmp_path])


def test_source_sees_the_files_around_it(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("def positive(x):\n    return bool(x > 0)\n")
    text = "import jax\nfrom lib import positive\n\nprint(jax.jit(positive)(1.0))\n"
    result = jaxlint.check_source(text, str(tmp_path / "main.py"))
    assert result.files == 1 and not result.findings  # the fault is in lib.py, which nobody asked about
    (finding,) = jaxlint.check_source(BAD).findings
    assert finding.filename == "<string>"


@pytest.mark.parametrize("cookie", ["latin-1", "utf-8", "no-such-encoding"])
def test_source_may_declare_an_encoding(cookie: str) -> None:
    result = jaxlint.check_source(f"# -*- coding: {cookie} -*-\n# é\n" + BAD)
    assert [finding.code for finding in result.findings] == (["JAX000"] if "such" in cookie else ["JAX101"])


def test_the_names_are_there_and_cost_nothing() -> None:
    code = "import sys, jaxlint; print([m for m in sys.modules if m.startswith('jaxlint.')]); jaxlint.check_source"
    ran = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
    assert all(getattr(jaxlint, name) for name in jaxlint.__all__)
    with pytest.raises(AttributeError):
        jaxlint.nothing  # noqa: B018
