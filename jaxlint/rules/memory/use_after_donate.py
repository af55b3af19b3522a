"""An array that was donated to a compiled call (`donate_argnums`, `donate_argnames`) and is used later is reported:
read through another name, passed to the next call, shown, or handed to two arguments of the call that donates it.

## Why
A donated buffer belongs to the outputs of the call; JAX deletes the array. A later use raises `RuntimeError: Array has
been deleted`, at a place that may be far from the call: the initial parameters that are compared at the end, a list of
snapshots, the state that a failed step should fall back to.

## Bad
```python run=raises:RuntimeError
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(params, x):
    return params - 0.1 * x.mean()


initial = jnp.ones(4)
params = initial
for _ in range(3):
    params = step(params, jnp.ones(8))
print(jnp.abs(params - initial).max())  # error: [use-after-donate]
```

## Good
```python run=ok
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(params, x):
    return params - 0.1 * x.mean()


initial = jnp.ones(4)
params = jnp.copy(initial)
for _ in range(3):
    params = step(params, jnp.ones(8))
print(jnp.abs(params - initial).max())
```

## How it is fixed
By hand: keep a copy, `jax.tree.map(jnp.copy, params)`, before the first donating call, use the call's result instead of
the old name, or do not donate that argument.

## Known limits
JAX deletes an array only where an output takes its buffer over; jaxlint therefore wants an output of the same shape.
Reading `.shape`, `.dtype`, `.nbytes` and `.is_deleted()` is legal and silent. Aliases made by `jnp.asarray`, and what
stands for several arrays (a list of unknown length), are not followed.

## At run time
The error of a deleted array at the line.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class UseAfterDonate(Rule):
    """JAX502."""

    code = "JAX502"
    name = "use-after-donate"
    summary = "An array used after a call has taken it over"
    severity = Severity.ERROR
    kinds = (Kind.USE_AFTER_DONATE,)
    evidence = Kind.USE_AFTER_DONATE

    def judge(self, event: Event) -> Finding | None:
        """A use of an array that a call has taken over."""
        code = wording.code(event)
        if event.how == "twice":
            return self.finding(
                event,
                f"{code} gets one array for two arguments and donates it: the call fails.",
                help="Pass a copy, `jnp.copy(x)`, for one of them.",
            )
        if event.how == "again":
            return self.finding(
                event,
                f"{code} donates an array that the call of the iteration before has already taken over.",
                help="Bind the result to the argument's name, or do not donate it.",
            )
        return self.finding(
            event,
            f"{code} uses an array that {wording.line(event)} has donated: it is deleted.",
            help="Copy it before the call, `jax.tree.map(jnp.copy, x)`, or use the call's result.",
        )
