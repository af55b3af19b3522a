"""Static arguments: they must hash, and should not change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import definite_array
from jaxlint.interpreter.attributes import class_attribute
from jaxlint.interpreter.callables import Bound
from jaxlint.interpreter.values import (
    MISSING,
    DictV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    PartialV,
    TransformedV,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def check_static(m: Machine, value: TransformedV, item: Bound, node: ast.AST) -> None:
    """One static argument of a compiled call."""
    bad = unhashable(item.value)
    if bad is not None:
        m.emit(
            Kind.COMPILED_CALL,
            node,
            "static-unhashable",
            subject=item.node or node,
            value=None,
            parameter=item.name or str(item.place),
            type=bad,
        )
        return
    if m.staging is None:
        report_varying(m, item, node)


def unhashable(value: Value) -> str | None:
    """The type of a value that does not hash, None when it does or is not known."""
    if isinstance(value, ListV) and value.kind == "frozenset":
        return None
    if isinstance(value, ListV):
        return value.kind if value.kind in ("list", "set", "deque") else "list"
    if isinstance(value, DictV):
        return "dict"
    array = definite_array(value)
    if array is not None:
        return "jax.Array"
    if isinstance(value, Host) and value.kind == "ndarray":
        return "numpy.ndarray"
    if isinstance(value, TupleV) and value.items is not None:
        return next((found for found in map(unhashable, value.items) if found is not None), None)
    if isinstance(value, InstanceV) and value.cls is not None and not value.generic:
        meta = value.cls.meta
        if meta.get("dataclass") and meta.get("eq", True) and not meta.get("frozen") and not meta.get("hashes"):
            if class_attribute(value.cls, "__hash__") is None and value.cls.family in ("dataclass", "pytree"):
                return f"{value.cls.name} (a dataclass that is not frozen)"
        if class_attribute(value.cls, "__eq__") is not None and class_attribute(value.cls, "__hash__") is None:
            if value.cls.family in ("", "dataclass") and "__eq__" in value.cls.namespace:
                return f"{value.cls.name} (defines __eq__ but not __hash__)"
    return None


def report_varying(m: Machine, item: Bound, node: ast.AST) -> None:
    """A static argument that takes a new value in each iteration of a loop that is running."""
    if not m.loops:
        return
    text = varies_in(m, item.value)
    if text:
        m.later(
            Kind.COMPILED_CALL,
            node,
            "static-varies",
            subject=item.node or node,
            parameter=item.name or str(item.place),
            value_text=text,
        )


def varies_in(m: Machine, value: Value) -> str:
    """How a value changes from iteration to iteration, '' when it does not."""
    running = m.running()
    if isinstance(value, InstanceV) and value.extern == "optax.GradientTransformation" and made_this_round(m, value):
        return "a new optax transformation"
    if isinstance(value, Host) and value.kind in ("int", "float", "str", "object") and value.varies & running:
        return f"a new {value.kind if value.kind != 'object' else 'value'}"
    if isinstance(value, TupleV) and value.items is not None:
        return next((t for t in (varies_in(m, v) for v in value.items) if t), "")
    if isinstance(value, (FunctionV, PartialV)) and m.loops and m.loops[-1].round >= 2:
        made = value.uid if isinstance(value, FunctionV) else value.made
        if made > m.loops[-1].uid:
            return "a new function"
    if isinstance(value, InstanceV) and value.cls is not None and fresh_instance(m, value):
        return f"a new `{value.cls.name}`, which hashes by identity"
    return ""


def made_this_round(m: Machine, value: InstanceV) -> bool:
    """Whether an instance was made in the current, not the first, iteration of a running loop."""
    when = value.attrs.get(("made",), MISSING)
    if not isinstance(when, tuple) or not when or when[-1][1] < 2:
        return False
    return when[-1] in {(run.uid, run.round) for run in m.loops}


def fresh_instance(m: Machine, value: InstanceV) -> bool:
    """Whether an instance that hashes by identity was made in the current iteration."""
    if (
        value.generic
        or value.cls is None
        or value.cls.family in ("enum", "namedtuple", "struct", "eqx", "linen", "dataclass", "pytree")
    ):
        return False
    if class_attribute(value.cls, "__hash__") is not None or class_attribute(value.cls, "__eq__") is not None:
        return False
    made = value.attrs.get(("made",), MISSING)
    return (
        isinstance(made, tuple)
        and bool(made)
        and made[-1] in {(run.uid, run.round) for run in m.loops}
        and made[-1][1] >= 2
    )


def varying_static(m: Machine, value: TransformedV, item: Bound, node: ast.AST) -> None:
    """nnx: an optimiser whose optax transformation was made in this iteration brings new functions into the graph."""
    if not m.loops or not isinstance(item.value, InstanceV):
        return
    made = item.value.attrs.get("tx")
    if isinstance(made, InstanceV) and made.extern == "optax.GradientTransformation":
        when = made.attrs.get(("made",), MISSING)
        if (
            isinstance(when, tuple)
            and when
            and when[-1] in {(run.uid, run.round) for run in m.loops}
            and when[-1][1] >= 2
        ):
            m.later(
                Kind.COMPILED_CALL,
                node,
                "static-varies",
                subject=item.node or node,
                parameter=item.name or str(item.place),
                value_text="a new optax transformation inside the optimizer",
            )
