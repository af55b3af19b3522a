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

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
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
        return self.finding(
            event,
            f"{wording.code(event)} waits for the GPU{wording.every_step(event)}, and nothing is timed there.",
            help="Remove it, or wait once after the loop.",
        )
