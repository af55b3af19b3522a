"""A call of a compiled function is reported when the leading size of an argument differs between the rounds of a
loop: a last, smaller batch, a loader without `drop_last` or `drop_remainder`, batches padded to their own longest
row.

## Why
JAX compiles one program for each shape. A smaller last batch compiles the whole step a second time, in the middle of
training; ragged batches compile again and again.

## Bad
```python run=traces:2
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * jnp.mean(x @ w)


data = jnp.ones((10, 3))
w = jnp.ones(3)
for start in range(0, 10, 4):
    w = step(w, data[start : start + 4])  # error: [variable-shape-batch]
```

## Good
```python run=traces:1
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * jnp.mean(x @ w)


data = jnp.ones((10, 3))
w = jnp.ones(3)
whole = len(data) // 4 * 4  # drop the rest, or pad it and mask
for start in range(0, whole, 4):
    w = step(w, data[start : start + 4])
```

## How it is fixed
Drop the rest (`drop_last=True`, `drop_remainder=True`, `n // bs * bs`), or pad the last batch to full size and mask
it (evaluation). Pad sequences to a fixed length or to a few bucket sizes. Dropping data is an unsafe fix.

## Known limits
Silent where the size is known to divide, where the data was cut, padded or asserted to fit, and where nothing is
known of the batches.

## At run time
Several compilations of one function, explained by a shape.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class VariableShapeBatch(Rule):
    """JAX401."""

    code = "JAX401"
    name = "variable-shape-batch"
    summary = "Batches of different sizes reach a compiled function"
    severity = Severity.WARNING
    kinds = (Kind.COMPILED_CALL,)
    evidence = Kind.COMPILED_CALL

    def judge(self, event: Event) -> Finding | None:
        """A ragged leading dimension."""
        if event.how != "ragged-batch":
            return None
        argument = event.text("argument")
        source = event.text("source")
        what = f"`{argument}`" if argument else wording.value(event)
        why = f" ({source})" if source else ""
        return self.finding(
            event,
            f"{wording.code(event)} compiles again when {what} has another number of rows{why}.",
            help="Drop the last partial batch (`n // size * size`, `drop_last=True`), or pad it to full size.",
        )
