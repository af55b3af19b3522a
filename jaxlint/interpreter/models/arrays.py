"""Array functions whose shape, dtype, weak type or effect a table row cannot say."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import arrays_in, as_shape, definite_array, dims_of, result_array
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.meshes import check_rank
from jaxlint.interpreter.models.growth import growth_of_list, is_numpy, joined, own_params
from jaxlint.interpreter.models.random import random_draw, random_fold_in, random_key, random_split
from jaxlint.interpreter.operators import unwrap_variable
from jaxlint.interpreter.outcome import (
    array_outcome,
    block_on,
    check_parameters,
    dtype_name,
    generic_outcome,
    shared_dtype,
    weak_result,
)
from jaxlint.interpreter.reading import loop_ids, to_numpy
from jaxlint.interpreter.tracing import map_leaves
from jaxlint.interpreter.truth import guarded
from jaxlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Host,
    InstanceV,
    ListV,
    Tree,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def filled(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """zeros, ones, empty, full: shape from argument 0; `full` and friends may be weakly typed."""
    if is_numpy(name):
        generic_outcome(m, name, entry, args, node)
        shape = as_shape(args.get(0, "shape") or UNKNOWN)
        return Host("ndarray", shape=shape, dtype=dtype_name(args.kw.get("dtype")))
    params = own_params(name, entry)
    check_parameters(m, name, entry, params, args, node)
    shape = as_shape(args.named(params, "shape") or UNKNOWN)
    dtype = args.named(params, "dtype")
    weak: bool | None = False
    text = dtype_name(dtype) if dtype is not None else "float32"
    fill = args.named(params, "fill_value")
    if entry.model == "full" and dtype is None:
        weak = (
            True
            if kind_of(fill or UNKNOWN) in ("float", "int")
            else fill.weak
            if isinstance(fill, Array)
            else False
            if isinstance(fill, Host)
            else None
        )
        text = fill.dtype if isinstance(fill, Array) else None
    return result_array(
        m,
        node,
        [fill] if isinstance(fill, (Array, Tree)) else [],
        shape=shape,
        dtype=text,
        weak=weak,
        what=text_of(m, node),
    )


def text_of(m: Machine, node: ast.AST) -> str:
    """The call as the user wrote it."""
    return m.frames[-1].module.source.segment(node, 50)


def alike(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """zeros_like, ones_like, full_like."""
    if is_numpy(name):
        return generic_outcome(m, name, entry, args, node)
    first = unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    dtype = dtype_name(args.kw.get("dtype"))
    shape = dims_of(first)
    weak = first.weak if isinstance(first, Array) else kind_of(first) in ("int", "float")
    if dtype is not None:
        weak = False
    made = result_array(
        m,
        node,
        # `zeros_like` and its kin look at the shape only
        [first] if isinstance(first, (Array, Tree)) and any(a.trace is not None for a in arrays_in(first)) else [],
        shape=shape,
        dtype=dtype or (first.dtype if isinstance(first, Array) else None),
        weak=weak,
    )
    return made


def asarray(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jnp.asarray, jnp.array, jnp.float32(...): a device array (a tracer while staging)."""
    if is_numpy(name):
        return np_asarray(m, name, entry, args, node)
    first = unwrap_variable(args.pos[0]) if args.pos else next(iter(args.kw.values()), UNKNOWN)
    short = name.rpartition(".")[2]
    asked = args.named(entry.params, "dtype")
    dtype = dtype_name(asked)
    if short not in ("array", "asarray") and dtype is None and name.startswith("jax.numpy."):
        dtype = short
    weak: bool | None = False
    if dtype is None:
        if kind_of(first) in ("int", "float", "complex"):
            weak = True
        elif isinstance(first, Array):
            weak, dtype = first.weak, first.dtype
        elif isinstance(first, Host):
            dtype = first.dtype
        elif isinstance(first, (Unknown, Tree)):
            weak = None
        elif isinstance(first, (TupleV, ListV)):
            dtype = LIST_DTYPES.get(frozenset(number_kinds(first)))
    shape = dims_of(first)
    operands = [first] if isinstance(first, (Array, Tree, Host, TupleV, ListV)) else []
    made = result_array(m, node, operands, shape=shape, dtype=dtype, weak=weak)
    if isinstance(first, Array) and first.trace is None and made.trace is None:
        return made.but(born=first.born, rounds=first.rounds, stack=first.stack, grows=first.grows)
    if isinstance(first, ListV) and first.state.get("grown"):
        made = made.but(grows=growth_of_list(m, first, node))
    if isinstance(first, ListV) and first.state.get("ragged") is not None:
        made = made.but(ragged=first.state["ragged"])
    if moved_in_loop(m, first):
        subject = args.nodes[0] if args.nodes else None
        how = "constant" if is_literal(subject) else "argument"
        m.later(Kind.HOST_TO_DEVICE, node, how, subject=subject or node, callee=name.rpartition(".")[2])
    return made


