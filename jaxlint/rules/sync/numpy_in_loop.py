"""`np.asarray`, any other numpy function, or `jax.device_get` on a device value is reported when it runs on every
step of a loop that keeps the device busy.

## Why
numpy works on the host: the array must be finished and copied there first. The loop waits for the device on every
step, and the device then waits for the loop.

## Bad
```python run=reads:5
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def predict(w, x):
    return jax.nn.softmax(x @ w)


w = jnp.ones((3, 2))
outputs = []
for i in range(5):
    outputs.append(np.array(predict(w, jnp.full((8, 3), i))))  # error: [numpy-in-loop]
outputs = np.concatenate(outputs)
```

## Good
```python run=reads:1
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def predict(w, x):
    return jax.nn.softmax(x @ w)


w = jnp.ones((3, 2))
outputs = []
for i in range(5):
    outputs.append(predict(w, jnp.full((8, 3), i)))
outputs = np.array(jnp.concatenate(outputs))
```

## How it is fixed
Use the `jax.numpy` function of the same name, so that the value stays on the device; collect device arrays and fetch
them together after the loop; or fetch the result of the step before.

## Known limits
Where the job is to hand each result to the host (an environment that needs the action, a file written each step) the
transfer cannot go away; silence it there with a reason. Reads behind a step gate are silent.

## At run time
A device-to-host transfer at the line, with its bytes and the seconds that Python was blocked.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_COPIES = {"numpy.asarray", "numpy.array", "numpy.ascontiguousarray"}


class NumpyInLoop(Rule):
    """JAX202."""

    code = "JAX202"
    name = "numpy-in-loop"
    summary = "A device value fetched into numpy on every step of a hot loop"
    severity = Severity.WARNING
    kinds = (Kind.HOST_READ,)
    evidence = Kind.HOST_READ

    def judge(self, event: Event) -> Finding | None:
        """numpy's functions and `device_get` on every step of a hot loop."""
        if event.how != "numpy" or not wording.hot(event):
            return None
        code, value, when = wording.code(event), wording.value(event), wording.every_step(event)
        function = event.text("function")
        computes = function.startswith("numpy.") and function not in _COPIES
        return self.finding(
            event,
            f"{code} copies {value} to the host{when}, and waits for it.",
            help=f"{'Use the `jax.numpy` function' if computes else 'Keep it on the device'}, and fetch the results of "
            "many steps at once after the loop.",
        )
