"""Faults made of what a program already does right: waits, warm-ups, static arguments and whole batches taken away."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from benchmarks.mutate.edits import Edit
from benchmarks.mutate.mutation import Mutation, planted
from benchmarks.mutate.sites import Function, Sites, is_clock

STATICS = ("static_argnames", "static_argnums")
DROPS = ("drop_remainder", "drop_last")


def waits(node: ast.AST) -> ast.expr | None:
    """What is waited for in `jax.block_until_ready(x)` or `x.block_until_ready()`."""
    if (
        not isinstance(node, ast.Call)
        or not isinstance(node.func, ast.Attribute)
        or node.func.attr != "block_until_ready"
    ):
        return None
    if node.args:
        return node.args[0]
    return node.func.value


def scopes(tree: ast.Module) -> Iterator[list[ast.AST]]:
    """For each function, and for the module, its clocks and waits in the order of the text."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for scope in (tree, *functions):
        inner = {id(part) for f in functions if f is not scope for part in ast.walk(f) if within(f, scope)}
        parts = [p for p in ast.walk(scope) if id(p) not in inner and (is_clock(p) or waits(p) is not None)]
        yield sorted(parts, key=lambda p: (getattr(p, "lineno", 0), getattr(p, "col_offset", 0)))


def within(function: ast.AST, scope: ast.AST) -> bool:
    """Whether a function stands in a scope."""
    return any(part is function for part in ast.walk(scope))


def wait_dropped(sites: Sites) -> Iterator[Mutation]:
    """The only wait between two clock readings is taken away."""
    for parts in scopes(sites.text.tree):
        for before, wait, after in zip(parts, parts[1:], parts[2:]):
            inner = waits(wait)
            if inner is None or not is_clock(before) or not is_clock(after):
                continue
            assert isinstance(wait, ast.Call)
            edits = [sites.text.replace(wait, f"({sites.text.segment(inner)})")]
            yield planted("wait dropped", "JAX301", edits, wait.lineno, None)


def warm_up_dropped(sites: Sites) -> Iterator[Mutation]:
    """The statement that compiles before the clock starts is taken away."""
    for node in ast.walk(sites.text.tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for first, second in pairwise(body):
            inner = waits(first.value) if isinstance(first, ast.Expr) else None
            starts = isinstance(second, ast.Assign) and is_clock(second.value)
            if isinstance(inner, ast.Call) and starts and isinstance(inner.func, ast.Name):
                edits = [sites.text.replace(first, "pass")]
                yield planted("warm-up dropped", "JAX302", edits, first.lineno, None)


def jit_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, Function]]:
    """Calls that hand static arguments over, with the function that they compile."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, Function)}
    decorated = {id(d): function for function in functions.values() for d in function.decorator_list}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not any(k.arg in STATICS for k in node.keywords):
            continue
        first = node.args[0].id if node.args and isinstance(node.args[0], ast.Name) else ""
        function = decorated.get(id(node)) or functions.get(first)
        if function is not None:
            yield node, function


def static_spec_broken(sites: Sites) -> Iterator[Mutation]:
    """A name or number of `static_arg*` that no parameter has."""
    for call, function in jit_calls(sites.text.tree):
        if function.args.kwarg is not None or function.args.vararg is not None:
            continue  # takes any name
        for keyword in call.keywords:
            if keyword.arg in STATICS:
                wrong = "'no_such_parameter'" if keyword.arg == "static_argnames" else "99"
                edits = [sites.text.replace(keyword.value, wrong)]
                yield planted("wrong static_arg*", "JAX407", edits, call.lineno, None)


def static_spec_dropped(sites: Sites) -> Iterator[Mutation]:
    """`static_arg*` is taken away: what it kept static is traced."""
    for call, function in jit_calls(sites.text.tree):
        for keyword in call.keywords:
            if keyword.arg in STATICS and any(needed(function, name) for name in names_of(keyword.value, function)):
                edits = (without(sites, call, keyword),)
                codes = ("JAX406", "JAX101", "JAX102", "JAX103", "JAX104")
                yield Mutation("static_arg* dropped", codes, edits, None, call.lineno)


def names_of(spec: ast.expr, function: Function) -> list[str]:
    """The parameters that the value of `static_argnames` or `static_argnums` means."""
    constants = [part.value for part in ast.walk(spec) if isinstance(part, ast.Constant)]
    own = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return [own[c] if isinstance(c, int) else str(c) for c in constants if not isinstance(c, int) or c < len(own)]


def needed(function: Function, name: str) -> bool:
    """Whether Python itself asks for the value of a parameter: a test, a `range`, the length of a scan."""
    for node in ast.walk(function):
        asked: list[ast.expr] = []
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            asked = [node.test]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            asked = node.args
        elif isinstance(node, ast.keyword) and node.arg == "length":
            asked = [node.value]
        if any(isinstance(part, ast.Name) and part.id == name for part in asked):
            return True
    return False


def last_batch_kept(sites: Sites) -> Iterator[Mutation]:
    """A loader no longer drops the rest."""
    for node in (part for part in ast.walk(sites.text.tree) if isinstance(part, ast.Call)):
        for keyword in node.keywords:
            if keyword.arg in DROPS and isinstance(keyword.value, ast.Constant) and keyword.value.value is True:
                edits = [sites.text.replace(keyword.value, "False")]
                yield planted("last batch kept", "JAX401", edits, node.lineno, None)


def without(sites: Sites, call: ast.Call, keyword: ast.keyword) -> Edit:
    """A call without one of its keywords, and without the comma that goes with it."""
    assert keyword.end_lineno is not None and keyword.end_col_offset is not None
    start = sites.text.offset(keyword.lineno, keyword.col_offset)
    end = sites.text.offset(keyword.end_lineno, keyword.end_col_offset)
    earlier = [e for e in (sites.text.extent(call.func)[1], *(ends(sites, p) for p in parts(call))) if e < start]
    if len(earlier) > 1:
        return Edit(max(earlier), end, "")
    later = [sites.text.offset(p.lineno, p.col_offset) for p in call.keywords if p is not keyword]
    return Edit(start, min(later, default=end), "")


def parts(call: ast.Call) -> list[ast.expr | ast.keyword]:
    """The arguments of a call."""
    return [*call.args, *call.keywords]


def ends(sites: Sites, part: ast.expr | ast.keyword) -> int:
    """The byte after an argument."""
    assert part.end_lineno is not None and part.end_col_offset is not None
    return sites.text.offset(part.end_lineno, part.end_col_offset)
