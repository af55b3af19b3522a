"""`jaxlint check` on notebooks, end to end."""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from jaxlint.config import Overrides, Settings
from jaxlint.engine import check
from jaxlint.fingerprint import stamp
from jaxlint.ignoring import add
from jaxlint.output import View, gitlab, junit, sarif
from jaxlint.selection import Layer
from tests.notebook.notebooks import code, notebook, text

REPOSITORY = Path(__file__).resolve().parents[2]
SETUP = "import jax\nimport jax.numpy as jnp\n\n@jax.jit\ndef step(x):\n    return jnp.sum(x @ x)\n"
LOOP = "x = jnp.ones((8, 8))\nfor _ in range(100):\n    loss = step(x)\n    print(float(loss))\n"


def run(folder: Path, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "jaxlint", "check", *arguments]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, env=env, timeout=60)
    return done.returncode, done.stdout, done.stderr


def listed(folder: Path, *arguments: str, stdin: str = "") -> list[tuple[str, int | None, int, int]]:
    """Code, cell, row and column of each finding of a command."""
    _, out, _ = run(folder, *arguments, "--output-format", "json", stdin=stdin)
    return [(each["code"], each["cell"], *each["location"].values()) for each in json.loads(out)]


def found(folder: Path) -> list[tuple[str, int | None, int, int]]:
    """The same of a check of all files in this process, unused comments included."""
    settings = Settings(Overrides(layer=Layer(extend_select=("JAX001",))), isolated=True)
    findings = check([str(folder)], settings).findings
    return [(each.code, each.span.cell, each.span.row, each.span.column) for each in findings]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nb.ipynb").write_text(notebook(text("# Training"), code(SETUP), code(LOOP)))
    return tmp_path


def test_cells_are_one_namespace_and_places_are_of_cells(folder: Path) -> None:
    exit_code, out, _ = run(folder)
    assert exit_code == 1
    assert "nb.ipynb:cell 3:4:" in out and "4 |     print(float(loss))" in out
    assert "nb.ipynb:cell 3:3:12" in out  # the step of the trace
    assert "loop at nb.ipynb:cell 3:2" in out


def test_every_format_names_the_cell(folder: Path) -> None:
    _, out, _ = run(folder, "--output-format", "json")
    (first, *_) = json.loads(out)
    assert (first["cell"], first["location"]["row"], first["trace"][0]["cell"]) == (3, 4, 3)
    assert "nb.ipynb:cell 3:4:" in run(folder, "--output-format", "concise")[1]
    github = run(folder, "--output-format", "github")[1]
    assert "nb.ipynb:cell 3:4:" in github and ",line=" not in github
    report = check([str(folder)], Settings(isolated=True))
    result = json.loads(sarif.render(report.findings, View()))["runs"][0]["results"][0]
    assert result["message"]["text"].startswith("cell 3, line 4: ")
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert "cell 3, line 4: " in json.loads(gitlab.render(report.findings, View()))[0]["description"]
    case = ET.fromstring(junit.render(report.findings, View())).find(".//testcase")
    assert case is not None and "cell 3:4:" in case.attrib["name"] and "line" not in case.attrib


def test_stdin_exclude_and_discovery(folder: Path) -> None:
    document = (folder / "nb.ipynb").read_text()
    assert listed(folder, "-", "--stdin-filename", "other.ipynb", stdin=document)[0][1:3] == (3, 4)
    assert listed(folder, "nb.ipynb") == listed(folder, ".") != []
    (folder / "jaxlint.toml").write_text('extend-exclude = ["*.ipynb"]')
    assert listed(folder) == []
    assert listed(folder, "nb.ipynb") != []
    assert listed(folder, "nb.ipynb", "--force-exclude") == []


def test_comments_in_cells_silence(folder: Path) -> None:
    places = found(folder)
    names = ", ".join({code for code, *_ in places})
    quiet = LOOP.replace("print(float(loss))", f"print(float(loss))  # jaxlint: ignore[{names}] small")
    (folder / "nb.ipynb").write_text(notebook(code(SETUP), code(quiet)))
    assert found(folder) == []
    (folder / "nb.ipynb").write_text(notebook(code(SETUP + "# jaxlint: ignore-file[JAX201] done\n"), code("x = 1")))
    assert found(folder) == [("JAX001", 1, 7, 1)]


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("%time y = step(x)", (1, 1)),
        ("%timeit step(x)", (1, 1)),
        ("# how long?\n%timeit -n 10 step(x)", (2, 1)),
        ("%%time\ny = step(x)", (1, 1)),
        ("%%timeit z = x + 1\nstep(z)", (1, 1)),
    ],
)
def test_magics_that_time_work_in_flight(tmp_path: Path, cell: str, place: tuple[int, int]) -> None:
    (tmp_path / "nb.ipynb").write_text(notebook(code(SETUP), code("x = jnp.ones((8, 8))"), code(cell)))
    assert found(tmp_path) == [("JAX301", 3, *place)]


@pytest.mark.parametrize(
    "cell",
    [
        "%time step(x).block_until_ready()",
        "%timeit jax.block_until_ready(step(x))",
        "%%time\nstep(x).block_until_ready()",
        "%time z = 3",
        "%prun step(x)",
        "%%capture\nstep(x)",
        "%%bash\nfor x in $(ls); do echo $x; done",
        "!pip install -q jax\nfiles = !ls",
        "step?",
    ],
)
def test_cells_that_are_right(tmp_path: Path, cell: str) -> None:
    (tmp_path / "nb.ipynb").write_text(notebook(code(SETUP), code("x = jnp.ones((8, 8))"), code(cell)))
    assert found(tmp_path) == []


