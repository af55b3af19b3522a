"""The linter and the companion on the workloads: silent on the right versions, right about the faulty ones."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime_checks.workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "runtime_checks" / "workloads"
PACKAGES = [name.replace("-", "_") for name in WORKLOADS]
# What each faulty version must be told, at least.
FAULTS = {
    "digits": {"JAX107", "JAX201", "JAX202", "JAX301", "JAX401"},
    "char_lm": {"JAX203", "JAX204", "JAX302", "JAX402"},
    "attention": {"JAX301", "JAX403"},
    "data_parallel": {"JAX106", "JAX202", "JAX301", "JAX403"},
    "checkpoint": {"JAX201", "JAX401"},
    # that its request handler compiles each time is seen at run time only: nothing says how often it is called
    "serving": {"JAX207"},
    "export": {"JAX301", "JAX302", "JAX403"},
}


@pytest.fixture(scope="module")
def findings():
    """Code and row of each finding on the workloads, by file below their folder."""
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "--output-format", "json"]
    done = subprocess.run([*command, str(FOLDER)], cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert done.returncode == 1, done.stderr
    found = {}
    for finding in json.loads(done.stdout):
        path = Path(finding["filename"])
        place = (path if path.is_absolute() else ROOT / path).relative_to(FOLDER).as_posix()
        found.setdefault(place, []).append((finding["code"], finding["location"]["row"]))
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_faulty_versions_are_found(package, findings):
    codes = {code for code, _ in findings.get(f"{package}/faulty.py", [])}
    assert FAULTS[package] <= codes


@pytest.mark.parametrize("package", PACKAGES)
def test_right_versions_are_clean(package, findings):
    assert findings.get(f"{package}/right.py", []) == []


def test_all_else_is_clean(findings):
    programs = {f"{package}/{variant}.py" for package in PACKAGES for variant in ("right", "faulty")}
    assert {place: found for place, found in findings.items() if place not in programs} == {}


def confirm(module, folder):
    """Confirm's report on one workload, run as a program."""
    pytest.importorskip("sklearn")
    pytest.importorskip("flax", minversion="0.12")
    file = folder / "report.json"
    options = ["--no-progress", "--output-format", "json", "--output-file", str(file)]
    command = [sys.executable, "-m", "runtime_checks.confirm", *options, "-m", f"runtime_checks.workloads.{module}"]
    env = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert file.exists(), done.stdout + done.stderr
    return json.loads(file.read_text())


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("package", ["digits", "attention", "checkpoint", "serving", "export"])
def test_what_is_found_is_confirmed(package, tmp_path):
    report = confirm(f"{package}.faulty", tmp_path)
    judged = {(f["code"], f["location"]["row"]): f["verdict"] for f in report["findings"] if f["code"] < "JAX5"}
    assert judged
    assert {place: verdict for place, verdict in judged.items() if verdict != "confirmed"} == {}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("package", ["digits", "attention", "data_parallel", "serving"])
def test_right_versions_run_without_recompiling_or_waiting(package, tmp_path):
    report = confirm(f"{package}.right", tmp_path)
    assert report["status"] == 0
    unwanted = {"compiled-call", "host-read", "host-block", "clock-stop", "tracer-bool", "tracer-convert"}
    seen = [event for event in report["unpredicted"] if event["kind"] in unwanted]
    if package == "data_parallel":
        # the one step is compiled for one device, and again for 2, 4 and 8: by its first call on each, outside the loop
        assert [(event["kind"], event["count"]) for event in seen] == [("compiled-call", 3)]
    else:
        assert seen == []
