"""Callbacks that JAX runs on the host, and debug printing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import result_array
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.tracing import map_leaves
from jaxlint.interpreter.values import NONE, UNKNOWN, Array, ExternV, Host, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def callback(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """pure_callback, io_callback, debug.callback: the function sees NumPy arrays, on the host."""
    func = args.get(0, "callback")
    skip = 2 if entry.result != "none" else 1
    if func is not None and not isinstance(func, ExternV):
        values = [map_leaves(v, host_leaf) for v in args.pos[skip:]]
        kw = {
            k: map_leaves(v, host_leaf)
            for k, v in args.kw.items()
            if k
            not in (
                "ordered",
                "sharding",
                "vmap_method",
                "vectorized",
                "callback",
                "result_shape_dtypes",
                "partitioned",
            )
        }
        with m.host_context():
            call(m, func, Args(values, kw), node)
    if entry.result == "none":
        return NONE
    return Tree(result_array(m, node, [v for v in args.pos[2:] if isinstance(v, (Array, Tree))]))


def host_leaf(value: Value) -> Value:
    """What a callback receives in place of an array."""
    if isinstance(value, Array):
        return Host("ndarray", shape=value.shape, dtype=value.dtype)
    return UNKNOWN if isinstance(value, Tree) else value


MODELS = {
    "callback": callback,
    "debug_print": lambda m, name, entry, args, node: NONE,
}
