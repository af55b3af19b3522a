"""Programs that are hard to watch: under `confirm` each prints, returns and leaves what it does without."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")

ROOT = Path(__file__).resolve().parents[2]

# -- programs without jax: quick ------------------------------------------------------------------------------
NAMES = '''"""The docstring."""
from __future__ import annotations
import inspect, pickle, sys, typing, dataclasses, os
import __main__

@dataclasses.dataclass
class Point:
    x: int = 1

def function(a: int, b: "Point" = None) -> str:
    return "x"

print(__name__, __doc__, os.path.basename(__file__), __spec__, __package__)
print(sorted(name for name in globals() if name != "__loader__"))
print(sys.path[0] == os.path.dirname(os.path.realpath(__file__)), sys.argv)
print(pickle.loads(pickle.dumps(Point(3))), pickle.loads(pickle.dumps(function)) is function)
print(typing.get_type_hints(function), inspect.getsource(function))
print(__main__.Point is Point, function.__module__, function.__code__.co_firstlineno)
print(sys.gettrace(), sys.getprofile(), sys.excepthook is sys.__excepthook__ or "hooked")
print(type(sys.stdout).__name__, sys.flags.optimize, __debug__)
'''
ARGUMENTS = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--html"), parser.add_argument("--steps", type=int), parser.add_argument("-m")
parser.add_argument("--findings"), parser.add_argument("rest", nargs="*")
print(parser.parse_args())
"""
STDIN = "import sys\nfor line in sys.stdin:\n    print(line.upper(), end='')\nprint(input)\n"
TRACEBACK = """
import threading
def inner(n):
    return {"a": [n / 0
                  for _ in range(1)]}
def outer():
    try:
        inner(1)
    except ZeroDivisionError as error:
        raise ValueError("bäd\\u2028") from error
thread = threading.Thread(target=outer, name="worker")
thread.start()
thread.join()
outer()
"""
CWD = """
import os, sys
os.makedirs("elsewhere", exist_ok=True)
os.chdir("elsewhere")
os.remove(__file__)
import beside
print(os.path.basename(os.getcwd()), beside.value(), os.path.exists(__file__))
raise SystemExit("gone: ünï")
"""
DESCRIPTORS = """
import os
os.closerange(3, 200)
files = [open(f"mine{number}.txt", "w") for number in range(20)]
for number in range(300):
    pass
for file in files:
    file.write("only mine")
    file.close()
print(sorted(open(f"mine{number}.txt").read() for number in range(20)) == ["only mine"] * 20)
os._exit(5)
"""
TRACE = """
import sys
seen = []
def trace(frame, event, argument):
    if frame.f_code.co_name == "watched":
        seen.append((event, frame.f_lineno - frame.f_code.co_firstlineno))
    return trace
def watched(n):
    total = 0
    for i in range(n):
        total += i
    return total
sys.settrace(trace)
watched(3)
sys.settrace(None)
print(seen)
"""
HANDLER = """
import atexit, os, signal, sys
atexit.register(print, "at exit")
def handler(number, frame):
    print("handled", number, flush=True)
    sys.exit(7)
signal.signal(signal.SIGTERM, handler)
os.kill(os.getpid(), signal.SIGTERM)
"""
LATIN = "# -*- coding: latin-1 -*-\nprint(len('\u00e9\u00fc'), ascii('\u00e9'))\n"
CLOCK = """
import time, timeit, pickle, copy
from time import perf_counter, time as now
class Timer:
    clock = time.perf_counter
    def read(self):
        return self.clock()
print(type(Timer().read()), perf_counter() <= perf_counter(), abs(now() - time.time()) < 5)
print(pickle.loads(pickle.dumps(time.time)) is not None, copy.copy(time.time)() > 0, time.time.__name__)
print(timeit.timeit("1 + 1", number=10) >= 0, timeit.default_timer is perf_counter or "other")
"""
SIMPLE = {
    "names": (NAMES, ["a", "--b"]),
    "arguments": (ARGUMENTS, ["--html", "x", "--steps", "3", "-m", "mod", "--findings", "f", "--", "-q"]),
    "stdin": (STDIN, []),
    "traceback": (TRACEBACK, []),
    "cwd": (CWD, []),
    "descriptors": (DESCRIPTORS, []),
    "trace": (TRACE, []),
    "handler": (HANDLER, []),
    "clock": (CLOCK, []),
    "exit -1": ("import sys; sys.exit(-1)", []),
    "exit 256": ("import sys; sys.exit(256)", []),
    "exit none": ("import sys; sys.exit(None)", []),
    "syntax": ("def broken(:\n    pass\n", []),
    "recursion": ("def f():\n    f()\ntry:\n    f()\nexcept RecursionError:\n    print('deep')\n", []),
    "close stdout": ("import sys\nprint('x')\nsys.stdout.flush()\nsys.stderr.write('e')\n", []),
}


