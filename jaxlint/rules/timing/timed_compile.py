"""A timed region that holds the first call of a compiled function is reported.

## Why
The first call traces and compiles, which takes from a tenth of a second to minutes. A measurement that includes it
says little about the steps that follow.

## Bad
```python run=traces:1
import time

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.tanh(x @ x)


x = jnp.ones((64, 64))
start = time.perf_counter()
f(x).block_until_ready()  # error: [timed-compile]
print("seconds:", time.perf_counter() - start)
```

## Good
```python run=traces:1
import time

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.tanh(x @ x)


x = jnp.ones((64, 64))
f(x).block_until_ready()  # compiles
start = time.perf_counter()
f(x).block_until_ready()
print("seconds:", time.perf_counter() - start)
```

## How it is fixed
Call the function once with arguments of the same shapes before the clock starts, or compile ahead of time with
`f.lower(x).compile()`.

## Known limits
A region that says that it measures compilation (`.lower().compile()`, a name with `compile`, `warmup` or `first`)
is silent, and so is one that jaxlint cannot show to be the first call.

## At run time
A compilation inside the timed region.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class TimedCompile(Rule):
    """JAX302."""

    code = "JAX302"
    name = "timed-compile"
    summary = "A timed region that holds the first call of a compiled function"
    severity = Severity.WARNING
    kinds = (Kind.TIMED_COMPILE,)
    evidence = Kind.TIMED_COMPILE

    def judge(self, event: Event) -> Finding | None:
        """The interpreter knows that it is the first call."""
        callee = wording.ticked(event.text("callee") or "a compiled function")
        return self.finding(
            event,
            f"{wording.code(event)} is timed, and it is the first call of {callee}: the time includes tracing and "
            "compiling.",
            help="Call it once with the same shapes before the clock starts.",
        )
