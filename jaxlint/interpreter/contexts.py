"""`with`: context managers of the project run around the body; timers read their clocks there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.assignment import assign
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.meshes import under_mesh
from jaxlint.interpreter.saving import PENDING, waited
from jaxlint.interpreter.values import NONE, UNKNOWN, GeneratorV, InstanceV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "suppress"})


def enter(m: Machine, f: Frame, node: ast.With | ast.AsyncWith, place: int) -> End:
    """Enter the items of a `with` one by one, then run its body."""
    from jaxlint.interpreter.expressions import evaluate
    from jaxlint.interpreter.statements import run_block

    if place == len(node.items):
        return run_block(m, f, node.body)
    item = node.items[place]
    manager = evaluate(m, f, item.context_expr)
    if expects_error(item.context_expr):
        f.catching.append(frozenset({"*"}))
        try:
            return managed(m, f, node, place, manager)
        finally:
            f.catching.pop()
    return managed(m, f, node, place, manager)


def managed(m: Machine, f: Frame, node: ast.With | ast.AsyncWith, place: int, manager: Value) -> End:
    """Enter one manager, then the rest."""
    if isinstance(manager, GeneratorV):
        return around(m, f, node, place, manager)
    if isinstance(manager, InstanceV):
        return instance_context(m, f, node, place, manager)
    with under_mesh(m, manager):
        return enter_plain(m, f, node, place, manager)


def enter_plain(m: Machine, f: Frame, node: ast.With | ast.AsyncWith, place: int, manager: Value) -> End:
    """Enter a manager that is no object of the project."""
    item = node.items[place]
    if item.optional_vars is not None:
        assign(m, f, item.optional_vars, manager if not is_opaque(manager) else UNKNOWN, item.context_expr)
    if suspends_tracing(manager):
        return without_staging(m, f, node, place)
    return enter(m, f, node, place + 1)


def expects_error(node: ast.expr) -> bool:
    """`with pytest.raises(...)`, `self.assertRaises(...)`, `contextlib.suppress(...)`: the body is meant to fail."""
    if not isinstance(node, ast.Call):
        return False
    name = (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )
    return name in EXPECTING


def is_opaque(manager: Value) -> bool:
    """Whether `with m as x` says nothing about x."""
    return not isinstance(manager, InstanceV)


def suspends_tracing(manager: Value) -> bool:
    """`jax.ensure_compile_time_eval()`: operations inside run at once, on values that are known."""
    from jaxlint.interpreter.values import ExternV

    return isinstance(manager, ExternV) and manager.name == "jax.ensure_compile_time_eval()"


def without_staging(m: Machine, f: Frame, node: ast.With | ast.AsyncWith, place: int) -> End:
    """Run the body as if no trace were open (tracers of outer traces stay tracers)."""
    saved = m.traces
    m.traces = []
    try:
        return enter(m, f, node, place + 1)
    finally:
        m.traces = saved


def around(m: Machine, f: Frame, node: ast.With | ast.AsyncWith, place: int, manager: GeneratorV) -> End:
    """A `@contextmanager` generator: its body runs, and its `yield` runs the body of the `with`."""
    from jaxlint.interpreter.generators import run_generator

    item = node.items[place]
    ends: list[End] = []
    stack, loops, gates = list(m.frames), list(m.loops), list(m.gates)

    def body(value: Value) -> Value:
        if ends:
            return UNKNOWN
        saved = (m.frames, m.loops, m.gates)
        m.frames, m.loops, m.gates = list(stack), list(loops), list(gates)
        try:
            if item.optional_vars is not None:
                assign(m, f, item.optional_vars, value, item.context_expr)
            ends.append(enter(m, f, node, place + 1))
        finally:
            m.frames, m.loops, m.gates = saved
        return NONE

    run_generator(m, manager, item.context_expr, body)
    if not ends:
        return enter(m, f, node, place + 1)
    return ends[0]


def instance_context(m: Machine, f: Frame, node: ast.With | ast.AsyncWith, place: int, manager: InstanceV) -> End:
    """An object with `__enter__` and `__exit__`."""
    from jaxlint.interpreter.attributes import class_attribute
    from jaxlint.interpreter.calls import call_method_named

    item = node.items[place]
    prefix = "__a" if isinstance(node, ast.AsyncWith) else "__"
    value: Value = manager
    known = manager.cls is not None and class_attribute(manager.cls, prefix + "enter__") is not None
    if known:
        value = call_method_named(m, manager, prefix + "enter__", item.context_expr)
    if item.optional_vars is not None:
        assign(m, f, item.optional_vars, value, item.context_expr)
    with under_mesh(m, manager):
        end = enter(m, f, node, place + 1)
    if manager.attrs.get(PENDING) is not None:
        waited(m, manager)
    if known and end in (End.NORMAL, End.RETURN):
        call_method_named(m, manager, prefix + "exit__", item.context_expr, NONE, NONE, NONE)
    return end
