"""What flax.nnx does not allow: data in plain containers on a module, and sharded variables outside of any mesh."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.events import Event, Kind
from jaxlint.interpreter.meshes import SPEC, current_mesh, spec_parts
from jaxlint.interpreter.values import (
    MISSING,
    Array,
    ClassV,
    Const,
    DictV,
    InstanceV,
    ListV,
    Tree,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.calls import Args
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.machine import Machine

NNX_MODELS = frozenset({"nnx_module", "nnx_variable", "nnx_metric", "nnx_rngs", "nnx_optimizer"})
PARTITIONED = "flax.nnx.with_partitioning"
METADATA = "flax.nnx.VariableMetadata"
SHARDING_KEYS = ("out_sharding", "sharding", "sharding_names")
SINCE = ("flax", "0.12.0")


# -- containers ------------------------------------------------------------------------------------------------


def is_data(value: Value | None, depth: int = 3) -> bool:
    """Whether nnx counts a value as data: arrays, variables, modules, and containers that hold some."""
    if isinstance(value, (Array, Tree)):
        return True
    if isinstance(value, UnionV):
        return all(is_data(option, depth) for option in value.options)
    if isinstance(value, InstanceV):
        if value.cls is not None:
            return value.cls.family in ("nnx", "nnx_variable") and not opted_out(value.cls)
        entry = knowledge.lookup(value.extern) if value.extern.startswith("flax.nnx.") else None
        return value.extern == "flax.nnx.Variable" or (entry is not None and entry.model in NNX_MODELS)
    return depth > 0 and holds_data(value, depth)


def holds_data(value: Value | None, depth: int = 3) -> bool:
    """Whether a list, tuple or dict certainly holds data."""
    if isinstance(value, TupleV) or (isinstance(value, ListV) and value.kind == "list"):
        return any(is_data(item, depth - 1) for item in (value.items if value.items is not None else (value.elem,)))
    if isinstance(value, DictV):
        items = [item for item in value.items.values() if item is not MISSING]
        return any(is_data(item, depth - 1) for item in (*items, value.rest))
    return False


def opted_out(cls: ClassV) -> bool:
    """Whether a class or a base of it is declared with `pytree=False`."""
    keywords = [k for k in cls.node.keywords if k.arg == "pytree"]
    if any(not (isinstance(k.value, ast.Constant) and k.value.value is True) for k in keywords):
        return True
    return any(isinstance(base, ClassV) and opted_out(base) for base in cls.bases)


def declared(cls: ClassV, name: str) -> bool:
    """Whether a class says itself what an attribute is: `layers: nnx.Data[list]`, `layers: list = nnx.data()`."""
    for statement in cls.node.body:
        target = statement.target if isinstance(statement, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == name and isinstance(statement, ast.AnnAssign):
            text = cls.module.source.segment(statement, 500).lower()
            return "data" in text or "static" in text
    return any(isinstance(base, ClassV) and declared(base, name) for base in cls.bases)


def check_container(m: Machine, owner: InstanceV, name: str, new: Value) -> None:
    """`self.layers = [...]` on an nnx module."""
    cls = owner.cls
    if cls is None or cls.family != "nnx" or not isinstance(new, (ListV, TupleV, DictV)) or id(new) in m.registered:
        return
    frame = m.frames[-1]
    statement = frame.statement
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if not all(isinstance(target, ast.Attribute) and target.attr == name for target in targets):
        return
    # a slice or a sum may be one of nnx' own lists
    if isinstance(statement.value, (ast.Subscript, ast.BinOp)) or opted_out(cls) or declared(cls, name):
        return
    if holds_data(new):
        report_container(m, statement, frame, new)
    elif not isinstance(new, TupleV):
        # filled later: reported when it is
        m.watched[id(new)] = (new, statement, frame)


def filled(m: Machine, container: Value, item: Value) -> None:
    """A container receives an item: one that was put on a module while it was empty is reported now."""
    found = m.watched.get(id(container))
    if found is not None and is_data(item):
        report_container(m, found[1], found[2], container)


def report_container(m: Machine, statement: ast.Assign | ast.AnnAssign, frame: Frame, value: Value) -> None:
    """Emit (also where a class is only made to stand for any: what it is assigned does not depend on the arguments)."""
    source = frame.module.source
    key = (Kind.NNX_CONTAINER, id(statement), id(source))
    if key in m.seen:
        return
    m.seen.add(key)
    kind = "dict" if isinstance(value, DictV) else "tuple" if isinstance(value, TupleV) else "list"
    items: Iterable[Value] = ()
    if isinstance(value, DictV):
        items = value.items.values()
    elif isinstance(value, (TupleV, ListV)):
        items = value.items or ()
    nested = any(isinstance(item, (ListV, TupleV, DictV)) for item in items)
    data = {"nested": nested, "since": SINCE}
    m.events.append(Event(Kind.NNX_CONTAINER, statement, source, kind, statement.value, frame.qualname, data=data))


# -- sharded variables -----------------------------------------------------------------------------------------


def asks_for_sharding(value: Value | None) -> bool:
    """Whether a sharding annotation names axes and brings no mesh with it."""
    if isinstance(value, (TupleV, ListV)):
        return bool(value.items)
    return isinstance(value, InstanceV) and value.extern == SPEC and bool(spec_parts(value))


def is_annotated(args: Args) -> bool:
    """Whether a layer or variable is made with a sharding annotation, and without a mesh for it."""
    mesh = args.kw.get("mesh")
    if mesh is not None and not (isinstance(mesh, Const) and mesh.value is None):
        return False
    if any(asks_for_sharding(args.kw.get(key)) for key in SHARDING_KEYS):
        return True
    for value in args.all():
        if isinstance(value, InstanceV) and value.extern in (PARTITIONED, METADATA) and value.attrs.get(("sharded",)):
            return True
        if isinstance(value, DictV) and any(asks_for_sharding(value.items.get(key)) for key in SHARDING_KEYS):
            return "mesh" not in value.items and value.rest is None
    return False


def check_sharded(m: Machine, args: Args, node: ast.AST) -> None:
    """A variable with a sharding annotation is made: a mesh must be in force."""
    if not is_annotated(args):
        return
    known, mesh = current_mesh(m)
    if not known or mesh is not None:
        return
    if any("eager_sharding" in frame.module.source.text.lower() for frame in m.frames):
        return
    place, frame = kept_at(m, node)
    m.emit(
        Kind.SHARDED_VARIABLE,
        place,
        "no-mesh",
        source=frame.module.source,
        scope=frame.qualname,
        trace=(),
        made=node.lineno if isinstance(node, ast.Call) else 0,
        file=m.frames[-1].module.source.filename,
        since=SINCE,
    )


def kept_at(m: Machine, node: ast.AST) -> tuple[ast.AST, Frame]:
    """The call whose result is kept: constructors, and functions that only return what they make, are left behind."""
    at = node
    for frame in reversed(m.frames):
        function = frame.function
        passes_on = isinstance(frame.statement, ast.Return) or (
            function is not None and isinstance(function.node, ast.Lambda)
        )
        in_module = function is not None and function.owner is not None and function.owner.family == "nnx"
        if function is None or frame.call_node is None or not (passes_on or in_module):
            return at, frame
        at = frame.call_node
    return at, m.frames[0]
