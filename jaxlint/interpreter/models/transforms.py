"""jit, vmap, grad, checkpoint and their kin: what wrapping a function gives."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import definite_array
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.meshes import bound_names, check_specs
from jaxlint.interpreter.specs import check_spec
from jaxlint.interpreter.transforms import as_names, as_tuple, make_transformed
from jaxlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    BoundV,
    Const,
    ExternV,
    Host,
    InstanceV,
    ListV,
    PartialV,
    TransformSpec,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

SINGLE = frozenset({"jit", "pmap", "vmap", "shard_map", "checkpoint", "grad", "value_and_grad"})


def option(entry: Entry, name: str, default: Any = None) -> Any:
    """An option of an entry."""
    return entry.options.get(name, default)


def wrapped_function(entry: Entry, args: Args) -> Value | None:
    """The function that a transform receives, None when it is used as a decorator factory."""
    place = option(entry, "fn", 0)
    name = option(entry, "fn_name", "fun")
    found = args.get(place if isinstance(place, int) else 0, str(name))
    return found


def factory(name: str, args: Args) -> Value:
    """`@jax.jit(static_argnames=...)`: a decorator that remembers the options."""
    return PartialV(ExternV(name), (), dict(args.kw))


def spec_argument(entry: Entry, args: Args, key: str) -> Value | None:
    """The argument that carries a static or donate specification."""
    keyword = option(entry, key)
    if not isinstance(keyword, str):
        return None
    return args.named(entry.params, keyword)


def jit(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.jit`, `nnx.jit`, `eqx.filter_jit`, `pmap`."""
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    numbers = as_tuple(spec_argument(entry, args, "static_nums"))
    names = as_names(spec_argument(entry, args, "static_names"))
    donated = as_tuple(spec_argument(entry, args, "donate_nums"))
    donated_names = as_names(spec_argument(entry, args, "donate_names"))
    family = str(option(entry, "family", "jax"))
    spec = TransformSpec(
        "jit",
        family=family,
        static_nums=numbers or (),
        static_names=names or (),
        static_known=numbers is not None and names is not None and args.double_star is None,
        donate_nums=donated or (),
        donate_names=donated_names or (),
        axes=mapped_axes(entry, args),
        options={key: args.kw[key] for key in ("in_shardings", "out_shardings") if key in args.kw},
    )
    made = make_transformed(m, func, spec, node)
    if family in ("jax", "nnx") and entry.model == "jit":
        check_spec(m, made)
    check_nnx_instance(m, func, family, node)
    return made


def mapped_axes(entry: Entry, args: Args) -> frozenset[str] | None:
    """The axis names that pmap binds; those of xmap stand in its axes, and are not read."""
    if option(entry, "open_axes"):
        return None
    return bound_names(args, entry.params, "pmap") if entry.model == "pmap" else frozenset()


def check_nnx_instance(m: Machine, func: Value, family: str, node: ast.AST) -> None:
    """`nnx.jit(module)`: the module is captured by closure, and a call that updates its state fails."""
    from jaxlint.events import Kind
    from jaxlint.interpreter.attributes import class_attribute
    from jaxlint.interpreter.values import FunctionV

    if not isinstance(func, InstanceV) or func.cls is None or func.cls.family != "nnx":
        return
    method = class_attribute(func.cls, "__call__")
    if isinstance(method, FunctionV) and writes_variable(method, func):
        m.emit(Kind.TRACER_LEAK, node, "closure-module", subject=node, trace=(), target=func.cls.name)


def writes_variable(method: Any, module: InstanceV) -> bool:
    """Whether a method writes a Variable of its module: `self.count[...] += 1`, `self.count.value = x`."""
    from jaxlint.interpreter.operators import is_variable

    for part in ast.walk(method.node):
        targets: list[ast.AST] = []
        if isinstance(part, ast.Assign):
            targets = list(part.targets)
        elif isinstance(part, ast.AugAssign):
            targets = [part.target]
        for target in targets:
            inner = target.value if isinstance(target, (ast.Subscript, ast.Attribute)) else None
            if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "self":
                held = module.attrs.get(inner.attr)
                if isinstance(held, InstanceV) and is_variable(held):
                    return True
    return False


