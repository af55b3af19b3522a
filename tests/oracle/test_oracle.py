"""The oracle: which places are compared, and what is a wrong claim."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.oracle.__main__ import Claims, compare
from benchmarks.oracle.places import places_of
from jaxlint import files
from jaxlint.interpreter import analyse
from jaxlint.project import Project
from jaxlint.source import Source

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def double(x):
    return x * 2

def main(n):
    y = double(jnp.ones(n))
    return y

main(3)
"""


def test_only_names_with_one_meaning_on_their_line() -> None:
    text = "a = x + 1\nb = [x for x in y]\nfor i in f(i, y):\n    c = i\nif (z := x): d = z\n"
    assert places_of(text) == {1: {"x"}, 2: {"y"}, 3: {"f", "y"}, 4: {"i"}}


def test_a_claim_is_wrong_where_no_visit_bears_it_out() -> None:
    place, other = ("f.py", 1, "x"), ("f.py", 2, "x")
    score = compare(
        {place: {"device": "an array", "tracer": "a tracer"}, other: {"unknown": "not known"}},
        {place: {"tracer"}, other: {"tracer"}},
    )
    assert (score.definite, [w[1] for w in score.wrong]) == (2, ["device"])
    assert (score.traced, dict(score.lost)) == (2, {"unknown or one of several": 1})


def test_a_run_bears_out_the_interpreter(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    program, out = tmp_path / "program.py", tmp_path / "seen.json"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "benchmarks.oracle.observe", str(out), str(tmp_path), str(program)]
    subprocess.run(command, check=True, timeout=120, env={**os.environ, "JAX_PLATFORMS": "cpu"})
    observed = {(f, line, name): set(kinds) for f, line, name, kinds in json.loads(out.read_text())}
    path = os.path.realpath(program)
    assert observed == {
        (path, 6, "x"): {"tracer"},
        (path, 9, "n"): {"python"},
        (path, 10, "y"): {"device"},
    }
    source = files.read(files.Candidate(str(program), path))
    assert isinstance(source, Source)
    claims = Claims()
    analyse(Project([source]), probe=claims)
    score = compare(claims.seen, observed)
    assert (score.definite, score.wrong, score.traced, sum(score.lost.values())) == (3, [], 1, 0)
