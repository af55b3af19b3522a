"""A call of a compiled function whose signature differs from other calls for no good reason is reported: another
dtype or weak type, a Python scalar here and an array there, another tree structure, an argument given by keyword
here and by position there.

## Why
JAX compiles for a signature: shapes, dtypes, weak types, structure and the way of passing. Values that are equal to
the eye can so compile the same function two or three times.

## Bad
```python run=traces:2
import jax
import jax.numpy as jnp


@jax.jit
def step(x, scale):
    return x * scale


x = jnp.ones(3)
print(step(x, 2.0))
print(step(x, scale=2.0))  # error: [unstable-signature]
```

## Good
```python run=traces:1
import jax
import jax.numpy as jnp


@jax.jit
def step(x, scale):
    return x * scale


x = jnp.ones(3)
print(step(x, scale=2.0))
print(step(x, scale=2.0))
```

## How it is fixed
Pass the argument the same way everywhere; give initial values an explicit dtype (`jnp.zeros((), jnp.float32)`,
`jnp.full(n, 0.1, jnp.float32)`), so that the first state has the type that the step returns; keep the keys of
dictionaries the same.

## Known limits
Different shapes, and calls that differ on purpose (with and without a mask, train and eval), are silent.

## At run time
Several compilations of one function, explained by a type, a structure or a keyword.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class UnstableSignature(Rule):
    """JAX408."""

    code = "JAX408"
    name = "unstable-signature"
    summary = "An argument whose type, structure or way of passing differs between calls"
    severity = Severity.WARNING
    kinds = (Kind.COMPILED_CALL,)
    evidence = Kind.COMPILED_CALL

    def judge(self, event: Event) -> Finding | None:
        """A signature that changes and is no static argument and no batch."""
        if event.how != "signature":
            return None
        parameter, before, now = event.text("parameter"), event.text("before"), event.text("now")
        what = f"`{parameter}`" if parameter else "an argument"
        change = f" is {now} here and {before} elsewhere" if before and now else " differs from the other calls"
        return self.finding(
            event,
            f"{wording.code(event)} compiles again: {what}{change}.",
            help=f"Give {what} the same type, and pass it the same way, in every call.",
        )
