"""Workloads: the right versions reach what they state, the faulty ones show their faults, at lengths for a test.

Each runs in a process of its own, as a user would run it: JAX's state (devices, compilation caches) starts fresh. The
short lengths have figures of their own, measured on a CPU with JAX 0.10.2 and given with their margin.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime_checks.workloads import WORKLOADS, Outcome
from runtime_checks.workloads.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session", autouse=True)
def flax():
    """The programs are written for flax 0.12 (`nnx.List`, `nnx.Optimizer(wrt=)`) or newer."""
    pytest.importorskip("sklearn")
    pytest.importorskip("flax", minversion="0.12")


def run(name, *arguments):
    """The result of one workload, and what it printed."""
    env = {**os.environ, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-m", "runtime_checks.workloads", name, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.strip().splitlines()
    result = json.loads(lines[-1])
    assert lines[-2].startswith(f"{name} ({result['variant']}): ")
    return result, lines[:-2]


def test_digits_reach_their_accuracy():
    result, _ = run("digits")  # measured 0.983
    assert result["passed"] is True
    assert result["value"] >= 0.95
    assert result["details"]["compiles_in_loop"] == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_digits_faulty():
    result, printed = run("digits", "--faulty", "--steps", "12")
    assert result["passed"] is None  # too short to be judged
    # the whole batch and the rest; the print ran once for each
    assert result["details"]["compiles_in_loop"] >= 2
    assert len([line for line in printed if line.startswith("loss: ")]) == 2
    assert result["details"]["last_loss"] < result["details"]["first_loss"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_character_model_learns_and_is_causal():
    result, _ = run("char-lm", "--steps", "60")  # measured 2.62 nats
    assert result["value"] < 3.0 < result["details"]["uniform_loss"]
    assert result["conditions"] == {"free of recompilation": True, "causal": True}
    assert len(result["details"]["written"]) == 32


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_character_model_uses_its_context():
    result, _ = run("char-lm")  # measured 1.95; the best table of pairs has 2.54
    assert result["passed"] is True
    assert result["value"] < result["details"]["bigram_loss"] - 0.1


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_character_model_faulty_sees_the_future():
    result, printed = run("char-lm", "--faulty", "--steps", "3")
    assert result["passed"] is False
    assert result["conditions"] == {"causal": False}
    assert len([line for line in printed if line.startswith("step ")]) == 3
    assert result["details"]["compiles_while_writing"] >= 6  # one a character, at least


def test_attention_is_the_same_and_says_what_ran():
    result, printed = run("attention", "--steps", "2")
    assert result["passed"] is True
    assert result["details"]["fused"] == "xla"
    assert result["details"]["no_cudnn"] == "the backend is cpu"
    naive = {row["length"]: row for row in result["details"]["rows"] if row["way"] == "naive"}
    # the scores: heads x T x T float32
    assert naive[1024]["temporary_bytes"] >= 4 * 1024 * 1024 * 4
    assert naive[1024]["temporary_bytes"] > 10 * naive[256]["temporary_bytes"]
    assert len(printed) == len(result["details"]["rows"])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_attention_timed_wrongly():
    """The unblocked timer claims a fraction of what the call takes."""
    right, _ = run("attention", "--steps", "3")
    faulty, _ = run("attention", "--faulty", "--steps", "3")
    assert faulty["details"]["compiles_in_loop"] >= 8
    true = next(r["ms"] for r in right["details"]["rows"] if (r["length"], r["way"]) == (1024, "xla"))
    claimed = next(r["ms"] for r in faulty["details"]["rows"] if (r["length"], r["way"]) == (1024, "xla again"))
    assert true > 10 * claimed  # measured 63 ms against 0.02 ms


def test_data_parallel_gives_the_same_losses():
    result, _ = run("data-parallel")  # measured 1.4e-7
    assert result["passed"] is True
    assert result["details"]["devices"] == [1, 2, 4, 8]
    assert result["value"] <= 1e-4
    assert result["conditions"] == {"free of recompilation": True}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_data_parallel_faulty_compiles_every_step():
    result, printed = run("data-parallel", "--faulty", "--steps", "2")
    assert result["details"]["compiles_in_loop"] >= 2 * 4
    assert any("could not be read" in line for line in printed)


def test_checkpoint():
    result, _ = run("checkpoint")  # measured 0.953
    assert result["passed"] is True
    assert result["details"]["logit_difference"] == 0.0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_checkpoint_of_the_object_cannot_be_restored():
    result, _ = run("checkpoint", "--faulty", "--steps", "30")
    assert result["conditions"] == {"equal to the saved model": False}
    assert "ValueError" in result["details"]["failure"]


def test_serving():
    result, _ = run("serving")  # measured 0.953
    assert result["passed"] is True
    assert result["details"]["compiles_in_requests"] == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_serving_compiles_in_every_request():
    right, _ = run("serving", "--steps", "5")
    faulty, _ = run("serving", "--faulty", "--steps", "5")
    assert faulty["details"]["compiles_in_requests"] >= 5
    # measured 270 ms against 0.8 ms
    assert faulty["details"]["median_request_ms"] > 5 * right["details"]["median_request_ms"]


def test_export_runs_without_the_model():
    pytest.importorskip("flatbuffers")
    result, _ = run("export", "--steps", "20")
    assert all(result["conditions"].values()), result
    assert result["value"] <= 1e-4
    assert result["details"]["platforms"] == ["cpu", "cuda"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_pickle_does_not_run_without_the_model():
    faulty, printed = run("export", "--faulty", "--steps", "5")
    assert "ModuleNotFoundError" in faulty["details"]["failure"]
    assert any("TracerBoolConversionError" in line for line in printed)


def outcome(**changes):
    fields = {
        "workload": "w", "variant": "right", "metric": "accuracy", "value": 0.9, "stated": 0.8, "higher": True,
        "steps": 10, "judged_from": 10, "seconds": 2.0,
    }  # fmt: skip
    return Outcome(**{**fields, **changes})


def test_outcome_is_judged():
    assert outcome().passed is True
    assert outcome(value=0.7).passed is False
    assert outcome(value=0.7, higher=False).passed is True
    assert outcome(value=0.7, steps=9).passed is None
    assert outcome(conditions={"causal": False}).passed is False
    assert "5.0 steps/s" in outcome().line()
    assert json.loads(outcome(value=float("inf")).as_json())["value"] is None


def test_command_line(capsys, tmp_path):
    assert main(["list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(WORKLOADS)
    assert main(["nonsense"]) == 2
    assert main(["digits", "--steps", "0"]) == 2
    capsys.readouterr()
    file = tmp_path / "out" / "digits.json"
    assert main(["digits", "--steps", "2", "--json", str(file)]) == 0
    assert json.loads(file.read_text())["steps"] == 2
    assert len(capsys.readouterr().out.splitlines()) == 1
