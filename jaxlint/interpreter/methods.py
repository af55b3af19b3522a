"""Methods of modelled values: arrays, `.at`, NumPy arrays, containers, functions, iterators."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.events import Kind
from jaxlint.interpreter.arrays import result_array
from jaxlint.interpreter.attributes import TENSOR_METHODS
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.containers import dict_method, list_method, string_method, tuple_method
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.reading import convert, loop_ids, to_numpy
from jaxlint.interpreter.truth import guarded
from jaxlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Array,
    AtV,
    BoundV,
    Const,
    DictV,
    FunctionV,
    GeneratorV,
    Host,
    IterV,
    ListV,
    MethodV,
    PartialV,
    SuperV,
    TransformedV,
    Tree,
    TupleV,
    Value,
)
from jaxlint.interpreter.widths import check_cast

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

AT_OPS = frozenset({"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply", "get"})
NUMPY_IN_PLACE = frozenset({"sort", "fill", "resize", "setflags", "partition", "itemset"})


def call_value_method(m: Machine, callee: MethodV, args: Args, node: ast.AST) -> Value:
    """`receiver.name(...)`."""
    receiver, name = callee.receiver, callee.name
    if isinstance(receiver, Array):
        return array_method(m, receiver, name, args, node)
    if isinstance(receiver, AtV):
        return at_method(m, receiver, name, args, node)
    if isinstance(receiver, Tree):
        return tree_method(m, receiver, name, args, node)
    if isinstance(receiver, ListV):
        return list_method(m, receiver, name, args, node)
    if isinstance(receiver, DictV):
        return dict_method(m, receiver, name, args, node)
    if isinstance(receiver, TupleV):
        return tuple_method(m, receiver, name, args, node)
    if kind_of(receiver) in ("str", "bytes"):
        return string_method(m, receiver, name, args, node)
    if isinstance(receiver, Host):
        return host_method(m, receiver, name, args, node)
    if isinstance(receiver, (TransformedV, FunctionV, PartialV, BoundV)):
        from jaxlint.interpreter.transforms import function_method

        return function_method(m, receiver, name, args, node)
    if isinstance(receiver, (GeneratorV, IterV)):
        return iterator_method(m, receiver, name, args, node)
    if isinstance(receiver, SuperV):
        from jaxlint.interpreter.libraries import super_method

        return super_method(m, receiver, name, args, node)
    if isinstance(receiver, Const):
        return const_method(receiver, name)
    return UNKNOWN


def const_method(receiver: Const, name: str) -> Value:
    """Methods of number constants."""
    if name == "bit_length" and isinstance(receiver.value, int):
        return Const(receiver.value.bit_length())
    if name == "is_integer" and isinstance(receiver.value, float):
        return Const(receiver.value.is_integer())
    return UNKNOWN


def array_method(m: Machine, value: Array, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a jax array."""
    from jaxlint.interpreter.outcome import generic_outcome

    subject = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    if name in ("item", "tolist"):
        kind = {"bool": "bool"}.get(
            value.dtype or "", "int" if (value.dtype or "").startswith(("int", "uint")) else "float"
        )
        return convert(
            m, value, node, "." + name, subject, kind=kind if name == "item" else "object", function="." + name
        )
    if name == "block_until_ready":
        from jaxlint.interpreter.outcome import block_on

        block_on(m, value, node, subject)
        return value
    if name == "__array__":
        to_numpy(m, value, node, subject, "__array__")
        return Host("ndarray", varies=loop_ids(m))
    entry = knowledge.method("array", name)
    if entry is None:
        return UNKNOWN
    if name == "astype":
        return astype(m, value, args, node)
    if entry.model:
        from jaxlint.interpreter.models import MODELS

        model = MODELS.get(entry.model)
        if model is not None:
            return model(m, f"jax.Array.{name}", entry, args.with_first(value), node)
    return generic_outcome(m, f"jax.Array.{name}", entry, args.with_first(value), node, method=True)


def astype(m: Machine, value: Array, args: Args, node: ast.AST) -> Value:
    """`x.astype(dtype)`."""
    from jaxlint.interpreter.outcome import dtype_name

    check_cast(m, value, args, node)
    dtype = dtype_name(args.get(0, "dtype"))
    made = result_array(m, node, (value,), shape=value.shape, dtype=dtype, weak=False)
    return keep_age(made, value)


