"""concatenate, append, stack: arrays that get longer when they take in their own result."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.findings import Confidence
from jaxlint.interpreter.arrays import dims_of, result_array
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.iteration import known_items
from jaxlint.interpreter.joining import element
from jaxlint.interpreter.operators import unwrap_variable
from jaxlint.interpreter.outcome import check_parameters, generic_outcome, shared_dtype, weak_result
from jaxlint.interpreter.values import UNKNOWN, Array, Const, Host, ListV, Tree, TupleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def own_params(name: str, entry: Entry) -> tuple[str, ...]:
    """Parameter names of a function, with the receiver first for array methods."""
    return ("self", *entry.params) if name.startswith("jax.Array.") else entry.params


def is_numpy(name: str) -> bool:
    """Whether the function is NumPy's own."""
    return name.startswith("numpy.")


def growth_of_list(m: Machine, value: ListV, node: ast.AST) -> Any:
    """The mark of an array made from a list that gets longer each iteration of a running loop."""
    grown = value.state.get("grown")
    if grown in {run.uid for run in m.loops}:
        return ("stack", node, m.frames[-1].module.source, grown)
    return None


def joined(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """concatenate, append, stack: an array that gets longer when it takes in its own result."""
    parts = joined_parts(m, name, args)
    if is_numpy(name):
        made_host = generic_outcome(m, name, entry, args, node)
        if isinstance(made_host, Host) and made_host.shape is None:
            made_host.shape = joined_shape(name, parts, args)
        if (
            isinstance(made_host, Host)
            and isinstance(args.get(0, "arrays"), ListV)
            and name.endswith((".stack", ".vstack"))
            and "axis" not in args.kw
        ):
            # as many rows as the list has items
            made_host.ragged = made_host.ragged or args.pos[0].state.get("ragged")  # type: ignore[attr-defined]
        return grown_host(m, name, node, parts, made_host)
    check_parameters(m, name, entry, own_params(name, entry), args, node)
    arrays = [v for v in parts if isinstance(v, (Array, Tree))]
    container = args.pos[0] if args.pos else UNKNOWN
    if not arrays and isinstance(container, (ListV, TupleV)):
        found = element(container)
        arrays = [found] if isinstance(found, (Array, Tree)) else []
    made = result_array(
        m,
        node,
        arrays,
        shape=joined_shape(name, parts, args),
        dtype=shared_dtype(arrays),
        weak=weak_result(list(parts)) if parts else None,
    )
    made = made.but(ragged=None)
    axis = args.named(own_params(name, entry), "axis")
    # along another axis each time, an array is padded, not grown
    if made.trace is None and not (isinstance(axis, Host) and axis.varies):
        growing(m, name, node, parts, container, made)
        made = made.but(grows=mark_growth(m, name, node, container))
    return made


def grown_host(m: Machine, name: str, node: ast.AST, parts: list[Value], made: Value) -> Value:
    """A NumPy array that takes in its own earlier result: it matters when it reaches compiled code."""
    if isinstance(made, Host) and m.loops and not m.traces:
        again = any(isinstance(p, Host) and isinstance(p.grows, tuple) and p.grows[1] is node for p in parts)
        mark = (
            "concatenate" if not name.endswith("append") else "append",
            node,
            m.frames[-1].module.source,
            m.loops[-1].uid,
            again,
        )
        made.grows = mark
        if again and ("fed", id(node), m.loops[-1].uid) in m.memo:
            m.emit(
                Kind.ARRAY_GROW,
                node,
                mark[0],
                subject=node,
                trace=(),
                target=m.frames[-1].module.source.segment(node, 40),
            )
    return made


def joined_parts(m: Machine, name: str, args: Args) -> list[Value]:
    """The arrays that are put together."""
    if name.endswith(".pad"):
        return [unwrap_variable(v) for v in args.pos[:1]]
    if name.endswith("append"):
        return [unwrap_variable(v) for v in args.pos[:2]]
    items = known_items(m, args.pos[0]) if args.pos else None
    return [unwrap_variable(v) for v in items] if items is not None else []


def joined_shape(name: str, parts: list[Value], args: Args) -> Any:
    """The shape of a stack of equal parts along axis 0, or of a concatenation along any axis."""
    shapes = [dims_of(v) for v in parts]
    if not shapes or any(s is None for s in shapes):
        return None
    short = name.rpartition(".")[2]
    axis = args.get(1, "axis")
    place = axis.value if isinstance(axis, Const) else 0 if axis is None else None
    if not isinstance(place, int):
        return None
    if short == "stack" and place == 0:
        first = shapes[0]
        return (len(parts), *first) if first is not None else None
    return concatenated([s for s in shapes if s is not None], place) if short == "concatenate" else None


def concatenated(shapes: list[Any], axis: int) -> Any:
    """The shape of arrays put together along an axis; None when a length along it is not known."""
    first = shapes[0]
    if any(len(shape) != len(first) for shape in shapes) or not -len(first) <= axis < len(first):
        return None
    lengths = [shape[axis] for shape in shapes]
    if not all(isinstance(length, int) for length in lengths):
        return None
    axis %= len(first)
    return (*first[:axis], sum(lengths), *first[axis + 1 :])


def mark_growth(m: Machine, name: str, node: ast.AST, container: Value) -> Any:
    """The mark that tells this result when it comes back to the same call."""
    if not m.loops or m.traces:
        return None
    run = m.loops[-1]
    run.again = run.again or (run.round == 2 and id(node) not in run.joined)
    run.joined.add(id(node))
    return ("concatenate" if not name.endswith("append") else "append", node, m.frames[-1].module.source, run.uid)


def growing(m: Machine, name: str, node: ast.AST, parts: list[Value], container: Value, made: Array) -> None:
    """Report a concatenation that takes in its own earlier result, or stacks a list that grows in this loop."""
    if not m.loops or m.traces:
        return
    run = m.loops[-1]
    # a loop of a function that nobody in sight calls may be unrolled in a trace, where each length is just there;
    # and one over the layers of a network has as many lengths as the network has layers
    owner = m.frames[-1].owner
    layers = owner is not None and owner.family in ("linen", "nnx", "hk", "eqx")
    sure = Confidence.GUESS if layers or (m.unprompted and not run.dispatched) else Confidence.PROVEN
    for part in parts:
        if isinstance(part, Array) and isinstance(part.grows, tuple) and part.grows[1] is node and run.round >= 2:
            if part.grows[3] in {r.uid for r in m.loops}:
                m.later(
                    Kind.ARRAY_GROW,
                    node,
                    part.grows[0],
                    subject=node,
                    target=m.frames[-1].module.source.segment(node, 40),
                    confidence=sure,
                )
                return
    if isinstance(container, ListV) and growth_of_list(m, container, node) is not None and run.round >= 2:
        target = m.frames[-1].module.source.segment(node, 40)
        m.later(Kind.ARRAY_GROW, node, "stack", subject=node, target=target, confidence=sure)
