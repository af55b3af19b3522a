"""grad, value_and_grad, jvp, vjp, jacobians: eager autodiff keeps concrete values, so Python may branch on them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import arrays_in, result_array
from jaxlint.interpreter.callables import Bound, bind, callable_name
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.mapping import argument_cause, traced_call
from jaxlint.interpreter.tracing import leave, map_leaves
from jaxlint.interpreter.transforms import link_of
from jaxlint.interpreter.values import UNKNOWN, Array, InstanceV, Trace, TransformedV, Tree, TupleV, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def autodiff_trace(m: Machine, value: TransformedV, arguments: list[Value], name: str) -> Trace:
    """A trace of autodiff: abstract only if it runs under an abstract trace, or on abstract tracers."""
    abstract = m.staging is not None or any(a.is_tracer for v in arguments for a in arrays_in(v))
    return m.new_trace(name, abstract, link_of(value), callable_name(value.func))


def call_grad(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """`grad(f)(...)`: the gradient has the structure of the arguments in `argnums`."""
    spec = value.spec
    bound = bind(m, value.func, args)
    numbers = spec.argnums if spec.argnums is not None else ()
    chosen = [item for item in bound if item.place in numbers and not item.by_keyword]
    trace = autodiff_trace(m, value, [item.value for item in chosen], "grad")
    result = run_grad(m, value, args, bound, chosen, trace, node)
    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    outer: list[Value] = [item.value for item in bound]
    grads: list[Value] = [gradient_like(m, item.value, node, outer) for item in chosen]
    if not chosen or spec.argnums is None:
        gradient: Value = Tree(result_array(m, node, outer))
    else:
        gradient = grads[0] if len(grads) == 1 and not getattr(spec, "several", False) else TupleV(tuple(grads))
    out = leave(m, result, trace, node, outer)
    if spec.has_aux:
        pair = (
            out
            if isinstance(out, TupleV) and out.items is not None and len(out.items) == 2
            else TupleV((UNKNOWN, UNKNOWN))
        )
        assert pair.items is not None
        return TupleV((pair, gradient)) if spec.value else TupleV((gradient, pair.items[1]))
    return TupleV((scalar(m, out, node, outer), gradient)) if spec.value else gradient


def run_grad(
    m: Machine, value: TransformedV, args: Args, bound: list[Bound], chosen: list[Bound], trace: Trace, node: ast.AST
) -> Value:
    """Run the function under the autodiff trace."""
    made = Args()
    made.kw_nodes, made.star, made.double_star = args.kw_nodes, args.star, args.double_star
    for item in bound:
        new = item.value
        if item in chosen:
            new = grad_argument(m, item.value, trace, value, item)
        if item.by_keyword and item.name is not None:
            made.kw[item.name] = new
        else:
            made.add(new, item.node)
    with m.tracing(trace):
        return call(m, value.func, made, node)


def grad_argument(m: Machine, item_value: Value, trace: Trace, value: TransformedV, item: Bound) -> Value:
    """An argument under autodiff: floating leaves become tracers of the autodiff trace."""
    cause = argument_cause(value, trace, item)
    arrays_only = value.spec.family == "filter"

    def leaf(v: Value) -> Value:
        if arrays_only and kind_of(v) in ("float", "int"):
            return v
        if isinstance(v, Array):
            return Array(
                trace, v.shape, v.dtype, v.cause if v.is_tracer and v.cause is not None else cause, v.weak, key=v.key
            )
        if isinstance(v, Tree):
            return Tree(Array(trace, None, None, v.leaf.cause or cause))
        if kind_of(v) in ("float", "int"):
            return Array(trace, (), "float32", cause, True)
        if kind_of(v) == "ndarray":
            return Array(trace, None, None, cause)
        if isinstance(v, Unknown):
            return Tree(Array(trace, None, None, cause))
        return v

    return map_leaves(item_value, leaf)


def gradient_like(m: Machine, value: Value, node: ast.AST, outer: list[Value]) -> Value:
    """The gradient of an argument: the same structure, arrays in place of leaves."""
    template = result_array(m, node, outer)

    def leaf(v: Value) -> Value:
        if isinstance(v, Array):
            return template.but(shape=v.shape, dtype=v.dtype, ragged=None)
        if isinstance(v, (Tree, Unknown)):
            return Tree(template)
        if kind_of(v) in ("float", "int", "ndarray"):
            return template
        return v

    made = map_leaves(value, leaf)
    return Tree(template) if isinstance(made, InstanceV) and made.cls is not None and made.cls.family == "nnx" else made


def scalar(m: Machine, value: Value, node: ast.AST, outer: list[Value]) -> Value:
    """The value of a differentiated function is a scalar array."""
    if isinstance(value, (Tree, Unknown)):
        return result_array(m, node, outer, shape=())
    return value


def call_jacobian(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """jacfwd, jacrev, hessian: vmapped inside, the function itself sees eager autodiff tracers of basis vectors."""
    bound = bind(m, value.func, args)
    trace = autodiff_trace(m, value, [item.value for item in bound], "grad")
    result = run_grad(m, value, args, bound, bound[:1], trace, node)
    out = leave(m, result, trace, node, [item.value for item in bound])
    return map_leaves(out, lambda v: v.but(shape=None) if isinstance(v, Array) else v)


def along(m: Machine, func: Value, primals: list[Value], value: TransformedV, node: ast.AST) -> Value:
    """Run `func` on primals under an autodiff trace (jvp, vjp, linearize); the value outside."""
    trace = autodiff_trace(m, value, primals, "grad")
    args = Args(primals)
    bound = bind(m, func, args)
    result = run_grad(m, value, args, bound, bound, trace, node)
    return leave(m, result, trace, node, primals)


__all__ = ["along", "call_grad", "call_jacobian", "traced_call"]
