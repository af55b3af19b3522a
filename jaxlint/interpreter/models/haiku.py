"""Haiku: `hk.transform` makes a pair of pure functions, `init` and `apply`, of one that reads parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import result_array
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.keys import consume_all
from jaxlint.interpreter.values import TRUE, UNKNOWN, Const, InstanceV, Tree, TupleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def transform(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`hk.transform(f)`, `hk.without_apply_rng(pair)`, `pair.init(...)`, `pair.apply(...)`."""
    first = args.get(0, "f")
    if entry.options.get("multi") or entry.options.get("pair") or first is None:
        return UNKNOWN
    if entry.options.get("strip"):
        return stripped(name, first)
    if entry.options.get("init") or entry.options.get("apply"):
        return run(m, first, args.but_first(), node, bool(entry.options.get("init")))
    made = InstanceV(None, "haiku.Transformed")
    made.attrs.update({"fn": first, "rng": TRUE, "state": Const(name.endswith("with_state"))})
    return made


def stripped(name: str, value: Value) -> Value:
    """A pair whose `apply` takes no key, or hides its state."""
    if not isinstance(value, InstanceV) or "fn" not in value.attrs:
        return UNKNOWN
    made = InstanceV(None, value.extern)
    made.attrs.update(value.attrs)
    short = name.rpartition(".")[2]
    if short == "without_apply_rng":
        made.attrs["rng"] = Const(False)
    else:
        made.attrs["state"] = Const(short == "with_empty_state")
    return made


def run(m: Machine, value: Value, args: Args, node: ast.AST, init: bool) -> Value:
    """Call the function under the pair with what is left of the arguments."""
    if not isinstance(value, InstanceV) or "fn" not in value.attrs:
        return UNKNOWN
    state = flag(value.attrs.get("state"))
    taken = ["rng"] if init else ["params"]
    if not init:
        taken += (["state"] if state else []) + (["rng"] if flag(value.attrs.get("rng")) else [])
    if "rng" in taken:
        consume_all(m, args.named(tuple(taken), "rng"), node)
    keywords = {key for key in taken if key in args.kw}
    inner = args.but_first(len(taken) - len(keywords))
    inner.kw = {key: item for key, item in args.kw.items() if key not in keywords}
    result = call(m, value.attrs["fn"], inner, node)
    made = Tree(result_array(m, node, args.all()))
    if init:
        return TupleV((made, Tree(made.leaf.but()))) if state else made
    return TupleV((result, made)) if state else result


def flag(value: object) -> bool:
    """A constant that is true."""
    return isinstance(value, Const) and bool(value.value)


MODELS = {"hk_transform": transform}
