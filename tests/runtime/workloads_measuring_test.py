"""The scripts that measure: what they make of results, of failures, and of a machine without a GPU."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import gpu_run, jax_matrix
from runtime_checks.doctor.child import Ran
from runtime_checks.static import static_findings

ROOT = Path(__file__).resolve().parents[2]
RESULTS = {
    "command": "python -m benchmarks.gpu_run",
    "date": "2026-12-01",
    "machine": {"backend": "gpu", "devices": ["H100"], "packages": {"jax": "0.10.2"}, "driver": ""},
    "workloads": {
        "digits right": {
            "metric": "test accuracy", "value": 0.98, "stated": 0.95, "higher": True, "passed": True, "steps": 120,
            "seconds": 2.0, "details": {"compiles_in_loop": 0}, "peak_bytes": 1000,
        },
        "export faulty": {
            "metric": "largest difference", "value": None, "stated": 1e-4, "higher": False, "passed": False,
            "steps": 5, "seconds": 0.0, "details": {},
        },
        "serving right": {"failed": "OSError: no port"},
    },
    "attention": [
        {"way": "cudnn", "length": 512, "forward_ms": 0.1, "training_ms": 0.3, "forward_temporary_bytes": 0,
         "training_temporary_bytes": 64, "training_peak_bytes": 4096},
        {"way": "naive", "length": 512, "failed": "RESOURCE_EXHAUSTED"},
    ],
    "timer": {"size": 8192, "dtype": "bfloat16", "claimed_ms": 0.01, "true_ms": 2.0, "claimed_tflops": 1e5,
              "true_tflops": 550.0, "error_factor": 200.0},
    "confirm": {
        "digits faulty": {"exit": 0, "summary": {"confirmed": 7, "refuted": 0}, "syncs": 126, "compiles": 2},
        "digits right": {"failed": "Killed"},
    },
}  # fmt: skip


def test_summary():
    text = gpu_run.summary(RESULTS)
    assert "| digits right | test accuracy 0.98 | >= 0.95 | True | 60.0 | 0 | 1000 |" in text
    assert "| export faulty | largest difference - |" in text
    assert "| serving right | failed: OSError: no port |" in text
    assert "| 512 | cudnn | 0.100 | 0.300 | 0 | 64 | 4096 |" in text
    assert "| 512 | naive | failed: RESOURCE_EXHAUSTED |" in text
    assert "wrong by a factor of 200" in text
    assert "| digits faulty | 7 | 0 |" in text
    assert "driver" not in text  # nothing known of it


def test_report_is_condensed(tmp_path):
    event = {"kind": "host-read", "how": "float", "file": "a.py", "line": 3, "count": 5}
    finding = {"code": "JAX201", "verdict": "confirmed", "events": [event, dict(event)]}
    report = {"findings": [finding], "unpredicted": [{**event, "line": 9, "count": 2}], "summary": {"confirmed": 1}}
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report))
    kept = gpu_run.report_in(file, Ran("ended", 0))
    assert (kept["syncs"], kept["compiles"]) == (7, 0)
    assert kept["findings"][0]["verdict"] == "confirmed"
    assert "events" not in kept["findings"][0]
    assert "boom" in gpu_run.report_in(tmp_path / "none.json", Ran("ended", 1, err="boom"))["failed"]


def test_last_json_skips_what_the_program_printed(tmp_path):
    runner = gpu_run.Runner(tmp_path, 10, quick=True)
    assert runner.last_json(Ran("ended", 0, out='loss: 1\n{"value": 3}\n{cut', seconds=1.0))["value"] == 3
    assert runner.last_json(Ran("timeout"))["failed"] == "timeout"


def test_confirm_is_given_the_faulty_files_by_name():
    names = [path.name for path in gpu_run.program_paths("digits", "faulty")]
    assert "faulty.py" in names and "right.py" not in names
    findings, problems = static_findings([str(path) for path in gpu_run.program_paths("digits", "faulty")])
    assert not problems and {finding.code for finding in findings} >= {"JAX201"}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_whole_run_in_small(tmp_path):
    """Every part with few steps, in processes of their own, as on a GPU machine."""
    pytest.importorskip("sklearn")
    pytest.importorskip("flax", minversion="0.12")
    command = [sys.executable, "-m", "benchmarks.gpu_run", "--smoke", "--out", str(tmp_path)]
    command += ["--workloads", "digits", "serving"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=580)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["machine"]["backend"]
    for part in ("workloads", "confirm"):
        assert set(results[part]) == {f"{name} {how}" for name in ("digits", "serving") for how in ("right", "faulty")}
        assert not [name for name, result in results[part].items() if "failed" in result]
    assert results["confirm"]["digits faulty"]["summary"]["confirmed"] > 0
    assert results["confirm"]["digits right"]["findings"] == []
    assert not [row for row in results["attention"] if "failed" in row] and results["timer"]["error_factor"] > 0
    assert "## Confirm" in (tmp_path / "summary.md").read_text()


def test_without_a_gpu_nothing_is_claimed(tmp_path, monkeypatch, capsys):
    """On a machine without a GPU the document stays, and the exit status says so."""
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    before = gpu_run.DOCUMENT.read_text()
    assert gpu_run.main(["--out", str(tmp_path), "--require-gpu", "--write-docs"]) == 1
    assert "no GPU here" in capsys.readouterr().err
    assert gpu_run.DOCUMENT.read_text() == before
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["machine"]["backend"] == "cpu"
    assert results["workloads"] == {}


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("75 passed, 8 skipped in 65.31s (0:01:05)", (75, 0, 0, 8)),
        ("1 failed, 2 passed, 3 errors in 1.0s", (2, 1, 3, 0)),
        ("no tests ran in 0.01s", (0, 0, 0, 0)),
    ],
)
def test_counts_of_pytest(line, counts):
    row = jax_matrix.Row("0.8")
    jax_matrix.read_counts(row, f"...\n{line}\n")
    assert (row.passed, row.failed, row.errors, row.skipped) == counts


def test_table_of_the_matrix():
    rows = [jax_matrix.Row("0.8", "passed", "jax 0.8.1", 75, 0, 0, 8, 65.3), jax_matrix.Row("0.6", "not installed")]
    text = jax_matrix.table(rows)
    assert "| 0.8 | jax 0.8.1 | passed | 75 | 0 | 0 | 8 | 65 |" in text
    assert "not installed" in text