def both(folder, words, *, stdin="ä\nb\n", timeout=120, options=(), environment=None):
    """The completed processes of `python WORDS` and of `confirm WORDS`, each in a folder of its own."""
    found = []
    for name in ("plain", "watched"):
        place = folder / name
        if name == "plain":
            command = [sys.executable, *words]
        else:
            report = ["--output-file", str(folder / "report.txt"), "--evidence", str(folder / "evidence")]
            command = [sys.executable, "-m", "runtime_checks.confirm", "--no-progress", *report, *options, *words]
        env = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", **(environment or {})}
        done = subprocess.run(
            command, cwd=place, input=stdin.encode(), capture_output=True, timeout=timeout, check=False, env=env
        )
        found.append(done)
    return found


def folders(folder, files):
    """The same files in two folders."""
    for name in ("plain", "watched"):
        for file, text in files.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())


def same(plain, watched):
    """Output, errors and status agree; paths differ by the folder's name."""

    def text(data):
        return data.decode("utf-8", "backslashreplace").replace("/watched/", "/plain/")

    assert text(watched.stdout) == text(plain.stdout)
    assert text(watched.stderr) == text(plain.stderr)
    expected = plain.returncode if plain.returncode >= 0 else 128 - plain.returncode
    assert watched.returncode == expected


def findings(folder, file, rows):
    """A findings file that plans some rows of the watched program, so that they are counted."""
    found = [
        {
            "code": "JAX201", "name": "sync-in-loop", "message": "m", "severity": "warning", "filename": file,
            "location": {"row": row, "column": 1}, "end_location": {"row": row, "column": 3},
        }
        for row in rows
    ]  # fmt: skip
    (folder / "findings.json").write_text(json.dumps(found))
    return ["--findings", str(folder / "findings.json")]


@pytest.mark.parametrize("name", SIMPLE)
def test_a_program_is_not_changed_by_being_watched(tmp_path, name):
    text, arguments = SIMPLE[name]
    folders(tmp_path, {"program.py": text, "beside.py": "def value():\n    return 'beside'\n"})
    # every line is planned: before Python 3.12 calls are inserted there
    rows = range(1, len(text.splitlines()) + 1)
    plain, watched = both(
        tmp_path, ["program.py", *arguments], options=findings(tmp_path, str(tmp_path / "watched" / "program.py"), rows)
    )
    if name == "names":
        # the one difference that a program can find
        watched.stdout = watched.stdout.replace(b"hooked", b"True")
    same(plain, watched)
    assert (tmp_path / "report.txt").read_text().startswith("jaxlint confirm:")


def test_odd_names_and_encodings(tmp_path):
    folders(tmp_path, {"mein prögramm [1].py": LATIN.encode("latin-1")})
    plain, watched = both(tmp_path, ["mein prögramm [1].py"])
    same(plain, watched)
    assert plain.stdout == b"2 '\\xe9'\n"


def test_packages_with_relative_imports(tmp_path):
    files = {
        "pack/__init__.py": "",
        "pack/part.py": "from . import other\nprint(other.x, __package__, __spec__.name, __name__)\nother.x / 0\n",
        "pack/other.py": "x = 3\n",
    }
    folders(tmp_path, files)
    same(*both(tmp_path, ["-m", "pack.part", "-m", "x"]))