def keep_age(made: Array, value: Array) -> Array:
    """A cheap view of a device value is as old as the value itself (for telling lagged reads)."""
    if made.trace is None and value.trace is None:
        return made.but(born=value.born, rounds=value.rounds, stack=value.stack, piece=value.piece)
    return made


def at_method(m: Machine, value: AtV, name: str, args: Args, node: ast.AST) -> Value:
    """`x.at[i].set(v)`."""
    if name not in AT_OPS or not value.indexed:
        return UNKNOWN
    base = value.array
    arrays: list[Value] = [base, *args.pos]
    shape = base.shape if isinstance(base, Array) and name != "get" else None
    dtype = base.dtype if isinstance(base, Array) else None
    made = result_array(
        m, node, [a for a in arrays if isinstance(a, (Array, Tree))] or [base], shape=shape, dtype=dtype, weak=False
    )
    return made


def tree_method(m: Machine, value: Tree, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a pytree of unknown structure: an array's, or a mapping's."""
    if name in ("items", "values", "keys"):
        return IterV(name, (value,), node)
    if name in ("get", "pop", "setdefault"):
        return value
    if name in ("copy", "_replace", "replace"):
        return value
    if name == "update":
        return NONE
    return array_method(m, value.leaf, name, args, node)


def host_method(m: Machine, value: Host, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a NumPy array or another host value."""
    if value.kind in ("ndarray", "npnumber", "object"):
        tracers = [a for a in args.pos if isinstance(a, Array) and a.trace is not None]
        if tracers and value.kind == "ndarray" and name in ("dot", "take", "searchsorted", "repeat"):
            if not guarded(m):
                m.emit(
                    Kind.TRACER_ARRAY,
                    node,
                    "call",
                    subject=node,
                    value=tracers[0],
                    function=f"numpy.ndarray.{name}",
                    jnp=None,
                )
            return result_array(m, node, tracers)
        if name in ("item",):
            return Host("float", varies=value.varies)
        if value.kind == "object" and name in TENSOR_METHODS:
            return Host("ndarray" if name == "numpy" else "object", varies=value.varies, ragged=value.ragged)
        if name in NUMPY_IN_PLACE:
            return NONE
        if name == "tolist":
            return ListV(None, Host("float"), "list", len(m.traces))
        if name in ("astype", "copy", "clip", "round"):
            dtype = None
            return Host("ndarray", shape=value.shape, varies=value.varies, ragged=value.ragged, dtype=dtype)
        if name == "reshape":
            return reshaped(value, args)
        if name in ("any", "all") and not args.pos:
            return Host("bool", varies=value.varies)
        if value.kind == "object" and name == "numpy":
            return Host("ndarray", varies=value.varies, ragged=value.ragged)
        if value.kind == "object":
            return UNKNOWN
        return Host("ndarray", varies=value.varies)
    if value.kind == "int" and name == "bit_length":
        return Host("int")
    return UNKNOWN


def reshaped(value: Host, args: Args) -> Value:
    """`x.reshape(n, -1)` keeps a ragged leading dimension only when it is given as a length or -1."""
    from jaxlint.interpreter.arrays import as_dim, as_shape

    parts = args.pos
    shape = as_shape(parts[0]) if len(parts) == 1 else tuple(as_dim(p) for p in parts)
    first = shape[0] if shape else None
    fixed = isinstance(first, int) and first > 0
    clean = None if shape is None or any(isinstance(d, int) and d < 0 for d in shape) else shape
    return Host("ndarray", shape=clean, varies=value.varies, ragged=None if fixed else value.ragged, dtype=value.dtype)


def iterator_method(m: Machine, value: GeneratorV | IterV, name: str, args: Args, node: ast.AST) -> Value:
    """Methods of generators, loaders and progress bars."""
    from jaxlint.interpreter.generators import next_value

    if name == "__next__" or name == "send":
        return next_value(m, value, node)
    if isinstance(value, IterV) and value.kind == "loader":
        from jaxlint.interpreter.loaders import loader_method

        return loader_method(m, value, name, args, node)
    if isinstance(value, IterV) and value.kind == "progress" and name.startswith(("set_", "write")):
        from jaxlint.interpreter.reading import render

        for place, argument in enumerate(args.pos):
            render(m, argument, node, args.nodes[place], f"tqdm.{name}")
        for argument in args.kw.values():
            render(m, argument, node, None, f"tqdm.{name}")
        return NONE
    return UNKNOWN
