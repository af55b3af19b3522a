"""orbax.checkpoint, and the savers of flax that go through it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.interpreter import saving
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.values import UNKNOWN, Const, InstanceV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

MANAGER = "orbax.checkpoint.CheckpointManager"
ASYNC = "orbax.checkpoint.AsyncCheckpointer"
BACKGROUND = ("background",)


def orbax(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """Checkpointers, managers, their methods, and the argument classes."""
    options = entry.options
    receiver = args.pos[0] if args.pos and isinstance(args.pos[0], InstanceV) else None
    method = receiver is not None and receiver.extern == name.rpartition(".")[0]
    if method and receiver is not None:
        return orbax_method(m, name, entry, receiver, args, node)
    if "item" in options:
        made = InstanceV(None, name, depth=len(m.traces))
        nodes = [*args.nodes, *(args.kw_nodes.get(key) for key in args.kw)]
        made.attrs[("items",)] = tuple(zip(args.all(), nodes))
        return made
    if entry.result == "object":
        made = InstanceV(None, name, depth=len(m.traces))
        made.attrs.update(args.kw)
        return made
    made_value = generic_outcome(m, name, entry, args, node)
    if not isinstance(made_value, InstanceV):
        return made_value
    if name == MANAGER:
        saving.check_path(m, args.named(entry.params, "directory"), node, args.node_named(entry.params, "directory"))
    if options.get("asynchronous") and works_in_background(name, entry, args):
        made_value.attrs[BACKGROUND] = True
        saving.made(m, made_value)
    return made_value


def works_in_background(name: str, entry: Entry, args: Args) -> bool:
    """Whether `save` of the checkpointer certainly returns before the files are written."""
    if name != MANAGER:
        return True
    inner = args.named(entry.params, "checkpointers")
    if inner is not None:
        return isinstance(inner, InstanceV) and inner.extern == ASYNC
    options = args.named(entry.params, "options")
    if options is None or (isinstance(options, Const) and options.value is None):
        return args.double_star is None
    if not isinstance(options, InstanceV):
        return False
    asked = options.attrs.get("enable_async_checkpointing")
    return asked is None or (isinstance(asked, Const) and asked.value is True)


def orbax_method(m: Machine, name: str, entry: Entry, receiver: InstanceV, args: Args, node: ast.AST) -> Value:
    """`checkpointer.save(path, tree)`, `manager.save(step, args=...)`, `restore`, `wait_until_finished`, `close`."""
    options, params = entry.options, ("self", *entry.params)
    path, place = args.named(params, "directory"), args.node_named(params, "directory")
    background = receiver.attrs.get(BACKGROUND) is True
    if options.get("save"):
        if name.startswith(MANAGER):
            path = place = None
        check_saved(m, args, params, node)
        if path is not None:
            saving.check_path(m, path, node, place)
        if background:
            frame = m.frames[-1]
            text = ast.dump(place) if place is not None else ""
            saving.saved(
                m, receiver, saving.Save(node, frame.module.source, frame.qualname, path, text, saving.calls_above(m))
            )
    elif options.get("restore"):
        if path is not None and not name.startswith(MANAGER):
            saving.check_path(m, path, node, place)
            saving.note_use(m, path, place, receiver)
        saving.waited(m, receiver) if background else None
    elif options.get("wait") and background:
        saving.waited(m, receiver)
    return generic_outcome(m, name, entry, args, node, method=True)


def check_saved(m: Machine, args: Args, params: tuple[str, ...], node: ast.AST) -> None:
    """What is handed to `save`: a tree, or argument objects that hold one."""
    given = [(value, subject) for value, subject in list(zip(args.pos, args.nodes))[2:]]
    given += [(args.kw[key], args.kw_nodes.get(key)) for key in TREES if key in args.kw]
    for value, subject in given:
        for item, place in items_of(value, subject):
            saving.check_object(m, item, node, place)


TREES = ("state", "items", "item", "args")


def items_of(value: Value, subject: ast.AST | None) -> Iterator[tuple[Value, ast.AST | None]]:
    """The trees inside `args.StandardSave(tree)` and `args.Composite(...)`, or the value itself."""
    if not isinstance(value, InstanceV) or not value.extern.startswith("orbax.checkpoint.args."):
        yield value, subject
    elif not value.extern.endswith(("JsonSave", "ProtoSave")):
        for item, place in value.attrs.get(("items",), ()):
            yield from items_of(item, place)


def flax_checkpoint(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`flax.training.checkpoints`: through Orbax, unless the old way was asked for."""
    if "flax_use_orbax_checkpointing" not in m.frames[-1].module.source.text:
        path = args.named(entry.params, "ckpt_dir")
        saving.check_path(m, path, node, args.node_named(entry.params, "ckpt_dir"))
        if "target" in entry.params and "save" in name:
            saving.check_object(m, args.named(entry.params, "target"), node, args.node_named(entry.params, "target"))
    return generic_outcome(m, name, entry, args, node)


def reads_files(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`shutil.copytree(folder, ...)`, `os.listdir(folder)`, `os.rename(folder, ...)`."""
    if args.pos and args.nodes and m.savers:
        saving.note_use(m, args.pos[0], args.nodes[0])
    return generic_outcome(m, name, entry, args, node) or UNKNOWN


MODELS = {"orbax": orbax, "flax_checkpoint": flax_checkpoint, "reads_files": reads_files}