def test_endless_output_into_a_closed_pipe(tmp_path):
    (tmp_path / "program.py").write_text("while True:\n    print('x' * 100)\n")
    command = [sys.executable, "-m", "jaxlint", "confirm", "program.py"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert child.stdout.readline().startswith(b"x")
    child.stdout.close()
    err = child.stderr.read()
    assert child.wait(60) != 0
    # the program's own complaint, none of ours
    assert b"BrokenPipeError" in err and b"runtime_checks" not in err, err.decode()


# -- programs with jax -----------------------------------------------------------------------------------------
CRASH = """
import ctypes, sys
import jax.numpy as jnp
x = jnp.float32(1)
for _ in range(6):
    float(x)
print("before", flush=True)
ctypes.string_at(0)
"""
CHILDREN = """
import multiprocessing, os, sys
import jax.numpy as jnp

def work(n):
    x = jnp.float32(n)
    for _ in range(n):
        float(x)
    return n

if __name__ == "__main__":
    pid = os.fork()
    if pid == 0:
        print("forked", flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(sorted(pool.map(work, [3, 4])))
    process = multiprocessing.get_context("spawn").Process(target=work, args=(5,))
    process.start()
    process.join()
    print(process.exitcode)
"""
KEYS = """
import sys, threading
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)

w, x = jnp.ones(8), jax.random.normal(jax.random.key(0), (16, 8))
for i in range(5):
    w = step(w, x)
    print(float(w[0]).hex(), np.asarray(w).tobytes().hex(), str(w), w.tolist())
print(step._cache_size(), x.sum().item().hex(), jax.jit(lambda a: a * 2)(x).sum().item().hex())
def fails(y):
    if y > 0:
        return y
    return -y
try:
    jax.jit(fails)(1.0)
except jax.errors.TracerBoolConversionError as error:
    print(str(error).replace("/watched/", "/plain/"))
jax.jit(fails)(1.0)
"""


def read(folder):
    """Sum of the reads in the kept evidence."""
    from runtime_checks.evidence import read_directory

    return sum(event.count for event in read_directory(folder / "evidence").events if event.kind == "host-read")


def test_a_crash_in_c_leaves_the_evidence(tmp_path):
    folders(tmp_path, {"program.py": CRASH})
    plain, watched = both(tmp_path, ["program.py"])
    assert plain.returncode == -signal.SIGSEGV and watched.returncode == 128 + signal.SIGSEGV
    assert watched.stdout == plain.stdout == b"before\n"
    assert read(tmp_path) == 6
    assert "ended without a word" in (tmp_path / "report.txt").read_text()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_and_spawned_children_are_watched_too(tmp_path):
    folders(tmp_path, {"program.py": CHILDREN})
    plain, watched = both(tmp_path, ["program.py"])
    assert watched.stdout == plain.stdout == b"forked\n[3, 4]\n0\n"
    assert watched.returncode == plain.returncode == 0
    assert read(tmp_path) == 3 + 4 + 5


def test_results_keys_and_tracebacks_of_jax_are_the_same(tmp_path):
    folders(tmp_path, {"program.py": KEYS})
    # one cache each: its entries are named by the keys of the programs
    words = ["program.py"]
    options = findings(tmp_path, str(tmp_path / "watched" / "program.py"), range(1, 30))
    cache = {"JAX_COMPILATION_CACHE_DIR": "cache", "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
             "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "0"}  # fmt: skip
    plain, watched = both(tmp_path, words, options=options, environment=cache)
    assert plain.returncode == watched.returncode == 1, watched.stderr.decode()
    same(plain, watched)
    keys = {name: {entry.name for entry in (tmp_path / name / "cache").iterdir()} for name in ("plain", "watched")}
    assert keys["plain"] and keys["plain"] <= keys["watched"]
    assert len(keys["watched"] - keys["plain"]) <= 2  # the timers' own tiny program