LIST_DTYPES = {
    frozenset({"int"}): "int32",
    frozenset({"float"}): "float32",
    frozenset({"int", "float"}): "float32",
    frozenset({"bool"}): "bool",
}


def number_kinds(value: TupleV | ListV, depth: int = 3) -> set[str]:
    """The kinds of Python numbers in a (nested) list; '' stands for what is not known."""
    found: set[str] = set()
    for item in value.items or ():
        if isinstance(item, (TupleV, ListV)) and depth:
            found |= number_kinds(item, depth - 1)
        else:
            found.add(kind_of(item))
    return found


def is_literal(node: ast.AST | None) -> bool:
    """Whether an expression is the same numbers each time it is evaluated."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return False
    return not any(isinstance(part, (ast.Name, ast.Attribute, ast.Call)) for part in ast.walk(node))


def moved_in_loop(m: Machine, value: Value) -> bool:
    """Whether Python or NumPy data are moved to the device here."""
    return (
        bool(m.loops)
        and not m.traces
        and (isinstance(value, (TupleV, ListV)) or (isinstance(value, Host) and value.kind == "ndarray"))
    )


def np_asarray(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """np.asarray, np.array: reads a device array; a list or number becomes a NumPy array."""
    first = unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    subject = args.nodes[0] if args.nodes else None
    to_numpy(m, first, node, subject, name, "jax.numpy.asarray")
    dtype = dtype_name(args.named(entry.params, "dtype") or args.kw.get("dtype"))
    if isinstance(first, Host):
        return Host("ndarray", shape=first.shape, varies=first.varies, ragged=first.ragged, dtype=dtype or first.dtype)
    varies = loop_ids(m) if isinstance(first, (Array, Tree)) else frozenset()
    ragged = first.ragged if isinstance(first, Array) else None
    made = Host("ndarray", shape=dims_of(first), varies=varies, ragged=ragged, dtype=dtype)
    if isinstance(first, ListV) and first.state.get("ragged") is not None:
        made.ragged = first.state["ragged"]
    return made


def arange(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jnp.arange, jnp.linspace."""
    if is_numpy(name):
        generic_outcome(m, name, entry, args, node)
        return Host("ndarray", shape=arange_shape(args))
    check_parameters(m, name, entry, entry.params, args, node)
    arrays = [v for v in args.pos if isinstance(v, (Array, Tree))]
    return result_array(m, node, arrays, shape=arange_shape(args), dtype=dtype_name(args.kw.get("dtype")), weak=False)


def arange_shape(args: Args) -> Any:
    """The shape of `arange(n)` or `arange(a, b)`."""
    numbers = args.pos
    if len(numbers) == 1:
        return as_shape(numbers[0])
    if len(numbers) == 2 and all(isinstance(v, Const) and isinstance(v.value, int) for v in numbers):
        a, b = (v.value for v in numbers if isinstance(v, Const))
        return (max(0, b - a),)
    return (None,)


