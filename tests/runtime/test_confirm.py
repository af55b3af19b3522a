"""`jaxlint confirm`: verdicts on planted faults and right code, and how a program's own behaviour passes through."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("jax")

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import programs  # noqa: E402


def run(*arguments, cwd, timeout=150, **environment):
    """`python -m runtime_checks.confirm ARGUMENTS`."""
    return subprocess.run(
        [sys.executable, "-m", "runtime_checks.confirm", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def jax_is_old():
    import jax

    return tuple(map(int, jax.__version__.split(".")[:2])) < (0, 7)


@pytest.mark.timeout(200)
@pytest.mark.parametrize("name", ["SYNCS", "COMPILES", "TRACES", "LEAKS", "MEMORY", "MORE"])
def test_planted_faults_and_right_code(tmp_path, name):
    path, findings, wanted = programs.write(tmp_path, getattr(programs, name))
    done = run(
        "--findings",
        findings,
        "--verify-timers",
        "--output-format",
        "json",
        "--output-file",
        "out.json",
        path,
        cwd=tmp_path,
    )
    result = json.loads((tmp_path / "out.json").read_text())
    seen = {(item["location"]["row"], item["name"]): (item["verdict"], item["reason"]) for item in result["findings"]}
    wrong = {key: (verdict, seen[key]) for key, verdict in wanted.items() if seen[key][0] != verdict}
    # what this version of JAX cannot tell must be said with the observer's reason
    off = [f"{probe['name']}: {probe['reason']}" for probe in result["observers"] if probe["state"] == "off"]
    assert not off or jax_is_old(), off
    wrong = {key: (verdict, got) for key, (verdict, got) in wrong.items() if got[1] not in off}
    assert not wrong, json.dumps({str(key): value for key, value in wrong.items()}, indent=1) + done.stderr[-2000:]
    unreached = [reason for verdict, reason in seen.values() if verdict == "not reached"]
    assert name != "SYNCS" or any("`if len(history) > 1000` was never true" in reason for reason in unreached)
    assert result["status"] == done.returncode == (1 if name in ("TRACES", "MORE") else 0)


PROGRAM = """
import os, signal, subprocess, sys, threading
import jax, jax.numpy as jnp
x = jnp.float32(1.0)
for _ in range(5):
    float(x)
print("out", *sys.argv[1:])
print("err", file=sys.stderr)
sys.stdout.flush()
mode = sys.argv[-1]
if mode == "raise":
    raise ValueError("mine")
if mode == "exit":
    sys.exit(3)
if mode == "os._exit":
    os._exit(4)
if mode == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
if mode == "wait":
    print("ready", flush=True)
    threading.Event().wait(60)
if mode == "child":
    code = "import jax.numpy as jnp\\nx = jnp.float32(2)\\nfor _ in range(7): float(x)"
    open("child.py", "w").write(code)
    subprocess.run([sys.executable, "child.py"], check=True)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    (tmp_path / "none.json").write_text("[]")
    return path


def reads(folder):
    """Sum of the reads in the kept evidence."""
    sys.path.insert(0, str(ROOT))
    from runtime_checks.evidence import read_directory

    return sum(event.count for event in read_directory(folder).events if event.kind == "host-read")


@pytest.mark.parametrize(
    ("mode", "status"), [("ok", 0), ("raise", 1), ("exit", 3), ("os._exit", 4), ("kill", 128 + 9), ("child", 0)]
)
def test_status_output_and_evidence_pass_through(program, mode, status):
    folder = program.parent
    done = run("--findings", "none.json", "--evidence", "ev", program, "--steps", "200", mode, cwd=folder)
    assert done.returncode == status, done.stderr
    assert f"out --steps 200 {mode}" in done.stdout and "err" in done.stderr
    assert "0 confirmed" in done.stdout
    assert ("ValueError: mine" in done.stderr) == (mode == "raise")
    assert "runner.py" not in done.stderr
    assert reads(folder / "ev") == (12 if mode == "child" else 5)
    if mode == "kill":
        assert "ended without a word" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_the_program_and_the_report_still_comes(program, number):
    arguments = [sys.executable, "-m", "runtime_checks.confirm", "--findings", "none.json", str(program), "wait"]
    child = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=program.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )  # fmt: skip
    seen = ""
    while "ready" not in seen:
        seen += child.stdout.readline()
    time.sleep(0.2)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 128 + number, err
    assert "0 confirmed" in out
    assert ("KeyboardInterrupt" in err) == (number == signal.SIGINT)


