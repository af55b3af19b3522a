"""A 64-bit type (`float64`, `int64`, `uint64`, `complex128`) that a program asks JAX for while 64-bit types are off is
reported: as `dtype=`, in `astype`, as `jnp.float64(x)`. They are off unless `jax_enable_x64` is set.

## Why
JAX warns once and gives 32 bits: a simulation loses half of its digits, wide identifiers wrap around and collide. A
setting that is switched on later does not change what was made before.

## Bad
```python run=ok
import jax.numpy as jnp

ids = jnp.asarray([7, 7 + 2**20], dtype=jnp.int64)  # error: [float64-truncated]
print(ids.dtype)
```

## Good
```python run=ok
import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp

ids = jnp.asarray([7, 7 + 2**20], dtype=jnp.int64)
print(ids.dtype)
```

## How it is fixed
By hand: `jax.config.update("jax_enable_x64", True)` right after the import of jax, or ask for 32 bits if they are
enough, or keep the wide numbers in NumPy.

## Known limits
Reported in files that are programs, for code that they certainly run, where neither the file, nor what it imports, nor
a package around it speaks of `x64`; or where the file itself switches it on afterwards. Not a request: `dtype=float`,
NumPy arrays that come in as they are, `jax.ShapeDtypeStruct`, tables of types.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class Float64Truncated(Rule):
    """JAX703."""

    code = "JAX703"
    name = "float64-truncated"
    summary = "A 64-bit type asked for while they are off"
    severity = Severity.WARNING
    kinds = (Kind.DTYPE_TRUNCATED,)

    def judge(self, event: Event) -> Finding | None:
        """A 64-bit type that comes out with 32 bits."""
        dtype = event.text("dtype") or "float64"
        narrow = dtype.replace("64", "32").replace("128", "64")
        when = "`jax_enable_x64` is switched on later" if event.how == "late" else "`jax_enable_x64` is off"
        return self.finding(
            event,
            f"{wording.code(event)} asks for `{dtype}` and gets `{narrow}`: {when}.",
            help='Call `jax.config.update("jax_enable_x64", True)` right after the import of jax, or ask for 32 bits.',
        )
