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
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Edit, Finding, Fix, Severity, Span
from jaxlint.rules import edits, wording
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
            finding = self.finding(
                event,
                f"{code} makes a new array that is thrown away: `{name}` stays as it was.",
                help=f"Assign it: `{name} = {name}.at[...].{event.text('method') or 'set'}(...)`.",
            )
            return replace(finding, fix=_keep(event, base))
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
        finding = self.finding(
            event,
            f"{code} writes into a jax array, which never changes: raises TypeError.",
            help=f"Write `{array} = {array}.at[...].{method}(...)`.",
        )
        return replace(finding, fix=_rewrite(event))


def _keep(event: Event, base: ast.AST | None) -> Fix | None:
    """`x.at[i].set(v)` -> `x = x.at[i].set(v)`."""
    statement = edits.statement_of(event.source, event.node)
    if not isinstance(statement, ast.Expr) or not _assignable(event, base):
        return None
    span, name = event.source.span(statement), event.source.segment(base, 200) if base is not None else ""
    return edits.safe(f"Assign the result to `{name}`", edits.insert(span.row, span.column, f"{name} = "))


def _rewrite(event: Event) -> Fix | None:
    """`x[i] = v` -> `x = x.at[i].set(v)`, `x[i] += v` -> `x = x.at[i].add(v)`."""
    source = event.source
    statement = edits.statement_of(source, event.node)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, method = statement.targets[0], "set"
    elif isinstance(statement, ast.AugAssign) and type(statement.op) in _METHODS:
        target, method = statement.target, _METHODS[type(statement.op)]
    else:
        return None
    if not isinstance(target, ast.Subscript) or not _assignable(event, target.value):
        return None
    base, value = source.span(target.value), source.span(statement.value)
    row = source.lines[base.row - 1]
    bare = isinstance(statement.value, ast.Tuple) and row[value.column - 1] != "("
    if value.row != base.row or row[value.column - 2] not in " =" or bare:
        return None  # over several lines, a value in parentheses of its own, or a tuple without them
    name, index = source.segment(target.value, 200), source.segment(target.slice, 500)
    sign = "-" if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Sub) else ""
    opening, closing = (f"{sign}(", "))") if sign else ("", ")")
    head = Edit(Span(base.row, base.end_column, value.row, value.column), f" = {name}.at[{index}].{method}({opening}")
    return edits.safe(
        f"Write `{name} = {name}.at[...].{method}(...)`", head, edits.insert(value.end_row, value.end_column, closing)
    )


def _assignable(event: Event, base: ast.AST | None) -> bool:
    """Whether `base` can be bound anew here: a variable of this function, or an attribute."""
    if isinstance(base, ast.Attribute):
        return isinstance(base.value, ast.Name)
    return isinstance(base, ast.Name) and edits.is_bound_in(edits.scope_of(event.source, event.node), base.id)


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
