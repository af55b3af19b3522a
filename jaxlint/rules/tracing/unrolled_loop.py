"""A Python loop in traced code over an array, or over a long range, is reported as advice.

## Why
The loop runs while tracing, so its body is written into the program once for each round. Tracing and compiling
time grow with the number of rounds, and 1,000 rounds can take minutes before the first step runs. `lax.scan` and
`lax.fori_loop` compile the body once.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def discounted(rewards):
    total = 0.0
    for reward in rewards:  # error: [unrolled-loop]
        total = reward + 0.9 * total
    return total


print(discounted(jnp.ones(64)))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def discounted(rewards):
    total, _ = jax.lax.scan(lambda total, reward: (reward + 0.9 * total, None), 0.0, rewards)
    return total


print(discounted(jnp.ones(64)))
```

## How it is fixed
`jax.lax.scan` for a loop over an array's rows, `jax.lax.fori_loop` for a count, `jax.vmap` where the rounds do not
depend on each other, one array expression where there is one.

## Known limits
Loops over lists of layers, over `jax.tree.leaves`, over short ranges (fewer than 32 rounds) and over ranges of
unknown length are silent: unrolling them is usual and often faster.

## At run time
The number of equations in the traced program grows with the trip count.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence, Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

LONG = 32
FEW = 4


class UnrolledLoop(Rule):
    """JAX105."""

    code = "JAX105"
    name = "unrolled-loop"
    summary = "A Python loop in traced code over an array or a long range"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.TRACE_UNROLL,)
    evidence = Kind.TRACE_UNROLL

    def judge(self, event: Event) -> Finding | None:
        """An array unless it is known to be tiny; a range when it is known to be long or is an array's length."""
        count = event.data.get("count")
        known = count if isinstance(count, int) else None
        confidence = event.confidence
        if event.how == "range":
            if event.data.get("rows") and (known is None or known > FEW):
                confidence = min(confidence, Confidence.LIKELY)
            elif known is None or known < LONG:
                return None
        elif known is not None and known <= FEW:
            return None
        times = f"{known:,} times" if known is not None else "once for each round"
        return self.finding(
            event,
            f"The loop over {wording.code(event)} is unrolled: its body is traced and compiled {times}.",
            help="Use `jax.lax.scan`, `jax.lax.fori_loop` or `jax.vmap`, which compile the body once.",
            confidence=confidence,
        )