def reshape(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """x.reshape(...), jnp.reshape(x, shape)."""
    if is_numpy(name):
        return generic_outcome(m, name, entry, args, node)
    value = unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    sizes = args.pos[1:] or [v for k, v in args.kw.items() if k in ("shape", "newshape", "new_sizes")]
    check_reshape(m, name, sizes, args, node)
    shape = as_shape(sizes[0]) if len(sizes) == 1 else tuple(d for d in (as_shape(TupleV(tuple(sizes))) or ()))
    clean = resolve_minus_one(shape, dims_of(value))
    made = result_array(
        m,
        node,
        [value] if isinstance(value, (Array, Tree)) else [],
        shape=clean,
        dtype=value.dtype if isinstance(value, Array) else None,
    )
    first = shape[0] if shape else None
    keeps = isinstance(value, Array) and value.ragged is not None and not (isinstance(first, int) and first > 0)
    if isinstance(value, Array) and made.trace is None and value.trace is None:
        made = made.but(born=value.born, rounds=value.rounds, stack=value.stack)
    return made.but(ragged=value.ragged if keeps and isinstance(value, Array) else None)


def check_reshape(m: Machine, name: str, sizes: list[Value], args: Args, node: ast.AST) -> None:
    """A tracer among the new sizes."""
    from jaxlint.interpreter.outcome import tracer_within

    if guarded(m):
        return
    for size in sizes:
        tracer = tracer_within(size)
        if tracer is not None:
            m.emit(
                Kind.TRACER_SHAPE, node, "argument", subject=node, value=tracer, function="reshape", parameter="shape"
            )
            return


def resolve_minus_one(shape: Any, old: Any) -> Any:
    """The new shape with -1 worked out, None where it is not known."""
    if not shape:
        return None if shape is None or not isinstance(shape, tuple) else shape
    if any(isinstance(d, int) and d < 0 for d in shape):
        if old is None or not all(isinstance(d, int) for d in old) or not all(isinstance(d, int) for d in shape):
            return tuple(None if isinstance(d, int) and d < 0 else d for d in shape)
        total, known = 1, 1
        for dim in old:
            total *= dim
        for dim in shape:
            known *= dim if dim > 0 else 1
        return tuple(total // known if d < 0 and known else d for d in shape)
    return shape


def where(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jnp.where: with one argument its size depends on values."""
    if is_numpy(name):
        return generic_outcome(m, name, entry, args, node)
    given = len(args.pos) + sum(1 for k in args.kw if k in ("x", "y"))
    if given <= 1:
        return sized(m, name, entry, args, node)
    return array_outcome_of(m, name, entry, args, node, "broadcast")


def array_outcome_of(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST, result: str) -> Value:
    """An elementwise outcome for a function whose row says something else."""
    from jaxlint.interpreter.arrays import broadcast

    operands = [unwrap_variable(v) for v in args.pos]
    shape = broadcast([dims_of(v) for v in operands]) if operands else None
    branches = operands[1:]
    made = result_array(
        m,
        node,
        [v for v in operands if isinstance(v, (Array, Tree, Host))],
        shape=shape,
        dtype=shared_dtype(branches),
        weak=weak_result(branches),
    )
    return made


def sized(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """nonzero, unique, argwhere, one-argument where: need `size=` on tracers."""
    if is_numpy(name):
        return generic_outcome(m, name, entry, args, node)
    first = unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    array = definite_array(first)
    wanted = entry.size_param or "size"
    size = args.named(own_params(name, entry), wanted)
    has_size = size is not None and not (isinstance(size, Const) and size.value is None)
    if has_size:
        check_parameters(m, name, entry, own_params(name, entry), args, node)
    traced = (
        (array is not None and array.is_tracer)
        or (isinstance(first, Tree) and first.leaf.is_tracer)
        or (m.staging is not None and not isinstance(first, Unknown))
    )
    if traced and not has_size and args.double_star is None and not guarded(m):
        m.emit(Kind.TRACER_SHAPE, node, "size", subject=node, value=array or first, function=name)
    made = result_array(m, node, [first] if isinstance(first, (Array, Tree)) else [])
    if entry.result == "arrays" or name.rpartition(".")[2] in ("nonzero", "where"):
        rank = len(array.shape) if array is not None and array.shape is not None else None
        return TupleV(tuple(made.but() for _ in range(rank))) if rank else TupleV(None, made)
    if made.trace is None and array is not None:
        m.block(array.born)
    return made


def device_put(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.device_put: NumPy leaves become device arrays."""
    value = args.pos[0] if args.pos else UNKNOWN
    sharding = args.get(1, "device")
    if isinstance(sharding, InstanceV):
        check_rank(m, value, sharding, node, "the array")

    placed = len(args.pos) > 1 or bool(args.kw)

    def leaf(v: Value) -> Value:
        if placed and isinstance(v, (Array, Tree)) and all(a.trace is None for a in arrays_in(v)):
            # it may be a copy elsewhere
            return v.but() if isinstance(v, Array) else Tree(v.leaf.but())
        if (isinstance(v, Host) and v.kind in ("ndarray", "npnumber")) or kind_of(v) in ("int", "float", "bool"):
            ragged = v.ragged if isinstance(v, Host) else None
            made = result_array(
                m, node, [], shape=dims_of(v), dtype=v.dtype if isinstance(v, Host) else None, weak=False
            )
            return made.but(ragged=ragged)
        if isinstance(v, Host) and v.kind == "object":
            return Tree(result_array(m, node, []).but(ragged=v.ragged))
        if isinstance(v, Unknown):
            return Tree(result_array(m, node, []))
        return v

    return map_leaves(value, leaf)


def device_get(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.device_get: every leaf is read."""
    value = args.pos[0] if args.pos else UNKNOWN
    arrays = list(arrays_in(value))
    concrete = [a for a in arrays if a.trace is None]
    if concrete:
        newest = max(concrete, key=lambda a: a.born)
        m.later(
            Kind.HOST_READ,
            node,
            "numpy",
            subject=args.nodes[0] if args.nodes else None,
            value=newest,
            function="jax.device_get",
        )
        m.block(newest.born)

    def leaf(v: Value) -> Value:
        if isinstance(v, Array) and v.trace is None:
            return Host("ndarray" if v.shape != () else "npnumber", shape=v.shape, varies=loop_ids(m), dtype=v.dtype)
        if isinstance(v, Tree) and v.leaf.trace is None:
            return Host("object", varies=loop_ids(m))
        return v

    return map_leaves(value, leaf)


def block_until_ready(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.block_until_ready(tree); effects_barrier waits for everything."""
    if not args.pos:
        if entry.options.get("everything"):
            return NONE
        m.block()
        return NONE
    block_on(m, args.pos[0], node, args.nodes[0] if args.nodes else None)
    return args.pos[0]


def plain(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """Models that the row already describes well enough."""
    if is_numpy(name):
        return generic_outcome(m, name, entry, args, node)
    if entry.result in ("array", "like", "arrays", "tree", "broadcast", "key", "keys"):
        check_parameters(m, name, entry, own_params(name, entry), args, node)
        return array_outcome(m, name, entry, own_params(name, entry), args, node)
    return generic_outcome(m, name, entry, args, node)


def shape_struct(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.ShapeDtypeStruct."""
    made = InstanceV(None, name, depth=len(m.traces))
    made.attrs["shape"] = args.get(0, "shape") or UNKNOWN
    made.attrs["dtype"] = args.get(1, "dtype") or UNKNOWN
    return made


MODELS = {
    "zeros": filled,
    "full": filled,
    "zeros_like": alike,
    "asarray": asarray,
    "np_asarray": np_asarray,
    "arange": arange,
    "concatenate": joined,
    "append": joined,
    "stack": joined,
    "reshape": reshape,
    "where": where,
    "nonzero": sized,
    "random_draw": random_draw,
    "random_key": random_key,
    "random_split": random_split,
    "random_fold_in": random_fold_in,
    "device_put": device_put,
    "device_get": device_get,
    "block_until_ready": block_until_ready,
    "split_like": plain,
    "repeat": plain,
    "ref": lambda m, name, entry, args, node: UNKNOWN,
    "shape_dtype_struct": shape_struct,
}
