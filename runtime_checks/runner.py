"""Runs a script or a module under the recorder, as Python itself would run it.

    python .../runtime_checks/runner.py SCRIPT [ARGS]
    python .../runtime_checks/runner.py -m MODULE [ARGS]

What to record comes from the environment (`JAXLINT_RUNTIME_DIR`, `JAXLINT_RUNTIME_PLAN`, ...), so that processes
which the program starts are recorded as well. Jax is not imported here: the program may set `JAX_*` first.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

if __name__ == "__main__" and not __package__:
    # started by file name: sys.path[0] is this folder; the program's own entry takes its place below
    _PARENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[0:1] = []
    if _PARENT not in sys.path:
        sys.path.append(_PARENT)

from runtime_checks.activate import start_from_environment
from runtime_checks.observed import EXCEPTION, Place, Site

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


def main(arguments: list[str]) -> None:
    """Run what `arguments` name. Raises whatever the program raises, so that the exit status is its own."""
    if not arguments:
        raise SystemExit("usage: runner.py [-m MODULE | SCRIPT] [ARGS]")
    as_module = arguments[0] == "-m"
    pytest = as_module and arguments[1:2] == ["pytest"]
    session = start_from_environment(own_loader=not pytest)
    sys.excepthook = _without_runner(sys.excepthook)
    _watch_threads()
    # the program must find its own `__main__`, and this module must stay alive
    sys.modules.setdefault("runtime_checks.runner", sys.modules["__main__"])
    module = ModuleType("__main__")
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    try:
        if as_module:
            run_module(arguments[1:], pytest)
        else:
            code_of = session.lines.code_of if session is not None and session.lines is not None else None
            run_script(module, arguments, code_of)
    except BaseException as error:
        if not isinstance(error, (SystemExit, KeyboardInterrupt)):
            note_exception(error)
        raise


def run_script(module: ModuleType, arguments: list[str], code_of: Any) -> None:
    """Run a script in `module`; `code_of(path, source)`, where given, makes its code (None: as usual)."""
    import importlib.machinery

    path = os.path.abspath(arguments[0])
    sys.argv[:] = arguments
    sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    source = Path(path).read_bytes()
    code: CodeType | None = code_of(path, source) if code_of is not None else None
    if code is None:
        code = compile(source, path, "exec", dont_inherit=True)
    module.__dict__.update(
        __file__=path,
        __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", path),
        __spec__=None,
        __package__=None,
    )
    if sys.version_info < (3, 14):
        module.__annotations__ = {}
    exec(code, module.__dict__)


def run_module(arguments: list[str], pytest: bool = False) -> None:
    """Run a module as `python -m` does; `pytest` also tells pytest to note exceptions."""
    import runpy

    name, rest = arguments[0], arguments[1:]
    sys.path.insert(0, os.getcwd())
    if pytest:
        rest = ["-p", "runtime_checks.pytest_evidence", *rest]
    sys.argv[:] = [name, *rest]
    run: Any = runpy._run_module_as_main  # type: ignore[attr-defined]
    run(name)


# -- exceptions -----------------------------------------------------------------------------------------------
def note_exception(error: BaseException, traceback: TracebackType | None = None) -> None:
    """Record an exception that ended the program (or a thread, or a test) at the innermost project line."""
    from runtime_checks.hub import HUB

    places: list[Place] = []
    step = traceback or error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if HUB.project.owns(code.co_filename):
            places.append(Place(code.co_filename, step.tb_lineno, getattr(code, "co_qualname", code.co_name)))
        step = step.tb_next
    places.reverse()
    if not places:
        return
    names = [cls.__name__ for cls in type(error).__mro__ if cls not in (object, BaseException, Exception)]
    details = {"type": type(error).__name__, "classes": names, "message": str(error)[:400]}
    site = Site(*places[0], "", tuple(places[:12]))
    HUB.emit(EXCEPTION, type(error).__name__, site=site, details=details, traced=False)


def _without_runner(original: Any) -> Any:
    """An excepthook that leaves out the runner's own frames, so that a traceback looks as without the tool."""

    def excepthook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        step = traceback
        while step is not None and _is_ours(step.tb_frame.f_code.co_filename):
            step = step.tb_next
        # the program's own text has no frame when it cannot be compiled
        shown = step if step is not None or isinstance(error, SyntaxError) else traceback
        original(kind, error.with_traceback(shown), shown)

    return excepthook


def _is_ours(filename: str) -> bool:
    return os.path.dirname(filename) == _OWN_FOLDER


def _watch_threads() -> None:
    original = threading.excepthook

    def excepthook(arguments: threading.ExceptHookArgs, /) -> None:
        if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
            note_exception(arguments.exc_value, arguments.exc_traceback)
        original(arguments)

    threading.excepthook = excepthook


if __name__ == "__main__":
    main(sys.argv[1:])
