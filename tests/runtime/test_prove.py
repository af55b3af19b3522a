"""`confirm --prove`: what the fixes gain, on copies; the original stays as it is, and no copy stays behind."""

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")

from runtime_checks.prove.measured import difference
from runtime_checks.prove.printed import compare
from runtime_checks.prove.project_copy import Layout, NotCopied, fresh_copy
from runtime_checks.prove.proof import Request, prove
from runtime_checks.prove.step_clock import StepClock
from runtime_checks.report.proof import lines_of

ROOT = Path(__file__).resolve().parents[2]

WAITS = """
import os
import time

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return jnp.tanh(x @ x * 1e-3)


def main():
    x = jnp.eye(700)
    for _ in range(30):
        x = step(x)
        x.block_until_ready()
        time.sleep(0.02)
    print("result", float(x.sum()), "in process", os.getpid())
    open("written.txt", "w").write("by the program")


main()
"""
RAISES = """
import jax
import jax.numpy as jnp

x = jnp.zeros(3)
for i in range(3):
    x[i] = 1.0
print(x.sum())
"""


def content(folder):
    """Every file of a folder with its digest."""
    return {str(p): hashlib.sha1(p.read_bytes()).hexdigest() for p in folder.rglob("*") if p.is_file()}


def project(tmp_path, text):
    folder, temporary = tmp_path / "project", tmp_path / "tmp"
    folder.mkdir()
    temporary.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "program.py").write_text(text.lstrip())
    return folder, temporary


@pytest.mark.timeout(300)
def test_a_fix_that_gains(tmp_path):
    folder, temporary = project(tmp_path, WAITS)
    before = content(folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    options = ["--prove", "--rounds", "3", "--output-format", "json", "--output-file", str(tmp_path / "out.json")]
    done = subprocess.run(
        [sys.executable, "-m", "runtime_checks.confirm", *options, "program.py"],
        capture_output=True, text=True, cwd=folder, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "out.json").read_text())
    (proved,) = result["proof"]["proved"]
    assert [fix["code"] for fix in proved["fixes"]] == ["JAX205"] and not result["problems"]
    # 20 ms of sleep no longer stand behind the device's work
    assert proved["step_seconds"]["measured"] and proved["step_seconds"]["share"] > 0.05, proved
    assert proved["step_seconds"]["before"] > 0.02 and proved["loop"]["row"] == 15
    assert proved["same_output"] and "1 of 1 lines have numbers that change" in proved["output"]
    (folder / "written.txt").unlink()  # by the watched run, which is the program's own
    assert content(folder) == before
    assert list(temporary.iterdir()) == []


@pytest.mark.timeout(200)
def test_a_fix_of_a_program_that_raises(tmp_path, monkeypatch):
    folder, _ = project(tmp_path, RAISES)
    monkeypatch.chdir(folder)
    request = Request(["program.py"], str(folder), ["program.py"], rounds=3)
    proof = prove(request)
    assert any("ends well with the fix" in line for line in lines_of(proof)), lines_of(proof)
    (proved,) = proof.proved
    assert proved.before == 1 and proved.after == 0 and proved.step is None
    assert "x[i] = 1.0" in (folder / "program.py").read_text()


def test_nothing_to_fix_runs_nothing(tmp_path, monkeypatch):
    folder, _ = project(tmp_path, "import jax\nraise SystemExit(3)\n")
    monkeypatch.chdir(folder)
    said = []
    proof = prove(Request(["program.py"], str(folder), ["program.py"]), said.append)
    assert not proof.proved and not said
    assert "nothing to prove" in lines_of(proof)[0]


# -- printed results ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (["loss 0.5\n", "loss 0.5\n"], "loss 0.5\n", True),
        (["loss 0.5\n", "loss 0.5\n"], "loss 0.500001\n", True),
        (["loss 0.5\n", "loss 0.5\n"], "loss 0.6\n", False),
        (["took 3 s\n", "took 4 s\n"], "took 1 s\n", True),
        (["took 3 s\n", "took 4 s\n"], "failed after 1 s\n", False),
        (["a\n", "a\n"], "a\nb\n", False),
        (["1,000 images\n"] * 2, "1,000 images\n", True),
        (["", ""], "", True),
    ],
)
def test_what_is_the_same_output(before, after, same):
    assert compare(before, after).same is same


