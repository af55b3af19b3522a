"""Advice: a function compiled by `jax.jit` whose result replaces one of its arguments in a loop, `x = step(x, y)`,
without `donate_argnums` or `donate_argnames`, where the argument has a megabyte or more: a model's state, a cache.

## Why
Without donation the old and the new version are alive together: a training step needs room for parameters and
optimiser state twice, a decoding step for its cache twice. Donated, the outputs are written into the old buffers.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit  # error: [missing-donation]
def decode(cache, token):
    return cache.at[token].add(1.0)


cache = jnp.zeros((1024, 512))
for token in range(4):
    cache = decode(cache, token)
```

## Good
```python run=ok
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnames="cache")
def decode(cache, token):
    return cache.at[token].add(1.0)


cache = jnp.zeros((1024, 512))
for token in range(4):
    cache = decode(cache, token)
```

## How it is fixed
`donate_argnames=...` is added to a written-out `jax.jit(f)` (unsafe: whoever still reads the old version gets an error,
see use-after-donate). A bare `@jax.jit` is left to you.

## Known limits
Only calls that bind the argument's own name count, in loops that jaxlint sees, and only what certainly has a megabyte:
the shape must be known, of parameters the sizes of the layers. `nnx.jit` and `eqx.filter_jit` are left alone.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Applicability, Finding, Fix, Severity
from jaxlint.rules import edits, wording
from jaxlint.rules.base import Rule


class MissingDonation(Rule):
    """JAX501."""

    code = "JAX501"
    name = "missing-donation"
    summary = "A compiled update of large state that does not donate the old version"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.UNDONATED_CALL,)

    def judge(self, event: Event) -> Finding | None:
        """A state that is replaced by its next version."""
        found = event.data.get("parameters")
        names = found if isinstance(found, tuple) else ()
        shown = " and ".join(f"`{name}`" for name in names) or "arguments"
        spec = repr(names[0]) if len(names) == 1 else repr(tuple(names))
        function = wording.ticked(event.text("function") or "the function")
        finding = self.finding(
            event,
            f"{function} returns the next {shown} and does not donate the old: both are in memory.",
            help=f"Add `donate_argnames={spec}` to the {wording.ticked('jit')}, if nobody reads the old version.",
        )
        return replace(finding, fix=_donate(event, spec) if names else None)


def _donate(event: Event, spec: str) -> Fix | None:
    """`jax.jit(f)` -> `jax.jit(f, donate_argnames=...)`; a bare `@jax.jit` has no place for it."""
    call = event.node
    if not isinstance(call, ast.Call) or not (call.args or call.keywords):
        return None
    span = event.source.span(call)
    before = event.source.lines[span.end_row - 1][: span.end_column - 2].rstrip()
    if not before or before[-1] in ",(":
        return None  # a trailing comma, or a closing parenthesis on a line of its own
    edit = edits.insert(span.end_row, span.end_column - 1, f", donate_argnames={spec}")
    return Fix(Applicability.UNSAFE, f"Add `donate_argnames={spec}`", (edit,))
