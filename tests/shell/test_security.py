"""A tree of traps is linted: nothing of it runs, nothing outside of it is written, nothing unescaped is printed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
RETIRED = "import jax\n\nx = jax.tree_map(lambda leaf: leaf, [1])\n"
FAULT = (
    "import jax\nimport time\n\n\n@jax.jit\ndef f(x):\n    print(x)\n    if x > 0:\n        return x\n    return -x\n"
)
# modules that a linter imports, and hooks that Python and other tools run
SHADOWS = [
    "ast.py", "argparse.py", "json.py", "re.py", "tomllib.py", "difflib.py", "enum.py", "dataclasses.py", "typing.py",
    "tokenize.py", "tempfile.py", "libcst/__init__.py", "jax/__init__.py", "jax/numpy.py", "flax/__init__.py",
    "jaxlint_plugin.py", "runtime_checks/__init__.py", "conftest.py", "setup.py", "sitecustomize.py",
    "usercustomize.py", "noxfile.py", "__init__.py", "__main__.py",
]  # fmt: skip


@pytest.fixture
def tree(box: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """The folder of traps, and the file that springing any of them would leave behind."""
    mark = tmp_path_factory.mktemp("outside") / "sprung"
    spring = f"import os\nopen({str(mark)!r}, 'a').write(__file__)\n"
    for name in SHADOWS:
        box.write(
            name, f"{spring}{FAULT}\nclass Evil:\n    def __reduce__(self):\n        return os.system, ('true',)\n"
        )
    box.write("evil.pth", f"import os; open({str(mark)!r}, 'a').write('pth')\n")
    box.write("uses.py", f"from jaxlint_plugin import Evil\nimport conftest\n{FAULT}")
    box.write(
        "deco.py",
        f"{spring}@open({str(mark)!r}, 'a').write\ndef g(): pass\nx: (lambda: {spring.splitlines()[1]})() = 1\n",
    )
    box.write("page.ipynb", json.dumps(notebook(f"!touch {mark}\n%run conftest.py\n{FAULT}")))
    for name in (".jaxlint_cache/x.pickle", ".jaxlint-cache/x.json", ".jaxlint_cache/CACHEDIR.TAG"):
        box.write(name, b"cos\nsystem\n(S'touch " + str(mark).encode() + b"'\ntR.")
    return box, mark


def notebook(code: str) -> dict[str, Any]:
    """A notebook with one cell, whose stored output holds escape sequences."""
    output = {"output_type": "stream", "name": "stdout", "text": "\x1b[2J<script>"}
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [output], "source": code}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}


COMMANDS = [
    ("check",),
    ("check", "--select", "ALL", "--output-format", "json"),
    ("check", "--diff"),
    ("check", "--fix", "--unsafe-fixes"),
    ("why", "uses.py:9"),
    ("rules",),
    ("--version",),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_the_tree_runs(
    tree: tuple[Any, Path], tmp_path_factory: pytest.TempPathFactory, command: tuple[str, ...]
) -> None:
    box, mark = tree
    # as pip's console script does
    script = tmp_path_factory.mktemp("bin") / "jaxlint"
    script.write_text("import sys\nfrom jaxlint.cli import main\nsys.exit(main())\n")
    done = subprocess.run(
        [sys.executable, str(script), *command],
        cwd=box.root,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert not mark.exists(), mark.read_text()
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    if command == ("check",):
        assert done.returncode == 1 and "jax/__init__.py:" in done.stdout  # the tree brings a jax of its own


@pytest.mark.parametrize("name", ["json.py", "tomllib.py", "argparse.py", "difflib.py", "libcst/__init__.py"])
def test_python_m_trusts_the_folder_no_more_than_it_must(box: Any, name: str) -> None:
    """`python -m` puts the working directory first on the path; Python's own start aside, nothing is taken from it."""
    box.write("pyproject.toml", "[tool.jaxlint]\n")
    box.write(name, "open('sprung', 'w')\n")
    box.write("a.py", FAULT)
    for more in ([], ["--fix"], ["--output-format", "json"], ["--select", "traced-brunch"]):
        box.run("check", *more, fake=False)
    assert not (box.root / "sprung").exists()


def test_a_checkout_still_starts(box: Any) -> None:
    """The folder that holds jaxlint itself may be the working directory."""
    ran = box.run("--version", cwd=str(REPOSITORY), env={"PYTHONPATH": ""}, fake=False)
    assert ran.code == 0, ran.err


HOSTILE_SETTINGS = [
    '[tool.jaxlint]\n"\\u001b[2Jselect" = []\n',
    '[tool.jaxlint]\nselect = ["\\u001b]0;owned\\u0007"]\n',
    '[tool.jaxlint]\nextend = "/etc/passwd"\n',
    '[tool.jaxlint]\nextend = "pyproject.toml"\n',
    '[tool.jaxlint]\nexclude = ["*a*a*a*a*a*a*a*a*a*a*a*b"]\n',
    '[tool.jaxlint.functions]\n"os.system" = { like = "jax.jit\\u001b[2J" }\n',
    "[tool.jaxlint]\nx = " + "[" * 2000 + "\n",
    "[tool.jaxlint]\n" + "a." * 3000 + "b = 1\n",
    "\x1b[2J = 1\n[tool.jaxlint]\n",
    "[tool.jaxlint]\nselect = 1" + "0" * 10_000 + "\n",
]


@pytest.mark.parametrize("text", HOSTILE_SETTINGS)
def test_hostile_configuration(box: Any, text: str) -> None:
    """One clear line or none, no content of other files, and no control characters."""
    box.write("a" * 100 + ".py", FAULT)
    box.write("pyproject.toml", text)
    ran = box.run("check", fake=False)
    assert ran.code in (1, 2)
    assert "Traceback" not in ran.err and "root:" not in ran.err
    assert ran.err.count("\n") <= 1 and not CONTROL.search(ran.out + ran.err)


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
STRANGE = '    if x > 0 and "\x1b[2J\x9b31m\u202e<script>alert(1)</script>":  # \x1b]0;owned\x07\n        return x\n'


@pytest.mark.parametrize("form", ["text", "concise", "github"])
def test_nothing_unescaped_is_printed(box: Any, form: str) -> None:
    text = f"import jax\n\n\n@jax.jit\ndef f(x):\n{STRANGE}    return -x\n"
    box.write("a\n::error::b\x1b[2J\u202e.py", text)
    ran = box.run("check", "--output-format", form, fake=False)
    assert ran.code == 1
    assert not CONTROL.search(ran.out + ran.err)
    assert not [line for line in ran.out.splitlines() if line.startswith("::error::b")]


def test_fixes_stay_inside_of_the_tree(box: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A link of a hostile repository must not make `--fix` rewrite the user's other files."""
    outside = tmp_path_factory.mktemp("outside") / "mine.py"
    outside.write_text(RETIRED)
    (box.root / "link.py").symlink_to(outside)
    (box.root / "folder").symlink_to(outside.parent)
    box.write("own/real.py", RETIRED)
    (box.root / "inside.py").symlink_to(box.root / "own/real.py")
    ran = box.run("check", "--fix", fake=False)
    assert outside.read_text() == RETIRED
    assert "link.py" in ran.err and "outside" in ran.err
    assert "jax.tree.map" in (box.root / "own/real.py").read_text()
    assert sys.platform == "win32" or (box.root / "inside.py").is_symlink()
