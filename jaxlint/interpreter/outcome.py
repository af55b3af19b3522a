"""The outcome of calling an outside function from its table entry alone: what it reads, needs and returns."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.events import Kind
from jaxlint.interpreter.arrays import arrays_in, broadcast, definite_array, dims_of, is_tracer, result_array
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.effects import call_effect
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.keys import new_key
from jaxlint.interpreter.operators import unwrap_variable
from jaxlint.interpreter.reading import loop_ids, render, to_numpy
from jaxlint.interpreter.truth import guarded
from jaxlint.interpreter.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Array,
    Const,
    DictV,
    ExternV,
    Host,
    InstanceV,
    ListV,
    SliceV,
    Tree,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

HOST_RESULTS = {"int": "int", "float": "float", "bool": "bool", "str": "str", "bytes": "bytes"}
ARRAY_RESULTS = frozenset({"array", "like", "broadcast", "reduce", "bool_like", "key", "keys"})
# eager operations that are bookkeeping rather than work: they do not count as work in flight
LIGHT = frozenset(
    {
        "asarray",
        "array",
        "zeros",
        "ones",
        "full",
        "empty",
        "zeros_like",
        "ones_like",
        "full_like",
        "arange",
        "linspace",
        "eye",
    }
    | {
        "reshape",
        "squeeze",
        "expand_dims",
        "ravel",
        "transpose",
        "astype",
        "split",
        "fold_in",
        "key",
        "PRNGKey",
        "stack",
        "copy",
    }
    | {
        "float32",
        "int32",
        "bfloat16",
        "float16",
        "uint32",
        "bool_",
        "int8",
        "uint8",
        "asarray",
        "atleast_1d",
        "at",
        "broadcast_to",
    }
)


def generic_outcome(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST, *, method: bool = False) -> Value:
    """Interpret a call by its entry. `method`: argument 0 is the receiver and not among `entry.params`."""
    params = ("self", *entry.params) if method else entry.params
    if entry.effect:
        call_effect(m, node, entry.effect, name)
    check_parameters(m, name, entry, params, args, node)
    if entry.reads:
        read_arguments(m, name, entry, args, node)
    if entry.result in ARRAY_RESULTS or entry.result in ("arrays", "tree"):
        return array_outcome(m, name, entry, params, args, node)
    if entry.result == "host":
        return host_outcome(m, name, entry, args, node)
    if entry.result == "same":
        return same_argument(entry, params, args)
    if entry.blocks:
        m.block()
    return plain_outcome(m, name, entry, args)


def same_argument(entry: Entry, params: tuple[str, ...], args: Args) -> Value:
    """The argument that a call gives back: the first one, or the one that `like` numbers."""
    like = entry.options.get("like")
    place = like if isinstance(like, int) else 0
    if place < len(args.pos):
        return args.pos[place]
    named = args.kw.get(params[place]) if place < len(params) else None
    if named is not None:
        return named
    return UNKNOWN if like is not None else next(iter(args.kw.values()), UNKNOWN)


def plain_outcome(m: Machine, name: str, entry: Entry, args: Args) -> Value:
    """Results that are Python values or opaque objects."""
    if entry.result == "none":
        return NONE
    if entry.result in HOST_RESULTS:
        varies = frozenset[int]()
        for value in args.all():
            if isinstance(value, Host):
                varies |= value.varies
        return Host(HOST_RESULTS[entry.result], varies=varies)
    kind = entry.options.get("of")
    if entry.result in ("instance", "object", "file"):
        return InstanceV(None, kind if isinstance(kind, str) else name, depth=len(m.traces))
    return UNKNOWN


def check_parameters(m: Machine, name: str, entry: Entry, params: tuple[str, ...], args: Args, node: ast.AST) -> None:
    """Tracers where a shape or a Python number is needed, and outputs whose size depends on values."""
    if guarded(m):
        return
    sized = entry.size_param and args.named(params, entry.size_param) is not None
    for parameter in () if sized else entry.shape_params:
        value = args.named(params, parameter)
        tracer = tracer_within(value)
        if tracer is not None:
            m.emit(
                Kind.TRACER_SHAPE,
                node,
                "argument",
                subject=args.node_named(params, parameter) or node,
                value=tracer,
                function=name,
                parameter=parameter,
            )
            return
    for parameter in entry.number_params:
        value = args.named(params, parameter)
        if value is None or parameter in ("axis", "unroll"):
            continue
        tracer = tracer_within(value)
        if tracer is not None:
            how = "bool-argument" if parameter in ("keepdims", "reverse") else "argument"
            m.emit(
                Kind.TRACER_CONVERT,
                node,
                how,
                subject=args.node_named(params, parameter) or node,
                value=tracer,
                function=name,
                parameter=parameter,
            )
            return
    if entry.size_param and entry.size_param not in args.kw and args.double_star is None and not entry.shape_params:
        first = definite_array(args.pos[0]) if args.pos else None
        traced = first is not None and first.is_tracer
        place = params.index(entry.size_param) if entry.size_param in params else None
        if traced and not (place is not None and len(args.pos) > place):
            m.emit(Kind.TRACER_SHAPE, node, "size", subject=node, value=first, function=name)


def tracer_within(value: Value | None) -> Array | None:
    """A tracer that a shape argument is or holds."""
    if value is None:
        return None
    array = definite_array(value)
    if array is not None:
        return array if array.is_tracer else None
    if isinstance(value, Tree):
        return value.leaf if value.leaf.is_tracer else None
    if isinstance(value, (TupleV, ListV)):
        for item in value.items or ():
            found = tracer_within(item)
            if found is not None:
                return found
    return None


def read_arguments(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> None:
    """The call reads its arguments on the host."""
    for place, value in enumerate([*args.pos, *args.kw.values()]):
        subject = args.nodes[place] if place < len(args.nodes) else None
        if entry.reads == "numpy":
            to_numpy(m, value, node, subject, name, entry.jnp)
        else:
            render(m, value, node, subject, name)


def array_outcome(m: Machine, name: str, entry: Entry, params: tuple[str, ...], args: Args, node: ast.AST) -> Value:
    """A jax operation."""
    operands = [unwrap_variable(v) for v in args.all()]
    short = name.rpartition(".")[2]
    result = entry.result
    shape: Any = None
    dtype: str | None = None
    weak: bool | None = None
    first = operands[0] if operands else UNKNOWN
    if result == "like" and isinstance(first, Array):
        shape, dtype, weak = first.shape, first.dtype, first.weak
    elif result == "like":
        shape = dims_of(first)
        weak = True if kind_of(first) in ("int", "float") else None
    elif result == "broadcast":
        shape = broadcast([dims_of(v) for v in operands[: max(1, len(args.pos))]]) if operands else None
        weak = weak_result(operands)
        dtype = shared_dtype(operands)
    elif result == "bool_like":
        shape, dtype, weak = broadcast([dims_of(v) for v in args.pos]) if args.pos else None, "bool", False
    elif result == "reduce":
        shape = reduced_shape(first, params, args)
        dtype = first.dtype if isinstance(first, Array) else None
        if dtype == "bool" and short not in BOOL_REDUCTIONS:
            dtype = "int32" if short in ("sum", "prod", "count_nonzero") else None
        weak = False
    wanted = entry.options.get("dtype")
    if isinstance(wanted, str):
        asked = args.named(params, wanted)
        dtype = (dtype_name(asked) if asked is not None else dtype) if wanted in params or asked is not None else wanted
    explicit = args.kw.get("dtype")
    if explicit is not None:
        dtype, weak = dtype_name(explicit), False
    is_key = result in ("key", "keys")
    if is_key:
        dtype = "key"
    source = [v for v in operands if isinstance(v, (Array, Tree, Host, TupleV, ListV, DictV))]
    made = result_array(m, node, source, shape=shape, dtype=dtype, weak=weak)
    if is_key:
        made = made.but(key=new_key(m))
    if (result == "reduce" and not keeps_rows(params, args)) or result == "array":
        made = made.but(ragged=None)
    if entry.dispatches and made.trace is None and short not in LIGHT:
        seq = m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
        made = made.but(born=seq)
    if result == "arrays":
        count = entry.options.get("count")
        if isinstance(count, int):
            each: Value = Tree(made) if entry.options.get("each") == "tree" else made
            return TupleV(tuple(each.but() if isinstance(each, Array) else each for _ in range(count)))
        return TupleV(None, made)
    if result == "tree":
        return Tree(made)
    return made


BOOL_REDUCTIONS = frozenset({"all", "any", "max", "min", "amax", "amin", "nanmax", "nanmin"})


def weak_result(operands: list[Value]) -> bool | None:
    """Whether an elementwise result is weakly typed."""
    flags = [v.weak if isinstance(v, Array) else True if kind_of(v) in ("int", "float") else None for v in operands]
    if False in flags:
        return False
    return None if None in flags or not flags else True


def shared_dtype(operands: Sequence[Value]) -> str | None:
    """The dtype of the array operands when they agree."""
    found = {v.dtype for v in operands if isinstance(v, Array) and not v.weak}
    return found.pop() if len(found) == 1 else None


def reduced_shape(first: Value, params: tuple[str, ...], args: Args) -> Any:
    """The shape after a reduction."""
    shape = dims_of(first)
    axis = args.named(params, "axis")
    keep = args.named(params, "keepdims")
    if axis is None or (isinstance(axis, Const) and axis.value is None):
        return () if keep is None or keep is FALSE else None
    if shape is None or not isinstance(axis, Const) or not isinstance(axis.value, int):
        return None
    place = axis.value % len(shape) if shape else 0
    if keep is not None and not (isinstance(keep, Const) and not keep.value):
        return None
    return shape[:place] + shape[place + 1 :]


def keeps_rows(params: tuple[str, ...], args: Args) -> bool:
    """Whether a reduction keeps the leading dimension."""
    axis = args.named(params, "axis")
    return isinstance(axis, Const) and isinstance(axis.value, int) and axis.value != 0


def host_outcome(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A NumPy or SciPy function: it converts its array arguments, or delegates to the array's own method."""
    operands = [unwrap_variable(v) for v in args.all()]
    arrays = [v for v in operands if isinstance(v, (Array, Tree))]
    concrete = all(leaf.trace is None for v in arrays for leaf in arrays_in(v))
    if arrays and entry.delegates and not (concrete and entry.options.get("reads_concrete")):
        if not args.pos or isinstance(unwrap_variable(args.pos[0]), (Array, Tree)):
            made = result_array(m, node, arrays)
            return TupleV(None, made) if entry.options.get("tuple") else made
    if entry.reads != "numpy":
        for place, value in enumerate(operands):
            subject = args.nodes[place] if place < len(args.nodes) else None
            to_numpy(m, value, node, subject, name, entry.jnp)
    varies: frozenset[int] = frozenset()
    ragged = None
    for value in operands:
        if isinstance(value, Host):
            varies |= value.varies
            ragged = ragged or value.ragged
        elif isinstance(value, (Array, Tree)):
            varies |= loop_ids(m)
    tracers = [a for v in operands for a in arrays_in(v, 2) if a.is_tracer]
    if tracers:
        return Host("ndarray", varies=varies)
    shape = asked_shape(name, entry, args)
    if shape is None and name.startswith("numpy.random.") and name.endswith((".integers", ".randint")):
        if "size" not in args.kw and len([v for v in args.pos if not isinstance(v, InstanceV)]) <= 2:
            # one random number, another one in each iteration
            return Host("int", varies=frozenset(m.running()))
    if shape is None and operands and name.rpartition(".")[2] in KEEP_LENGTH:
        shape = dims_of(operands[0])
    if shape is None and operands and elementwise(entry):
        shape = broadcast([dims_of(v) for v in operands[: max(1, len(args.pos))]])
    keep = name.rpartition(".")[2] in KEEP_LENGTH
    return Host("ndarray", shape=shape, varies=varies, ragged=ragged if keep else None)


