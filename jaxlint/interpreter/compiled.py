"""Calls of compiled functions: what is static, what is traced, and what makes JAX compile again."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter import donation, meshes
from jaxlint.interpreter.arrays import arrays_in, varying_dim
from jaxlint.interpreter.callables import Bound, bind, bottom, callable_name, signature
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.donation import is_donated
from jaxlint.interpreter.feedback import note_inputs
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.keys import keys_in, replay
from jaxlint.interpreter.mapping import traced_call
from jaxlint.interpreter.passing import note_passing
from jaxlint.interpreter.serving import note_call, note_warm
from jaxlint.interpreter.signatures import fingerprint, trace_signature
from jaxlint.interpreter.statics import check_static, report_varying, varying_static
from jaxlint.interpreter.traceable import check_traceable
from jaxlint.interpreter.tracing import leave
from jaxlint.interpreter.transforms import link_of, transform_text
from jaxlint.interpreter.values import (
    MISSING,
    Array,
    Const,
    DictV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    TransformedV,
    Tree,
    TupleV,
    Value,
)
from jaxlint.interpreter.wrapping import wrapped_in_loop

if TYPE_CHECKING:
    from jaxlint.interpreter.identity import Key
    from jaxlint.interpreter.machine import Machine

# how often one compiled function is traced anew for other arguments
MAX_TRACES = 12


@dataclass(eq=False, slots=True)
class Traced:
    """One trace of a compiled function: its result, and the outer Python state that it read."""

    result: Value
    reads: dict[Any, Any]
    args: Args
    # the keys used up while tracing, what was there before the trace, and the frames around it
    log: list[Any]
    since: int
    depth: int
    warned: bool = False


def call_compiled(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """`jit(f)(...)`."""
    bound = bind(m, value.func, args)
    text = (
        m.frames[-1].module.source.segment(node.func, 40) if isinstance(node, ast.Call) else callable_name(value.func)
    )
    mapped = [traced_argument(value, item) for item in bound]
    check_arguments(m, value, bound, mapped, node)
    if value.spec.options:
        meshes.check_arguments(m, value, bound, node)
    first = is_first_call(value, bound, mapped)
    wrapped_in_loop(m, value)
    known = signature(value.func)
    names = known.positional if known is not None else ()
    given = [item for item in bound if is_donated(value, item, names)] if m.staging is None else []
    if m.staging is None:
        donation.check_arguments(m, bound, given, node)
        donation.note_update(m, value, bound, node)
        note_call(m, value, node)
        note_passing(m, value, bound, mapped, args, node)
        if m.loops:
            note_inputs(m, bound)
        seq = m.dispatch(node, f"{text}(...)", compiled=True, first=first)
        if value.spec.family == "filter":
            m.block(seq)
    # after the dispatch: what comes back is as young as the work that makes it
    result = traced_result(m, value, args, bound, mapped, node)
    if given:
        donation.donate(m, given, result, node)
    return result


def traced_argument(value: TransformedV, item: Bound) -> bool | None:
    """Whether an argument is traced (True), static (False) or not known (None)."""
    spec = value.spec
    if is_static(value, item):
        return False
    if not spec.static_known:
        return None
    if spec.family == "filter":
        return True
    if spec.family == "nnx" and kind_of(item.value) in ("int", "float", "bool", "str"):
        return None
    return True


def is_static(value: TransformedV, item: Bound) -> bool:
    """Whether static_argnums or static_argnames cover an argument (numbers and names stand for each other)."""
    spec = value.spec
    known = signature(value.func)
    if item.name is not None and item.name in spec.static_names:
        return True
    count = len(known.positional) if known is not None else None
    numbers = {n + count if n < 0 and count is not None else n for n in spec.static_nums}
    if item.place is not None and item.place in numbers:
        return not item.by_keyword or not spec.static_names
    return False


def is_first_call(value: TransformedV, bound: list[Bound], mapped: list[bool | None]) -> bool:
    """Whether this call compiles: no earlier call had the same static arguments."""
    key = ("static", *(fingerprint(i.value) for i, traced in zip(bound, mapped) if traced is False))
    shapes = [a.shape for i, traced in zip(bound, mapped) if traced for a in arrays_in(i.value)]
    earlier = value.memo.setdefault(key, [])
    if any(compatible(shapes, other) for other in earlier):
        return False
    earlier.append(shapes)
    return True


def compatible(a: list[Any], b: list[Any]) -> bool:
    """Whether two calls may have had arguments of the same shapes."""
    if len(a) != len(b):
        return True
    return all(same_shape(x, y) for x, y in zip(a, b))


def same_shape(a: Any, b: Any) -> bool:
    """Whether two shapes may be equal: an unknown dimension may be anything."""
    if a is None or b is None:
        return True
    if len(a) != len(b):
        return False
    return all(x == y or not isinstance(x, int) or not isinstance(y, int) for x, y in zip(a, b))


def traced_result(
    m: Machine, value: TransformedV, args: Args, bound: list[Bound], mapped: list[bool | None], node: ast.AST
) -> Value:
    """What the function returns; it is traced once for each signature, as in JAX."""
    spec = value.spec
    key = call_key(m, value, bound, mapped, args)
    stored = value.memo.get(key)
    outer = [item.value for item, traced in zip(bound, mapped) if traced is not False]
    trace = m.new_trace(transform_text(value), True, link_of(value), callable_name(value.func))
    if stored is None and sum(1 for k in value.memo if k[0] == "trace") >= MAX_TRACES:
        stored = next(v for k, v in value.memo.items() if k[0] == "trace")
    if stored is None:
        if spec.family == "filter":
            mapped = [None if traced is None else traced for traced in mapped]
            bound = [filter_static(item) for item in bound]
        m.read_log.append({})
        m.key_log.append([])
        since = m.fresh()
        try:
            result = traced_call(m, value, trace, args, bound, node, mapped)
        finally:
            reads, log = m.read_log.pop(), m.key_log.pop()
        if m.key_log:
            m.key_log[-1].extend(log)
        if m.read_log:
            for place, entry in reads.items():
                m.read_log[-1].setdefault(place, entry)
        stored = Traced(result, reads, args, log, since, len(m.frames))
        value.memo[key] = stored
        m.traced_nodes.add(id(bottom(value.func)))
        write_back(m, value, bound, mapped)
    else:
        if m.staging is None:
            stale_reads(m, value, stored)
        if stored.log:
            replay(m, stored.log, same_keys(m, stored.args, args), stored.since, stored.depth, node)
    waits = spec.family == "filter"
    return leave(
        m,
        stored.result,
        trace,
        node,
        outer,
        arrays_only=waits,
        ready=waits,
        keys=same_keys(m, stored.args, args),
    )


def same_keys(m: Machine, first: Args, now: Args) -> dict[int, Key]:
    """The keys in the arguments of this call, by those of the call that was traced."""
    old = [key for value in first.all() for key in keys_in(m, value)]
    new = [key for value in now.all() for key in keys_in(m, value)]
    return {a.uid: b for a, b in zip(old, new)} if len(old) == len(new) else {}


def filter_static(item: Bound) -> Bound:
    """`filter_jit` leaves everything that is not an array as it is: only array leaves are traced."""
    return item


def write_back(m: Machine, value: TransformedV, bound: list[Bound], mapped: list[bool | None]) -> None:
    """nnx transforms update the modules they were given (nothing to do: their state stays device arrays)."""


def call_key(m: Machine, value: TransformedV, bound: list[Bound], mapped: list[bool | None], args: Args) -> Any:
    """JAX's cache key: static arguments by value, traced ones by structure, shape and dtype."""
    parts = []
    for item, traced in zip(bound, mapped):
        shown = trace_signature(item.value) if traced else fingerprint(item.value)
        parts.append((item.name if item.by_keyword else item.place, traced, shown))
    staging = id(m.staging) if m.staging is not None else None
    return ("trace", staging, args.star is not None, args.double_star is not None, *parts)


