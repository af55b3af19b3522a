"""Statements: one function for each kind of node. Each says how the statement ended."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter import operators
from jaxlint.interpreter.arrays import definite_array
from jaxlint.interpreter.assignment import assign, delete, read_target
from jaxlint.interpreter.branches import gated_block, if_stmt
from jaxlint.interpreter.expressions import as_condition, evaluate
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.iteration import steps_of
from jaxlint.interpreter.loops import (
    close_journal,
    exhausted,
    finish,
    leave,
    one_round,
    open_journal,
    run_steps,
    start_loop,
    widen,
)
from jaxlint.interpreter.narrowing import handle_lengths, narrow
from jaxlint.interpreter.truth import truth
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    AtV,
    Const,
    ExternV,
    FunctionV,
    GeneratorV,
    InstanceV,
    ListV,
    MethodV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.interpreter.running import LoopRun


def run_block(m: Machine, f: Frame, body: list[ast.stmt]) -> End:
    """Run statements until one leaves the block. Gates opened by early exits last to the end of the block."""
    gates = len(m.gates)
    for statement in body:
        m.steps += 1
        f.statement = statement
        work = STATEMENTS.get(statement.__class__)
        if work is None:
            continue
        end = work(m, f, statement)
        if end:
            del m.gates[gates:]
            return end
    del m.gates[gates:]
    return End.NORMAL


def expr(m: Machine, f: Frame, node: ast.Expr) -> End:
    """An expression alone: the result of `x.at[i].set(v)` is thrown away."""
    value = evaluate(m, f, node.value)
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        discarded_update(m, f, call, value)
    elif isinstance(call, ast.Yield):
        return End.NORMAL
    if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Lambda):
        discarded_map(m, f, call)
    return End.NORMAL


def discarded_map(m: Machine, f: Frame, call: ast.Call) -> None:
    """`jax.tree.map(lambda b, v: b.at[i].set(v), ...)` as a statement changes nothing either."""
    function = call.args[0]
    body = function.body if isinstance(function, ast.Lambda) else None
    if not isinstance(body, ast.Call) or not isinstance(body.func, ast.Attribute) or body.func.attr == "get":
        return
    inner = body.func.value
    if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Attribute) and inner.value.attr == "at":
        callee = evaluate(m, f, call.func)
        if isinstance(callee, ExternV) and callee.name == "jax.tree.map":
            m.emit(Kind.ARRAY_WRITE, call, "discarded", subject=inner.value.value, method=body.func.attr)


def discarded_update(m: Machine, f: Frame, call: ast.Call, value: Value) -> None:
    """`x.at[i].set(v)` as a statement changes nothing."""
    func = call.func
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Subscript):
        return
    inner = func.value.value
    if (
        isinstance(inner, ast.Attribute)
        and inner.attr == "at"
        and definite_array(value) is not None
        and func.attr != "get"
    ):
        m.muted += 1
        try:
            owner = evaluate(m, f, inner)
        finally:
            m.muted -= 1
        if isinstance(owner, AtV):
            m.emit(Kind.ARRAY_WRITE, call, "discarded", subject=inner.value, value=value, method=func.attr)


def assign_stmt(m: Machine, f: Frame, node: ast.Assign) -> End:
    """`a = b = value`."""
    value = evaluate(m, f, node.value)
    for target in node.targets:
        assign(m, f, target, value, node.value)
    return End.NORMAL


def ann_assign(m: Machine, f: Frame, node: ast.AnnAssign) -> End:
    """`a: int = value`."""
    if node.value is not None:
        assign(m, f, node.target, evaluate(m, f, node.value), node.value)
    return End.NORMAL


def aug_assign(m: Machine, f: Frame, node: ast.AugAssign) -> End:
    """`a += value`."""
    old = read_target(m, f, node.target)
    new = evaluate(m, f, node.value)
    if isinstance(node.target, ast.Subscript):
        from jaxlint.interpreter.item_writes import set_item

        container = evaluate(m, f, node.target.value)
        index = evaluate(m, f, node.target.slice)
        result = operators.binary(m, node, node.op, old, new, node.target, node.value)
        set_item(m, container, index, result, node.target, augmented=True)
        return End.NORMAL
    if isinstance(old, ListV) and isinstance(node.op, ast.Add):
        from jaxlint.interpreter.containers import extend

        extend(m, old, new, node)
        return End.NORMAL
    result = operators.binary(m, node, node.op, old, new, node.target, node.value)
    counter_effect(m, f, node, result)
    assign(m, f, node.target, result, node.value)
    return End.NORMAL


def counter_effect(m: Machine, f: Frame, node: ast.AugAssign, result: Value) -> None:
    """`self.count += 1` in traced code counts traces, not calls."""
    if m.staging is None or not isinstance(node.target, ast.Attribute) or definite_array(result) is not None:
        return
    owner = evaluate(m, f, node.target.value)
    if isinstance(owner, InstanceV) and owner.depth < m.staging.level and owner.trace is None and not owner.generic:
        family = owner.cls.family if owner.cls is not None else ""
        if family not in ("linen", "nnx_variable") and isinstance(result, Const):
            from jaxlint.interpreter.effects import mutation

            mutation(m, node, m.frames[-1].module.source.segment(node.target, 40))


def delete_stmt(m: Machine, f: Frame, node: ast.Delete) -> End:
    """`del a, b`."""
    for target in node.targets:
        delete(m, f, target)
    return End.NORMAL


def return_stmt(m: Machine, f: Frame, node: ast.Return) -> End:
    """`return value`."""
    value = evaluate(m, f, node.value) if node.value is not None else NONE
    f.returns.append(value)
    leave(m, f, End.RETURN)
    return End.RETURN


def raise_stmt(m: Machine, f: Frame, node: ast.Raise) -> End:
    """`raise error`: making the error and its message changes nothing that is of interest here."""
    return End.RAISE


def break_stmt(m: Machine, f: Frame, node: ast.Break) -> End:
    """`break`."""
    leave(m, f, End.BREAK)
    return End.BREAK


def continue_stmt(m: Machine, f: Frame, node: ast.Continue) -> End:
    """`continue`."""
    leave(m, f, End.CONTINUE)
    return End.CONTINUE


def for_stmt(m: Machine, f: Frame, node: ast.For | ast.AsyncFor) -> End:
    """`for target in iterable`."""
    steps = steps_of(m, evaluate(m, f, node.iter), node, "for")
    ends: list[End] = []

    def body(value: Value, run: LoopRun) -> End:
        if isinstance(steps.shape, tuple) and steps.shape[0] == "next":
            from jaxlint.interpreter.calls import call_method_named

            value = call_method_named(m, steps.shape[1], "__next__", node)
        assign(m, f, node.target, value, node.iter)
        end = run_block(m, f, node.body)
        ends.append(end)
        return end

    end = run_steps(m, f, node, steps, body)
    if end in (End.RETURN, End.RAISE):
        return end if certain(steps.items, steps.count) else End.NORMAL
    if node.orelse:
        m.fork([lambda: run_block(m, f, node.orelse), lambda: End.NORMAL])
    return End.NORMAL


def certain(items: object, count: int | None) -> bool:
    """Whether a loop certainly runs at least once."""
    return bool(items) or bool(count)


def while_stmt(m: Machine, f: Frame, node: ast.While) -> End:
    """`while test`."""
    run = start_loop(m, f, node)
    gates = len(m.gates)
    first_end = End.NORMAL
    forever = False
    try:
        journal = open_journal(m)
        known = while_test(m, f, node)
        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if known is False:
            close_journal(m, journal)
            return End.NORMAL
        first_end = one_round(m, run, UNKNOWN, lambda v, r: run_block(m, f, node.body))
        close_journal(m, journal)
        if first_end == End.NORMAL:
            run.round = 2
            widen(m, run, journal)
            if not exhausted(m) and while_test(m, f, node) is not False:
                one_round(m, run, UNKNOWN, lambda v, r: run_block(m, f, node.body))
                m.muted += 1
                try:
                    while_test(m, f, node)
                finally:
                    m.muted -= 1
    finally:
        m.loops.pop()
        del m.gates[gates:]
        finish(run)
    m.join_in(run.exits)
    narrow(m, f, node.test, False) if not run.exits else None
    if first_end in (End.RETURN, End.RAISE) and forever:
        return first_end
    if forever and not run.exits and first_end == End.NORMAL and not has_break(node):
        return End.RAISE if not returns_inside(node) else End.RETURN
    if node.orelse:
        m.fork([lambda: run_block(m, f, node.orelse), lambda: End.NORMAL])
    return End.NORMAL


def while_test(m: Machine, f: Frame, node: ast.While) -> bool | None:
    """Evaluate the condition of a `while`."""
    as_condition(node.test, "while")
    test = evaluate(m, f, node.test)
    known = truth(m, test, node.test, "while", node.test)
    if known is None:
        handle_lengths(m, f, node.test)
        narrow(m, f, node.test, True)
    return known


def has_break(node: ast.While) -> bool:
    """Whether a loop has a `break` of its own."""
    return any(isinstance(part, ast.Break) for part in walk_own(node.body))


def returns_inside(node: ast.While) -> bool:
    """Whether a loop body returns."""
    return any(isinstance(part, ast.Return) for part in walk_own(node.body))


def walk_own(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a body and its branches, without those of inner functions (inner loops included)."""
    found: list[ast.stmt] = []
    pending: list[ast.AST] = list(body)
    while pending:
        part = pending.pop()
        if isinstance(part, ast.stmt):
            found.append(part)
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            pending.extend(ast.iter_child_nodes(part))
    return found


