"""A device value that is printed, formatted or logged on every step of a hot loop is reported: `print`, f-strings,
`%` and `.format`, loggers, progress bars, experiment trackers.

## Why
Text needs the number, and the number needs the finished result: the call waits for everything queued on the device.
It does not look like a transfer, and it is one on every step.

## Bad
```python run=reads:5
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    return w * 0.9


w = jnp.float32(1.0)
for i in range(5):
    w = step(w)
    print(f"step {i}: {w:.3f}")  # error: [print-in-loop]
```

## Good
```python run=reads:1
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    return w * 0.9


w = jnp.float32(1.0)
for i in range(5):
    w = step(w)
    if (i + 1) % 5 == 0:
        print(f"step {i}: {w:.3f}")
```

## How it is fixed
Report every N steps, or report the value of the step before; hand trackers the device value only when they do
not read it at once.

## Known limits
Lazy logging below the active level (`logger.debug("%s", x)`) is reported as well, since the level is not known.
Values fetched before are host values and silent.

## At run time
A device-to-host transfer at the line, with the seconds that Python was blocked there.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class PrintInLoop(Rule):
    """JAX203."""

    code = "JAX203"
    name = "print-in-loop"
    summary = "A device value printed, formatted or logged on every step of a hot loop"
    severity = Severity.WARNING
    kinds = (Kind.HOST_READ,)
    evidence = Kind.HOST_READ

    def judge(self, event: Event) -> Finding | None:
        """Rendering on every step of a hot loop."""
        if event.how != "print" or not wording.hot(event):
            return None
        code, value, when = wording.code(event), wording.value(event), wording.every_step(event)
        shown = "renders a device value" if code == value else f"renders {value}"
        return self.finding(
            event,
            f"{code} {shown} and so waits for the GPU{when}.",
            help="Report every N steps, or report the value of the step before.",
        )
