"""A Python `if`, `while`, `assert`, `and`, `or` or `not` on a device value is reported when it runs on every step
of a loop that keeps the device busy, outside traced code.

## Why
The test needs the finished value, so the loop waits for the device before it can go on. A convergence test or a NaN
check on every step costs more than the steps that it saves.

## Bad
```python run=reads:20
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    new = 0.5 * (x + 2.0 / x)
    return new, jnp.abs(new - x)


x = jnp.float32(1.0)
for _ in range(20):
    x, change = step(x)
    if jnp.isnan(change):  # error: [branch-in-loop]
        raise FloatingPointError("diverged")
```

## Good
```python run=reads:2
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    new = 0.5 * (x + 2.0 / x)
    return new, jnp.abs(new - x)


x = jnp.float32(1.0)
for i in range(20):
    x, change = step(x)
    if i % 10 == 0 and jnp.isnan(change):
        raise FloatingPointError("diverged")
```

## How it is fixed
Test every N steps; or move the loop onto the device (`jax.lax.while_loop` for "until converged"); or choose inside
the compiled step (`jnp.where(ok, new, old)`, `optax.apply_if_finite`).

## Known limits
A test behind a step gate, and one whose value was fetched before, are silent. Inside traced code the same line is
`traced-branch`.

## At run time
A device-to-host transfer at the line, with the seconds that Python was blocked there.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class BranchInLoop(Rule):
    """JAX204."""

    code = "JAX204"
    name = "branch-in-loop"
    summary = "A Python branch on a device value on every step of a hot loop"
    severity = Severity.WARNING
    kinds = (Kind.HOST_READ,)
    evidence = Kind.HOST_READ

    def judge(self, event: Event) -> Finding | None:
        """Truth tests on every step of a hot loop."""
        if event.how != "branch" or not wording.hot(event):
            return None
        return self.finding(
            event,
            f"The test of {wording.value(event)} waits for the GPU{wording.every_step(event)}.",
            help="Test every N steps, or on the device: `jnp.where`, or `jax.lax.while_loop` for the whole loop.",
        )
