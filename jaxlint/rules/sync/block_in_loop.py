"""`block_until_ready`, as a method or as `jax.block_until_ready`, is reported when it runs on every step of a hot
loop in which nothing is timed.

## Why
The call does nothing but wait. Without it Python would already prepare the next step while the device computes.
It often stays behind from a measurement.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * jnp.mean(x * w)


w = jnp.ones(4)
for i in range(5):
    w = step(w, jnp.full(4, i))
    w.block_until_ready()  # error: [block-in-loop]
print(w)
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * jnp.mean(x * w)


w = jnp.ones(4)
for i in range(5):
    w = step(w, jnp.full(4, i))
jax.block_until_ready(w)  # once, after the loop
print(w)
```

## How it is fixed
The call is removed (safe), or moved after the loop.

## Known limits
Silent where a clock is read after the wait, behind a step gate, and where an older step's value is awaited to keep
the queue short.

## At run time
Seconds blocked at the line.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Edit, Finding, Fix, Severity
from jaxlint.rules import edits, wording
from jaxlint.rules.base import Rule


class BlockInLoop(Rule):
    """JAX205."""

    code = "JAX205"
    name = "block-in-loop"
    summary = "`block_until_ready` on every step of a hot loop in which nothing is timed"
    severity = Severity.WARNING
    kinds = (Kind.HOST_BLOCK,)
    evidence = Kind.HOST_BLOCK

    def judge(self, event: Event) -> Finding | None:
        """A wait on every step that no clock reads."""
        if event.data.get("timed") or not wording.hot(event):
            return None
        finding = self.finding(
            event,
            f"{wording.code(event)} waits for the GPU{wording.every_step(event)}, and nothing is timed there.",
            help="Remove it, or wait once after the loop.",
        )
        return replace(finding, fix=_without_wait(event))


def _without_wait(event: Event) -> Fix | None:
    """`f(x).block_until_ready()` -> `f(x)`; a statement that only waits becomes the value that it waits for."""
    call = event.node
    if not isinstance(call, ast.Call) or edits.statement_of(event.source, call) is None:
        return None
    value: ast.expr | None = None
    if isinstance(call.func, ast.Attribute) and call.func.attr == "block_until_ready":
        alone = not call.args and not call.keywords
        of_module = isinstance(call.func.value, ast.Name) and call.func.value.id == edits.jax_name(event.source)
        value = call.args[0] if of_module and len(call.args) == 1 else call.func.value if alone else None
    if value is None or isinstance(value, ast.Starred):
        return None
    statement = edits.statement_of(event.source, call)
    if isinstance(statement, ast.Expr) and statement.value is call and isinstance(value, ast.Name):
        return _removed(event, statement)
    text = event.source.segment(value, 10_000)
    return edits.safe("Remove the wait", Edit(event.source.span(call), text))


def _removed(event: Event, statement: ast.stmt) -> Fix | None:
    """A statement that does nothing else is taken out with its line, unless it is all that its block has."""
    source = event.source
    above = edits.parents(source)[statement]
    blocks = [block for _, block in ast.iter_fields(above) if isinstance(block, list) and statement in block]
    span = source.span(statement)
    if len(blocks) != 1 or len(blocks[0]) < 2 or not edits.stands_alone(source, statement):
        return None
    if source.lines[span.end_row - 1][span.end_column - 1 :].strip():
        return None  # a comment that stands there would be lost
    return edits.safe("Remove the wait", Edit(type(span)(span.row, 1, span.end_row + 1, 1), ""))
