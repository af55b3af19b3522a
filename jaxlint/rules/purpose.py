"""Keys that are used again on purpose: two implementations are compared, a result is reproduced."""

from __future__ import annotations

import ast
import re

from jaxlint.events import Event

COMPARES = re.compile(r"close|equal|assert|same|match|compare|diff", re.IGNORECASE)
SHUFFLES = re.compile(r"\b(permutation|shuffle)\(")
TWIN = re.compile(r"(target|ema|teacher|copy|averaged|reference)\w*\s*=|\b\w+_ema\b", re.IGNORECASE)
KEPT = re.compile(
    r"\b(\w+_)?(fixed|frozen|const(ant)?|eval(uation)?|valid(ation)?|test|val|vis(ualization)?)_?(rng|key|prng|seed)",
    re.IGNORECASE,
)


def on_purpose(event: Event) -> bool:
    """Whether the code around a reused key shows that the same numbers are wanted."""
    if all(SHUFFLES.search(name) for name in names(event)):
        # arrays that belong together are put into one order
        return True
    if TWIN.search(statement(event)):
        # a target network starts as a copy
        return True
    other = event.data.get("other")
    return isinstance(other, ast.AST) and not event.data.get("direct") and compared(event, event.node, other)


def statement(event: Event) -> str:
    """The first line of the reported call, and what stands before it."""
    row = getattr(event.node, "lineno", 1)
    return event.source.lines[row - 1] if row <= len(event.source.lines) else ""


def names(event: Event) -> tuple[str, str]:
    """The calls that use the key up, as text: the first, and this one."""
    found = event.data.get("names")
    return found if isinstance(found, tuple) else ("", "")


def kept(event: Event) -> bool:
    """Whether the key's name says that it is the same each time: `eval_key`, `fixed_rng`."""
    return bool(KEPT.search(event.source.segment(event.node, 200)))


def compared(event: Event, first: ast.AST, second: ast.AST) -> bool:
    """Whether what the two uses give is compared: `assert_allclose(a, b)`, `a == b`, `a - b`."""
    body = function_around(event.source.parse(), first)
    names = [bound_by(body, node) for node in (first, second)]
    for part in ast.walk(body):
        if not comparison(part):
            continue
        inside = {n.id for n in ast.walk(part) if isinstance(n, ast.Name)}
        nodes = {id(n) for n in ast.walk(part)}
        if all(bound & inside or id(node) in nodes for bound, node in zip(names, (first, second))):
            return True
    return False


def comparison(node: ast.AST) -> bool:
    """An expression that compares."""
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], (ast.Eq, ast.NotEq))
    if isinstance(node, ast.Call):
        func = node.func
        name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
        return bool(COMPARES.search(name))
    return False


def function_around(tree: ast.AST, node: ast.AST) -> ast.AST:
    """The innermost function with `node` in it, else the module."""
    row = getattr(node, "lineno", 0)
    best = tree
    for part in ast.walk(tree):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part.lineno <= row <= (part.end_lineno or 0):
            best = part
    return best


def bound_by(body: ast.AST, node: ast.AST) -> set[str]:
    """The names that the statement with `node` in it binds."""
    row = getattr(node, "lineno", 0)
    found: set[str] = set()
    for part in ast.walk(body):
        if isinstance(part, ast.Assign) and part.lineno <= row <= (part.end_lineno or 0):
            found.update(n.id for target in part.targets for n in ast.walk(target) if isinstance(n, ast.Name))
    return found
