"""A Python loop over a device array is reported: `for`, a comprehension, `list`, `tuple`, `zip`, `enumerate`, `map`,
`sum`, `sorted`, `set`, and unpacking on every round of a loop.

## Why
Each element is a device array of its own, cut out by a small program on the device and handled by Python one at a
time. Ten thousand elements are ten thousand dispatches, where one numpy copy or one array expression serves.

## Bad
```python run=ok
import jax.numpy as jnp

scores = jnp.linspace(0.0, 1.0, 50)
total = 0.0
for score in scores:  # error: [iterate-device-array]
    total = total + score * score
print(total)
```

## Good
```python run=ok
import jax.numpy as jnp
import numpy as np

scores = jnp.linspace(0.0, 1.0, 50)
total = jnp.sum(scores * scores)
names = [f"{score:.2f}" for score in np.asarray(scores)]  # one copy, then plain numbers
print(total, names[-1])
```

## How it is fixed
Compute on the whole array (`jnp`, `vmap`, `lax.scan`), or fetch it once with `np.asarray(x)` or `x.tolist()` and loop
over the host copy.

## Known limits
`for key in jax.random.split(key, n)` is usual and silent. Loops over lists and tuples of arrays, over `.shape`, over
dictionaries, and over numpy arrays are silent. In traced code the same loop is `unrolled-loop`.

## At run time
One slice or transfer for each element at the line.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class IterateDeviceArray(Rule):
    """JAX207."""

    code = "JAX207"
    name = "iterate-device-array"
    summary = "A Python loop over a device array: one slice for each element"
    severity = Severity.WARNING
    kinds = (Kind.DEVICE_ITERATE, Kind.HOST_READ)
    evidence = Kind.DEVICE_ITERATE

    def judge(self, event: Event) -> Finding | None:
        """All iteration; unpacking only where it happens again and again."""
        if event.kind is Kind.HOST_READ and event.how != "iterate":
            return None
        if event.how == "unpack" and (event.loop is None or not event.steady):
            return None
        return self.finding(
            event,
            f"{wording.value(event)} is on the device, and Python takes it apart one element at a time.",
            help="Compute on the whole array, or fetch it once with `np.asarray(...)` and loop over that.",
        )
