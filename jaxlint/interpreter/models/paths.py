"""pathlib, os.path and tempfile: where paths begin."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.paths import PATH, ROOT, as_start, joined, make_path, start_of
from jaxlint.interpreter.values import UNKNOWN, Const, Host, InstanceV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def path_new(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`Path(...)` and its methods."""
    receiver = args.pos[0] if args.pos else None
    short = name.rpartition(".")[2]
    if isinstance(receiver, InstanceV) and receiver.extern == PATH and short not in ("Path", "PurePath", "PosixPath"):
        return path_method(receiver, short, args)
    if short in ("cwd", "home"):
        return make_path(ROOT)
    if args.star is not None:
        return InstanceV(None, PATH)
    return make_path(joined(args.pos) if args.pos else None)


def path_method(receiver: InstanceV, name: str, args: Args) -> Value:
    """Methods that give another path."""
    if name in ("absolute", "resolve"):
        return make_path(ROOT)
    if name == "expanduser" and start_of(receiver).startswith("~"):
        return make_path(ROOT)
    if name == "joinpath":
        return make_path(joined(args.pos))
    if name == "relative_to":
        return InstanceV(None, PATH)
    if name == "as_posix":
        return as_start(receiver)
    return make_path(receiver)


def path_join(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`os.path.join(a, b)`."""
    start = joined(args.pos) if args.star is None else UNKNOWN
    if all(isinstance(part, Const) for part in args.pos) and len(args.pos) == 1:
        return args.pos[0]
    return Host("str", prefix=start_of(start))


def path_text(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`os.path.abspath`, `expanduser`, `os.getcwd`, `tempfile.mkdtemp`: text that begins at the root, or as before."""
    generic_outcome(m, name, entry, args, node)
    short = name.rpartition(".")[2]
    if short in ("normpath", "fspath"):
        return Host("str", prefix=start_of(args.pos[0]) if args.pos else "")
    if short == "expanduser":
        start = start_of(args.pos[0]) if args.pos else ""
        return ROOT if start.startswith("~") else Host("str", prefix=start)
    return ROOT


MODELS = {"path": path_new, "path_join": path_join, "path_text": path_text}
