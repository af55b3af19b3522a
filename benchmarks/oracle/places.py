"""The places that the oracle compares: a local name that is read, on a line where it stands for one variable only."""

from __future__ import annotations

import ast
from collections import defaultdict

# (file, line, name)
Place = tuple[str, int, str]


def readable_names(tree: ast.Module) -> dict[int, frozenset[str]]:
    """For each line the names read on it, without those whose value at the start of the line may be another one.

    Left out: names bound on the line by an inner scope (lambda, comprehension) or by `:=`, and all lines that hold
    more than one statement.
    """
    reads: dict[int, set[str]] = defaultdict(set)
    unsure: dict[int, set[str]] = defaultdict(set)
    statements: dict[int, int] = defaultdict(int)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            statements[node.lineno] += 1
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            reads[node.lineno].add(node.id)
        if isinstance(node, ast.expr):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                unsure[line] |= ambiguous(node)
    return {n: frozenset(names - unsure[n]) for n, names in reads.items() if statements[n] <= 1}


def ambiguous(node: ast.expr) -> set[str]:
    """The names that `node` binds in the middle of its own lines."""
    if isinstance(node, ast.Lambda):
        args = node.args
        return {a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg] if a}
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def loop_targets(tree: ast.Module) -> set[tuple[int, str]]:
    """(line, name) of loop targets in the heads of their loops: the line starts anew with each item."""
    found: set[tuple[int, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.AsyncFor):
            names = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
            last = node.iter.end_lineno or node.lineno
            found |= {(line, name) for line in range(node.lineno, last + 1) for name in names}
    return found


def places_of(text: str) -> dict[int, frozenset[str]]:
    """The comparable names of a file by line."""
    tree = ast.parse(text)
    heads = loop_targets(tree)
    return {
        line: frozenset(name for name in names if (line, name) not in heads)
        for line, names in readable_names(tree).items()
    }
