"""`match`: patterns compare, test types, and bind names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import is_tracer
from jaxlint.interpreter.comparisons import equal, identical, known_member, sequence_parts
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.joining import element, kind_of
from jaxlint.interpreter.operators import NUMBERS
from jaxlint.interpreter.truth import guarded, truth
from jaxlint.interpreter.values import MISSING, UNKNOWN, Array, Const, DictV, InstanceV, ListV, TupleV, Value

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
        if known is True and case.guard is None:
            exhaustive = True
            break
    if not exhaustive:
        arms.append(lambda: End.NORMAL)
    return arms[0]() if len(arms) == 1 else m.fork(arms)


def matches(m: Machine, subject: Value, pattern: ast.pattern) -> bool | None:
    """Whether a pattern matches; a literal against a tracer asks for its truth."""
    if isinstance(pattern, ast.MatchSingleton):
        return identical(subject, Const(pattern.value))
    if isinstance(pattern, ast.MatchValue):
        return matches_value(m, subject, pattern)
    if isinstance(pattern, ast.MatchOr):
        found = [matches(m, subject, part) for part in pattern.patterns]
        return True if True in found else None if None in found else False
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else matches(m, subject, pattern.pattern)
    fits = outline(m, subject, pattern)
    for part, value in parts(m, subject, pattern) if fits is not False else ():
        known = matches(m, value, part)
        if known is False:
            return False
        fits = None if known is None else fits
    return fits


def matches_value(m: Machine, subject: Value, pattern: ast.MatchValue) -> bool | None:
    """`case 0:`, `case Mode.TRAIN:` compare with `==`."""
    from jaxlint.interpreter.expressions import evaluate

    literal = evaluate(m, m.frames[-1], pattern.value)
    if is_tracer(subject):
        if kind_of(literal) in NUMBERS and not guarded(m):
            m.emit(Kind.TRACER_BOOL, pattern, "match", subject=pattern, value=subject)
        return None
    if isinstance(subject, Const) and isinstance(literal, Const):
        return bool(subject.value == literal.value)
    return equal(subject, literal)


def outline(m: Machine, subject: Value, pattern: ast.pattern) -> bool | None:
    """Whether the kind of `subject`, and its length or keys, are those that a pattern with parts asks for."""
    if isinstance(pattern, ast.MatchClass):
        return matches_class(m, subject, pattern)
    if isinstance(subject, (Array, Const)):
        return False
    if isinstance(pattern, ast.MatchMapping):
        return has_keys(subject, pattern)
    if not isinstance(pattern, ast.MatchSequence):
        return None
    if isinstance(subject, DictV):
        return False
    items = sequence_parts(subject)
    if items is None:
        return None
    stars = sum(isinstance(part, ast.MatchStar) for part in pattern.patterns)
    named = len(pattern.patterns) - stars
    return len(items) >= named if stars else len(items) == named


def has_keys(subject: Value, pattern: ast.MatchMapping) -> bool | None:
    """Whether a mapping pattern's keys are in a dict."""
    if isinstance(subject, (TupleV, ListV)):
        return False
    if not isinstance(subject, DictV):
        return None
    found = [known_member(Const(key.value), subject) for key in pattern.keys if isinstance(key, ast.Constant)]
    if False in found:
        return False
    return None if None in found or len(found) < len(pattern.keys) else True


def parts(m: Machine, subject: Value, pattern: ast.pattern) -> list[tuple[ast.pattern, Value]]:
    """The patterns inside a pattern, each with the value that it meets if the outline fits."""
    if isinstance(pattern, ast.MatchSequence):
        return sequence_pairs(subject, pattern)
    if isinstance(pattern, ast.MatchMapping):
        keys = [key.value if isinstance(key, ast.Constant) else MISSING for key in pattern.keys]
        return [(part, dict_item(subject, key)) for key, part in zip(keys, pattern.patterns)]
    if isinstance(pattern, ast.MatchClass):
        return class_pairs(m, subject, pattern)
    return []


def sequence_pairs(subject: Value, pattern: ast.MatchSequence) -> list[tuple[ast.pattern, Value]]:
    """`case (a, *rest, b):`"""
    patterns = pattern.patterns
    items = sequence_parts(subject)
    if items is None:
        inside = element(subject) if isinstance(subject, (TupleV, ListV)) else UNKNOWN
        inside = UNKNOWN if inside is MISSING else inside
        return [(part, inside) for part in patterns if not isinstance(part, ast.MatchStar)]
    star = next((place for place, part in enumerate(patterns) if isinstance(part, ast.MatchStar)), None)
    if star is None:
        return list(zip(patterns, items))
    after = len(items) - (len(patterns) - star - 1)
    rest = ListV(tuple(items[star:after]), UNKNOWN, "list")
    return [*zip(patterns[:star], items), (patterns[star], rest), *zip(patterns[star + 1 :], items[after:])]


def dict_item(subject: Value, key: object) -> Value:
    """What a dict holds under a key."""
    found = subject.items.get(key, MISSING) if isinstance(subject, DictV) and key is not MISSING else MISSING
    return found if isinstance(found, Value) and found is not MISSING else UNKNOWN


def class_pairs(m: Machine, subject: Value, pattern: ast.MatchClass) -> list[tuple[ast.pattern, Value]]:
    """`case Point(x, y=0):` looks attributes up; `case float(x):` binds the number itself."""
    from jaxlint.interpreter.attributes import get_attribute

    if not isinstance(subject, InstanceV) or subject.cls is None:
        alone = len(pattern.patterns) == 1 and not pattern.kwd_patterns
        return [(part, subject if alone else UNKNOWN) for part in (*pattern.patterns, *pattern.kwd_patterns)]
    names = [*list(subject.cls.fields)[: len(pattern.patterns)], *pattern.kwd_attrs]
    if "__match_args__" in subject.cls.namespace or len(names) < len(pattern.patterns) + len(pattern.kwd_attrs):
        return [(part, UNKNOWN) for part in (*pattern.patterns, *pattern.kwd_patterns)]
    found = [get_attribute(m, subject, name, pattern) for name in names]
    return list(zip((*pattern.patterns, *pattern.kwd_patterns), found))


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
    if isinstance(pattern, (ast.MatchAs, ast.MatchStar)):
        if pattern.name is not None:
            m.write(f.names, pattern.name, subject)
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            bind(m, f, pattern.pattern, subject)
        return
    if isinstance(pattern, ast.MatchMapping) and pattern.rest is not None:
        m.write(f.names, pattern.rest, UNKNOWN)
    if isinstance(pattern, ast.MatchOr):
        bind_any(m, f, pattern, subject)
        return
    met = parts(m, subject, pattern)
    for part, value in met:
        bind(m, f, part, value)
    if isinstance(pattern, ast.MatchSequence) and len(met) < len(pattern.patterns):
        # a starred part of a sequence whose items are not known
        star = next((part for part in pattern.patterns if isinstance(part, ast.MatchStar)), None)
        if star is not None:
            bind(m, f, star, UNKNOWN)


def bind_any(m: Machine, f: Frame, pattern: ast.MatchOr, subject: Value) -> None:
    """The names of alternatives: known when the first one is certain to match."""
    certain = matches(m, subject, pattern.patterns[0]) is True
    for alternative in pattern.patterns[:1] if certain else pattern.patterns:
        bind(m, f, alternative, subject if certain else UNKNOWN)
