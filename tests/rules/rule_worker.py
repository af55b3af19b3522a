"""Executes test programs on the CPU, many in one process: reads jobs as JSON lines, answers with JSON lines.

A job is `{"id": ..., "files": {name: text}}`. The answer says how the program ended (`error`: the class names of what
it raised, most special first), what it printed, how often functions that it defines were compiled (`traces`), and how
often it read a device value on the host (`reads`). Run with the path of a scratch folder as the only argument.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import logging
import os
import runpy
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 60

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"
os.environ["TQDM_DISABLE"] = "1"


class Counters:
    """What happened since `reset`, in code below `folder`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.reset(set())

    def reset(self, names: set[str]) -> None:
        self.names = names
        self.compiled: list[str] = []
        self.reads = 0

    def compile_event(self, event: str, _: float, **info: Any) -> None:
        if event.endswith("backend_compile_duration"):
            name = str(info.get("fun_name", ""))
            name = name.removeprefix("jit(").removesuffix(")").removeprefix("pmap_")
            if name in self.names:
                self.compiled.append(name)

    def read(self) -> None:
        """Count one read, when the program is at work (and not the worker)."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_filename.startswith(self.folder):
                self.reads += 1
                return
            frame = frame.f_back


def watch_reads(counters: Counters) -> None:
    """Count reads: on the CPU no transfer happens, so look at the ways in which Python asks for values."""
    import numpy
    from jax._src.array import ArrayImpl

    value = ArrayImpl._value

    def get(self: Any) -> Any:
        counters.read()
        return value.fget(self)

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(first: Any, *rest: Any, **options: Any) -> Any:
            if isinstance(first, ArrayImpl):
                counters.read()
            return function(first, *rest, **options)

        return call

    ArrayImpl._value = property(get)
    numpy.asarray = counted(numpy.asarray)
    numpy.array = counted(numpy.array)


def defined_names(files: dict[str, str]) -> set[str]:
    """The names of all functions in these files."""
    names = {"<lambda>", "_lambda", "_lambda_"}
    for text in files.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names.add(node.name)
    return names


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"the program ran longer than {seconds} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


@contextlib.contextmanager
def settings_kept() -> Iterator[None]:
    """What a program sets is its own: jax's configuration and the environment are as before afterwards."""
    import jax

    configuration, environment = dict(jax.config.values), dict(os.environ)
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers[:] = []  # libraries put one there when they are imported, and it renders each record again
    try:
        yield
    finally:
        for name, value in configuration.items():
            if jax.config.values.get(name) != value:
                jax.config.update(name, value)
        os.environ.clear()
        os.environ.update(environment)
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)


def execute(job: dict[str, Any], counters: Counters) -> dict[str, Any]:
    """Run one job in a fresh namespace; modules that it imports from its own folder are forgotten again."""
    folder = Path(counters.folder)
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in job["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    before = set(sys.modules)
    output = io.StringIO()
    answer: dict[str, Any] = {"id": job["id"], "error": [], "traceback": ""}
    counters.reset(defined_names(job["files"]))
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    place = os.getcwd()
    os.chdir(folder)
    try:
        quiet = contextlib.redirect_stderr(io.StringIO())
        with settings_kept(), contextlib.redirect_stdout(output), quiet, limited(SECONDS):
            runpy.run_path(str(folder / "main.py"), run_name="__main__")
    except (Exception, SystemExit) as error:
        answer["error"] = [kind.__name__ for kind in type(error).__mro__]
        answer["traceback"] = "".join(traceback.format_exception(error)[-3:])[-3000:]
    finally:
        os.chdir(place)
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]
    answer.update(stdout=output.getvalue(), traces=len(counters.compiled), compiled=counters.compiled)
    answer.update(reads=counters.reads)
    return answer


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    import jax

    sys.dont_write_bytecode = True
    counters = Counters(sys.argv[1] + os.sep)
    jax.monitoring.register_event_duration_secs_listener(counters.compile_event)
    watch_reads(counters)
    for line in sys.stdin:
        answers.write(json.dumps(execute(json.loads(line), counters)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
