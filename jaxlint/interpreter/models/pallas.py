"""Pallas kernels: the kernel is traced with references, and what is read from one is a tracer."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import as_shape, dims_of, result_array
from jaxlint.interpreter.callables import callable_name, signature
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.iteration import known_items
from jaxlint.interpreter.outcome import dtype_name
from jaxlint.interpreter.transforms import link_of, make_transformed
from jaxlint.interpreter.values import UNKNOWN, Array, Dims, InstanceV, Trace, TransformedV, TransformSpec, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

REF = "jax.Ref"


def pallas(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`pl.pallas_call(kernel, out_shape=...)`. Other ways to run a kernel are not modelled."""
    kernel = args.get(0, "kernel")
    if kernel is None or not name.endswith("pallas_call"):
        return UNKNOWN
    out = args.get(1, "out_shape") or UNKNOWN
    return make_transformed(m, kernel, TransformSpec("pallas", options={"out": out}), node)


def call_kernel(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """Call what `pallas_call` made: a reference for each input and output, then scratch that is not known."""
    trace = m.new_trace("pl.pallas_call", True, link_of(value), callable_name(value.func))
    out = value.spec.options["out"]
    outputs = known_items(m, out) or (out,)
    refs = [reference(trace, v) for v in (*args.pos, *outputs)]
    known = signature(value.func)
    scratch = len(known.positional) - len(refs) if known is not None else 0
    made = Args([*refs, *([UNKNOWN] * scratch)])
    if args.star is not None or (known is not None and known.vararg is not None):
        made = Args()
        made.star = UNKNOWN
    with m.tracing(trace):
        call(m, value.func, made, node)
    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    result = result_array(m, node, args.pos, shape=struct_shape(out))
    return result if isinstance(out, InstanceV) else Tree(result)


def reference(trace: Trace, value: Value) -> InstanceV:
    """A reference to an array like `value`, in blocks of a shape that is not known."""
    made = InstanceV(None, REF)
    dtype = value.dtype if isinstance(value, Array) else None
    if isinstance(value, InstanceV):
        dtype = dtype_name(value.attrs.get("dtype"))
    made.attrs["value"] = Array(trace, None, dtype, trace.link)
    return made


def struct_shape(value: Value) -> Dims | None:
    """The shape that a `ShapeDtypeStruct` or an array says."""
    if isinstance(value, InstanceV):
        shape = value.attrs.get("shape")
        return as_shape(shape) if isinstance(shape, Value) else None
    return dims_of(value)


MODELS = {"pallas": pallas}