def stale_reads(m: Machine, value: TransformedV, stored: Traced) -> None:
    """A cached trace is used again: outer Python state that it read may have changed since."""
    if stored.warned:
        return
    for container, key, old, node, source in stored.reads.values():
        new = container.get(key, MISSING)
        if new is old or not changed(old, new):
            continue
        stored.warned = True
        m.emit(
            Kind.TRACE_EFFECT,
            node,
            "stale-read",
            subject=node,
            source=source,
            scope=callable_name(value.func),
            trace=(),
            target=source.segment(node, 40),
        )
        return


def changed(old: Any, new: Any) -> bool:
    """Whether two definite values certainly differ."""
    if isinstance(old, Const) and isinstance(new, Const):
        return bool(type(old.value) is not type(new.value) or old.value != new.value)
    if isinstance(old, FunctionV) and isinstance(new, FunctionV):
        return old.node is not new.node
    if isinstance(old, (Const, Host)) and isinstance(new, (Const, Host)):
        return isinstance(old, Const) and isinstance(new, Host) and bool(new.varies)
    if isinstance(old, Array) and isinstance(new, Array):
        return old.trace is None and new.trace is None and new.born > old.born
    return False


def check_arguments(
    m: Machine, value: TransformedV, bound: list[Bound], mapped: list[bool | None], node: ast.AST
) -> None:
    """Report what is wrong with the arguments of a compiled call."""
    for item, traced in zip(bound, mapped):
        if traced is False:
            check_static(m, value, item, node)
        elif traced and value.spec.family not in ("filter", "nnx"):
            check_traceable(m, value, item)
    if m.staging is not None:
        return
    for item, traced in zip(bound, mapped):
        if not traced:
            continue
        ragged = ragged_in(item.value)
        if ragged is not None:
            m.later(
                Kind.COMPILED_CALL,
                node,
                "ragged-batch",
                subject=item.node,
                value=None,
                ragged=ragged,
                argument=item.name or "",
                source=ragged.why,
            )
        elif m.loops and any(
            varying_dim(m, v.shape) is not None for v in shallow(item.value) if isinstance(v, (Array, Host))
        ):
            m.later(
                Kind.COMPILED_CALL,
                node,
                "ragged-batch",
                subject=item.node,
                value=None,
                argument=item.name or "",
                source="its size is another number in each iteration",
            )
        grows = grows_in(m, item.value)
        if grows is not None:
            report_growth(m, grows)
        host_argument(m, value, item, node)
        if value.spec.family == "nnx":
            varying_static(m, value, item, node)
        elif value.spec.family == "filter" and kind_of(item.value) in ("int", "float", "bool", "str"):
            report_varying(m, item, node)


