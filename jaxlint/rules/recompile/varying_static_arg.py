"""A static argument that takes a new value on each iteration is reported.

## Why
A static argument is part of the program: each new value compiles anew. That is right for a few settings, and
ruinous for a step counter, a learning rate or a length.

## Bad
```python run=traces:5
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="step")
def decay(w, step):
    return w * (1.0 - 0.01 * step)


w = jnp.ones(3)
for step in range(5):
    w = decay(w, step)  # error: [varying-static-arg]
```

## Good
```python run=traces:1
import jax
import jax.numpy as jnp


@jax.jit
def decay(w, step):
    return w * (1.0 - 0.01 * step)


w = jnp.ones(3)
for step in range(5):
    w = decay(w, step)
```

## How it is fixed
Make the argument a traced one (drop it from `static_argnames`; use `jnp.where` or `lax` control flow where the body
tests it). Under `equinox.filter_jit` and `nnx.jit` Python numbers are static by themselves: pass
`jnp.asarray(step)`. An object that hashes by identity (a plain config instance made on each round) is made once.

## Known limits
A flag or name that takes a few values is silent: it compiles once for each and then never again.

## At run time
Compilations explained by a static argument.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class VaryingStaticArg(Rule):
    """JAX404."""

    code = "JAX404"
    name = "varying-static-arg"
    summary = "A static argument that takes a new value on each iteration"
    severity = Severity.WARNING
    kinds = (Kind.COMPILED_CALL,)
    evidence = Kind.COMPILED_CALL

    def judge(self, event: Event) -> Finding | None:
        """A static argument that the loop changes."""
        if event.how != "static-varies":
            return None
        parameter, value = event.text("parameter"), event.text("value_text")
        static = f"`{parameter}`" if parameter else "an argument"
        varies = f", and it gets {value} each time" if value else ", and its value is new each time"
        place = "" if event.loop is None else f" ({wording.loop_at(event.loop)})"
        return self.finding(
            event,
            f"{wording.code(event)} compiles on each iteration{place}: {static} is static{varies}.",
            help=f"Let {static} be traced (an array), or keep its value the same between calls.",
        )
