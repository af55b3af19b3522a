"""`float()`, `int()`, `bool()`, `complex()`, `.item()` or `.tolist()` of a device value is reported when it runs on
every step of a loop that keeps the device busy.

## Why
JAX queues work and returns at once, so that Python prepares the next step while the device computes this one. A
Python number needs the finished result: the call waits for the whole queue, then the device idles until Python has
caught up. One `float(loss)` a step takes this overlap away.

## Bad
```python run=reads:5
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(w)
    return w - 0.1 * grad, loss


w = jnp.ones(3)
losses = []
for _ in range(5):
    w, loss = step(w, jnp.ones((8, 3)))
    losses.append(float(loss))  # error: [sync-in-loop]
```

## Good
```python run=reads:1
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(w, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(w)
    return w - 0.1 * grad, loss


w = jnp.ones(3)
losses = []
for _ in range(5):
    w, loss = step(w, jnp.ones((8, 3)))
    losses.append(loss)
losses = np.asarray(jnp.stack(losses))
```

## How it is fixed
Keep the value on the device and read it every N steps or after the loop; sum metrics inside the compiled step; or
read the value of the step before, which is finished by then.

## Known limits
Reads behind a step gate (`if step % 100 == 0`), after the loop, once an epoch around the hot loop, or in an
`except` or early-exit branch are silent. `equinox.filter_jit` waits by itself, so a read after it costs little.

## At run time
A device-to-host transfer at the line, with the seconds that Python was blocked there.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_CONVERSIONS = {"float", "int", "bool", "complex", ".item", ".tolist"}


class SyncInLoop(Rule):
    """JAX201."""

    code = "JAX201"
    name = "sync-in-loop"
    summary = "`float()`, `.item()` and their kin on a device value on every step of a hot loop"
    severity = Severity.WARNING
    kinds = (Kind.HOST_READ,)
    evidence = Kind.HOST_READ

    def judge(self, event: Event) -> Finding | None:
        """Conversions on every step of a hot loop."""
        if event.how not in _CONVERSIONS or not wording.hot(event):
            return None
        return self.finding(
            event,
            f"{wording.code(event)} waits for the GPU{wording.every_step(event)}.",
            help=f"Keep {wording.value(event)} on the device, and read it every N steps or after the loop.",
        )