def vmap(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.vmap`."""
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    axes_name = option(entry, "in_axes", "in_axes")
    axes = args.named(entry.params, axes_name) if isinstance(axes_name, str) else None
    family = str(option(entry, "family", "jax"))
    if "excluded" in args.kw:
        axes = kept_axes(args.kw["excluded"])
    names = bound_names(args, entry.params, "vmap")
    return make_transformed(m, func, TransformSpec("vmap", family=family, in_axes=axes, axes=names), node)


def kept_axes(excluded: Value | None) -> Value | None:
    """`vectorize(f, excluded={1})` as the `in_axes` of vmap."""
    if excluded is None:
        return None
    known = as_tuple(excluded)
    if known is None:
        return UNKNOWN
    numbers = set(known)
    return TupleV(tuple(NONE if place in numbers else Const(0) for place in range(max(numbers, default=0) + 16)))


def shard_map(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.shard_map`."""
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    mesh = args.named(entry.params, "mesh")
    specs: dict[str, Value] = {key: args.kw[key] for key in ("in_specs", "out_specs") if key in args.kw}
    for spec in specs.values():
        check_specs(m, mesh, spec, node)
    names = bound_names(args, entry.params, "shard_map")
    return make_transformed(m, func, TransformSpec("shard_map", axes=names, options=specs), node)


def grad(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.grad`, `jax.value_and_grad` and the nnx and equinox versions."""
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    argnums = args.named(entry.params, "argnums")
    numbers = as_tuple(argnums) if argnums is not None else (0,)
    if argnums is not None and isinstance(argnums, InstanceV):
        numbers = (0,)
    aux = args.named(entry.params, "has_aux")
    spec = TransformSpec(
        "grad",
        family=str(option(entry, "family", "jax")),
        argnums=numbers,
        has_aux=isinstance(aux, Const) and bool(aux.value),
        value=entry.model == "value_and_grad" or bool(option(entry, "value", False)),
    )
    made = make_transformed(m, func, spec, node)
    if isinstance(argnums, (TupleV, ListV)):
        made.memo[("several",)] = True
    return made


def autodiff(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jvp, vjp, linearize run at once; jacobians and hessians give functions."""
    from jaxlint.interpreter.autodiff import along
    from jaxlint.interpreter.iteration import known_items

    func = wrapped_function(entry, args)
    mode = str(option(entry, "mode", "function"))
    if func is None:
        return factory(name, args)
    if mode == "function":
        return make_transformed(m, func, TransformSpec("jacobian", argnums=(0,)), node)
    made = make_transformed(m, func, TransformSpec("grad", argnums=(0,)), node)
    made.calls += 1
    if mode in ("jvp",):
        primals = args.get(1, "primals")
        values = list(known_items(m, primals) or ()) if primals is not None else []
        out = along(m, func, values, made, node)
        return TupleV((out, out))
    out = along(m, func, args.pos[1:], made, node)
    aux = args.kw.get("has_aux")
    if (
        isinstance(aux, Const)
        and aux.value
        and isinstance(out, TupleV)
        and out.items is not None
        and len(out.items) == 2
    ):
        return TupleV((out.items[0], UNKNOWN, out.items[1]))
    return TupleV((out, UNKNOWN))


def checkpoint(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.checkpoint`."""
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    numbers = as_tuple(spec_argument(entry, args, "static_nums"))
    names = as_names(spec_argument(entry, args, "static_names"))
    spec = TransformSpec(
        "checkpoint",
        family=str(option(entry, "family", "jax")),
        static_nums=numbers or (),
        static_names=names or (),
        static_known=numbers is not None and names is not None,
    )
    return make_transformed(m, func, spec, node)


def eval_shape(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.eval_shape(f, *args)`."""
    func = wrapped_function(entry, args)
    if func is None:
        return UNKNOWN
    made = make_transformed(m, func, TransformSpec("eval_shape"), node)
    call(m, made, args.but_first(), node)
    return UNKNOWN


def make_jaxpr(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.make_jaxpr(f)`."""
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    numbers = as_tuple(spec_argument(entry, args, "static_nums"))
    return make_transformed(
        m, func, TransformSpec("make_jaxpr", static_nums=numbers or (), static_known=numbers is not None), node
    )


def export(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.export.export(f)`."""
    func = args.pos[0] if args.pos else None
    if func is None:
        return UNKNOWN
    return make_transformed(m, func, TransformSpec("export"), node)


def custom_derivative(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`custom_jvp`, `custom_vjp`: the function as it is, with rules that JAX calls."""
    if option(entry, "define"):
        return args.pos[0] if args.pos else UNKNOWN
    func = wrapped_function(entry, args)
    if func is None:
        return factory(name, args)
    numbers = as_tuple(spec_argument(entry, args, "static_nums"))
    return make_transformed(
        m,
        func,
        TransformSpec("custom", static_nums=numbers or (), options={"vjp": TRUE if "vjp" in name else FALSE}),
        node,
    )


def passthrough(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A decorator that leaves the function what it is."""
    func = wrapped_function(entry, args)
    if func is None:
        return PartialV(ExternV(name), (), {}) if option(entry, "decorator_factory") or not args.pos else UNKNOWN
    return func


def partial(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`functools.partial`."""
    if not args.pos:
        return UNKNOWN
    func = args.pos[0]
    if args.star is not None or args.double_star is not None:
        return UNKNOWN
    made = PartialV(func, tuple(args.pos[1:]), dict(args.kw))
    made.made = m.fresh()
    return made


def staged(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """Functions that are traced with arguments the model does not know (kernels, custom solvers)."""
    from jaxlint.interpreter.arrays import result_array
    from jaxlint.interpreter.values import FunctionV, Tree

    for value in args.all():
        if isinstance(value, (FunctionV, BoundV, PartialV)):
            made = make_transformed(m, value, TransformSpec("staged", static_known=False), node)
            made.calls += 1
    return Tree(result_array(m, node, [v for v in args.all() if definite_array(v) is not None]))


def is_concrete(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.core.is_concrete(x)`: false for an abstract tracer, true for everything that has a value."""
    array = definite_array(args.pos[0]) if args.pos else None
    if array is not None:
        return FALSE if array.is_tracer else TRUE
    return TRUE if args.pos and isinstance(args.pos[0], (Const, Host)) else Host("bool")


def opaque(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A transform whose semantics are not modelled: its functions are left alone, its result is as the table says."""
    from jaxlint.interpreter.outcome import generic_outcome

    return generic_outcome(m, name, entry, args, node)


MODELS = {
    "jit": jit,
    "pmap": jit,
    "vmap": vmap,
    "shard_map": shard_map,
    "grad": grad,
    "value_and_grad": grad,
    "autodiff": autodiff,
    "checkpoint": checkpoint,
    "eval_shape": eval_shape,
    "make_jaxpr": make_jaxpr,
    "export": export,
    "custom_derivative": custom_derivative,
    "passthrough_decorator": passthrough,
    "wraps": lambda m, name, entry, args, node: (
        PartialV(ExternV("functools.update_wrapper"), (), {}) if args.pos else UNKNOWN
    ),
    "partial": partial,
    "is_concrete": is_concrete,
    "staged": opaque,
}
