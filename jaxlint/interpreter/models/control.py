"""Structured control flow: scan, while_loop, fori_loop, cond, switch, map, associative_scan."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import result_array
from jaxlint.interpreter.callables import callable_name
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.iteration import known_items
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.keys import check_carry
from jaxlint.interpreter.outcome import check_parameters
from jaxlint.interpreter.tracing import enter, leave, none_of
from jaxlint.interpreter.transforms import make_transformed, transform_text
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    Const,
    ExternV,
    FunctionV,
    InstanceV,
    Link,
    Trace,
    TransformedV,
    TransformSpec,
    Tree,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def body_trace(m: Machine, node: ast.AST, func: Value, what: str) -> Trace:
    """The trace of a body function."""
    link = Link(f"`{callable_name(func)}` is traced by `{what}`", node, m.frames[-1].module.source)
    return m.new_trace(what, True, link, callable_name(func))


def traced(m: Machine, value: Value, trace: Trace, func: Value, place: int, *, drop: bool = False) -> Value:
    """An argument of a body function."""
    from jaxlint.interpreter.callables import bottom, signature

    known = signature(func)
    name = known.name_at(place) if known is not None else None
    function = bottom(func)
    cause = trace.link
    if function is not None and name is not None:
        for parameter in function.node.args.args:
            if parameter.arg == name:
                cause = Link(
                    f"`{name}` is a traced argument of `{callable_name(func)}`", parameter, function.module.source
                )
    return enter(m, value, trace, cause, drop=drop)


def run(m: Machine, func: Value, trace: Trace, values: list[Value], node: ast.AST) -> Value:
    """Call a body function under its trace."""
    with m.tracing(trace):
        return call(m, func, Args(values), node)


def done(m: Machine, node: ast.AST) -> None:
    """Eager control flow compiles and dispatches."""
    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)


def pair(m: Machine, value: Value) -> tuple[Value, Value]:
    """The two parts of a body's result."""
    items = known_items(m, value)
    if items is not None and len(items) == 2:
        return items[0], items[1]
    return UNKNOWN, UNKNOWN


def steadied(m: Machine, before: Value, after: Value) -> Value:
    """A carry: what it was before and after an iteration, joined; arrays of one structure stay arrays."""
    return before if isinstance(after, Unknown) else after


