"""Builtins that fold a sequence or a number: max, min, any, all, sum, sorted, abs, round, pow."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter import operators
from jaxlint.interpreter.arrays import definite_array, is_tracer, result_array
from jaxlint.interpreter.calls import Args, call_values
from jaxlint.interpreter.iteration import known_items, one_item, steps_of
from jaxlint.interpreter.joining import element, kind_of
from jaxlint.interpreter.truth import guarded, truth
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    BatchIndex,
    Const,
    Host,
    ListV,
    Ragged,
    Tree,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def compare_all(m: Machine, value: Value, args: Args, node: ast.AST, how: str) -> Value:
    """sorted, min, max over a sequence: elements are compared, which needs truths."""
    key = args.kw.get("key")
    if isinstance(value, Array) and value.trace is None:
        steps_of(m, value, node, how)
    item = one_item(m, value)
    if item is MISSING:
        return UNKNOWN
    compared = call_values(m, key, [item], node) if key is not None and not isinstance(key, Const) else item
    count = known_items(m, value)
    if count is not None and len(count) < 2:
        return item
    if is_tracer(compared) and not guarded(m):
        m.emit(Kind.TRACER_BOOL, node, how, subject=node, value=compared)
    elif isinstance(compared, TupleV) and compared.items and is_tracer(compared.items[0]) and not guarded(m):
        m.emit(Kind.TRACER_BOOL, node, how, subject=node, value=compared.items[0])
    elif isinstance(compared, Array) and compared.trace is None and not isinstance(value, Array):
        truth(m, compared, node, how, node)
    return item


def extreme(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """min(...), max(...)."""
    work = min if name == "min" else max
    if len(args.pos) == 1:
        value = args.pos[0]
        items = known_items(m, value)
        if items is not None and items and all(isinstance(v, Const) for v in items) and "key" not in args.kw:
            return constant_extreme(work, list(items))
        found = compare_all(m, value, args, node, name)
        if name == "max" and longest(args.nodes[0]):
            source = m.frames[-1].module.source
            return Host(
                "int",
                varies=found.varies if isinstance(found, Host) else frozenset(),
                ragged=Ragged(f"`{source.segment(node, 50)}` pads to the longest of each batch", node, source),
            )
        return found if not isinstance(found, Unknown) else UNKNOWN
    arrays = [v for v in args.pos if definite_array(v) is not None]
    if arrays:
        tracer = next((v for v in arrays if is_tracer(v)), None)
        if tracer is not None and not guarded(m):
            m.emit(Kind.TRACER_BOOL, node, name, subject=node, value=tracer)
        elif tracer is None:
            for array in arrays:
                truth(m, array, node, name, node)
        return result_array(m, node, arrays)
    if args.pos and all(isinstance(v, Const) for v in args.pos):
        return constant_extreme(work, args.pos)
    return host_extreme(args.pos, name)


def longest(node: ast.AST | None) -> bool:
    """`max(len(s) for s in batch)`, `max(map(len, batch))`."""
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return isinstance(node.elt, ast.Call) and isinstance(node.elt.func, ast.Name) and node.elt.func.id == "len"
    return (
        isinstance(node, ast.Call)
        and bool(node.args)
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id == "len"
    )


def constant_extreme(work: Callable[..., Any], values: list[Value]) -> Value:
    """min or max of constants."""
    try:
        return Const(work(v.value for v in values if isinstance(v, Const)))
    except Exception:
        return UNKNOWN


def host_extreme(values: list[Value], name: str) -> Value:
    """min or max of Python numbers: `min(i + bs, n)` is still the end of a batch."""
    varies: frozenset[int] = frozenset()
    index: BatchIndex | None = None
    for value in values:
        if isinstance(value, Host):
            varies |= value.varies
            index = index or value.index
    kinds = {kind_of(v) for v in values}
    if index is not None or kinds <= {"int", "bool"}:
        return Host("int", varies=varies, index=index)
    if kinds <= {"int", "float", "bool"}:
        return Host("float", varies=varies)
    return Host("object", varies=varies) if varies else UNKNOWN


def quantified(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """any(...), all(...): every element is asked for its truth."""
    if not args.pos:
        return Host("bool")
    value = args.pos[0]
    array = definite_array(value)
    if array is not None:
        row = array.but(shape=array.shape[1:] if array.shape else None)
        truth(m, row, node, name, node)
        return Host("bool")
    items = known_items(m, value)
    if items is not None:
        known = [truth(m, item, node, name, node) for item in items]
        if name == "all":
            return Const(False) if False in known else Const(True) if None not in known else Host("bool")
        return Const(True) if True in known else Const(False) if None not in known else Host("bool")
    item = element(value) if isinstance(value, (TupleV, ListV)) else one_item(m, value)
    if item is not MISSING:
        truth(m, item, node, name, node)
    return Host("bool", varies=item.varies if isinstance(item, Host) else frozenset())


def total(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """sum(xs)."""
    if not args.pos:
        return UNKNOWN
    value = args.pos[0]
    start = args.get(1, "start")
    items = known_items(m, value) if not isinstance(value, Array) else None
    if items is not None and len(items) <= 16:
        result: Value = start if start is not None else Const(0)
        for item in items:
            result = operators.binary(m, node, ast.Add(), result, item, node, node)
        return result
    steps = steps_of(m, value, node, "sum")
    item = steps.elem
    if isinstance(item, (Array, Tree)):
        return result_array(m, node, [item], shape=item.shape if isinstance(item, Array) else None)
    if kind_of(item) in ("int", "float", "bool"):
        return Host(
            kind_of(item) if kind_of(item) != "bool" else "int",
            varies=item.varies if isinstance(item, Host) else frozenset(),
        )
    return UNKNOWN


def numeric(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """abs, divmod, pow, round."""
    value = operators.unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    if isinstance(value, (Array, Tree)):
        base = value if isinstance(value, Array) else value.leaf
        made = result_array(m, node, args.pos, shape=base.shape if name != "pow" else None, dtype=base.dtype)
        return TupleV((made, made)) if name == "divmod" else made
    if name == "pow" and len(args.pos) == 2 and isinstance(args.pos[0], Const) and isinstance(args.pos[1], Const):
        return operators.binary_const(ast.Pow(), args.pos[0], args.pos[1])
    if name != "pow" and all(isinstance(v, Const) for v in args.pos) and args.pos:
        try:
            work: Any = {"abs": abs, "divmod": divmod, "round": round}[name]
            result = work(*(v.value for v in args.pos if isinstance(v, Const)))
            return TupleV(tuple(Const(r) for r in result)) if isinstance(result, tuple) else Const(result)
        except Exception:
            return UNKNOWN
    if isinstance(value, Host):
        if name == "divmod":
            return TupleV((Host("int", varies=value.varies), Host("int", varies=value.varies)))
        return Host("int" if name == "round" and len(args.pos) == 1 else value.kind, varies=value.varies)
    return UNKNOWN


def sort(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """sorted(xs)."""
    if not args.pos:
        return UNKNOWN
    value = args.pos[0]
    items = known_items(m, value)
    array = definite_array(value)
    if array is not None:
        steps_of(m, array, node, "sorted")
    compare_all(m, value, args, node, "sorted")
    if items is not None and all(isinstance(v, Const) for v in items) and not args.kw:
        try:
            return ListV(
                tuple(Const(x) for x in sorted(v.value for v in items if isinstance(v, Const))),
                UNKNOWN,
                "list",
                len(m.traces),
            )
        except TypeError:
            pass
    if items is not None:
        return ListV(items, UNKNOWN, "list", len(m.traces))
    return ListV(None, one_item(m, value), "list", len(m.traces))
