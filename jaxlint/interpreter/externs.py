"""Calls of outside names: a semantic model where the tables name one, else the entry says it all."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.interpreter import attention
from jaxlint.interpreter.calls import Args, call_unknown
from jaxlint.interpreter.generators import collect
from jaxlint.interpreter.keys import consume_all
from jaxlint.interpreter.saving import escape
from jaxlint.interpreter.values import UNKNOWN, ExternV, GeneratorV, InstanceV, Value
from jaxlint.interpreter.widths import check_call

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

# libraries whose every function stays on the host and waits for nothing
HARMLESS = frozenset(
    {
        "typing",
        "os",
        "sys",
        "logging",
        "argparse",
        "dataclasses",
        "collections",
        "functools",
        "itertools",
        "pathlib",
        "enum",
        "abc",
    }
)


def call_outside(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """The value of calling the outside name."""
    from jaxlint.interpreter.models import MODELS
    from jaxlint.interpreter.outcome import generic_outcome

    entry = knowledge.lookup(name)
    if m.savers and (entry is None or entry.model != "orbax"):
        escape(m, args.all())
    for value in args.pos if entry is None or entry.model in ("", "math") else ():
        if isinstance(value, GeneratorV):
            # whatever it is, it takes the generator's values
            collect(m, value, node)
    if entry is None:
        if name.partition(".")[0] in HARMLESS:
            return UNKNOWN
        return call_unknown(m, ExternV(name), args, node)
    check_call(m, name, entry, args, node)
    if name in attention.CHECKED:
        attention.check_function(m, name, entry, args, node)
    if "consumes" in entry.options:
        consume_argument(m, name, entry, args, node)
    if entry.model:
        model = MODELS.get(entry.model)
        if model is not None:
            return model(m, name, entry, args, node)
    return generic_outcome(m, name, entry, args, node, method=is_method_call(name, args))


def consume_argument(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> None:
    """The call uses up the key that it is given (`consumes=` in the tables)."""
    parameter = str(entry.options["consumes"])
    params = ("self", *entry.params) if is_method_call(name, args) else entry.params
    consume_all(m, args.named(params, parameter), node)


def is_method_call(name: str, args: Args) -> bool:
    """Whether the name is a method and the first argument its receiver."""
    owner = name.rpartition(".")[0]
    return bool(args.pos) and isinstance(args.pos[0], InstanceV) and args.pos[0].extern == owner