def test_programs_that_print_another_number_of_lines_each_time_are_not_compared():
    assert "not comparable" in compare(["a\n", "a\nb\n"], "c\n").words


# -- figures --------------------------------------------------------------------------------------------------
def test_a_difference_is_measured_when_all_rounds_agree_and_it_is_large_enough():
    assert difference([(1.0, 0.8), (1.1, 0.9), (0.9, 0.7)]).measured
    assert not difference([(1.0, 0.8), (1.1, 0.9), (0.9, 0.95)]).measured
    assert not difference([(1.0, 0.995), (1.0, 0.996), (1.0, 0.994)]).measured
    assert not difference([(1.0, 0.5)] * 2).measured
    more = difference([(1.0, 1.5)] * 3)
    assert more.measured and more.share == pytest.approx(-0.5)
    assert difference([]) is None


# -- copies ---------------------------------------------------------------------------------------------------
def test_a_copy_holds_what_a_run_needs_and_its_links_stay_inside(tmp_path):
    folder, _ = project(tmp_path, "print(1)\n")
    (folder / ".git").mkdir()
    (folder / "venv" / "lib").mkdir(parents=True)
    (folder / "venv" / "pyvenv.cfg").write_text("")
    (folder / "link.py").symlink_to(folder / "program.py")
    os.mkfifo(folder / "pipe")
    layout = Layout.of(str(folder), str(folder))
    copy = str(tmp_path / "copy")
    with fresh_copy(layout, copy, {"program.py": b"print(2)\n"}):
        assert sorted(os.listdir(copy)) == ["link.py", "program.py", "pyproject.toml"]
        assert Path(copy, "link.py").read_text() == "print(2)\n"
        Path(copy, "link.py").write_text("print(3)\n")
    assert (folder / "program.py").read_text() == "print(1)\n" and not os.path.exists(copy)
    assert layout.inside(str(folder / "venv" / "lib"), copy) == str(folder / "venv" / "lib")
    assert layout.inside(str(folder / "program.py"), copy) == os.path.join(copy, "program.py")


def test_a_program_is_proved_from_inside_its_project(tmp_path):
    folder, temporary = project(tmp_path, "")
    with pytest.raises(NotCopied, match="start `confirm --prove` from that folder"):
        Layout.of(str(folder), str(temporary))


# -- the step clock -------------------------------------------------------------------------------------------
LOOPS = """
def numbers():
    for i in range(4):
        yield i
    else:
        yield "else"

def found(wanted):
    for i in range(5):
        if i == wanted:
            return i
        if i > 1:
            continue

def raised():
    while True:
        raise KeyError("mine")

seen = list(zip(numbers(), "abcdef"))
for _ in range(3):
    for letter in "xy":
        seen.append(letter)
        if letter == "y":
            break
seen.append(found(3))
try:
    raised()
except KeyError as error:
    seen.append(error.__traceback__.tb_next.tb_lineno)
"""


def test_the_calls_of_the_clock_change_nothing_and_count_the_turns(tmp_path, monkeypatch):
    path = tmp_path / "loops.py"
    path.write_text(LOOPS)
    plain, timed = {}, {}
    exec(compile(LOOPS, str(path), "exec"), plain)
    clock = StepClock(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    clock.start()
    exec(clock.compile(str(path), LOOPS.encode()), timed)
    assert timed["seen"] == plain["seen"]
    order = [ast.unparse(loop).partition(":")[0] for loop in ast.walk(ast.parse(LOOPS)) if hasattr(loop, "orelse")
             and isinstance(loop, (ast.For, ast.While))]  # fmt: skip
    turns = {order[number]: (total.iterations, total.entered) for (_, number), total in clock.totals.items()}
    # all turns but the very first of each loop
    assert turns["for _ in range(3)"] == (2, 1)
    assert turns["for letter in 'xy'"] == (5, 3)
    assert turns["for i in range(5)"] == (3, 1)
    assert turns["for i in range(4)"] == (3, 1)
