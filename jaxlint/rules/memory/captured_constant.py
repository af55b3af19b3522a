"""A large concrete array (a megabyte or more) that a compiled function uses without receiving it as an argument is
reported: a global, a variable of the enclosing function, an attribute of an object whose method is compiled, the
parameters of a frozen model.

## Why
What a trace finds outside is a constant of the program: it is copied into it, hashed and folded by the compiler, held
for as long as the program lives, and once more for each program. Compilation slows down with its size. A later change
of the variable is not seen.

## Bad
```python run=ok
import jax
import jax.numpy as jnp

TABLE = jnp.ones((2000, 500))


@jax.jit
def project(x):
    return TABLE @ x  # error: [captured-constant]


print(project(jnp.ones(500)).shape)
```

## Good
```python run=ok
import jax
import jax.numpy as jnp

TABLE = jnp.ones((2000, 500))


@jax.jit
def project(table, x):
    return table @ x


print(project(TABLE, jnp.ones(500)).shape)
```

## How it is fixed
By hand: make it a parameter of the compiled function and pass it in each call (an array on the device costs nothing
to pass). For a method, compile a function of `self`'s arrays.

## Known limits
Only what certainly has a megabyte is reported: the shape must be known, of parameters the sizes of the layers. Reading
`.shape` or `.dtype` is silent, and so are the captures of loop bodies outside of compiled functions, and arguments
bound by `functools.partial`.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class CapturedConstant(Rule):
    """JAX503."""

    code = "JAX503"
    name = "captured-constant"
    summary = "A large array from outside a compiled function, baked into its program"
    severity = Severity.WARNING
    kinds = (Kind.CAPTURED_CONSTANT,)

    def judge(self, event: Event) -> Finding | None:
        """A large array that is no argument."""
        size = event.data.get("bytes")
        shown = f"{size / 1e6:.0f} MB" if isinstance(size, int) else "large"
        things = "arrays" if event.how == "tree" else "an array"
        return self.finding(
            event,
            f"{wording.code(event)} is no argument of the compiled function: {things} of {shown} in its program.",
            help="Pass it as an argument of the compiled function.",
        )
