"""A list, dict, set, array or unhashable instance passed as a static argument is reported.

## Why
Static arguments are looked up in the cache by hash. An unhashable one raises before anything runs.

## Bad
```python run=raises:ValueError
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="axes")
def total(x, axes):
    return x.sum(axes)


print(total(jnp.ones((2, 3)), axes=[0, 1]))  # error: [unhashable-static-arg]
```

## Good
```python run=ok
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="axes")
def total(x, axes):
    return x.sum(axes)


print(total(jnp.ones((2, 3)), axes=(0, 1)))
```

## How it is fixed
A list becomes a tuple (safe), a set a frozenset, a dict a tuple of items or a frozen dataclass. A dataclass needs
`frozen=True`. An array should not be static: let it be traced.

## Known limits
Only values whose type is known are judged. A hashable instance that hashes by identity is not wrong, but may
recompile: see `varying-static-arg`.

## At run time
`ValueError: Non-hashable static arguments are not supported`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Edit, Finding, Fix, Severity, Span
from jaxlint.rules import edits, wording
from jaxlint.rules.base import Rule

_ADVICE = {
    "list": "Pass a tuple.",
    "dict": "Pass a tuple of items or a frozen dataclass, or let the values be traced.",
    "set": "Pass a frozenset.",
    "array": "Let it be traced: take it out of the static arguments.",
    "ndarray": "Let it be traced: take it out of the static arguments.",
}


class UnhashableStaticArg(Rule):
    """JAX405."""

    code = "JAX405"
    name = "unhashable-static-arg"
    summary = "A list, dict, set or array as a static argument"
    severity = Severity.ERROR
    kinds = (Kind.COMPILED_CALL,)
    evidence = Kind.COMPILED_CALL

    def judge(self, event: Event) -> Finding | None:
        """Static and not hashable."""
        if event.how != "static-unhashable":
            return None
        parameter, kind = event.text("parameter"), event.text("type")
        static = f"`{parameter}`" if parameter else "the argument"
        what = f"{_article(kind)} {kind}, which" if kind else "a value that"
        finding = self.finding(
            event,
            f"{wording.code(event)} passes {what} cannot be hashed as the static {static}: raises ValueError.",
            help=_ADVICE.get(kind, "Make it hashable: a tuple, a frozenset, or a dataclass with `frozen=True`."),
        )
        return replace(finding, fix=_as_tuple(event))


def _as_tuple(event: Event) -> Fix | None:
    """`[2, 3]` -> `(2, 3)`, where a list is written out in the call."""
    display = event.subject
    if not isinstance(display, ast.List) or edits.statement_of(event.source, display) is None:
        return None
    span = event.source.span(display)
    closing = ",)" if len(display.elts) == 1 else ")"
    opened = Edit(Span(span.row, span.column, span.row, span.column + 1), "(")
    closed = Edit(Span(span.end_row, span.end_column - 1, span.end_row, span.end_column), closing)
    return edits.safe("Pass a tuple", opened, closed)


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"
