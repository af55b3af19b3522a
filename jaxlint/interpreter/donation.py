"""Donated buffers: which arrays a compiled call takes over, and who reads them afterwards.

JAX deletes a donated array when an output takes its buffer over, so it must be known that one of the outputs fits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.findings import Confidence
from jaxlint.interpreter.arrays import arrays_in
from jaxlint.interpreter.identity import Use, certain, where
from jaxlint.interpreter.keys import step_at, text
from jaxlint.interpreter.sizes import LARGE, size_of
from jaxlint.interpreter.uses import use_now
from jaxlint.interpreter.values import Array, InstanceV, TransformedV, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.callables import Bound
    from jaxlint.interpreter.machine import Machine


def is_donated(value: TransformedV, item: Bound, names: Sequence[str]) -> bool:
    """Whether donate_argnums or donate_argnames cover an argument; `names` are the positional parameters."""
    spec = value.spec
    if spec.family == "nnx" and isinstance(item.value, InstanceV):
        # the module gets the new arrays
        return False
    if item.name is not None and item.name in spec.donate_names:
        return True
    if item.place is None:
        return False
    return any(item.place == (n + len(names) if n < 0 else n) for n in spec.donate_nums)


def check_arguments(m: Machine, bound: list[Bound], given: list[Bound], node: ast.AST) -> None:
    """A compiled call receives an array that is gone, or that the same call takes over twice."""
    for item in bound:
        read(m, arrays_in(item.value), node)
    owned: dict[int, Array] = {}
    for item in given:
        for array in {id(a): a for a in arrays_in(item.value)}.values():
            if id(array) in owned and array.trace is None and not shared(m, array):
                m.emit(Kind.USE_AFTER_DONATE, node, "twice", subject=item.node, trace=())
                return
            owned[id(array)] = array


def donate(m: Machine, given: list[Bound], result: Value, node: ast.AST) -> None:
    """The arrays of the donated arguments are deleted, where an output takes their place."""
    if m.muted or m.dry:
        return
    outputs = list(arrays_in(result))
    for item in given:
        if isinstance(item.value, Array) and item.value.shape is None:
            # nothing says that an output fits
            continue
        for array in arrays_in(item.value):
            if array.trace is None and not shared(m, array) and fits(array, outputs):
                use = use_now(m, array, node, lambda v, a=array: holds(v, a))  # type: ignore[misc]
                m.write(m.state, ("dead", id(array)), use)
                m.donations += 1


def fits(array: Array, outputs: Iterable[Array]) -> bool:
    """Whether an output has the shape and type of a donated array, as far as they are known."""
    for out in outputs:
        same_type = array.dtype == out.dtype or array.dtype is None or out.dtype is None
        if same_type and array.shape == out.shape:
            return True
    return False


def holds(value: Value, array: Array) -> bool:
    """Whether a value is the array, or a tree with it inside."""
    if isinstance(value, Array):
        return value is array
    if isinstance(value, InstanceV) and value.cls is not None and not is_pytree(value):
        return False
    return any(held is array for held in arrays_in(value))


def shared(m: Machine, array: Array) -> bool:
    """Whether the value stands for several arrays of the program."""
    return id(array) in m.shared


def share(m: Machine, value: Value) -> None:
    """`value` stands for several values of the program: what happens to one of them says nothing of the others."""
    for array in arrays_in(value):
        m.shared[id(array)] = array


def dead(m: Machine, array: Array) -> Use | None:
    """The call that took an array over. An array that is one of several is gone when all of them are."""
    found = m.state.get(("dead", id(array)))
    if isinstance(found, Use):
        return found if found.era == m.era else None
    uses = [dead(m, part) for part in array.parts]
    return uses[-1] if uses and all(uses) else None


def read(m: Machine, arrays: Iterable[Array], node: ast.AST) -> None:
    """Arrays are read at `node`: report one that is gone."""
    if not m.donations or m.muted or m.dry or m.staging is not None:
        return
    for array in arrays:
        first = dead(m, array)
        if first is not None:
            report(m, first, array, node)
            return


def is_pytree(value: InstanceV) -> bool:
    """Whether JAX takes an instance apart: then it is handed on like the arrays in it."""
    from jaxlint.interpreter import classes

    return classes.is_pytree(value)


def report(m: Machine, first: Use, array: Array, node: ast.AST) -> None:
    """Report a read of a donated array."""
    now = use_now(m, array, node, lambda v: any(holds(v, part) for part in (array, *array.parts)))
    sure = certain(first, now)
    spot, before = where(now, first), where(first, now)
    if sure is False or spot.node is None or before.node is None:
        return
    m.emit(
        Kind.USE_AFTER_DONATE,
        spot.node,
        "again" if spot.node is before.node else "read",
        source=spot.source,
        scope=spot.scope,
        trace=(step_at(before, f"`{text(before)}` takes the array over"),),
        confidence=Confidence.PROVEN if sure else Confidence.LIKELY,
    )


# -- a state that is replaced by its next version, and not donated --------------------------------------------------


def note_update(m: Machine, value: TransformedV, bound: list[Bound], node: ast.AST) -> None:
    """A compiled call in a loop whose result replaces one of its large arguments, which is not donated."""
    from jaxlint.interpreter.callables import callable_name

    spec = value.spec
    if not m.loops or m.muted or spec.family != "jax" or not spec.static_known or spec.options.get("donates"):
        return
    if spec.donate_nums or spec.donate_names:
        return
    statement = m.frames[-1].statement
    if not isinstance(statement, ast.Assign) or statement.value is not node:
        return
    source = m.frames[-1].module.source
    targets = {source.segment(part, 80) for target in statement.targets for part in parts_of(target)}
    found = [item for item in bound if item.node is not None and source.segment(item.node, 80) in targets]
    large = [item for item in found if is_large(item.value) or isinstance(item.value, Tree)]
    if any(is_large(item.value) for item in large):
        m.emit(
            Kind.UNDONATED_CALL,
            value.node,
            "update",
            source=value.source,
            scope="",
            trace=(),
            function=callable_name(value.func),
            parameters=tuple(item.name for item in large if item.name is not None),
        )


def parts_of(target: ast.AST) -> Iterable[ast.AST]:
    """The names and attributes that an assignment binds."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from parts_of(part)
    elif isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        yield target


def is_large(value: Value) -> bool:
    """Whether a value is worth donating: a megabyte that is certain."""
    return sum(max(size_of(array), array.weight) for array in arrays_in(value)) >= LARGE