def with_stmt(m: Machine, f: Frame, node: ast.With | ast.AsyncWith) -> End:
    """`with context as target`."""
    from jaxlint.interpreter.contexts import enter

    return enter(m, f, node, 0)


def try_stmt(m: Machine, f: Frame, node: Any) -> End:
    """`try`/`except`/`else`/`finally`."""
    caught = frozenset(name for handler in node.handlers for name in handler_names(handler))
    ends: list[End] = []

    def main() -> End:
        f.catching.append(caught)
        try:
            end = run_block(m, f, node.body)
        finally:
            f.catching.pop()
        if end == End.NORMAL and node.orelse:
            end = run_block(m, f, node.orelse)
        ends.append(end)
        return end

    def handle(handler: ast.ExceptHandler) -> Callable[[], End]:
        def run() -> End:
            if handler.name:
                m.write(f.names, handler.name, UNKNOWN)
            end = gated_block(m, f, handler.body, True)
            return end

        return run

    end = m.fork([main, *(handle(h) for h in node.handlers)]) if node.handlers else main()
    if node.finalbody:
        last = run_block(m, f, node.finalbody)
        if last != End.NORMAL:
            return last
    return end


def handler_names(handler: ast.ExceptHandler) -> list[str]:
    """The exception names that a handler catches; '*' for a bare one."""
    if handler.type is None:
        return ["*"]
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [p.attr if isinstance(p, ast.Attribute) else p.id if isinstance(p, ast.Name) else "*" for p in parts]


