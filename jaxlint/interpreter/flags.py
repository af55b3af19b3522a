"""Flags that decide whether a transform is applied: `if self.jit: self.update = jax.jit(self.update)`.

Inside of the transformed function such a flag has the value that it was transformed under.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jaxlint.interpreter.values import TransformedV, UnionV

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.machine import Machine


def flags_of(test: ast.expr, outcome: bool) -> dict[str, bool]:
    """The names whose truth follows from `test` being `outcome`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return flags_of(test.operand, not outcome)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == outcome:
        found: dict[str, bool] = {}
        for part in test.values:
            found.update(flags_of(part, outcome))
        return found
    if isinstance(test, ast.Name):
        return {test.id: outcome}
    if isinstance(test, ast.Attribute):
        return {test.attr: outcome}
    return {}


@contextmanager
def assuming(m: Machine, f: Frame, test: ast.expr, outcome: bool) -> Iterator[None]:
    """Run an arm of a branch whose test is not known."""
    m.assumed.append((f.uid, flags_of(test, outcome)))
    try:
        yield
    finally:
        m.assumed.pop()


def note_flags(m: Machine, made: TransformedV) -> None:
    """Remember the flags that a transform is applied under."""
    found: dict[str, bool] = {}
    for uid, flags in m.assumed:
        if uid == m.frames[-1].uid:
            found.update(flags)
    if found:
        made.memo[("flags",)] = found
        if isinstance(made.func, UnionV):
            # one of several functions, and perhaps not transformed: which one it would be is not known
            made.memo[("unsure",)] = True


@contextmanager
def under_flags(m: Machine, value: TransformedV) -> Iterator[None]:
    """Run a transformed function under the flags that it was transformed under."""
    flags = value.memo.get(("flags",))
    if not flags:
        yield
        return
    saved, m.forced = m.forced, {**m.forced, **flags}
    unsure = ("unsure",) in value.memo
    m.muted += unsure
    try:
        yield
    finally:
        m.forced = saved
        m.muted -= unsure


def forced_truth(m: Machine, test: ast.expr) -> bool | None:
    """The truth of a test that is not known, where it follows from the flags in force."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = forced_truth(m, test.operand)
        return None if inner is None else not inner
    name = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return m.forced.get(name) if name else None
