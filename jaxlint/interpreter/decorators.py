"""Decorators, applied bottom up."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.values import (
    BoundV,
    ClassV,
    ExternV,
    FunctionV,
    PartialV,
    TransformedV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

TAGS = {
    "builtins.property": "property",
    "functools.cached_property": "property",
    "builtins.staticmethod": "staticmethod",
    "builtins.classmethod": "classmethod",
    "contextlib.contextmanager": "contextmanager",
    "contextlib.asynccontextmanager": "contextmanager",
    "abc.abstractmethod": "abstract",
    "flax.linen.compact": "compact",
}
CACHES = frozenset({"functools.lru_cache", "functools.cache"})


def decorate(m: Machine, f: Frame, function: FunctionV, decorators: list[ast.expr]) -> Value:
    """The value that the decorated name gets."""
    from jaxlint.interpreter.expressions import evaluate

    value: Value = function
    for node in reversed(decorators):
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter", "getter"):
            made = evaluate(m, f, node.value)
            return made if isinstance(made, FunctionV) and "property" in made.tags else value
        decorator = evaluate(m, f, node)
        if isinstance(decorator, Unknown):
            function.tags |= {"decorated"}
        value = apply(m, decorator, value, node)
    return value


def apply(m: Machine, decorator: Value, value: Value, node: ast.expr) -> Value:
    """Apply one decorator. One that is not known is taken to leave the function what it is."""
    if isinstance(decorator, ExternV):
        tagged = apply_tag(m, decorator.name, value, node)
        if tagged is not None:
            return tagged
        entry = knowledge.lookup(decorator.name)
        if entry is None or not entry.model:
            return value
    if isinstance(decorator, Unknown):
        return value
    result = call(m, decorator, Args([value], nodes=[node]), node)
    if isinstance(result, Unknown) and not isinstance(decorator, (FunctionV, BoundV)):
        return value
    if isinstance(result, TransformedV) and isinstance(value, FunctionV):
        value.calls += 1
    return value if isinstance(result, Unknown) else result


def apply_tag(m: Machine, name: str, value: Value, node: ast.expr) -> Value | None:
    """Decorators that mark a function rather than replace it."""
    if name in CACHES and isinstance(value, FunctionV):
        value.cached = node
        return value
    tag = TAGS.get(name)
    if name == "functools.cached_property" and isinstance(value, FunctionV):
        value.cached = node
    if tag is None:
        return None
    target: Value = value
    while isinstance(target, (TransformedV, PartialV)):
        target = target.func
    if isinstance(target, FunctionV):
        target.tags = target.tags | {tag}
    return value


def apply_to_class(m: Machine, f: Frame, cls: ClassV, decorators: list[ast.expr]) -> Value:
    """Class decorators: dataclasses and pytree registration say how JAX sees the instances."""
    from jaxlint.interpreter.classes import register
    from jaxlint.interpreter.expressions import evaluate

    value: Value = cls
    for node in reversed(decorators):
        decorator = evaluate(m, f, node)
        if isinstance(decorator, ExternV) and register(m, cls, decorator.name, {}, node):
            continue
        if isinstance(decorator, PartialV) and isinstance(decorator.func, ExternV):
            if register(m, cls, decorator.func.name, dict(decorator.kwargs), node):
                continue
        if isinstance(decorator, (FunctionV, BoundV, PartialV)):
            result = call(m, decorator, Args([cls], nodes=[node]), node)
            value = cls if isinstance(result, Unknown) else result
        else:
            cls.meta["open"] = True
    return value