def assert_stmt(m: Machine, f: Frame, node: ast.Assert) -> End:
    """`assert test, message`: the message is only rendered on failure."""
    as_condition(node.test, "assert")
    test = evaluate(m, f, node.test)
    known = truth(m, test, node.test, "assert", node.test)
    if node.msg is not None and known is not True:
        m.muted += 1
        try:
            evaluate(m, f, node.msg)
        finally:
            m.muted -= 1
    from jaxlint.interpreter.divisibility import learn

    learn(m, f, node.test)
    narrow(m, f, node.test, True)
    return End.NORMAL


def function_def(m: Machine, f: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> End:
    """`def`, with its decorators."""
    from jaxlint.interpreter.decorators import decorate
    from jaxlint.interpreter.functions import make_function

    function = make_function(m, f, node)
    function.owner = f.owner if f.is_class else None
    m.write(f.names, node.name, decorate(m, f, function, node.decorator_list))
    return End.NORMAL


def class_def(m: Machine, f: Frame, node: ast.ClassDef) -> End:
    """`class`."""
    from jaxlint.interpreter.classes import make_class

    m.write(f.names, node.name, make_class(m, f, node))
    return End.NORMAL


def import_stmt(m: Machine, f: Frame, node: ast.Import) -> End:
    """`import a.b as c`."""
    from jaxlint.interpreter.imports import run_import

    run_import(m, f, node)
    return End.NORMAL


def import_from(m: Machine, f: Frame, node: ast.ImportFrom) -> End:
    """`from a import b`."""
    from jaxlint.interpreter.imports import run_import_from

    run_import_from(m, f, node)
    return End.NORMAL


def match_stmt(m: Machine, f: Frame, node: ast.Match) -> End:
    """`match subject`."""
    from jaxlint.interpreter.matching import run_match

    return run_match(m, f, node)


STATEMENTS: dict[type[ast.AST], Callable[[Any, Any, Any], End]] = {
    ast.Expr: expr,
    ast.Assign: assign_stmt,
    ast.AnnAssign: ann_assign,
    ast.AugAssign: aug_assign,
    ast.Delete: delete_stmt,
    ast.Return: return_stmt,
    ast.Raise: raise_stmt,
    ast.Break: break_stmt,
    ast.Continue: continue_stmt,
    ast.If: if_stmt,
    ast.For: for_stmt,
    ast.AsyncFor: for_stmt,
    ast.While: while_stmt,
    ast.With: with_stmt,
    ast.AsyncWith: with_stmt,
    ast.Try: try_stmt,
    ast.Assert: assert_stmt,
    ast.FunctionDef: function_def,
    ast.AsyncFunctionDef: function_def,
    ast.ClassDef: class_def,
    ast.Import: import_stmt,
    ast.ImportFrom: import_from,
    ast.Match: match_stmt,
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = try_stmt

__all__ = ["MISSING", "Array", "FunctionV", "GeneratorV", "MethodV", "run_block"]
