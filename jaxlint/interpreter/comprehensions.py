"""Comprehensions: loops in an expression, with a scope of their own."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.assignment import assign
from jaxlint.interpreter.containers import set_key
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.iteration import EXACT_TRACED, steps_of
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.keys import without_keys
from jaxlint.interpreter.loops import run_steps
from jaxlint.interpreter.narrowing import narrow
from jaxlint.interpreter.running import LoopRun
from jaxlint.interpreter.truth import truth
from jaxlint.interpreter.values import MISSING, UNKNOWN, Array, DictV, Host, IterV, ListV, Ragged, Store, TupleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

KINDS = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}


class Collected:
    """What a comprehension has produced, and whether that is all of it in order."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.exact = True
        self.count: int | None = 1
        # the iterable's length differs between iterations of a loop around
        self.ragged: Ragged | None = None


def run_comprehension(m: Machine, f: Frame, node: Any) -> Value:
    """Evaluate any comprehension (a generator expression as if it were consumed at once)."""
    from jaxlint.interpreter.expressions import evaluate

    scope = Frame(
        module=f.module,
        names=Store(),
        stamp=f.stamp,
        uid=f.uid,
        qualname=f.qualname + ".<comprehension>" if not f.qualname.endswith("<comprehension>") else f.qualname,
        function=f.function,
        outer=f,
        owner=f.owner,
        call_node=f.call_node,
        caller=f.caller,
        journal_depth=f.journal_depth,
        depth=f.depth,
        catching=f.catching,
        on_yield=None,
        returns=f.returns,
        exits=f.exits,
    )
    found = Collected()
    m.frames[-1] = scope
    try:
        if isinstance(node, ast.DictComp):
            evaluate_pair = TuplePair(m, scope, node)
            run_clauses(m, scope, node.generators, node, evaluate_pair, found)
            return made_dict(m, found)
        run_clauses(m, scope, node.generators, node, lambda: evaluate(m, scope, node.elt), found)
    finally:
        m.frames[-1] = f
    return made_list(m, found, KINDS[type(node)])


class TuplePair:
    """Evaluates the key and the value of a dict comprehension."""

    def __init__(self, m: Machine, scope: Frame, node: ast.DictComp) -> None:
        self.m, self.scope, self.node = m, scope, node

    def __call__(self) -> Value:
        from jaxlint.interpreter.expressions import evaluate

        key = evaluate(self.m, self.scope, self.node.key)
        return TupleV((key, evaluate(self.m, self.scope, self.node.value)))


def run_clauses(
    m: Machine,
    scope: Frame,
    clauses: list[ast.comprehension],
    node: ast.AST,
    produce: Callable[[], Value],
    found: Collected,
) -> None:
    """Run the `for` clauses, outermost first."""
    from jaxlint.interpreter.expressions import evaluate

    clause = clauses[0]
    iterable = evaluate(m, scope, clause.iter)
    steps = steps_of(m, iterable, node, "comprehension")
    if not clause.ifs:
        found.ragged = found.ragged or ragged_of(iterable)
    if steps.items is None:
        found.exact = False
    if found.count is not None:
        found.count = found.count * steps.count if steps.count is not None else None

    def body(value: Value, run: LoopRun) -> End:
        assign(m, scope, clause.target, value, clause.iter)
        return filtered(m, scope, clause.ifs, found, lambda: go_on())

    def go_on() -> None:
        if len(clauses) > 1:
            run_clauses(m, scope, clauses[1:], node, produce, found)
        else:
            found.values.append(produce())

    run_steps(m, scope, clause, steps, body)


def filtered(m: Machine, scope: Frame, tests: list[ast.expr], found: Collected, go_on: Callable[[], None]) -> End:
    """Run the rest if the `if` clauses may hold."""
    from jaxlint.interpreter.expressions import evaluate

    for test in tests:
        known = truth(m, evaluate(m, scope, test), test, "comprehension")
        if known is False:
            found.count = None
            return End.NORMAL
        if known is None:
            found.exact = False
            found.count = None
            narrow(m, scope, test, True)
    go_on()
    return End.NORMAL


def made_list(m: Machine, found: Collected, kind: str) -> Value:
    """The list (or the lazy sequence) that a comprehension gives."""
    elem: Any = MISSING
    for value in found.values:
        elem = join(elem, value)
    items: tuple[Value, ...] | None = None
    if found.exact:
        items = tuple(found.values)
    elif found.count is not None and found.values and found.count <= EXACT_TRACED * 2:
        last = without_keys(found.values[-1])
        items = tuple(found.values[: found.count]) + (last,) * (found.count - len(found.values))
    made = ListV(items, UNKNOWN if elem is MISSING else elem, kind, len(m.traces))
    made.made = m.fresh()
    ragged = (
        found.ragged
        or (ragged_of(elem) if elem is not MISSING else None)
        or (ragged_of(found.values[-1]) if found.values else None)
    )
    if ragged is not None:
        made.state["ragged"] = ragged
    return made


def ragged_of(value: Any) -> Ragged | None:
    """The mark of a sequence whose length differs between iterations."""
    if isinstance(value, (Array, Host)):
        return value.ragged if not (isinstance(value, Host) and value.kind == "int") else None
    if isinstance(value, ListV):
        found = value.state.get("ragged")
        return found if isinstance(found, Ragged) else None
    if isinstance(value, IterV):
        found = value.options.get("ragged")
        return found if isinstance(found, Ragged) else ragged_of(value.parts[0]) if value.parts else None
    return None


def made_dict(m: Machine, found: Collected) -> Value:
    """The dict that a comprehension gives."""
    made = DictV(depth=len(m.traces))
    for pair in found.values:
        if isinstance(pair, TupleV) and pair.items is not None:
            set_key(made, pair.items[0], pair.items[1])
    if not found.exact and made.rest is None and not made.items:
        made.meta["rest"] = UNKNOWN
    elif not found.exact:
        rest: Any = made.rest if made.rest is not None else MISSING
        for value in made.items.values():
            rest = join(rest, value)
        made.meta["rest"] = rest
    return made
