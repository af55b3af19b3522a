"""A numpy, scipy or `math` function on a traced value is reported, and so is a numpy array indexed by one or
assigned one.

## Why
numpy needs the numbers, and a traced value has none yet: the trace stops with an error. Most of these functions
have a twin of the same name in `jax.numpy` that stays on the device.

## Bad
```python run=raises:TracerArrayConversionError
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def log_odds(p):
    return np.log(p) - np.log1p(-p)  # error: [traced-to-numpy]


print(log_odds(jnp.array([0.1, 0.5])))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def log_odds(p):
    floor = np.finfo(p.dtype).tiny  # numpy on a dtype: known at trace time
    p = jnp.maximum(p, floor)
    return jnp.log(p) - jnp.log1p(-p)


print(log_odds(jnp.array([0.1, 0.5])))
```

## How it is fixed
`np.f` becomes `jnp.f` where `jax.numpy` has the function (safe), `math.f` too. A table held in numpy and indexed
by a traced value is wrapped once: `jnp.asarray(TABLE)[i]`. What exists only in scipy runs on the host through
`jax.pure_callback`.

## Known limits
Some numpy functions (`np.sum`, `np.mean`, `np.reshape`, `np.transpose`, ...) only call the array's own method and
work on traced values; they are silent. numpy on shapes, dtypes and constants is right and silent.

## At run time
The line raises `TracerArrayConversionError`; `math.*` raises `ConcretizationTypeError`; an item assignment into a
numpy array may raise `ValueError`.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class TracedToNumpy(Rule):
    """JAX103."""

    code = "JAX103"
    name = "traced-to-numpy"
    summary = "A numpy, scipy or math function on a traced value"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_ARRAY, Kind.TRACER_CONVERT)
    evidence = Kind.TRACER_ARRAY

    def judge(self, event: Event) -> Finding | None:
        """numpy's view of a tracer, and `math.*`, which asks for a float."""
        if event.kind is Kind.TRACER_CONVERT and event.how != "math":
            return None
        code, value = wording.code(event), wording.value(event)
        error = "TracerArrayConversionError"
        if event.how == "index":
            message = f"{code} indexes a NumPy array by a traced value"
            help = "Hold the table in jax (`jnp.asarray(table)[i]`)."
        elif event.how == "assign":
            message = f"{code} writes a traced value into a NumPy array"
            help = "Build a jax array instead: `jnp.stack`, or `x = x.at[i].set(v)`."
            error = "an error (a NumPy array cannot hold a traced value)"
        else:
            function = wording.short(event.text("function"))
            wanted = "a Python number" if event.how == "math" else "the numbers"
            error = "ConcretizationTypeError" if event.how == "math" else error
            message = f"`{function or 'numpy'}` needs {wanted}, but {value} is traced"
            same = wording.short(event.text("jnp"))
            if same:
                known = same.startswith(("jnp.", "jax."))
                help = f"Use `{same if known else 'jnp.' + same}`."
            else:
                help = "Use the `jax.numpy` or `jax.scipy` equivalent, or run it on the host with `jax.pure_callback`."
        return self.finding(event, f"{message}: raises {error}.", help=help)
