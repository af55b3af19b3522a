"""`match`: patterns compare, test types, and bind names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import is_tracer
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.truth import guarded, truth
from jaxlint.interpreter.values import UNKNOWN, Const, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def run_match(m: Machine, f: Frame, node: ast.Match) -> End:
    """Run the cases that may match."""
    from jaxlint.interpreter.expressions import evaluate
    from jaxlint.interpreter.statements import run_block

    subject = evaluate(m, f, node.subject)
    arms: list[Callable[[], End]] = []
    exhaustive = False

    def arm(case: ast.match_case) -> Callable[[], End]:
        def run() -> End:
            bind(m, f, case.pattern, subject)
            if case.guard is not None:
                known = truth(m, evaluate(m, f, case.guard), case.guard, "match")
                if known is False:
                    return End.NORMAL
            return run_block(m, f, case.body)

        return run

    for case in node.cases:
        known = matches(m, subject, case.pattern)
        if known is False:
            continue
        arms.append(arm(case))
        if (known is True or irrefutable(case.pattern)) and case.guard is None:
            exhaustive = True
            break
    if not exhaustive:
        arms.append(lambda: End.NORMAL)
    return arms[0]() if len(arms) == 1 else m.fork(arms)


def irrefutable(pattern: ast.pattern) -> bool:
    """`_` and a bare name match everything."""
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def matches(m: Machine, subject: Value, pattern: ast.pattern) -> bool | None:
    """Whether a pattern matches; a literal against a tracer asks for its truth."""
    if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
        literal = (
            pattern.value.value
            if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant)
            else None
        )
        if isinstance(pattern, ast.MatchSingleton):
            literal = pattern.value
        if is_tracer(subject) and isinstance(literal, (int, float)) and not isinstance(pattern, ast.MatchSingleton):
            if not guarded(m):
                m.emit(Kind.TRACER_BOOL, pattern, "match", subject=pattern, value=subject)
            return None
        if isinstance(subject, Const) and (literal is not None or isinstance(pattern, ast.MatchSingleton)):
            return bool(subject.value == literal)
        return None
    if isinstance(pattern, ast.MatchOr):
        found = [matches(m, subject, part) for part in pattern.patterns]
        return True if True in found else None if None in found else False
    if isinstance(pattern, ast.MatchClass) and not pattern.patterns and not pattern.kwd_patterns:
        return matches_class(m, subject, pattern)
    if irrefutable(pattern):
        return True
    return None


def matches_class(m: Machine, subject: Value, pattern: ast.MatchClass) -> bool | None:
    """`case int():` is isinstance: silently false for a tracer."""
    from jaxlint.interpreter.types import PYTHON_TYPES, instance_of, type_names

    names = type_names(m, m.frames[-1], pattern.cls)
    known = instance_of(subject, names)
    python = [n for n in names if PYTHON_TYPES.get(n) in ("int", "float", "bool", "complex")]
    if is_tracer(subject) and python and known is False:
        shown = ", ".join(n.rpartition(".")[2] for n in python)
        m.emit(Kind.TRACER_TYPE_TEST, pattern, "isinstance", subject=pattern, value=subject, types=shown)
    return known


def bind(m: Machine, f: Frame, pattern: ast.pattern, subject: Value) -> None:
    """Bind the names of a pattern."""
    if isinstance(pattern, ast.MatchAs):
        if pattern.name is not None:
            m.write(f.names, pattern.name, subject)
        if pattern.pattern is not None:
            bind(m, f, pattern.pattern, subject)
        return
    for child in ast.walk(pattern):
        name = getattr(child, "name", None) or getattr(child, "rest", None)
        if isinstance(child, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)) and isinstance(name, str):
            m.write(f.names, name, UNKNOWN)
