"""vmap, shard_map, checkpoint: calling a function on tracers without compiling it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.callables import Bound, bind, callable_name
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.keys import note_unmapped
from jaxlint.interpreter.meshes import check_arguments
from jaxlint.interpreter.tracing import enter, leave
from jaxlint.interpreter.transforms import as_tuple, link_of, transform_text
from jaxlint.interpreter.values import (
    UNKNOWN,
    Array,
    Const,
    DictV,
    Host,
    Link,
    ListV,
    Trace,
    TransformedV,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def argument_cause(value: TransformedV, trace: Trace, item: Bound) -> Link:
    """Why an argument of a traced function is a tracer."""
    from jaxlint.interpreter.callables import bottom

    function = bottom(value.func)
    name = item.name or f"argument {(item.place or 0) + 1}"
    note = f"`{name}` is a traced argument of `{callable_name(value.func)}`"
    if function is not None:
        for parameter in (*function.node.args.posonlyargs, *function.node.args.args, *function.node.args.kwonlyargs):
            if parameter.arg == item.name:
                return Link(note, parameter, function.module.source)
        return Link(note, function.node, function.module.source)
    return Link(note, trace.link.node, trace.link.source)


def promised(m: Machine, value: TransformedV, item: Bound) -> Value:
    """An argument that is not known, with what the parameter's annotation promises (an array, a number)."""
    from jaxlint.interpreter.callables import bottom
    from jaxlint.interpreter.types import annotation_value, host_of, says_array

    function = bottom(value.func)
    if not isinstance(item.value, Unknown) or function is None or item.name is None:
        return item.value
    arguments = function.node.args
    for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if parameter.arg == item.name and parameter.annotation is not None:
            said = annotation_value(m, function.module.frame or m.frames[-1], parameter.annotation)
            number = host_of(said)
            if isinstance(number, Host) and number.kind in ("int", "float", "bool"):
                return number
            return Array() if says_array(said) else item.value
    return item.value


def traced_call(
    m: Machine,
    value: TransformedV,
    trace: Trace,
    args: Args,
    bound: list[Bound],
    node: ast.AST,
    mapped: list[bool | None],
) -> Value:
    """Run the function under `trace` with some arguments as tracers (True), as they are (False) or unknown (None)."""
    made = Args()
    made.kw_nodes, made.star, made.double_star = args.kw_nodes, args.star, args.double_star
    for item, traced in zip(bound, mapped):
        new: Value = item.value
        if traced is None:
            new = UNKNOWN
        elif traced:
            new = enter(
                m,
                promised(m, value, item),
                trace,
                argument_cause(value, trace, item),
                drop=trace.transform == "vmap",
                arrays_only=value.spec.family == "filter",
            )
        if item.by_keyword and item.name is not None:
            made.kw[item.name] = new
        else:
            made.add(new, item.node)
    with m.tracing(trace):
        return call(m, value.func, made, node)


def call_vmap(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """`vmap(f)(...)`: mapped arguments are tracers, the others stay what they are."""
    trace = m.new_trace("vmap", True, link_of(value), callable_name(value.func))
    bound = bind(m, value.func, args)
    mapped = [mapped_argument(value.spec.in_axes, item) for item in bound]
    note_unmapped(m, trace, [item.value for item, lane in zip(bound, mapped) if not lane])
    result = traced_call(m, value, trace, args, bound, node, mapped)
    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    outer = [item.value for item in bound]
    return leave(m, result, trace, node, outer, add=True)


def mapped_argument(in_axes: Value | None, item: Bound) -> bool | None:
    """Whether vmap maps an argument; None when in_axes is not known."""
    if item.by_keyword or in_axes is None:
        return True
    if isinstance(in_axes, Const):
        return in_axes.value is not None
    if isinstance(in_axes, (TupleV, ListV)) and in_axes.items is not None and item.place is not None:
        if item.place >= len(in_axes.items):
            return None
        axis = in_axes.items[item.place]
        if isinstance(axis, Const):
            return axis.value is not None
        if isinstance(axis, (DictV, TupleV, ListV)):
            return None
        return None
    return None


def call_staged(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """checkpoint, shard_map, eval_shape, make_jaxpr: all non-static arguments become tracers."""
    kind = {"checkpoint": "checkpoint", "shard_map": "shard_map"}.get(value.spec.kind, value.spec.kind)
    text = transform_text(value)
    trace = m.new_trace(text if kind != "checkpoint" else "checkpoint", True, link_of(value), callable_name(value.func))
    bound = bind(m, value.func, args)
    spec = value.spec
    if spec.options:
        check_arguments(m, value, bound, node)
    mapped: list[bool | None] = []
    for item in bound:
        static = item.place in spec.static_nums or item.name in spec.static_names
        mapped.append(False if static else None if not spec.static_known else True)
    only_looked_at = kind in ("eval_shape", "make_jaxpr", "export")
    m.dry += only_looked_at
    try:
        result = traced_call(m, value, trace, args, bound, node, mapped)
    finally:
        m.dry -= only_looked_at
    return leave(m, result, trace, node, [item.value for item in bound])


__all__ = ["as_tuple", "call_staged", "call_vmap", "traced_call"]
