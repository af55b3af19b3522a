"""Reads that are the job: the host needs the value to make the next call's input (an environment, a simulator)."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.values import MISSING, ExternV, Host, TransformedV, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.interpreter.callables import Bound
    from jaxlint.interpreter.machine import Machine
    from jaxlint.interpreter.running import LoopRun

# reads whose value goes on as a Python or NumPy value
VALUES = frozenset({"float", "int", "bool", "complex", ".item", ".tolist", "numpy"})
# libraries whose functions on the value could as well run on the device
ARRAY_LIBRARIES = ("jax", "numpy", "optax", "builtins")


@dataclass(slots=True)
class Step:
    """One assignment of a loop body: what it binds, what it uses, and what it hands to calls."""

    node: ast.stmt
    bound: frozenset[str]
    used: frozenset[str]
    # calls with the names among their arguments
    calls: tuple[tuple[ast.Call, frozenset[str]], ...]
    # an assignment; a method call only hands something to its object
    binds: bool = True


def note_inputs(m: Machine, bound: list[Bound]) -> None:
    """Remember which variables with host values this compiled call takes in, in the innermost loop around it.

    Where a helper makes the call, these are the variables that the loop hands to the helper.
    """
    run = m.loops[-1] if m.loops else None
    place = next((i for i, frame in enumerate(m.frames) if run is not None and frame.uid == run.frame), None)
    if run is None or place is None:
        return
    frame = m.frames[place]
    if place == len(m.frames) - 1:
        taken = frozenset[str]().union(*(names_in(item.node) for item in bound))
    else:
        helper = m.frames[place + 1].call_node
        taken = names_in_arguments(helper) if isinstance(helper, ast.Call) else frozenset()
    for name in taken:
        held = frame.names.get(name, MISSING)
        if isinstance(held, Unknown) or (isinstance(held, Host) and kind_of(held) != "str"):
            run.inputs.add(name)


def feeds_back(m: Machine, run: LoopRun, node: ast.AST) -> bool:
    """Whether the value read at `node` goes through host code of the loop into the next compiled call."""
    if not isinstance(run.node, (ast.For, ast.While, ast.AsyncFor)) or (run.dispatched and not run.inputs):
        return False
    steps: list[Step] | None = getattr(run.node, "_jaxlint_steps", None)
    if steps is None:
        steps = list(steps_in(run.node))
        run.node._jaxlint_steps = steps  # type: ignore[union-attr]
    row = getattr(node, "lineno", 0)
    start = next((s for s in steps if s.node.lineno <= row <= (s.node.end_lineno or 0)), None)
    if start is None:
        return False
    inside = any(call is not node and within(call, node) and host_call(m, run, call) for call, _ in start.calls)
    values = set() if inside else set(start.bound)
    fed = set(start.bound) if inside else set()
    for _ in range(len(steps)):
        size = len(values) + len(fed)
        for step in steps:
            if step.used & fed or any(used & values and host_call(m, run, call) for call, used in step.calls):
                fed |= step.bound
            elif step is not start and step.used & values:
                values |= step.bound
        if len(values) + len(fed) == size:
            break
    # without a compiled call in the loop it is not known what the device takes in: it may be any of them
    if run.dispatched:
        return bool(fed & run.inputs)
    return any(step.bound & fed for step in steps if step.binds)


def within(call: ast.Call, node: ast.AST) -> bool:
    """Whether `node` is part of an argument of `call`."""
    return any(part is node for argument in (*call.args, *call.keywords) for part in ast.walk(argument))


def host_call(m: Machine, run: LoopRun, call: ast.Call) -> bool:
    """Whether a call is the program's own or another library's code on the host."""
    root: Any = call.func
    while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name):
        return False
    module = m.modules.get(run.loop.source.filename)
    held = module.namespace.get(root.id, MISSING) if module is not None else MISSING
    if held is MISSING and isinstance(call.func, ast.Name):
        return False
    if isinstance(held, ExternV):
        return held.name.split(".")[0] not in ARRAY_LIBRARIES
    return not isinstance(held, TransformedV)


def steps_in(loop: ast.For | ast.While | ast.AsyncFor) -> Iterator[Step]:
    """The assignments of a loop body, and the calls of methods, which may change what they are called on."""
    for part in ast.walk(loop):
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) and is_method(part.value):
            owner = part.value.func.value if isinstance(part.value.func, ast.Attribute) else part.value.func
            called = tuple((n, names_in_arguments(n)) for n in ast.walk(part.value) if isinstance(n, ast.Call))
            yield Step(part, names_in(owner), frozenset(), called, binds=False)
        if isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and part.value is not None:
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            bound = frozenset(name for target in targets for name in names_in(target))
            calls = tuple((n, names_in_arguments(n)) for n in ast.walk(part.value) if isinstance(n, ast.Call))
            yield Step(part, bound, names_in(part.value), calls)


def is_method(call: ast.Call) -> bool:
    """`thing.method(...)` with a variable of that name: `env.step(action)`."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, (ast.Name, ast.Attribute))


def names_in(node: ast.AST | None) -> frozenset[str]:
    """The variables in an expression. Cached on the node."""
    if node is None:
        return frozenset()
    found: frozenset[str] | None = getattr(node, "_jaxlint_names", None)
    if found is None:
        found = frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        node._jaxlint_names = found  # type: ignore[attr-defined]
    return found


def names_in_arguments(call: ast.Call) -> frozenset[str]:
    """The variables among the arguments of a call."""
    arguments = (*call.args, *(keyword.value for keyword in call.keywords))
    return frozenset(name for argument in arguments for name in names_in(argument))
