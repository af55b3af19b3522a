"""jax.random: keys and draws."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import as_shape, result_array
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.keys import consume, derived, key_of, new_key
from jaxlint.interpreter.outcome import (
    check_parameters,
    dtype_name,
)
from jaxlint.interpreter.values import (
    UNKNOWN,
    Array,
    Const,
    Tree,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def random_draw(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.random.normal and the like."""
    check_parameters(m, name, entry, entry.params, args, node)
    shape_value = args.named(entry.params, "shape")
    shape = as_shape(shape_value) if shape_value is not None else () if "shape" in entry.params else None
    arrays = [v for v in args.all() if isinstance(v, (Array, Tree))]
    dtype: str | None = (
        "int32"
        if name.endswith(("randint", "categorical", "poisson"))
        else "bool"
        if name.endswith("bernoulli")
        else "float32"
    )
    asked = args.named(entry.params, "dtype")
    if args.star is not None or args.double_star is not None:
        asked = UNKNOWN
    if asked is not None and not (isinstance(asked, Const) and asked.value is None):
        dtype = dtype_name(asked)
    made = result_array(m, node, arrays, shape=shape, dtype=dtype, weak=False)
    return made.but(ragged=None)


def random_key(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.random.key, PRNGKey, wrap_key_data: a new key."""
    made = result_array(
        m, node, [v for v in args.pos if isinstance(v, (Array, Tree))], shape=(), dtype="key", weak=False
    )
    number = args.get(0, "seed")
    literal = isinstance(node, ast.Call) and bool(node.args) and isinstance(node.args[0], ast.Constant)
    compiled = m.staging is not None
    constant = number.value if literal and compiled and isinstance(number, Const) else None
    return made.but(key=new_key(m, seed=None if constant is None else (id(node), constant)))


def random_fold_in(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.random.fold_in(key, data): the same key for the same constant. `clone` says that a copy is meant."""
    operands = [v for v in args.all() if isinstance(v, (Array, Tree))]
    made = result_array(m, node, operands, shape=(), dtype="key", weak=False)
    parent = key_of(m, args.get(0, "key"))
    data = args.get(1, "data")
    if parent is not None and not parent.row and isinstance(data, Const) and "fold_in" in name:
        return made.but(key=derived(m, parent, "fold", data.value))
    return made.but(key=new_key(m))


def random_split(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jax.random.split(key, num): uses the key up, and gives new ones."""
    check_parameters(m, name, entry, entry.params, args, node)
    count = args.named(entry.params, "num")
    shape: Any = (2,) if count is None else as_shape(count)
    first = args.pos[0] if args.pos else args.kw.get("key", UNKNOWN)
    made = result_array(
        m, node, [first] if isinstance(first, (Array, Tree)) else [], shape=shape, dtype="key", weak=False
    )
    again = consume(m, first, node)
    return made.but(key=None if again and repeated(m, made) else new_key(m))


def repeated(m: Machine, made: Array) -> bool:
    """Whether keys made here are the same in each lane or round of a trace: that was reported already."""
    return bool(m.traces) and (made.trace is None or made.trace is not m.traces[-1])