def test_json_on_stdout_is_json_only_and_fail_on(tmp_path):
    text = "import jax, jax.numpy as jnp\nx = jnp.ones(3)\nprint('hello')\nfor _ in range(3):\n    x.sum().item()\n"
    text = text.replace("item()", "item()  # want: sync-in-loop confirmed")
    path, findings, _ = programs.write(tmp_path, text)
    options = ["--findings", findings, "--output-format", "json", "--fail-on", "confirmed", "--html", "out/page.html"]
    done = run(*options, path, cwd=tmp_path)
    result = json.loads(done.stdout)
    page = (tmp_path / "out" / "page.html").read_text(encoding="utf-8")
    assert "x.sum().item()" in page and "<svg" in page and "observer" in page
    assert done.returncode == 1 and "hello" in done.stderr
    (item,) = result["findings"]
    assert (item["verdict"], item["count"], item["runs"], item["iterations"]) == ("confirmed", 3, 3, 3)
    assert result["summary"]["confirmed"] == 1 and result["platform"] == "cpu"
    assert {observer["name"] for observer in result["observers"]} >= {"transfers", "compiles", "timers", "lines"}


PACK_MAIN = """
import sys
import jax.numpy as jnp
from pack.work import read
read(jnp.float32(1))
print(__name__, sys.argv[1:])
"""
PACK_TEST = """
import jax, jax.numpy as jnp
from pack.work import read

def test_read():
    assert read(jnp.float32(1)) == 1

def test_fails():
    assert jax.jit(lambda a: a if a > 0 else -a)(1.0)
"""


def test_modules_and_pytest_are_run_as_python_runs_them(tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "work.py").write_text("def read(x):\n    return float(x)\n")
    (tmp_path / "pack" / "__main__.py").write_text(PACK_MAIN)
    (tmp_path / "test_work.py").write_text(PACK_TEST)
    finding = {"code": "JAX201", "name": "sync-in-loop", "message": "m", "severity": "warning"}
    finding |= {
        "filename": "pack/work.py",
        "location": {"row": 2, "column": 1},
        "end_location": {"row": 2, "column": 20},
    }
    (tmp_path / "f.json").write_text(json.dumps([finding]))
    options = ["--findings", "f.json", "--output-format", "json", "--output-file", "out.json"]
    done = run(*options, "-m", "pack", "a", "--b", cwd=tmp_path)
    assert "__main__ ['a', '--b']" in done.stdout, done.stderr
    result = json.loads((tmp_path / "out.json").read_text())
    assert [item["verdict"] for item in result["findings"]] == ["confirmed"]
    done = run(*options, "--", "pytest", "-q", cwd=tmp_path)
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    result = json.loads((tmp_path / "out.json").read_text())
    assert [item["verdict"] for item in result["findings"]] == ["confirmed"]
    assert [event["kind"] for event in result["unpredicted"]] == ["tracer-bool"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "nothing to run"),
        (["missing.py"], "no such file"),
        (["-m"], "needs a module"),
        (["-m", "no_such_module_here"], "no module named"),
        (["--", "ls"], "not a Python script"),
        (["--nonsense", "x.py"], "unrecognized arguments"),
    ],
)
def test_usage_errors(tmp_path, arguments, words):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr


def test_the_command_line_knows_confirm(tmp_path):
    (tmp_path / "program.py").write_text("import jax.numpy as jnp\nfor _ in range(3):\n    float(jnp.float32(1))\n")
    done = subprocess.run(
        [sys.executable, "-m", "jaxlint", "confirm", "program.py", "--fail-on", "confirmed"],
        capture_output=True, text=True, cwd=tmp_path, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    # what stands after the script is the script's
    assert done.returncode == 0 and "jaxlint confirm: python program.py --fail-on confirmed" in done.stdout, done.stderr


def test_program_files_follows_imports_without_importing(tmp_path, monkeypatch):
    from runtime_checks.static import program_files

    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text("from . import inner\n")
    (tmp_path / "lib" / "inner.py").write_text("import json\nraise SystemExit\n")
    (tmp_path / "other.py").write_text("")
    (tmp_path / "main.py").write_text("import lib.inner\nimport numpy\n")
    monkeypatch.chdir(tmp_path)
    assert sorted(program_files("main.py")) == ["lib/__init__.py", "lib/inner.py", "main.py"]
