"""`if`/`elif`/`else`: each arm is run from the state that the tests before it leave, and the states are joined.

A chain of `elif` is walked, not nested: generated code has thousands of them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import definite_array
from jaxlint.interpreter.expressions import as_condition, evaluate
from jaxlint.interpreter.flags import assuming, flags_of, forced_truth
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.gates import EVERY_LOOP, cold_arm, ends_program, is_gate
from jaxlint.interpreter.narrowing import handle_lengths, narrow
from jaxlint.interpreter.truth import truth
from jaxlint.interpreter.values import MISSING

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Journal, Machine

LEAVES_ITERATION = (End.CONTINUE, End.RETURN)


def if_stmt(m: Machine, f: Frame, node: ast.If) -> End:
    """Run an `if` statement with its `elif` and `else` branches."""
    gates = len(m.gates)
    early = False
    try:
        while True:
            given_up = m.given_up
            known, gate = ask(m, f, node)
            if known is None:
                # a test that a call not looked into decides may rule an arm out: what happens there is not certain
                unsure = m.given_up > given_up
                m.muted += unsure
                try:
                    end, early = run_arms(m, f, node, gate)
                finally:
                    m.muted -= unsure
                break
            narrow(m, f, node.test, known)
            if known:
                return gated_block(m, f, node.body, gate or cold(m, node.body))
            following = next_test(m, f, node)
            if following is None:
                return gated_block(m, f, node.orelse, gate or cold(m, node.orelse))
            if gate:
                m.gates.append(len(m.loops))
            node = following
    finally:
        del m.gates[gates:]
    if end == End.NORMAL and early:
        # what follows runs only when the early exit was not taken: it is behind the gate, too
        m.gates.append(len(m.loops))
    return end


def ask(m: Machine, f: Frame, node: ast.If) -> tuple[bool | None, bool]:
    """Evaluate a test: its truth, and whether it differs between iterations."""
    how = "elif" if getattr(node, "_jaxlint_elif", False) else "if"
    as_condition(node.test, how)
    test = evaluate(m, f, node.test)
    known = truth(m, test, node.test, how, node.test)
    if known is None and m.forced and definite_array(test) is None:
        known = forced_truth(m, node.test)
    return known, bool(m.loops) and is_gate(m, f, node.test, test)


def next_test(m: Machine, f: Frame, node: ast.If) -> ast.If | None:
    """The `elif` of an `if`, None where an `else` or nothing follows."""
    if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
        return None
    following = node.orelse[0]
    following._jaxlint_elif = True  # type: ignore[attr-defined]
    m.steps += 1
    f.statement = following
    return following


def cold(m: Machine, body: list[ast.stmt]) -> bool:
    """Whether a branch leaves the loop it stands in."""
    return bool(m.loops) and cold_arm(body)


def gated_block(m: Machine, f: Frame, body: list[ast.stmt], gate: bool) -> End:
    """Run a branch, behind a gate if it is one."""
    from jaxlint.interpreter.statements import run_block as run

    ends = ends_program(body)
    if not gate and not ends:
        return run(m, f, body)
    # the loops inside a branch that ends in an error are no hot ones, either
    m.gates.append(EVERY_LOOP if ends else len(m.loops))
    try:
        return run(m, f, body)
    finally:
        m.gates.pop()


def run_arms(m: Machine, f: Frame, node: ast.If, gate: bool) -> tuple[End, bool]:
    """Run the arms of a chain whose first test is not known. Also tells whether a gated arm leaves the iteration."""
    # what the tests that did not hold have written: the state that the next test is asked in
    path: Journal = {}
    live: list[dict[Any, Any]] = []
    ends: list[End] = []
    gates, assumed = len(m.gates), len(m.assumed)
    gated = early = False

    def arm(body: list[ast.stmt], behind: bool, own: Journal | None) -> None:
        nonlocal early
        if own is not None:
            m.journals.append(own)
        m.arms.append(m.fresh())
        try:
            if own is not None:
                narrow(m, f, node.test, True)
            end = gated_block(m, f, body, behind or cold(m, body))
        finally:
            m.arms.pop()
            written = {**path, **(own or {})}
            delta = {place: (c, k, c.get(k, MISSING)) for place, (c, k, _) in written.items()}
            if own is not None:
                m.journals.pop()
                m.undo(own)
        ends.append(end)
        early = early or (end in LEAVES_ITERATION and gated)
        if end == End.NORMAL:
            live.append(delta)

    m.journals.append(path)
    try:
        known: bool | None = None
        while True:
            gated = gated or gate
            if known is None:
                handle_lengths(m, f, node.test)
                with assuming(m, f, node.test, True):
                    arm(node.body, gate, {})
                m.assumed.append((f.uid, flags_of(node.test, False)))
            elif known:
                narrow(m, f, node.test, True)
                arm(node.body, gate, None)
                break
            narrow(m, f, node.test, False)
            following = next_test(m, f, node)
            if following is None:
                arm(node.orelse, gate, None)
                break
            if gate:
                m.gates.append(len(m.loops))
            node = following
            known, gate = ask(m, f, node)
    finally:
        m.journals.pop()
        m.undo(path)
        del m.gates[gates:], m.assumed[assumed:]
    if not live:
        return min(ends), False
    m.merge(live)
    return End.NORMAL, early
