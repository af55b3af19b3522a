"""Callables that are compiled anew in each iteration of a loop, and whether each is another program."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter.callables import callable_name
from jaxlint.interpreter.transforms import transform_text
from jaxlint.interpreter.values import (
    MISSING,
    BoundV,
    ClassV,
    Const,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    PartialV,
    TransformedV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def wrapped_in_loop(m: Machine, value: TransformedV) -> None:
    """The function was wrapped anew in this very iteration: what JAX compiled is never used again."""
    made = value.keys[0] if value.keys else []
    if not made or m.abstract:
        return
    run, number, gated = made[-1]
    if run.over or gated or run.short:
        return
    program = program_of(value.func)
    programs = m.memo.setdefault(("programs", run.uid, id(value.node)), {})
    programs.setdefault(number, program)
    if run.round != number or number < 2:
        return
    how = fresh_callable(value.func, run.uid)
    if how is None:
        return
    place = next((i for i, other in enumerate(m.loops) if other is run), None)
    if place is not None and any(gate > place for gate in m.gates):
        return
    if any(other != program for other in programs.values()):
        return
    m.emit(
        Kind.COMPILE_WRAP,
        value.node,
        how,
        subject=value.node,
        source=value.source,
        trace=(),
        transform=transform_text(value),
        function=callable_name(value.func),
        loop=run.loop,
    )


def program_of(func: Value, depth: int = 4) -> Any:
    """What of a callable cannot be an argument: the code, and bound functions, strings and configurations."""
    if isinstance(func, FunctionV):
        return ("def", id(func.node), *captured_programs(func))
    if isinstance(func, TransformedV) and depth:
        return (func.spec.kind, program_of(func.func, depth - 1))
    if isinstance(func, BoundV) and depth:
        return ("method", program_of(func.func, depth - 1))
    if isinstance(func, PartialV) and depth:
        if isinstance(func.func, Unknown):
            return ("partial", id(func))
        held = (program_of(v, depth - 1) for v in (*func.args, *func.kwargs.values()))
        return ("partial", program_of(func.func, depth - 1), *held)
    if isinstance(func, ExternV):
        return ("extern", func.name)
    if isinstance(func, ClassV):
        return ("class", id(func))
    if isinstance(func, Const) and isinstance(func.value, (str, bytes)):
        return ("text", func.value)
    if isinstance(func, Host) and func.kind in ("str", "bytes") and func.varies:
        return ("text", id(func))
    if isinstance(func, InstanceV) and func.cls is not None and func.cls.family == "enum":
        return ("enum", id(func))
    if isinstance(func, UnionV) and depth:
        return ("one of", id(func))
    return "data"


def captured_programs(func: FunctionV) -> list[Any]:
    """The functions and strings among the local variables that a nested function or lambda reads from outside."""
    names: frozenset[str] | None = getattr(func.node, "_jaxlint_reads", None)
    if names is None:
        names = frozenset(n.id for n in ast.walk(func.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        func.node._jaxlint_reads = names  # type: ignore[union-attr]
    found = []
    frame = func.closure
    while frame is not None:
        for name in sorted(names):
            held = frame.names.get(name, MISSING)
            if isinstance(held, (ExternV, Const, Host, UnionV, ClassV, FunctionV)):
                kind = program_of(held) if not isinstance(held, FunctionV) else ("def", id(held.node))
                if kind != "data":
                    found.append((name, kind))
        frame = frame.outer
    return found


def fresh_callable(func: Value, loop_uid: int) -> str | None:
    """How a callable is new in each iteration of a loop; None when it is one and the same."""
    if isinstance(func, FunctionV):
        if func.uid <= loop_uid:
            return None
        return "lambda" if isinstance(func.node, ast.Lambda) else "nested-def"
    if isinstance(func, PartialV):
        return "partial" if func.made > loop_uid else None
    if isinstance(func, BoundV):
        return "bound-method"
    if isinstance(func, TransformedV):
        return "transform" if func.uid > loop_uid else None
    return None
