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
A region that says that it measures compilation (`.lower().compile()`, or `compile`, `warmup`, `first` or `cold` in
the line that reads the clock) is silent, and so is one that jaxlint cannot show to be the first call.

## At run time
A compilation inside the timed region.
"""

from __future__ import annotations

import re

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_COMPILING = re.compile(r"compil|warm|first|cold", re.IGNORECASE)
_CLOCK = re.compile(r"time|perf_counter|monotonic|elapsed|seconds|\s-\s")
_BELOW = 3


class TimedCompile(Rule):
    """JAX302."""

    code = "JAX302"
    name = "timed-compile"
    summary = "A timed region that holds the first call of a compiled function"
    severity = Severity.WARNING
    kinds = (Kind.TIMED_COMPILE,)
    evidence = Kind.TIMED_COMPILE

    def judge(self, event: Event) -> Finding | None:
        """The interpreter knows that it is the first call; here it may be what is to be measured."""
        if _compile_is_the_point(event):
            return None
        callee = wording.ticked(event.text("callee").removesuffix("(...)") or "a compiled function")
        return self.finding(
            event,
            f"{wording.code(event)} is timed, and it is the first call of {callee}: the time includes tracing and "
            "compiling.",
            help="Call it once with the same shapes before the clock starts.",
        )


def _compile_is_the_point(event: Event) -> bool:
    """Whether the line that reads the clock, just below the call, says that the first call is what it measures."""
    row = wording.row(event.node)
    call, *below = event.source.lines[row - 1 : row + _BELOW]
    lines = [line.partition("#")[0] for line in below]
    texts = [call.partition("=")[0]] if "timeit" in call else []
    texts += [line for line in lines if _CLOCK.search(line)]
    return any(_COMPILING.search(text) for text in texts)
