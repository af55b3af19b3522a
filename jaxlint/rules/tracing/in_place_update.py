"""An item assignment on a jax array (`x[i] = v`, `x[i] += v`, `del x[i]`) is reported, and so is an update
`x.at[i].set(v)` whose result is thrown away.

## Why
jax arrays never change. An item assignment raises. `x.at[i].set(v)` makes a new array and leaves `x` as it was, so a
statement that drops the result does nothing at all, without a word.

## Bad
```python run=prints:[0. 0. 0.]
import jax.numpy as jnp

counts = jnp.zeros(3)
counts.at[1].add(1.0)  # error: [in-place-update]
print(counts)
```

## Good
```python run=prints:[0. 1. 0.]
import jax.numpy as jnp

counts = jnp.zeros(3)
counts = counts.at[1].add(1.0)
print(counts)
```

## How it is fixed
`x[i] = v` becomes `x = x.at[i].set(v)`, `x[i] += v` becomes `x = x.at[i].add(v)`, a thrown-away `x.at[i].set(v)` gets
its `x =`. Under `jit` XLA does it in place. Safe where `x` is a plain name.

## Known limits
Item assignment on numpy arrays, on `jax.new_ref` references and on Pallas refs is right and silent. A parameter that
can be numpy or jax is silent.

## At run time
An item assignment raises `TypeError`, a deletion `AttributeError`; a thrown-away result has no effect.
"""

from __future__ import annotations

import ast

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_METHODS = {
    ast.Add: "add",
    ast.Sub: "add",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}


class InPlaceUpdate(Rule):
    """JAX108."""

    code = "JAX108"
    name = "in-place-update"
    summary = "`x[i] = v` on a jax array, or the result of `x.at[i].set(v)` thrown away"
    severity = Severity.ERROR
    kinds = (Kind.ARRAY_WRITE,)
    evidence = Kind.ARRAY_WRITE

    def judge(self, event: Event) -> Finding | None:
        """All of them are wrong."""
        code = wording.code(event)
        if event.how == "discarded":
            base = _at_base(wording.expression(event.node))
            name = event.source.segment(base) if base is not None else "x"
            return self.finding(
                event,
                f"{code} makes a new array that is thrown away: `{name}` stays as it was.",
                help=f"Assign it: `{name} = {name}.at[...].{event.text('method') or 'set'}(...)`.",
            )
        array = event.source.segment(event.subject) if event.subject is not None else "x"
        if event.how == "delete":
            return self.finding(
                event,
                f"{code} deletes from a jax array, which never changes: raises AttributeError.",
                help="Use `jnp.delete`, or a mask.",
            )
        method = "set"
        if event.how == "augmented" and (statement := _augmented(event)):
            method = _METHODS.get(type(statement.op), "set")
            code = wording.quoted(event, statement)
        return self.finding(
            event,
            f"{code} writes into a jax array, which never changes: raises TypeError.",
            help=f"Write `{array} = {array}.at[...].{method}(...)`.",
        )


def _augmented(event: Event) -> ast.AugAssign | None:
    """The statement `x[i] += v`, whether the event names it or its target."""
    if isinstance(event.node, ast.AugAssign):
        return event.node
    for node in ast.walk(event.source.parse()):
        if isinstance(node, ast.AugAssign) and node.target is event.node:
            return node
    return None


def _at_base(node: ast.AST) -> ast.AST | None:
    """`x` of `x.at[i].set(v)`."""
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and node.attr == "at":
            return node.value
        node = node.func if isinstance(node, ast.Call) else node.value
    return None
