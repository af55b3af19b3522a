"""Instances of library classes, and what library base classes give to project classes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.interpreter import attention
from jaxlint.interpreter.arrays import arrays_in, result_array
from jaxlint.interpreter.calls import Args, call_unknown
from jaxlint.interpreter.keys import consume_all
from jaxlint.interpreter.layers import applied
from jaxlint.interpreter.meshes import check_layer
from jaxlint.interpreter.nnx_attributes import METADATA
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    BoundV,
    ClassV,
    Const,
    ExternV,
    Host,
    InstanceV,
    SuperV,
    Tree,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

FAMILY_CLASS = {
    "linen": "flax.linen.Module",
    "nnx": "flax.nnx.Module",
    "struct": "flax.training.train_state.TrainState",
}
REPLACERS = {"replace": ("struct", "pytree", "dataclass"), "_replace": ("namedtuple",)}


def library_attribute(m: Machine, value: InstanceV, name: str, node: ast.AST) -> Value | None:
    """An attribute that the library gives an instance; None when it gives nothing."""
    cls = value.cls
    family = cls.family if cls is not None else ""
    if name in REPLACERS and family in REPLACERS[name]:
        return BoundV(ExternV("dataclasses.replace"), value)
    if family == "namedtuple" and name in ("_asdict", "_fields", "count", "index"):
        return BoundV(ExternV("dataclasses.asdict"), value) if name == "_asdict" else UNKNOWN
    if family == "enum" and name in ("name", "value"):
        return Host("str") if name == "name" else UNKNOWN
    if is_variable_like(value) and name in ("value", "get_value", "set_value", "raw_value"):
        return variable_attribute(m, value, name)
    if is_variable_like(value):
        inner = value.attrs.get("value", MISSING)
        if isinstance(inner, Value) and inner is not MISSING:
            from jaxlint.interpreter.attributes import get_attribute

            return get_attribute(m, inner, name, node)
    owner = value.extern or FAMILY_CLASS.get(family, "")
    if owner:
        return owned_attribute(m, value, owner, name)
    return None


def owned_attribute(m: Machine, value: InstanceV, owner: str, name: str) -> Value | None:
    """An attribute or method that the tables know of a library class."""
    if owner == "jax.stages.Lowered" and name in ("compile", "as_text", "cost_analysis"):
        return MethodV_of(value, name)
    entry = knowledge.lookup(f"{owner}.{name}")
    if entry is None and owner.startswith("flax.linen."):
        owner = "flax.linen.Module"
        entry = knowledge.lookup(f"{owner}.{name}")
    if entry is None:
        return None
    if not entry.attribute:
        return BoundV(ExternV(f"{owner}.{name}"), value)
    if entry.result in ("int", "float", "bool", "str"):
        return Host(entry.result)
    if entry.result == "array":
        return result_array(m, ast.Pass(), [])
    return UNKNOWN


def MethodV_of(value: InstanceV, name: str) -> Value:
    """A method of a lowered or compiled function."""
    return BoundV(ExternV(f"jaxlint.lowered.{name}"), value)


def is_variable_like(value: InstanceV) -> bool:
    """Whether an instance is a flax Variable."""
    from jaxlint.interpreter.operators import is_variable

    return is_variable(value)


def variable_attribute(m: Machine, value: InstanceV, name: str) -> Value:
    """`variable.value`."""
    inner = value.attrs.get("value", MISSING)
    if name in ("value", "raw_value"):
        return inner if isinstance(inner, Value) and inner is not MISSING else UNKNOWN
    return BoundV(ExternV(f"jaxlint.variable.{name}"), value)


def library_class_attribute(m: Machine, value: ClassV, name: str, node: ast.AST) -> Value | None:
    """`State.create(...)` of a TrainState subclass, `Point._make`."""
    if name == "create" and value.family == "struct":
        return BoundV(ExternV("flax.training.train_state.TrainState.create"), value)
    if name in ("init", "apply", "__init__"):
        return UNKNOWN
    return None


def call_library_instance(m: Machine, value: InstanceV, args: Args, node: ast.AST) -> Value:
    """Calling a layer, a schedule, an executable."""
    from jaxlint.interpreter.models.flax import injected_call
    from jaxlint.interpreter.transforms import call_executable

    extern = value.extern
    if extern == "optax.inject_hyperparams":
        return injected_call(m, value, args, node)
    if extern == "jax.stages.Compiled":
        return call_executable(m, value, args, node)
    if extern == "optax.Schedule":
        constant = value.attrs.get("constant")
        if isinstance(constant, Const) and constant.value:
            return Host("float")
        made = result_array(m, node, args.pos, shape=())
        return made
    entry = knowledge.lookup(extern) if extern else None
    if entry is not None:
        kind = entry.options.get("call")
        calls = entry.options.get("calls")
        if "draws" in entry.options:
            consume_all(m, args.kw.get(str(entry.options["draws"])), node)
        if kind in ("array", "tree"):
            return layer_call(m, value, args, node, str(kind))
        if isinstance(calls, str):
            inner = knowledge.lookup(calls)
            if inner is not None and "consumes" in inner.options:
                consume_all(m, args.named(inner.params, str(inner.options["consumes"])), node)
            if inner is not None and inner.result == "array":
                made = result_array(m, node, args.pos)
                return annotated(value, made) if value.attrs.get(("sharded",)) else made
    return call_unknown(m, value, args, node)


def annotated(initializer: InstanceV, array: Array) -> InstanceV:
    """What an initialiser with a sharding annotation gives: the array with its metadata."""
    made = InstanceV(None, METADATA)
    made.attrs.update({"array": array, ("sharded",): True})
    return made


def layer_call(m: Machine, value: InstanceV, args: Args, node: ast.AST, kind: str) -> Value:
    """`layer(x)`: array work on its inputs (and its own state)."""
    check_layer(m, value, args, node)
    if value.extern in attention.LAYERS:
        attention.check_layer(m, value, args, node)
    operands = [a for v in [*args.pos, *args.kw.values()] for a in arrays_in(v)]
    ragged = next((v.ragged for v in args.pos if isinstance(v, Host) and v.ragged is not None), None)
    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    made = result_array(m, node, operands)
    entry = knowledge.lookup(value.extern)
    if entry is not None:
        made = applied(m, value, entry, made, args.pos[0] if args.pos else None)
    if ragged is not None:
        made = made.but(ragged=ragged)
    return made if kind == "array" else Tree(made)


def super_method(m: Machine, value: SuperV, name: str, args: Args, node: ast.AST) -> Value:
    """`super().__init__()` of a library base class."""
    receiver = value.receiver
    if name in ("__init__", "__post_init__", "setup", "__init_subclass__"):
        if (
            isinstance(receiver, InstanceV)
            and receiver.cls is not None
            and receiver.cls.family == "nnx_variable"
            and args.pos
        ):
            m.write(receiver.attrs, "value", args.pos[0])
        return NONE
    if isinstance(receiver, InstanceV):
        special = library_attribute(m, receiver, name, node)
        if special is not None:
            from jaxlint.interpreter.calls import call

            return call(m, special, args, node)
    return UNKNOWN
