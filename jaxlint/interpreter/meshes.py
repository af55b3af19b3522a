"""Meshes, partition specs and named axes: what is known of them, and where they do not fit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence
from jaxlint.interpreter.arrays import arrays_in
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.sharded import Axes
from jaxlint.interpreter.values import (
    MISSING,
    Const,
    DictV,
    ExternV,
    Host,
    InstanceV,
    ListV,
    TransformedV,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.callables import Bound
    from jaxlint.interpreter.calls import Args
    from jaxlint.interpreter.machine import Machine

MESH = "jax.sharding.Mesh"
SPEC = "jax.sharding.PartitionSpec"
NAMED = "jax.sharding.NamedSharding"
SET_MESH = "jax.set_mesh"
# transforms that bind the names that collectives use: where one is in sight, an outer one is not expected
BINDING = frozenset({"shard_map", "pmap"})


# -- reading values ------------------------------------------------------------------------------------------


def names_in(value: Value | None) -> Axes | None:
    """The axis names of one name or a sequence of names; None when not known."""
    if isinstance(value, Const):
        return (value.value,) if isinstance(value.value, str) else () if value.value is None else None
    if isinstance(value, (TupleV, ListV)) and value.items is not None:
        found: list[str] = []
        for item in value.items:
            inner = names_in(item)
            if inner is None:
                return None
            found.extend(inner)
        return tuple(found)
    return None


def is_a(value: Value | None, extern: str) -> bool:
    """Whether a value is an instance of a library class."""
    return isinstance(value, InstanceV) and value.extern == extern


def mesh_axes(value: Value | None) -> Axes | None:
    """The axis names of a mesh, None when not known."""
    if not isinstance(value, InstanceV) or value.extern != MESH:
        return None
    return names_in(value.attrs.get("axis_names"))


def spec_parts(value: Value | None) -> tuple[Value, ...] | None:
    """The entries of a PartitionSpec, None when not known."""
    if not isinstance(value, InstanceV) or value.extern != SPEC:
        return None
    parts = value.attrs.get(("parts",))
    return parts.items if isinstance(parts, TupleV) else None


def spec_names(value: Value | None) -> Axes | None:
    """The axes that a PartitionSpec certainly names (entries that are not known left out), None for another value."""
    parts = spec_parts(value)
    if parts is None:
        return None
    return tuple(name for part in parts for name in names_in(part) or ())


def specs_in(value: Value | None, depth: int = 6) -> Iterator[InstanceV]:
    """The PartitionSpecs in a tree of containers."""
    if isinstance(value, InstanceV) and value.extern == SPEC:
        yield value
    elif isinstance(value, (TupleV, ListV)) and depth:
        for item in value.items or ():
            yield from specs_in(item, depth - 1)
    elif isinstance(value, DictV) and depth:
        for item in value.items.values():
            yield from specs_in(item, depth - 1)


# -- contexts ------------------------------------------------------------------------------------------------


def context_mesh(m: Machine, manager: Value) -> tuple[bool, Value | None]:
    """Whether `with manager:` may set a mesh, and which (None when not known)."""
    if is_a(manager, MESH):
        return True, manager
    if isinstance(manager, InstanceV) and manager.extern == SET_MESH:
        found = manager.attrs.get("mesh")
        return True, found if isinstance(found, Value) else None
    return isinstance(manager, (Unknown, ExternV)) or kind_of(manager) == "object", None


@contextmanager
def under_mesh(m: Machine, manager: Value) -> Iterator[None]:
    """Run the body of a `with` under the mesh that its manager may set."""
    sets, mesh = context_mesh(m, manager)
    if not sets:
        yield
        return
    m.meshes.append((mesh, is_a(manager, MESH)))
    try:
        yield
    finally:
        m.meshes.pop()


def current_mesh(m: Machine) -> tuple[bool, Value | None]:
    """Whether it is known which mesh `jax.set_mesh` has put in force, and that mesh (None: none)."""
    if m.unprompted:
        return False, None
    for mesh, legacy in reversed(m.meshes):
        if mesh is None:
            return False, None
        if not legacy:
            return True, mesh
    found = m.state.get("mesh", MISSING)
    if found is MISSING:
        return True, None
    return is_a(found, MESH), found


# -- specs against meshes ------------------------------------------------------------------------------------


def check_specs(m: Machine, mesh: Value | None, specs: Value | None, node: ast.AST) -> None:
    """Each spec names axes of the mesh, and none twice."""
    axes = mesh_axes(mesh)
    source = m.frames[-1].module.source
    if axes is None:
        m.shardings.strange.add(source.filename)
    elif isinstance(specs, Unknown):
        m.shardings.open.add(source.filename)
    for spec in specs_in(specs):
        check_spec(m, axes, spec, node)


def check_spec(m: Machine, axes: Axes | None, spec: InstanceV, node: ast.AST) -> None:
    """One spec against the axes of its mesh."""
    names = spec_names(spec) or ()
    made = m.shardings.specs.get(id(spec))
    if made is not None and axes is not None:
        made.met = True
    place, source, scope = (made.node, made.source, made.scope) if made is not None else (node, None, None)
    wrong = next((name for name in names if axes is not None and name not in axes), None)
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if wrong is not None and axes is not None:
        close = near(wrong, axes)
        m.emit(Kind.MESH_AXIS, place, "spec", source=source, scope=scope, trace=(), axis=wrong, known=axes, near=close)
    elif twice is not None:
        m.emit(Kind.SPEC_RANK, place, "twice", source=source, scope=scope, trace=(), axis=twice)


def near(name: str, axes: Axes) -> str:
    """The axis that a misspelt name most likely means, '' when none is close."""
    import difflib

    return next(iter(difflib.get_close_matches(name, axes, 1)), "")


def check_rank(m: Machine, value: Value, sharding: Value | None, node: ast.AST, what: str) -> None:
    """A spec has at most as many entries as the array has dimensions."""
    spec = sharding.attrs.get("spec") if isinstance(sharding, InstanceV) and sharding.extern == NAMED else sharding
    parts = spec_parts(spec if isinstance(spec, Value) else None)
    if not parts:
        return
    rank = smallest_rank(value)
    if rank is not None and rank < len(parts):
        m.emit(Kind.SPEC_RANK, node, "rank", trace=(), rank=rank, entries=len(parts), what=what)


def smallest_rank(value: Value) -> int | None:
    """The smallest known rank among the leaves of a value."""
    if kind_of(value) in ("int", "float", "bool", "complex"):
        return 0
    if isinstance(value, Host):
        return len(value.shape) if value.kind == "ndarray" and value.shape is not None else None
    ranks: list[int | None] = []
    if isinstance(value, DictV):
        ranks = [smallest_rank(item) for item in value.items.values() if item is not MISSING]
    elif isinstance(value, (TupleV, ListV)):
        ranks = [smallest_rank(item) for item in value.items or ()]
    else:
        ranks = [len(array.shape) for array in arrays_in(value) if array.shape is not None]
    return min((rank for rank in ranks if rank is not None), default=None)


def check_explicit(m: Machine, sharding: Value | None, node: ast.AST) -> None:
    """`with_sharding_constraint` speaks of Auto axes only; `make_mesh` makes Explicit ones."""
    if not isinstance(sharding, InstanceV) or sharding.extern != NAMED:
        return
    mesh, spec = sharding.attrs.get("mesh"), sharding.attrs.get("spec")
    kinds = mesh.attrs.get(("kinds",)) if isinstance(mesh, InstanceV) else None
    names = spec_names(spec) if isinstance(spec, Value) else None
    axes = mesh_axes(mesh) if isinstance(mesh, Value) else None
    if not isinstance(kinds, tuple) or not names or axes is None or len(kinds) != len(axes):
        return
    explicit = next((name for name in names if name in axes and kinds[axes.index(name)] == "Explicit"), None)
    if explicit is not None and isinstance(mesh, InstanceV):
        by_default = bool(mesh.attrs.get(("by default",)))
        since = ("jax", "0.9.0") if by_default else None
        m.emit(Kind.EXPLICIT_CONSTRAINT, node, "constraint", trace=(), axis=explicit, default=by_default, since=since)


def check_arguments(m: Machine, value: TransformedV, bound: list[Bound], node: ast.AST) -> None:
    """The arguments of `jit(f, in_shardings=...)` and `shard_map(f, in_specs=...)` have the rank of their specs."""
    given = value.spec.options.get("in_shardings") or value.spec.options.get("in_specs")
    if given is None:
        return
    for place, item in enumerate(bound):
        spec: Value | None = given
        if isinstance(given, (TupleV, ListV)):
            spec = given.items[place] if given.items is not None and place < len(given.items) else None
        if isinstance(spec, InstanceV) and not item.by_keyword:
            check_rank(m, item.value, spec, node, f"argument `{item.name}`" if item.name else "the argument")


# -- collectives ---------------------------------------------------------------------------------------------


def check_collective(m: Machine, name: str, axis: Value | None, node: ast.AST, how: str = "collective") -> None:
    """A collective names axes that some mapped function around it binds."""
    asked = names_in(axis)
    if not asked:
        return
    bound: set[str] = set()
    confidence = Confidence.PROVEN
    if m.unprompted:
        # nobody in sight calls the outermost function: only what is mapped itself can be judged
        if not any(kind in BINDING for kind, _ in m.axes):
            return
        confidence = Confidence.LIKELY
    for _, names in m.axes:
        if names is None:
            return
        bound.update(names)
    wrong = next((one for one in asked if one not in bound), None)
    if wrong is not None:
        known = tuple(sorted(bound))
        m.emit(
            Kind.MESH_AXIS,
            node,
            how,
            trace=(),
            confidence=confidence,
            axis=wrong,
            known=known,
            function=name,
            near=near(wrong, known),
        )


@contextmanager
def binding(m: Machine, kind: str, names: frozenset[str] | None) -> Iterator[None]:
    """Run something under a transform that binds axis names."""
    m.axes.append((kind, names))
    try:
        yield
    finally:
        m.axes.pop()


def bound_names(args: Args, params: tuple[str, ...], kind: str) -> frozenset[str] | None:
    """The axis names that a transform binds, from its arguments; None when they are not known."""
    if args.double_star is not None:
        return None
    if kind == "shard_map":
        mesh = args.named(params, "mesh")
        axes = mesh_axes(mesh)
        return None if axes is None else frozenset(axes)
    given = args.named(params, "axis_name")
    found = names_in(given) if given is not None else ()
    return None if found is None else frozenset(found)


# -- after the run -------------------------------------------------------------------------------------------


def settle_specs(m: Machine) -> None:
    """Specs whose mesh was not followed: an axis that no mesh of the program has is wrong with any of them."""
    seen = m.shardings
    if not seen.open or any(mesh.names is None for mesh in seen.meshes):
        return
    axes = tuple(dict.fromkeys(name for mesh in seen.meshes for name in mesh.names or ()))
    homes = {mesh.source.filename for mesh in seen.meshes}
    for spec in seen.specs.values():
        name = spec.source.filename
        if spec.met or name not in seen.open or name in seen.strange or name not in homes or not spec.names:
            continue
        # names of logical axes are translated before they meet a mesh
        if "logical" in spec.source.text:
            continue
        wrong = next((one for one in spec.names if one not in axes), None)
        if wrong is not None:
            data = {"axis": wrong, "known": axes, "near": near(wrong, axes)}
            m.events.append(
                Event(
                    Kind.MESH_AXIS,
                    spec.node,
                    spec.source,
                    "spec",
                    scope=spec.scope,
                    confidence=Confidence.LIKELY,
                    data=data,
                )
            )


# -- layers that average over an axis --------------------------------------------------------------------------


def keep_axis(made: InstanceV, args: Args) -> InstanceV:
    """Remember the axis that a layer averages over, and whether it does."""
    for name in ("axis_name", "use_running_average"):
        if name in args.kw:
            made.attrs[(name,)] = args.kw[name]
    return made


def check_layer(m: Machine, layer: InstanceV, args: Args, node: ast.AST) -> None:
    """`BatchNorm(axis_name="batch")(x)` in training averages over the axis, as `pmean` does."""
    axis = layer.attrs.get(("axis_name",))
    if not isinstance(axis, Value) or m.initialising:
        return
    average = args.kw.get("use_running_average") or layer.attrs.get(("use_running_average",))
    if isinstance(average, Const) and average.value is False:
        check_collective(m, layer.extern, axis, node, "layer")