def elementwise(entry: Entry) -> bool:
    """Whether the function of jax.numpy with the same meaning works element by element."""
    same = knowledge.lookup(entry.jnp) if entry.jnp else None
    return same is not None and same.result in ("like", "broadcast", "bool_like")


def asked_shape(name: str, entry: Entry, args: Args) -> Any:
    """The shape that `shape`, `size=` (or the first arguments of `random`) asks for."""
    from jaxlint.interpreter.arrays import as_shape

    wanted = entry.options.get("shape_from")
    if isinstance(wanted, str):
        params = ("self", *entry.params) if is_receiver(name, args) else entry.params
        given = args.named(params, wanted)
        return as_shape(given) if given is not None else None
    size = args.kw.get("size")
    short = name.rpartition(".")[2]
    if size is None and short in ("rand", "randn"):
        inner = tuple(v for v in args.pos if not isinstance(v, InstanceV))
        size = TupleV(inner) if inner else None
    return as_shape(size) if size is not None else None


def is_receiver(name: str, args: Args) -> bool:
    """Whether the first argument is the instance that a method is called on."""
    first = args.pos[0] if args.pos else None
    return isinstance(first, InstanceV) and first.extern == name.rpartition(".")[0]


KEEP_LENGTH = frozenset(
    {"asarray", "array", "ascontiguousarray", "log", "exp", "sqrt", "abs", "clip", "float32", "int32", "copy", "flip"}
)


