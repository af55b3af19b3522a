"""Host data that moves to the device implicitly on every step of a hot loop is reported as advice: a numpy batch
passed straight into a compiled function, `jnp.array([...])` of a Python list, a constant built anew on each step.

## Why
The copy starts only when the step is called, so the device waits for its input. A prefetched `jax.device_put`
overlaps the copy with the step before, and constants need to move only once.

## Bad
```python run=ok
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(w, x):
    return w - 0.1 * jnp.mean(x @ w)


data = np.ones((5, 8, 3), np.float32)
w = jnp.ones(3)
for batch in data:
    w = step(w, batch)  # error: [host-to-device-in-loop]
print(w)
```

## Good
```python run=ok
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(w, x):
    return w - 0.1 * jnp.mean(x @ w)


data = np.ones((5, 8, 3), np.float32)
w = jnp.ones(3)
ahead = jax.device_put(data[0])
for i in range(5):
    batch = ahead
    if i + 1 < 5:
        ahead = jax.device_put(data[i + 1])  # moves while the step runs
    w = step(w, batch)
print(w)
```

## How it is fixed
Put the next batch on the device with `jax.device_put` while this step runs (or let the loader prefetch); build
constants once before the loop; keep small data sets on the device as a whole.

## Known limits
Advice: for small batches the copy is cheap, and some loaders move data ahead by themselves. Python scalars are
silent.

## At run time
A host-to-device transfer at the line, with its bytes.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class HostToDeviceInLoop(Rule):
    """JAX206."""

    code = "JAX206"
    name = "host-to-device-in-loop"
    summary = "Host data that moves to the device implicitly on every step of a hot loop"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.HOST_TO_DEVICE,)
    evidence = Kind.HOST_TO_DEVICE

    def judge(self, event: Event) -> Finding | None:
        """Implicit copies on every step of a hot loop."""
        if not wording.hot(event):
            return None
        code, value, when = wording.code(event), wording.value(event), wording.every_step(event)
        if event.how == "constant":
            return self.finding(
                event,
                f"{code} builds the same array and copies it to the device{when}.",
                help="Build it once, before the loop.",
            )
        callee = event.text("callee")
        return self.finding(
            event,
            f"{value} is host data: the call{f' of `{callee}`' if callee else ''} copies it to the device{when}.",
            help="Put the next batch on the device with `jax.device_put` while this step runs.",
        )