def ragged_in(value: Value, depth: int = 3) -> Any:
    """A leading dimension that differs on the last iteration, in any leaf."""
    if isinstance(value, (Array, Host)):
        return value.ragged if kind_of(value) not in ("int", "float") else None
    if isinstance(value, Tree):
        return value.leaf.ragged
    if not depth:
        return None
    items: list[Value] = []
    if isinstance(value, (TupleV, ListV)):
        if isinstance(value, ListV) and value.state.get("ragged") is not None:
            return value.state["ragged"]
        items = list(value.items or (value.elem,))
    elif isinstance(value, DictV):
        items = [v for v in value.items.values() if isinstance(v, Value)] + (
            [value.rest] if value.rest is not None else []
        )
    elif isinstance(value, InstanceV) and not value.generic:
        items = [v for v in value.attrs.values() if isinstance(v, Value)]
    for item in items:
        found = ragged_in(item, depth - 1)
        if found is not None:
            return found
    return None


def grows_in(m: Machine, value: Value) -> Any:
    """A leaf that gets longer each iteration."""
    for array in arrays_in(value, 2):
        if isinstance(array.grows, tuple) and array.grows[0] == "slice":
            return array.grows
    for item in shallow(value):
        if isinstance(item, Host) and isinstance(item.grows, tuple):
            if item.grows[4]:
                return item.grows[:4]
            # whether it takes in its own result shows when it is made again
            m.memo["fed", id(item.grows[1]), item.grows[3]] = True
    return None


def report_growth(m: Machine, grows: Any) -> None:
    """An array that gets longer each iteration reaches a compiled call."""
    kind, node, source, _ = grows
    m.emit(Kind.ARRAY_GROW, node, kind, subject=node, source=source, trace=(), target=source.segment(node, 40))


def host_argument(m: Machine, value: TransformedV, item: Bound, node: ast.AST) -> None:
    """A NumPy array goes to the device on every call."""
    if any(
        isinstance(v, Host) and v.kind == "ndarray" and (v.shape is None or len(v.shape) > 0)
        for v in shallow(item.value)
    ):
        m.later(
            Kind.HOST_TO_DEVICE,
            node,
            "argument",
            subject=item.node,
            callee=callable_name(value.func),
            argument=item.name or "",
        )


def shallow(value: Value) -> list[Value]:
    """A value and its direct members."""
    if isinstance(value, (TupleV, ListV)):
        return list(value.items or (value.elem,))
    if isinstance(value, DictV):
        return [v for v in value.items.values() if isinstance(v, Value)]
    if (
        isinstance(value, InstanceV)
        and value.cls is not None
        and value.cls.family in ("namedtuple", "struct", "pytree")
    ):
        return [v for v in value.attrs.values() if isinstance(v, Value)]
    return [value]


def lower(m: Machine, value: TransformedV, args: Args, node: ast.AST) -> Value:
    """`jit(f).lower(...)`: traced now, run later."""
    bound = bind(m, value.func, args)
    mapped = [traced_argument(value, item) for item in bound]
    m.dry += 1
    try:
        result = traced_result(m, value, args, bound, mapped, node)
    finally:
        m.dry -= 1
    note_warm(m, value)
    made = InstanceV(None, "jax.stages.Lowered", depth=len(m.traces))
    made.attrs["result"] = result
    made.attrs["callable"] = value
    return made