def block_on(m: Machine, value: Value, node: ast.AST, subject: ast.AST | None) -> None:
    """`block_until_ready`."""
    newest_item = value.state.get("newest") if isinstance(value, ListV) else None
    arrays = [a for v in (unwrap_variable(value), newest_item) if isinstance(v, Value) for a in arrays_in(v)]
    arrays = [a for a in arrays if a.trace is None]
    newest = max((a.born for a in arrays), default=None)
    if m.abstract and not arrays:
        return
    if arrays:
        picked = max(arrays, key=lambda a: a.born)
        m.later(Kind.HOST_BLOCK, node, "block_until_ready", subject=subject, value=picked)
    m.block(newest if arrays else None)


def dtype_name(value: Value | None) -> str | None:
    """The dtype that an argument names."""
    if isinstance(value, ExternV):
        name = value.name
        if name.startswith("numpy.dtype:"):
            return name[len("numpy.dtype:") :]
        short = name.rpartition(".")[2]
        return {"float": "float32", "int": "int32", "bool": "bool", "bool_": "bool", "complex": "complex64"}.get(
            short, short
        )
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value
    return None


def is_static(value: Value) -> bool:
    """Whether a value is certainly plain Python."""
    return isinstance(value, (Const, SliceV)) or kind_of(value) != "" or not is_tracer(value)
