"""Calling what a transform made: `jit(f)(...)`, `vmap(f)(...)`, `checkpoint(f)(...)` and the functions on them."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.events import Kind
from jaxlint.interpreter.arrays import arrays_in
from jaxlint.interpreter.callables import callable_name
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.flags import note_flags, under_flags
from jaxlint.interpreter.meshes import binding
from jaxlint.interpreter.values import (
    FALSE,
    NONE,
    UNKNOWN,
    ClassV,
    Const,
    ExternV,
    Host,
    InstanceV,
    Link,
    TransformedV,
    TransformSpec,
    Tree,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

TRANSFORM_WORDS = {
    "jit": "compiled",
    "vmap": "mapped",
    "grad": "differentiated",
    "checkpoint": "rematerialised",
    "scan": "scanned",
}


def make_transformed(m: Machine, func: Value, spec: TransformSpec, node: ast.AST) -> TransformedV:
    """Wrap a callable, and remember it: what is never called is interpreted at the end all the same."""
    made = TransformedV(func, spec, node, m.frames[-1].module.source, m.fresh())
    m.transformed.append(made)
    note_flags(m, made)
    top = max(m.gates, default=0)
    made.keys.append([(run, run.round, top > place) for place, run in enumerate(m.loops)])
    return made


def transform_text(value: TransformedV) -> str:
    """The transform as the user wrote it, for messages."""
    node = value.node
    if isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, (ast.Name, ast.Attribute)):
            text = value.source.segment(func, 40)
            if text.split(".")[-1] == "partial" and node.args:
                return value.source.segment(node.args[0], 40)
            return text
    if isinstance(node, (ast.Name, ast.Attribute)):
        return value.source.segment(node, 40)
    return f"jax.{value.spec.kind}"


def link_of(value: TransformedV) -> Link:
    """The step of an explanation that says what a transform does to a function."""
    word = TRANSFORM_WORDS.get(value.spec.kind, "traced")
    return Link(f"`{callable_name(value.func)}` is {word} by `{transform_text(value)}`", value.node, value.source)


def call_transform(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """Call a transformed function."""
    spec = value.spec
    if spec.axes == frozenset():
        with under_flags(m, value):
            return run_transform(m, value, args, node)
    with under_flags(m, value), binding(m, "pmap" if spec.kind == "jit" else spec.kind, spec.axes):
        return run_transform(m, value, args, node)


def run_transform(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """Call a transformed function as its transform says."""
    from jaxlint.interpreter import autodiff, compiled, mapping

    value.calls += 1
    kind = value.spec.kind
    if value.spec.family == "linen" and wraps_class(value):
        return lift_instance(m, value, call(m, value.func, args, node), node)
    if kind == "scan":
        from jaxlint.interpreter.models.control import call_lifted_scan

        return call_lifted_scan(m, value, args, node)
    if kind == "pallas":
        from jaxlint.interpreter.models.pallas import call_kernel

        return call_kernel(m, value, args, node)
    if kind in ("jit", "pmap"):
        return compiled.call_compiled(m, value, args, node)
    if kind == "vmap":
        return mapping.call_vmap(m, value, args, node)
    if kind == "shard_map":
        return mapping.call_staged(m, value, args, node)
    if kind == "grad":
        return autodiff.call_grad(m, value, args, node)
    if kind == "jacobian":
        return autodiff.call_jacobian(m, value, args, node)
    if kind == "checkpoint":
        return mapping.call_staged(m, value, args, node)
    if kind == "custom":
        return call_custom(m, value, args, node)
    if kind in ("eval_shape", "make_jaxpr", "export"):
        mapping.call_staged(m, value, args, node)
        return UNKNOWN
    return call(m, value.func, args, node)


def wraps_class(value: TransformedV) -> bool:
    """Whether a transform of linen was given a module class: calling it makes a module whose calls are transformed.

    The class may be one of linen's own: `nn.jit(nn.Dense)(features, name="first")`.
    """
    inner = value.func
    while isinstance(inner, TransformedV):
        inner = inner.func
    if isinstance(inner, ExternV):
        entry = knowledge.lookup(inner.name)
        return entry is not None and entry.result == "instance"
    return isinstance(inner, ClassV)


def lift_instance(m: Machine, value: TransformedV, inner: Value, node: ast.AST) -> Value:
    """The module that `nn.remat(Block)(...)` makes; numbers of static arguments count the module."""
    spec = replace(value.spec, static_nums=tuple(n - 1 for n in value.spec.static_nums if n > 0))
    made = TransformedV(inner, spec, value.node, value.source, m.fresh())
    made.calls = 1
    return made


def call_custom(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """No tracer may reach a `nondiff_argnums` parameter: of `custom_vjp` never, of `custom_jvp` if differentiated."""
    # tracers that are older than this may reach the rules of custom_jvp
    since = (
        0
        if value.spec.options.get("vjp") is not FALSE
        else min((t.level for t in m.traces if t.transform == "grad"), default=1 << 30)
    )
    for place in value.spec.static_nums:
        if 0 <= place < len(args.pos):
            tracer = next(
                (a for a in arrays_in(args.pos[place]) if a.trace is not None and a.trace.level > since), None
            )
            if tracer is not None:
                m.emit(
                    Kind.TRACER_LEAK,
                    value.node,
                    "nondiff",
                    value=tracer,
                    source=value.source,
                    scope="",
                    target=m.frames[-1].module.source.segment(args.nodes[place] or node, 40),
                )
    result = call(m, value.func, args, node)
    if m.staging is not None and any(t.transform == "grad" for t in m.traces):
        m.dry += 1
        try:
            run_rules(m, value, args, result, node)
        finally:
            m.dry -= 1
    return result


def run_rules(m: Machine, value: TransformedV, args: Args, result: Value, node: ast.AST) -> None:
    """Differentiated under a staging trace, the rules of a custom derivative are traced, too."""
    rules = value.memo.get(("rules",))
    if not rules or value.memo.get(("rules-run",)):
        return
    value.memo[("rules-run",)] = True
    static = [args.pos[i] for i in value.spec.static_nums if i < len(args.pos)]
    traced = [v for i, v in enumerate(args.pos) if i not in value.spec.static_nums]
    if len(rules) == 1:
        call(m, rules[0], Args([*static, TupleV(tuple(traced)), TupleV(tuple(traced))]), node)
    elif len(rules) == 2 and None not in rules:
        pair = call(m, rules[0], Args(args.pos), node)
        residual = (
            pair.items[1] if isinstance(pair, TupleV) and pair.items is not None and len(pair.items) == 2 else UNKNOWN
        )
        call(m, rules[1], Args([*static, residual, result]), node)


def function_method(m: Machine, receiver: Value, name: str, args: Args, node: ast.AST) -> Value:
    """Methods of functions: `f.lower(...)`, `f.defvjp(...)`, `f._cache_size()`."""
    if isinstance(receiver, TransformedV):
        if name in ("lower", "trace", "eval_shape"):
            from jaxlint.interpreter.compiled import lower

            return lower(m, receiver, args, node)
        if name in ("defjvp", "defvjp", "defjvps", "def_partition"):
            if name in ("defjvp", "defvjp"):
                receiver.memo[("rules",)] = list(args.pos) or [args.kw.get("fwd"), args.kw.get("bwd")]
            return NONE if name != "defjvp" else (args.pos[0] if args.pos else NONE)
        if name == "_cache_size":
            return Host("int")
        if name == "clear_cache":
            return NONE
        from jaxlint.interpreter.attributes import get_attribute
        from jaxlint.interpreter.values import MethodV

        inner = get_attribute(m, receiver.func, name, node)
        return UNKNOWN if isinstance(inner, MethodV) else call(m, inner, args, node)
    return UNKNOWN


def call_executable(m: Machine, value: InstanceV, args: Args, node: ast.AST) -> Value:
    """Calling what `lower(...).compile()` gave: device work, nothing compiled."""
    from jaxlint.interpreter.tracing import leave

    text = m.frames[-1].module.source.segment(node, 40)
    result = value.attrs.get("result", UNKNOWN)
    m.dispatch(node, text, compiled=True, first=False)
    trace = m.new_trace("jit", True, Link("", node, m.frames[-1].module.source))
    return leave(m, result, trace, node, [])


def as_tuple(value: Value | None) -> tuple[int, ...] | None:
    """Constant argument numbers from an int or a sequence of ints; None when not known."""
    if value is None or (isinstance(value, Const) and value.value is None):
        return ()
    if isinstance(value, Const) and isinstance(value.value, int):
        return (value.value,)
    from jaxlint.interpreter.values import ListV

    if isinstance(value, (TupleV, ListV)) and value.items is not None:
        numbers = [v.value for v in value.items if isinstance(v, Const) and isinstance(v.value, int)]
        return tuple(numbers) if len(numbers) == len(value.items) else None
    return None


def as_names(value: Value | None) -> tuple[str, ...] | None:
    """Constant argument names from a string or a sequence of strings; None when not known."""
    if value is None or (isinstance(value, Const) and value.value is None):
        return ()
    if isinstance(value, Const) and isinstance(value.value, str):
        return tuple(part.strip() for part in value.value.split(",")) if "," in value.value else (value.value,)
    from jaxlint.interpreter.values import ListV

    if isinstance(value, (TupleV, ListV)) and value.items is not None:
        names = [v.value for v in value.items if isinstance(v, Const) and isinstance(v.value, str)]
        return tuple(names) if len(names) == len(value.items) else None
    return None


__all__ = ["Tree", "call_transform", "make_transformed"]