def test_a_broken_cell_is_one_line_and_the_others_are_checked(folder: Path) -> None:
    (folder / "nb.ipynb").write_text(notebook(code(SETUP), code("y = (1,\n"), code(LOOP), code(")")))
    places = found(folder)
    assert ("JAX000", 2) in [place[:2] for place in places] and ("JAX000", 4) in [place[:2] for place in places]
    assert [place for place in places if place[1] == 3]


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "\x00", '{"cells": 1}'])
def test_a_broken_notebook_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "nb.ipynb").write_text(content)
    exit_code, out, err = run(tmp_path, "--output-format", "concise")
    assert exit_code == 1 and out.count("\n") == 2 and out.startswith("nb.ipynb:1:1: JAX000"), (out, err)


# ---- fixes ---------------------------------------------------------------------------------------------

FAULTY = "%matplotlib inline\ny = step(x)\ny[0] = 3.0\n!ls\n"
"""`y` is immutable: JAX107's fix assigns `y.at[0].set(3.0)`."""


def changed_lines(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line[:2] in ("- ", "+ ")]


def fixable(*cells: dict[str, Any]) -> str:
    return notebook(code(SETUP.replace("jnp.sum(x @ x)", "x @ x")), code("x = jnp.ones((8, 8))"), *cells, title="é")


def test_a_fix_changes_its_line_and_no_other_byte(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    path.write_text(fixable(text("*é*"), code(FAULTY)))
    before = path.read_text()
    exit_code, out, err = run(tmp_path, "--fix", "--unsafe-fixes")
    assert exit_code == 0, out + err
    removed, added = changed_lines(before, path.read_text())
    assert removed.strip("- \n") == '"y[0] = 3.0\\n",'
    assert added.strip("+ \n") == '"y = y.at[0].set(3.0)\\n",'


def test_diff_shows_the_change_and_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    path.write_text(fixable(code(FAULTY)))
    before = path.read_text()
    exit_code, out, _ = run(tmp_path, "--diff", "--unsafe-fixes")
    assert exit_code == 1 and '+    "y = y.at[0].set(3.0)\\n",' in out
    assert path.read_text() == before


def test_fixed_standard_input_is_a_notebook(tmp_path: Path) -> None:
    document = fixable(code(FAULTY))
    _, out, _ = run(tmp_path, "-", "--stdin-filename", "n.ipynb", "--fix", "--unsafe-fixes", stdin=document)
    assert json.loads(out)["cells"][2]["source"][2] == "y = y.at[0].set(3.0)\n"


def test_unused_comments_are_taken_out_of_magic_cells(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    path.write_text(notebook(code("%%time\nimport jax\nx = 1\n# jaxlint: ignore[JAX101] old"), code("%%time\nx = 2")))
    assert run(tmp_path, "--fix", "--extend-select", "JAX001")[0] == 0
    cells = json.loads(path.read_text())["cells"]
    assert ["".join(cell["source"]) for cell in cells] == ["%%time\nimport jax\nx = 1", "%%time\nx = 2"]


def test_ignores_are_added_to_cells(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    path.write_text(notebook(code(SETUP), code("x = jnp.ones((8, 8))"), code("%time y = step(x)\n!ls")))
    before = path.read_text()
    assert add(check([str(path)], Settings(isolated=True)), "for a demo").failures == []
    removed, added = changed_lines(before, path.read_text())
    assert removed.strip("- \n") == '"%time y = step(x)\\n",'
    assert added.strip("+ \n") == '"%time y = step(x)  # jaxlint: ignore[unblocked-timer] for a demo\\n",'
    assert found(tmp_path) == []


def test_a_fingerprint_stays_when_a_cell_is_put_in_front(tmp_path: Path) -> None:
    def fingerprints(*cells: dict[str, Any]) -> list[str]:
        (tmp_path / "nb.ipynb").write_text(notebook(*cells))
        report = check([str(tmp_path)], Settings(isolated=True))
        return [each.fingerprint for each in stamp(report.findings, report.sources.get, str(tmp_path))]

    first = fingerprints(code(SETUP), code(LOOP))
    assert first and first == fingerprints(text("# New"), code("import time\n\n"), code(SETUP), code(LOOP))


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("nb.ipynb:3:4:17", "`loss`: an array on the device"),
        ("nb.ipynb:3:4", "`float(loss)`: a Python float"),
        ("nb.ipynb:2:6:20", "nb.ipynb:cell 2:5:10  `x` is a traced argument of `step`"),
        ("nb.ipynb:3", "NOTEBOOK:CELL:LINE"),
        ("nb.ipynb:3:99", "cell 3 of nb.ipynb has 5 lines, not 99"),
    ],
)
def test_why_takes_cell_and_line(folder: Path, place: str, words: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "jaxlint", "why", place]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, timeout=60)
    assert words in done.stdout + done.stderr


def test_a_magic_in_a_script_is_told_for_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "nb.py").write_text("# %%\nimport jax\n# %time f(x)\n")
    assert run(tmp_path)[0] == 0
    (tmp_path / "nb.py").write_text("# %%\nimport jax\n%time f(x)\n")
    exit_code, out, _ = run(tmp_path)
    assert exit_code == 1 and "nb.py:3:1: JAX000" in out and "a script has them in comments" in out
