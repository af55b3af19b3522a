"""Fixes are proved by running: the program before shows its fault, the one after does what was meant."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("jax")
REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Program:
    """`wrong` is what the faulty program's error or output holds, `right` the output of the fixed one."""

    name: str
    text: str
    wrong: str
    right: str


PROGRAMS = (
    Program(
        "write",
        "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0  # the first\nprint(x.tolist())\n",
        "TypeError",
        "[1.0, 0.0, 0.0]",
    ),
    Program(
        "augmented",
        "import jax.numpy as jnp\n\nx = jnp.ones(3)\nx[1:] -= 2.0 + 1\nx[0] *= 4\nprint(x.tolist())\n",
        "TypeError",
        "[4.0, -2.0, -2.0]",
    ),
    Program(
        "discarded",
        "import jax.numpy as jnp\n\nx = jnp.zeros(2)\nx.at[0].set(5.0)\nprint(x.tolist())\n",
        "[0.0, 0.0]",
        "[5.0, 0.0]",
    ),
    Program(
        "list",
        "import jax\nimport jax.numpy as jnp\nfrom functools import partial\n\n\n@partial(jax.jit, static_argnums=1)\n"
        "def fold(x, shape):\n    return x.reshape(shape).sum(0)\n\n\nprint(fold(jnp.arange(4), [2, 2]).tolist())\n",
        "ValueError",
        "[2, 4]",
    ),
    Program(
        "renamed",
        "import jax\n\nprint(jax.tree_map(abs, [-1, 2]))\n",
        "AttributeError",
        "[1, 2]",
    ),
    Program(
        "timer",
        "import time\nimport jax\nimport jax.numpy as jnp\n\n"
        "work = jax.jit(lambda x: jnp.linalg.matrix_power(x @ x.T / x.size, 40))\nx = jnp.ones((700, 700))\n"
        "jax.block_until_ready(work(x))\nstart = time.perf_counter()\ny = work(x)\n"
        "seconds = time.perf_counter() - start\nbegin = time.perf_counter()\njax.block_until_ready(y)\n"
        "print('finished' if time.perf_counter() - begin < seconds / 4 else 'in flight')\n",
        "in flight",
        "finished",
    ),
)


def run(path: Path) -> str:
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, path.name], cwd=path.parent, env=environment, capture_output=True, text=True, timeout=120
    )
    return done.stdout + done.stderr


def fix(path: Path) -> str:
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--fix", path.name]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.parametrize("faulty", PROGRAMS, ids=lambda faulty: faulty.name)
def test_the_fixed_program_does_what_was_meant(faulty: Program, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(faulty.text)
    assert faulty.wrong in run(path)
    assert "All checks passed" in fix(path)
    assert faulty.right in run(path)
    comments = [line.partition("#")[2] for line in faulty.text.splitlines() if "#" in line]
    assert all(comment in path.read_text() for comment in comments)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("        y = step(x).block_until_ready()\n", "        y = step(x)\n"),
        ("        y = jax.block_until_ready(step(x))\n", "        y = step(x)\n"),
        ("        y = step(x)\n        y.block_until_ready()\n", "        y = step(x)\n"),
    ],
)
def test_waits_are_taken_out(text: str, fixed: str, tmp_path: Path) -> None:
    head = "import jax\n\nstep = jax.jit(lambda x: x + 1)\n\n\ndef main(x):\n    for _ in range(100):\n"
    path = tmp_path / "program.py"
    path.write_text(head + text)
    assert "All checks passed" in fix(path)
    assert path.read_text() == head + fixed


@pytest.mark.parametrize(
    "line",
    [
        "x[0] = 1.0, 2.0",  # a bare tuple would become two arguments
        "x[0] = (\n    1.0  # why\n)",  # a comment inside
    ],
)
def test_what_cannot_be_rewritten_stays(line: str, tmp_path: Path) -> None:
    text = f"import jax.numpy as jnp\n\nx = jnp.zeros((2, 2))\n{line}\n"
    path = tmp_path / "program.py"
    path.write_text(text)
    fix(path)
    assert path.read_text() == text


@pytest.mark.parametrize("inner", ["", "\n    def other():\n        TABLE = 1\n        return TABLE\n"])
def test_a_global_is_not_made_local(inner: str, tmp_path: Path) -> None:
    text = "import jax.numpy as jnp\n\nTABLE = jnp.zeros(2)\n\n\ndef fill():\n    TABLE[0] = 1.0\n"
    text += f"{inner}\n\nfill()\n"
    path = tmp_path / "program.py"
    path.write_text(text)
    fix(path)
    assert path.read_text() == text
