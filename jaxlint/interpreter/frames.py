"""Frames: one activation of a function, a class body or a module, and how a block of statements ended."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.values import FunctionV, ModuleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.values import ClassV


class End(enum.IntEnum):
    """How a block ended."""

    NORMAL = 0
    CONTINUE = 1
    BREAK = 2
    RETURN = 3
    RAISE = 4


@dataclass(eq=False, slots=True)
class Frame:
    """One activation. `names` are its own variables; free names are looked up in `outer`, then the module."""

    module: ModuleV
    names: dict[Any, Any]
    uid: int
    qualname: str = ""
    function: FunctionV | None = None
    outer: Frame | None = None
    owner: ClassV | None = None
    # the call that made this frame, in the frame below it on the stack
    call_node: ast.AST | None = None
    caller: Frame | None = None
    local_names: frozenset[str] = frozenset()
    global_names: frozenset[str] = frozenset()
    nonlocal_names: frozenset[str] = frozenset()
    returns: list[Value] = field(default_factory=list)
    exits: list[Any] = field(default_factory=list)
    journal_depth: int = 0
    # number of traces open when it started
    depth: int = 0
    # stamp of its variables: older stores are outside of it
    stamp: int = 0
    # what to do with a yielded value: run the body of the consuming loop
    on_yield: Callable[[Value], Value] | None = None
    yields: list[Value] = field(default_factory=list)
    # exception names caught around the current statement, innermost last
    catching: list[frozenset[str]] = field(default_factory=list)
    # the statement being executed
    statement: ast.stmt | None = None
    is_class: bool = False
    # conditions (loop-varying or not) around the current statement
    gated: int = 0
    cold: int = 0
    dispatches: int = 0
