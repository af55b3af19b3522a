"""A training script that never asks which devices it runs on.

## Why
Where the GPU's plugin is missing or its driver is too old, JAX falls back to the CPU with one line in the log, and the
job runs on for days at a fiftieth of the speed. One line at the start ends it at once. This is advice, off by default.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    return w - 0.1 * w


def main():
    w = jnp.ones(8)
    for _ in range(10):
        w = step(w)
    print(w)


if __name__ == "__main__":  # error: [no-device-check]
    main()
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    return w - 0.1 * w


def main():
    print("running on", jax.devices())
    w = jnp.ones(8)
    for _ in range(10):
        w = step(w)
    print(w)


if __name__ == "__main__":
    main()
```

## How it is fixed
Print or check `jax.devices()` or `jax.default_backend()` at the start, or set `JAX_PLATFORMS=cuda`, which makes a
missing GPU an error. `jaxlint doctor` looks at the installation.

## Known limits
Only scripts with `if __name__ == "__main__":` whose run calls a compiled function in a loop. Any mention of devices,
backends or platforms in the files of the program is taken for a check.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class NoDeviceCheck(Rule):
    """JAX902."""

    code = "JAX902"
    name = "no-device-check"
    summary = "A training script that never looks at the devices it runs on"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.NO_DEVICE_CHECK,)

    def judge(self, event: Event) -> Finding | None:
        """Every such script is worth the advice."""
        return self.finding(
            event,
            f"This script calls `{event.text('work')}` in a loop, and nothing in it asks which devices it runs on.",
            help="Print or check `jax.devices()` or `jax.default_backend()` at the start.",
        )
