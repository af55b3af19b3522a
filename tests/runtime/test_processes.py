"""Several processes under jax.distributed, activation by environment, and what a start without it costs."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")

ROOT = Path(__file__).resolve().parents[2]

WORKER = """
import sys
import jax
rank, port = int(sys.argv[1]), sys.argv[2]
try:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
except Exception:
    pass
jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=2, process_id=rank)
import jax.numpy as jnp
step = jax.jit(lambda x: x * 2)
x = step(jnp.float32(rank))
for _ in range(3 + rank):
    float(x)
print("rank", jax.process_index(), "of", jax.process_count())
"""

PARENT = """
import subprocess, sys
port = sys.argv[1]
workers = [subprocess.Popen([sys.executable, "worker.py", str(rank), port]) for rank in range(2)]
sys.exit(max(worker.wait(timeout=120) for worker in workers))
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run(arguments, cwd, timeout=170, **environment):
    path = os.pathsep.join(filter(None, [str(ROOT), environment.pop("path", "")]))
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )


@pytest.mark.timeout(200)
def test_two_processes_under_jax_distributed_are_merged_by_process_index(tmp_path):
    (tmp_path / "worker.py").write_text(WORKER.lstrip())
    (tmp_path / "parent.py").write_text(PARENT.lstrip())
    row = WORKER.lstrip().splitlines().index("    float(x)") + 1
    finding = {"code": "JAX201", "name": "sync-in-loop", "message": "m", "severity": "warning", "filename": "worker.py"}
    finding |= {"location": {"row": row, "column": 5}, "end_location": {"row": row, "column": 13}}
    (tmp_path / "f.json").write_text(json.dumps([finding]))
    options = ["--findings", "f.json", "--output-format", "json", "--output-file", "out.json"]
    done = run(["-m", "runtime_checks.confirm", *options, "parent.py", free_port()], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rank 0 of 2" in done.stdout and "rank 1 of 2" in done.stdout
    result = json.loads((tmp_path / "out.json").read_text())
    with_jax = [(p["index"], p["processes"]) for p in result["processes"] if p["jax"]]
    assert with_jax == [(0, 2), (1, 2)]
    (item,) = result["findings"]
    assert (item["verdict"], item["count"]) == ("confirmed", 3 + 4)


PLAIN = """
import sys
import jax.numpy as jnp
x = jnp.float32(1.0) + 1
for _ in range(4):
    float(x)
print("runtime_checks" in sys.modules, "runtime_checks.recorder" in sys.modules)
"""


def test_the_jax_plugins_route_watches_only_when_asked(tmp_path):
    (tmp_path / "plain.py").write_text(PLAIN.lstrip())
    folder = str(ROOT / "runtime_checks" / "activation")
    without = run(["plain.py"], tmp_path, path=folder)
    # where the package is installed, jax itself imports the (empty) module behind the entry point; nothing else is
    assert without.stdout.split()[1] == "False", without.stderr
    assert not list(tmp_path.glob("**/evidence-*"))
    watched = run(["plain.py"], tmp_path, path=folder, JAXLINT_RUNTIME="1", JAXLINT_RUNTIME_DIR="seen")
    assert watched.stdout.split() == ["True", "True"], watched.stderr
    from runtime_checks.evidence import read_directory

    evidence = read_directory(tmp_path / "seen")
    assert [(e.how, e.count) for e in evidence.events if e.kind == "host-read"] == [("float", 4)]
    assert evidence.platform == "cpu"
    # and the evidence can be judged later
    (tmp_path / "f.json").write_text("[]")
    options = ["--findings", "f.json", "--evidence", "seen"]
    done = run(["-m", "runtime_checks.confirm", *options], tmp_path)
    assert done.returncode == 0 and "evidence in seen" in done.stdout, done.stderr


def test_a_cut_evidence_file_is_read_as_far_as_it_goes(tmp_path):
    from runtime_checks.evidence import read_directory

    event = {"t": "event", "id": 0, "kind": "host-read", "how": "float", "file": "/a.py", "line": 3, "function": "f"}
    lines = [
        json.dumps({"t": "process", "pid": 7, "start": 1.0, "jax": "0.10.2", "newer": 1}),
        json.dumps({**event, "count": 1, "seconds": 0.5, "unknown": 0}),
        json.dumps({**event, "count": 4, "seconds": 2.0}),
        "[1, 2]",
        json.dumps({**event, "count": 9})[:40],
    ]
    (tmp_path / "evidence-7-0.jsonl").write_text("\n".join(lines))
    (tmp_path / "evidence-8-0.jsonl").write_text("\n".join(lines[:2]) + "\n")
    evidence = read_directory(tmp_path)
    (found,) = evidence.events
    assert (found.count, found.seconds) == (5, 2.5)
    assert [process.ended for process in evidence.processes] == ["", ""]
