"""Gates: conditions that keep something from happening on every iteration (`if step % 100 == 0`)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.values import Array, Const, Host, UnionV, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

# calls in a test that say nothing about the iteration
STEADY_CALLS = frozenset(
    {
        "isinstance",
        "hasattr",
        "getattr",
        "callable",
        "len",
        "issubclass",
        "process_index",
        "is_initialized",
        "bool",
        "type",
        "get",
    }
)


def is_gate(m: Machine, f: Frame, test: ast.expr, value: Value) -> bool:
    """Whether a test differs between the iterations of the loops that are running.

    `if verbose:` and `if writer is not None:` do not: what they guard happens each time or never.
    """
    if isinstance(test, ast.BoolOp):
        return any(is_gate(m, f, part, value) for part in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_gate(m, f, test.operand, value)
    if presence_test(test):
        return False
    if isinstance(value, Host) and value.varies:
        return True
    if isinstance(value, Array):
        return True
    certain, names = test_parts(test)
    if certain:
        return True
    for part in names:
        if assigned_in_loop(m, f, part):
            return True
        if isinstance(part, ast.Name) and part.id in f.names and moving(f.names[part.id]):
            return True
    return isinstance(value, UnionV)


def test_parts(test: ast.expr) -> tuple[bool, list[ast.Name | ast.Attribute]]:
    """Whether a test is a gate by its look (`%`, a call), and the names in it. Cached on the node."""
    found: tuple[bool, list[ast.Name | ast.Attribute]] | None = getattr(test, "_jaxlint_gate", None)
    if found is None:
        names: list[ast.Name | ast.Attribute] = []
        certain = False
        for part in ast.walk(test):
            if (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod)) or (
                isinstance(part, ast.Call) and not steady_call(part)
            ):
                certain = True
            elif isinstance(part, (ast.Name, ast.Attribute)):
                names.append(part)
        found = (certain, names)
        test._jaxlint_gate = found  # type: ignore[attr-defined]
    return found


def presence_test(test: ast.expr) -> bool:
    """`x is None`, `x is not None`, `isinstance(x, T)`, `"key" in d`."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            return True
        return isinstance(test.ops[0], (ast.In, ast.NotIn)) and isinstance(test.left, ast.Constant)
    return (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id in ("isinstance", "hasattr", "callable")
    )


def steady_call(node: ast.Call) -> bool:
    """Whether a call in a test gives the same each time."""
    func = node.func
    name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
    return name in STEADY_CALLS or name.startswith("is")


def moving(value: object) -> bool:
    """Whether a variable's value changes between iterations."""
    return isinstance(value, Host) and bool(value.varies)


def assigned_in_loop(m: Machine, f: Frame, node: ast.Name | ast.Attribute) -> bool:
    """Whether the name or attribute is bound by the body of the innermost loop of this frame (not its target)."""
    run = next((r for r in reversed(m.loops) if r.frame == f.uid), None)
    if run is None:
        return False
    names: frozenset[str] | None = getattr(run.node, "_jaxlint_bound", None)
    if names is None:
        names = bound_names(run.node)
        run.node._jaxlint_bound = names  # type: ignore[attr-defined]
    return (node.id if isinstance(node, ast.Name) else "." + node.attr) in names


def bound_names(loop: ast.AST) -> frozenset[str]:
    """Names and attributes (with a dot) that a loop body counts up: augmented or re-assigned arithmetic."""
    found: set[str] = set()
    for part in ast.walk(loop):
        if isinstance(part, ast.AugAssign):
            target = part.target
            if isinstance(target, ast.Name):
                found.add(target.id)
            elif isinstance(target, ast.Attribute):
                found.add("." + target.attr)
        elif isinstance(part, ast.For):
            found.update(n.id for n in ast.walk(part.target) if isinstance(n, ast.Name))
        elif isinstance(part, ast.Assign) and isinstance(part.value, (ast.BinOp, ast.Compare, ast.Call, ast.BoolOp)):
            for bound in part.targets:
                if isinstance(bound, ast.Name):
                    found.add(bound.id)
                elif isinstance(bound, ast.Attribute):
                    found.add("." + bound.attr)
    return frozenset(found)


def cold_arm(body: list[ast.stmt]) -> bool:
    """Whether a branch leaves the loop: what it does happens once."""
    if not body:
        return False
    return isinstance(body[-1], ast.Break) or ends_program(body)


EVERY_LOOP = 1 << 20
"""The gate that also closes the loops inside a branch."""


def ends_program(body: list[ast.stmt]) -> bool:
    """Whether a branch ends in an error or in `sys.exit()`."""
    last = body[-1] if body else None
    if isinstance(last, ast.Raise):
        return True
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and exits(last.value)


def exits(node: ast.Call) -> bool:
    """`sys.exit()`, `os._exit()`, `exit()`."""
    func = node.func
    return (isinstance(func, ast.Attribute) and func.attr in ("exit", "_exit", "abort")) or (
        isinstance(func, ast.Name) and func.id in ("exit", "quit")
    )


__all__ = ["Const", "Unknown", "cold_arm", "is_gate"]
