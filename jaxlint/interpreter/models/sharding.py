"""jax.sharding: meshes, specs, shardings, what is placed with them, and collectives over named axes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.meshes import (
    MESH,
    NAMED,
    SET_MESH,
    SPEC,
    check_collective,
    check_explicit,
    check_rank,
    check_specs,
    current_mesh,
    mesh_axes,
    names_in,
    spec_names,
)
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.sharded import Made
from jaxlint.interpreter.values import ExternV, InstanceV, ListV, TupleV, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def mesh(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`Mesh(devices, names)`, `make_mesh(shape, names)`, and `set_mesh(mesh)`."""
    if entry.options.get("set"):
        return set_mesh(m, args, node)
    names = args.named(entry.params, "axis_names")
    made = InstanceV(None, MESH, depth=len(m.traces))
    made.attrs["axis_names"] = names if names is not None else Unknown()
    axes = names_in(names)
    if isinstance(made.attrs["axis_names"], (ListV, TupleV)) or axes is None:
        pass
    else:
        made.attrs["axis_names"] = TupleV((made.attrs["axis_names"],))
    types = args.named(entry.params, "axis_types")
    if axes is not None:
        default = "Explicit" if entry.options.get("explicit") else "Auto"
        made.attrs[("kinds",)] = axis_kinds(types, len(axes), default)
        made.attrs[("by default",)] = types is None
    frame = m.frames[-1]
    m.shardings.meshes.append(Made(axes, node, frame.module.source, frame.qualname))
    return made


def axis_kinds(types: Value | None, count: int, default: str) -> tuple[str, ...] | None:
    """Auto, Explicit or Manual for each axis; None when not known."""
    if types is None:
        return (default,) * count
    items = types.items if isinstance(types, (TupleV, ListV)) else (types,) * count
    if items is None or not all(isinstance(item, ExternV) for item in items):
        return None
    return tuple(item.name.rpartition(".")[2] for item in items if isinstance(item, ExternV))


def set_mesh(m: Machine, args: Args, node: ast.AST) -> Value:
    """`jax.set_mesh(mesh)`: in force from here on, or in the body of a `with`."""
    given = args.pos[0] if args.pos else args.kw.get("mesh", Unknown())
    statement = m.frames[-1].statement
    if not isinstance(statement, (ast.With, ast.AsyncWith)):
        m.write(m.state, "mesh", given)
    made = InstanceV(None, SET_MESH, depth=len(m.traces))
    made.attrs["mesh"] = given
    return made


def partition_spec(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`P("data", None)`."""
    made = InstanceV(None, SPEC, depth=len(m.traces))
    if args.star is None and args.double_star is None:
        made.attrs[("parts",)] = TupleV(tuple(args.pos))
        frame = m.frames[-1]
        m.shardings.specs[id(made)] = Made(spec_names(made), node, frame.module.source, frame.qualname)
        # the spec stays alive as long as its identity is used
        m.shardings.kept.append(made)
    return made


def named_sharding(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`NamedSharding(mesh, spec)`."""
    on, spec = args.named(entry.params, "mesh"), args.named(entry.params, "spec")
    made = InstanceV(None, NAMED, depth=len(m.traces))
    if on is not None and spec is not None:
        made.attrs["mesh"], made.attrs["spec"] = on, spec
        check_specs(m, on, spec, node)
    return made


def constraint(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`with_sharding_constraint(x, sharding)`."""
    sharding = args.named(entry.params, "shardings")
    if args.pos and sharding is not None:
        check_rank(m, args.pos[0], sharding, node, "the constrained array")
        check_explicit(m, sharding, node)
        known, on = current_mesh(m)
        if known and mesh_axes(on) is not None:
            check_specs(m, on, sharding, node)
    return generic_outcome(m, name, entry, args, node)


def collective(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`psum(x, "i")` and its kin."""
    check_collective(m, name, args.named(entry.params, "axis_name"), node)
    return generic_outcome(m, name, entry, args, node)


MODELS = {
    "mesh": mesh,
    "partition_spec": partition_spec,
    "named_sharding": named_sharding,
    "constraint": constraint,
    "collective": collective,
}