def scan(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.scan(f, init, xs, length)`; the lifted ones of flax wrap a function or a module class instead."""
    check_parameters(m, name, entry, entry.params, args, node)
    if entry.options.get("lifted"):
        return lifted_scan(m, name, entry, args, node)
    params = entry.params or ("f", "init", "xs", "length")
    func = args.named(params, params[0])
    if func is None:
        return UNKNOWN
    init = args.named(params, "init") or UNKNOWN
    xs = args.named(params, "xs")
    trace = body_trace(m, node, func, "lax.scan")
    carry = traced(m, init, trace, func, 0)
    x: Value = NONE if xs is None or none_of(xs) else traced(m, xs, trace, func, 1, drop=True)
    result = run(m, func, trace, [carry, x], node)
    after, ys = pair(m, result)
    check_carry(m, func, trace, carry, after, node)
    done(m, node)
    outer = [init, *([xs] if xs is not None else [])]
    final = leave(m, steadied(m, carry, after), trace, node, outer)
    stacked = leave(m, ys, trace, node, outer, add=True)
    return TupleV((final, stacked))


def lifted_scan(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nn.scan(Cell, in_axes=...)`, `nnx.scan(f, in_axes=...)`: a callable that scans when it is called."""
    from jaxlint.interpreter.models.transforms import factory

    func = args.named(entry.params, str(entry.options.get("fn_name", "f")))
    if func is None:
        return factory(name, args)
    spec = TransformSpec(
        "scan", family=str(entry.options.get("family", "jax")), in_axes=args.named(entry.params, "in_axes")
    )
    return make_transformed(m, func, spec, node)


def call_lifted_scan(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """Call what `nn.scan` or `nnx.scan` made: the carry and the scanned arguments are tracers."""
    func = value.func
    trace = body_trace(m, node, func, transform_text(value))
    method = isinstance(func, FunctionV) and value.spec.family == "linen"
    first = 1 if method and args.pos and isinstance(args.pos[0], InstanceV) else 0
    axes = value.spec.in_axes
    roles = known_items(m, axes) if axes is not None else None
    values: list[Value] = list(args.pos[:first])
    carried = first
    for place, item in enumerate(args.pos[first:]):
        number = place if value.spec.family == "nnx" else place - 1
        role = roles[number] if roles is not None and 0 <= number < len(roles) else None
        if is_carry(role):
            carried = len(values)
        if isinstance(role, Const) and role.value is None:
            # a module that every step shares: its methods are known, what its state is is not
            values.append(item if isinstance(item, InstanceV) else UNKNOWN)
        else:
            values.append(traced(m, item, trace, func, place + first, drop=place > 0 and not isinstance(role, ExternV)))
    result = run(m, func, trace, values, node)
    after, ys = pair(m, result)
    done(m, node)
    outer = args.pos[first:]
    carry = values[carried] if len(values) > carried else UNKNOWN
    return TupleV((leave(m, steadied(m, carry, after), trace, node, outer), leave(m, ys, trace, node, outer, add=True)))


def is_carry(role: Value | None) -> bool:
    """Whether an entry of `in_axes` is `nnx.Carry`."""
    return isinstance(role, ExternV) and role.name.rpartition(".")[2] == "Carry"


def while_loop(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.while_loop(cond_fun, body_fun, init_val)`."""
    test = args.get(0, "cond_fun")
    func = args.get(1, "body_fun")
    init = args.get(2, "init_val") or UNKNOWN
    if "mdl" in entry.params:
        return UNKNOWN
    if test is None or func is None:
        return UNKNOWN
    trace = body_trace(m, node, func, "lax.while_loop")
    carry = traced(m, init, trace, func, 0)
    result = run(m, func, trace, [carry], node)
    check_carry(m, func, trace, carry, result, node)
    other = body_trace(m, node, test, "lax.while_loop")
    run(m, test, other, [traced(m, init, other, test, 0)], node)
    done(m, node)
    return leave(m, steadied(m, carry, result), trace, node, [init])


def fori_loop(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.fori_loop(lower, upper, body_fun, init_val)`."""
    func = args.get(2, "body_fun")
    init = args.get(3, "init_val") or UNKNOWN
    if func is None:
        return UNKNOWN
    trace = body_trace(m, node, func, "lax.fori_loop")
    index = traced(m, Const(0), trace, func, 0)
    if isinstance(index, Array):
        index = index.but(dtype="int32", weak=False)
    carry = traced(m, init, trace, func, 1)
    result = run(m, func, trace, [index, carry], node)
    check_carry(m, func, trace, carry, result, node)
    done(m, node)
    return leave(m, steadied(m, carry, result), trace, node, [init])


def cond(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.cond(pred, true_fun, false_fun, *operands)`."""
    branches = [args.get(1, "true_fun"), args.get(2, "false_fun")]
    operands = args.pos[3:]
    if "operand" in args.kw:
        operands = [args.kw["operand"]]
    return run_branches(m, node, [b for b in branches if b is not None], operands, "lax.cond", args)


def switch(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.switch(index, branches, *operands)`."""
    if entry.options.get("platform"):
        return UNKNOWN
    branches = args.get(1, "branches")
    known = known_items(m, branches) if branches is not None else None
    if known is None:
        return Tree(result_array(m, node, args.pos[2:]))
    return run_branches(m, node, list(known), args.pos[2:], "lax.switch", args)


def run_branches(
    m: Machine, node: ast.AST, branches: list[Value], operands: list[Value], what: str, args: Args
) -> Value:
    """Trace each branch on the same operands, and join what they return."""
    from jaxlint.interpreter.frames import End

    result: Value = MISSING
    results: list[Value] = []
    last: Trace | None = None
    operands = list(operands)
    arms: list[Callable[[], End]] = []
    for func in branches:
        trace = body_trace(m, node, func, what)
        last = trace

        def arm(func: Value = func, trace: Trace = trace) -> End:
            values = [traced(m, v, trace, func, i) for i, v in enumerate(operands)]
            results.append(leave(m, run(m, func, trace, values, node), trace, node, [*operands, *args.pos[:1]]))
            return End.NORMAL

        arms.append(arm)
    m.fork(arms)
    for value in results:
        result = join(result, value)
    done(m, node)
    return UNKNOWN if result is MISSING or last is None else result


def lax_map(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.map(f, xs)`."""
    func, xs = args.get(0, "f"), args.get(1, "xs") or UNKNOWN
    if func is None:
        return UNKNOWN
    trace = body_trace(m, node, func, "lax.map")
    result = run(m, func, trace, [traced(m, xs, trace, func, 0, drop=True)], node)
    done(m, node)
    return leave(m, result, trace, node, [xs], add=True)


def associative_scan(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`lax.associative_scan(fn, elems)`."""
    func, elems = args.get(0, "fn"), args.get(1, "elems") or UNKNOWN
    if func is None:
        return UNKNOWN
    trace = body_trace(m, node, func, "lax.associative_scan")
    run(m, func, trace, [traced(m, elems, trace, func, 0), traced(m, elems, trace, func, 1)], node)
    done(m, node)
    return elems if not isinstance(elems, InstanceV) else UNKNOWN


MODELS = {
    "scan": scan,
    "while_loop": while_loop,
    "fori_loop": fori_loop,
    "cond": cond,
    "switch": switch,
    "lax_map": lax_map,
    "associative_scan": associative_scan,
}
