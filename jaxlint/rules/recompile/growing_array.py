"""An array that gets longer on each iteration (`concatenate`, `append`, `stack`, a slice up to the loop's counter)
and reaches device code is reported.

## Why
Each length is a new shape, and each shape compiles its own program: a loop of 1,000 rounds compiles 1,000 times, and
copies the whole array each time.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def next_token(tokens):
    return tokens.sum() % 7


tokens = jnp.array([1])
for _ in range(5):
    tokens = jnp.append(tokens, next_token(tokens))  # error: [growing-array]
print(tokens)
```

## Good
```python run=traces:1
import jax
import jax.numpy as jnp


@jax.jit
def next_token(tokens, length):
    return jnp.where(jnp.arange(6) < length, tokens, 0).sum() % 7


tokens = jnp.zeros(6, int).at[0].set(1)
for length in range(1, 6):
    tokens = tokens.at[length].set(next_token(tokens, length))
print(tokens)
```

## How it is fixed
Allocate the full length once, write with `x.at[i].set(v)` and mask what is not yet there; or collect the pieces in a
Python list and stack once after the loop; or use `jax.lax.scan`.

## Known limits
numpy arrays that stay on the host, lists, and arrays that grow only behind a step gate are silent.

## At run time
Compilations on each iteration, explained by a shape.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class GrowingArray(Rule):
    """JAX402."""

    code = "JAX402"
    name = "growing-array"
    summary = "An array that grows on each iteration reaches device code: one compilation for each length"
    severity = Severity.WARNING
    kinds = (Kind.ARRAY_GROW,)
    evidence = Kind.ARRAY_GROW

    def judge(self, event: Event) -> Finding | None:
        """Growth on each round; what is gated grows rarely."""
        if event.loop is not None and not event.steady:
            return None
        target = event.text("target")
        grown = f"`{target}`" if target else wording.value(event)
        place = "" if event.loop is None else f" ({wording.loop_at(event.loop)})"
        return self.finding(
            event,
            f"{wording.code(event)} makes {grown} longer on each iteration{place}: each length compiles anew.",
            help="Allocate the full length and write with `.at[i].set(...)`, or stack a list after the loop.",
        )
