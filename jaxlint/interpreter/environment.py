"""The environment and the settings of jax, and whether they are written after jax has read them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.running import Mark, main_guard
from jaxlint.interpreter.values import Const, DictV, ExternV, Value
from jaxlint.knowledge.environment import AT_BACKEND, AT_IMPORT, IMPORT_JAX, SETTINGS_AT_BACKEND

if TYPE_CHECKING:
    from jaxlint.interpreter.calls import Args
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.machine import Machine

IMPORTED = "jax imported"
BACKEND = "backend in use"
ENVIRON = "os.environ"
# programs that start others set variables for those
STARTS_PROCESSES = ("subprocess", "multiprocessing", "Popen", "os.exec", "os.spawn", "ray.", "sys.modules", "reload(")


def note_import(m: Machine, f: Frame, dotted: str, node: ast.AST) -> None:
    """A library is imported."""
    if dotted.partition(".")[0] not in IMPORT_JAX or m.muted or of_another_program(m):
        return
    mark = Mark(node, f.module.source)
    if IMPORTED not in m.state:
        m.write(m.state, IMPORTED, mark)
    if all(frame.function is None for frame in m.frames) and not under_main_guard(m):
        for frame in m.frames:
            m.imports_jax.setdefault(frame.module.source.filename, mark)


def note_module(m: Machine, filename: str) -> None:
    """A module of the project is imported again: what its import did has been done."""
    mark = m.imports_jax.get(filename)
    if mark is not None and IMPORTED not in m.state:
        m.write(m.state, IMPORTED, mark)
    mark = m.uses_backend.get(filename)
    if mark is not None and BACKEND not in m.state:
        m.write(m.state, BACKEND, mark)


def note_backend(m: Machine, node: ast.AST) -> None:
    """The devices are used."""
    if m.muted or m.unprompted or m.traces or BACKEND in m.state or not m.frames:
        return
    if of_another_program(m):
        return
    mark = Mark(node, m.frames[-1].module.source)
    m.write(m.state, BACKEND, mark)
    for frame in m.frames:
        if frame.function is None and not under_main_guard(m):
            m.uses_backend.setdefault(frame.module.source.filename, mark)


def under_main_guard(m: Machine) -> bool:
    """Whether what runs now stands under `if __name__ == "__main__":` of the module that is being run."""
    frame = m.frames[0]
    guard = main_guard(frame.module.source)
    if guard is None or frame.statement is None:
        return False
    return guard.lineno <= frame.statement.lineno <= (guard.end_lineno or guard.lineno)


def of_another_program(m: Machine) -> bool:
    """Whether what runs now is the main part of a module that this program only imports: it would not run."""
    return m.frames[0].module.source.filename != m.program and under_main_guard(m)


def begin_program(m: Machine, filename: str) -> None:
    """A file is run as a program of its own."""
    m.program = filename
    m.state.pop(IMPORTED, None)
    m.state.pop(BACKEND, None)
    m.trained = None


def written(m: Machine, name: Value | None, node: ast.AST, how: str = "variable") -> None:
    """An environment variable (or a setting) is given a value."""
    if not isinstance(name, Const) or not isinstance(name.value, str) or m.muted or of_another_program(m):
        return
    m.effects += 1
    wanted = IMPORTED if how == "variable" and name.value in AT_IMPORT else ""
    if name.value in (AT_BACKEND if how == "variable" else SETTINGS_AT_BACKEND):
        wanted = BACKEND
    if not wanted or any(word in m.frames[-1].module.source.text for word in STARTS_PROCESSES):
        return
    mark = m.state.get(wanted)
    if m.unprompted:
        # whoever calls: the file of the function imports jax before it can be called
        mark = m.imports_jax.get(m.frames[-1].module.source.filename) if wanted == IMPORTED else None
    if not isinstance(mark, Mark):
        return
    m.emit(
        Kind.LATE_SETTING,
        node,
        how,
        trace=(),
        name=name.value,
        read="import" if wanted == IMPORTED else "backend",
        at=mark.source.segment(mark.node, 50),
        row=getattr(mark.node, "lineno", 0),
        file=mark.source.filename,
    )


def environ_method(m: Machine, name: str, args: Args, node: ast.AST) -> None:
    """`os.environ.setdefault(k, v)`, `os.environ.update({...})`, `os.putenv(k, v)`."""
    if name.endswith((".setdefault", "putenv")):
        written(m, args.pos[0] if args.pos else args.kw.get("key"), node)
        return
    given = args.pos[0] if args.pos else None
    keys = [*args.kw, *(given.items if isinstance(given, DictV) else ())]
    for key in keys:
        written(m, Const(key), node)


def is_environ(container: Value) -> bool:
    """Whether a value is `os.environ`."""
    return isinstance(container, ExternV) and container.name == ENVIRON
