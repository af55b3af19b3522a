"""`value[index]`, read and written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import definite_array, is_tracer, owner_trace, result_array
from jaxlint.interpreter.donation import share
from jaxlint.interpreter.joining import element, join, kind_of
from jaxlint.interpreter.keys import derived, item_key
from jaxlint.interpreter.operators import unwrap_variable
from jaxlint.interpreter.slices import cut_rows, parts_of, ragged_slice
from jaxlint.interpreter.truth import guarded
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    AtV,
    ClassV,
    Const,
    DictV,
    ExternV,
    Host,
    InstanceV,
    IterV,
    ListV,
    Ragged,
    SliceV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def get_item(m: Machine, value: Value, index: Value, node: ast.Subscript) -> Value:
    """`value[index]`."""
    if isinstance(value, UnionV):
        value = without_none(value)
        if isinstance(value, UnionV):
            return over_options(m, value, index, node)
    if isinstance(value, InstanceV):
        return instance_item(m, value, index, node)
    if isinstance(value, Array):
        return array_item(m, value, index, node)
    if isinstance(value, Tree):
        return tree_item(m, value, index, node)
    if isinstance(value, (TupleV, ListV)):
        return sequence_item(m, value, index, node)
    if isinstance(value, DictV):
        return dict_item(m, value, index, node)
    if isinstance(value, AtV):
        check_bounds(m, index, node)
        check_mask(m, index, node)
        return AtV(value.array, True)
    if isinstance(value, Host):
        return host_item(m, value, index, node)
    if isinstance(value, Const):
        return const_item(value, index)
    if isinstance(value, ClassV):
        return class_item(value, index)
    if isinstance(value, ExternV):
        return value
    if isinstance(value, IterV) and value.kind == "loader":
        return UNKNOWN
    return unknown_item(m, index, node)


def without_none(value: UnionV) -> Value:
    """A union without its None."""
    from jaxlint.interpreter.operators import strip_none

    return strip_none(value)


def over_options(m: Machine, value: UnionV, index: Value, node: ast.Subscript) -> Value:
    """An index into alternatives, silently."""
    result: Any = MISSING
    m.muted += 1
    try:
        for option in value.options:
            result = join(result, get_item(m, option, index, node))
    finally:
        m.muted -= 1
    return result  # type: ignore[no-any-return]


def check_bounds(m: Machine, index: Value, node: ast.Subscript) -> None:
    """A slice bound that is a tracer gives a shape that depends on a value."""
    if guarded(m):
        return
    for part in parts_of(index):
        if isinstance(part, SliceV):
            bounds = [b for b in (part.lower, part.upper, part.step) if is_tracer(b)]
            if bounds:
                m.emit(Kind.TRACER_SHAPE, node, "slice", subject=node.slice, value=bounds[0])
                return


def mask_in(index: Value) -> Array | None:
    """A boolean array in an index."""
    for part in parts_of(index):
        array = definite_array(part)
        if array is not None and array.dtype == "bool" and array.shape != ():
            return array
    return None


def check_mask(m: Machine, index: Value, node: ast.Subscript) -> Array | None:
    """The boolean array in an index; a traced one gives a shape that depends on its values."""
    mask = mask_in(index)
    if mask is not None and mask.is_tracer and not guarded(m):
        m.emit(Kind.TRACER_SHAPE, node, "mask", subject=node.slice, value=mask)
    return mask


def array_item(m: Machine, value: Array, index: Value, node: ast.Subscript) -> Value:
    """An index into a jax array."""
    check_bounds(m, index, node)
    mask = check_mask(m, index, node)
    operands = [value, *(p for p in parts_of(index) if isinstance(p, (Array, Tree)))]
    if mask is not None and mask.is_tracer:
        return result_array(m, node, operands, dtype=value.dtype)
    ragged = ragged_slice(m, index, node)
    shape = None if mask is not None else indexed_shape(value.shape, index)
    result = result_array(m, node, operands, shape=shape, dtype=value.dtype, weak=value.weak)
    keeps = isinstance(parts_of(index)[0], SliceV) and is_full(parts_of(index)[0])
    picks_rows = any(isinstance(p, (Array, Host)) and p.ragged is not None for p in parts_of(index))
    own = value.ragged if keeps and value.ragged is not None else None
    if ragged is None and picks_rows:
        ragged = next(p.ragged for p in parts_of(index) if isinstance(p, (Array, Host)) and p.ragged is not None)
    if value.rounds and value.trace is None:
        result = result.but(born=value.born, rounds=value.rounds, stack=value.stack)
    return result.but(
        ragged=ragged or own,
        grows=growing_slice(m, index, node, value),
        origin=value.origin,
        key=item_key(m, value, index),
    )


def growing_slice(m: Machine, index: Value, node: ast.Subscript, value: Array) -> object:
    """`x[:i]`, `x[:, :i]` with `i` changing each iteration: the slice has another length every time."""
    if not m.loops or m.traces or value.trace is not None:
        return None
    run = m.loops[-1]
    for part in parts_of(index):
        if isinstance(part, SliceV):
            moving = [
                isinstance(b, Host) and run.uid in b.varies and b.kind in ("int", "object")
                for b in (part.lower, part.upper)
            ]
            if moving[0] != moving[1]:
                return ("slice", node, m.frames[-1].module.source, run.uid)
    return None


def is_full(part: Value) -> bool:
    """Whether a slice is `:`."""
    return isinstance(part, SliceV) and all(
        isinstance(p, Const) and p.value is None for p in (part.lower, part.upper, part.step)
    )


def indexed_shape(shape: Any, index: Value) -> Any:
    """The shape of `x[index]` for integers, slices, None and Ellipsis; None with anything else."""
    if shape is None:
        return None
    parts = parts_of(index)
    used = sum(1 for p in parts if not (isinstance(p, Const) and (p.value is None or p.value is Ellipsis)))
    result: list[Any] = []
    left = list(shape)
    for part in parts:
        if isinstance(part, Const) and part.value is Ellipsis:
            keep = len(left) - (used - len(shape) + len(left)) if used <= len(shape) else 0
            result.extend(left[:keep])
            left = left[keep:]
        elif isinstance(part, Const) and part.value is None:
            result.append(1)
        elif not left:
            return None
        elif isinstance(part, SliceV):
            result.append(sliced_dim(left.pop(0), part))
            used -= 1
        elif kind_of(part) == "int" or (isinstance(part, Array) and part.shape == ()):
            left.pop(0)
            used -= 1
        elif isinstance(part, Array) and part.shape is not None and len(parts) == 1:
            left.pop(0)
            return (*part.shape, *left)
        else:
            return None
    return (*result, *left)


def sliced_dim(dim: Any, part: SliceV) -> Any:
    """The length of a sliced dimension."""
    bounds: list[Any] = [p.value if isinstance(p, Const) else MISSING for p in (part.lower, part.upper, part.step)]
    if bounds == [None, None, None]:
        return dim
    if isinstance(dim, int) and MISSING not in bounds:
        try:
            return len(range(dim)[slice(*bounds)])
        except (TypeError, ValueError, OverflowError):
            return None
    if bounds[0] is None and bounds[2] is None and isinstance(part.upper, (Host, Unknown)):
        return part.upper.sym
    return None


def tree_item(m: Machine, value: Tree, index: Value, node: ast.Subscript) -> Value:
    """An index into a pytree of unknown structure."""
    check_bounds(m, index, node)
    first = parts_of(index)[0]
    if isinstance(first, (SliceV, Array)) or (isinstance(index, TupleV)):
        if isinstance(first, SliceV) and not isinstance(index, TupleV) and not has_bounds_tracer(first):
            ragged = ragged_slice(m, index, node)
            return (
                Tree(value.leaf.but(ragged=ragged, key=None)) if ragged is not None else Tree(value.leaf.but(key=None))
            )
        operands = [value, *(p for p in parts_of(index) if isinstance(p, Array))]
        mask = mask_in(index)
        if mask is not None and mask.is_tracer and not guarded(m):
            m.emit(Kind.TRACER_SHAPE, node, "mask", subject=node.slice, value=mask)
        made = result_array(m, node, operands)
        return made.but(ragged=ragged_slice(m, index, node)) if not is_tracer(made) else made
    if value.leaf.key is None:
        return Tree(value.leaf.but(parts=(value.leaf,))) if value.leaf.trace is None else value
    part = derived(m, value.leaf.key, index.value) if isinstance(index, Const) else None
    return Tree(value.leaf.but(key=part))


def has_bounds_tracer(part: SliceV) -> bool:
    """Whether a slice has a tracer for a bound."""
    return any(is_tracer(b) for b in (part.lower, part.upper, part.step))


def sequence_item(m: Machine, value: TupleV | ListV, index: Value, node: ast.Subscript) -> Value:
    """An index into a Python list or tuple."""
    what = "tuple" if isinstance(value, TupleV) else "list"
    if is_tracer(index):
        if not guarded(m) and value.items != () and kind_of(element(value)) != "object":
            m.emit(Kind.TRACER_CONVERT, node, f"{what}-index", subject=node.slice, value=index, function=what)
        return element(value) if element(value) is not MISSING else UNKNOWN
    if isinstance(index, SliceV):
        return sequence_slice(m, value, index, node)
    if isinstance(index, Array) and index.trace is None:
        from jaxlint.interpreter.reading import convert

        convert(m, index, node, "int", node.slice, kind="int", function="index")
    if isinstance(index, Const) and isinstance(index.value, int) and value.items is not None:
        try:
            return value.items[index.value]
        except IndexError:
            return UNKNOWN
    newest = value.state.get("newest") if isinstance(value, ListV) else None
    if isinstance(index, Const) and index.value == -1 and isinstance(newest, Value):
        return newest
    found = element(value)
    if found is not MISSING:
        share(m, found)
    return UNKNOWN if found is MISSING else found


def sequence_slice(m: Machine, value: TupleV | ListV, index: SliceV, node: ast.Subscript) -> Value:
    """A slice of a Python list or tuple."""
    check_bounds(m, index, node)
    bounds: list[Any] = [p.value if isinstance(p, Const) else MISSING for p in (index.lower, index.upper, index.step)]
    items = None
    if value.items is not None and MISSING not in bounds:
        try:
            items = value.items[slice(*bounds)]
        except (TypeError, ValueError):
            items = None
    elem = element(value)
    if isinstance(value, TupleV):
        return TupleV(items, UNKNOWN if elem is MISSING else elem)
    made = ListV(items, UNKNOWN if elem is MISSING else elem, "list", len(m.traces))
    ragged = ragged_slice(m, index, node)
    if ragged is not None:
        made.state["ragged"] = ragged
        made.state["items"] = None
    return made


def dict_item(m: Machine, value: DictV, index: Value, node: ast.Subscript) -> Value:
    """An index into a dict."""
    if is_tracer(index):
        if not guarded(m):
            m.emit(Kind.TRACER_CONVERT, node, "dict-key", subject=node.slice, value=index, function="dict")
        return UNKNOWN
    found = dict_get(value, index)
    if m.read_log and isinstance(index, Const) and value.depth == 0:
        from jaxlint.interpreter.expressions import note_read

        note_read(m, value.items, index.value, found, node)
    return found


def dict_get(value: DictV, index: Value) -> Value:
    """The value under a key."""
    if isinstance(index, Const):
        try:
            found = value.items.get(index.value, MISSING)
        except TypeError:
            return UNKNOWN
        if found is not MISSING:
            return found  # type: ignore[no-any-return]
        return value.rest if value.rest is not None else UNKNOWN
    if isinstance(index, UnionV):
        joined: Any = MISSING
        for option in index.options:
            joined = join(joined, dict_get(value, option))
        return joined  # type: ignore[no-any-return]
    result: Any = value.rest if value.rest is not None else MISSING
    for item in value.items.values():
        if item is not MISSING:
            result = join(result, item)
    return UNKNOWN if result is MISSING else result


def host_item(m: Machine, value: Host, index: Value, node: ast.Subscript) -> Value:
    """An index into a NumPy array or another host value."""
    tracers = [p for p in parts_of(index) if is_tracer(p)]
    if value.kind == "ndarray":
        if tracers:
            if not guarded(m):
                m.emit(Kind.TRACER_ARRAY, node, "index", subject=node.slice, value=tracers[0])
            return result_array(m, node, tracers)
        check_bounds(m, index, node)
        for part in parts_of(index):
            if isinstance(part, Array) and part.trace is None:
                from jaxlint.interpreter.reading import to_numpy

                to_numpy(m, part, node, node.slice, "numpy.ndarray.__getitem__")
    ragged = ragged_slice(m, index, node)
    varies = value.varies
    for part in parts_of(index):
        if isinstance(part, Host):
            varies |= part.varies
            ragged = ragged or part.ragged
    if value.kind == "ndarray":
        mask = next(
            (
                p
                for p in parts_of(index)
                if isinstance(p, Host) and p.dtype == "bool" and p.varies & {r.uid for r in m.loops}
            ),
            None,
        )
        if mask is not None and ragged is None:
            source = m.frames[-1].module.source
            ragged = Ragged(f"`{source.segment(node, 50)}` has as many rows as the mask selects", node, source)
            return Host("ndarray", varies=varies, ragged=ragged, dtype=value.dtype)
        shape = indexed_shape(value.shape, index)
        if ragged is None and is_full(parts_of(index)[0]):
            ragged = value.ragged
        rows = cut_rows(index) if shape is None and ragged is None else None
        return Host(
            "ndarray" if shape != () else "npnumber", rows, shape=shape, varies=varies, ragged=ragged, dtype=value.dtype
        )
    if ragged is not None:
        return Host("object", varies=varies, ragged=ragged)
    return Host("str") if value.kind == "str" else UNKNOWN


def const_item(value: Const, index: Value) -> Value:
    """An index into a constant string."""
    if isinstance(value.value, (str, bytes)):
        if isinstance(index, Const) and isinstance(index.value, int):
            try:
                return Const(value.value[index.value])
            except IndexError:
                return UNKNOWN
        return Host("str")
    return UNKNOWN


def class_item(value: ClassV, index: Value) -> Value:
    """`Enum["name"]`, or a generic class with parameters."""
    if value.family == "enum" and isinstance(index, Const):
        found = value.namespace.get(index.value, MISSING)
        return found if isinstance(found, Value) and found is not MISSING else UNKNOWN
    return value


def unknown_item(m: Machine, index: Value, node: ast.Subscript) -> Value:
    """An index into something unknown: a traced bound is wrong whatever it is; a batch slice stays ragged."""
    check_bounds(m, index, node)
    ragged = ragged_slice(m, index, node)
    for part in parts_of(index):
        if isinstance(part, Host) and part.ragged is not None:
            ragged = part.ragged
    if ragged is not None:
        return Host("object", varies=frozenset(run.uid for run in m.loops), ragged=ragged)
    owner = owner_trace(parts_of(index))
    if owner is not None and owner.is_tracer and not isinstance(index, TupleV):
        return UNKNOWN
    return Unknown(name="item")


def instance_item(m: Machine, value: InstanceV, index: Value, node: ast.Subscript) -> Value:
    """`instance[index]`: a flax Variable, a NamedTuple, `__getitem__`, or an nnx/outside container."""
    from jaxlint.interpreter.attributes import class_attribute
    from jaxlint.interpreter.calls import call_method_named

    if value.extern == "jax.Ref":
        return array_item(m, value.attrs["value"], index, node)
    inner = unwrap_variable(value)
    if inner is not value:
        if isinstance(index, Const) and index.value is Ellipsis:
            return inner
        return get_item(m, inner, index, node)
    if value.cls is not None:
        if value.cls.family == "namedtuple":
            items = tuple(v for v in value.attrs.values() if isinstance(v, Value))
            return sequence_item(m, TupleV(items), index, node)
        if class_attribute(value.cls, "__getitem__") is not None:
            return call_method_named(m, value, "__getitem__", node, index)
    wrapped = value.attrs.get("items()")
    if isinstance(wrapped, (ListV, DictV, TupleV)):
        return get_item(m, wrapped, index, node)
    return unknown_item(m, index, node)
