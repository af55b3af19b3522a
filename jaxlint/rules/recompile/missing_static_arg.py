"""A plain Python object that cannot be traced (a string, a callable, an enum, a config instance) and reaches a traced
parameter of a compiled function is reported, where `jit` is applied.

## Why
`jax.jit` turns every argument into an array. What is no number raises `TypeError` at the call; a flag or a size
becomes a traced number, and the line in the body that needs it raises.

## Bad
```python run=raises:TypeError
import jax
import jax.numpy as jnp


@jax.jit  # error: [missing-static-arg]
def pool(x, mode):
    return x.max() if mode == "max" else x.mean()


print(pool(jnp.arange(4.0), "max"))
```

## Good
```python run=ok
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="mode")
def pool(x, mode):
    return x.max() if mode == "max" else x.mean()


print(pool(jnp.arange(4.0), "max"))
```

## How it is fixed
Name the parameter in `static_argnames` (an unsafe fix: each value compiles its own program), bind it with `partial`
before `jit`, or close over it.

## Known limits
Numbers and booleans are traced without an error and are reported only by the rule of the line that needs them.
`equinox.filter_jit` and `nnx.jit` treat what is not an array as static.

## At run time
The call raises `TypeError`, or a line of the body raises a concretisation error.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class MissingStaticArg(Rule):
    """JAX406."""

    code = "JAX406"
    name = "missing-static-arg"
    summary = "A string, callable or other plain Python object passed to a traced parameter"
    severity = Severity.ERROR
    kinds = (Kind.STATIC_SPEC,)
    evidence = Kind.STATIC_SPEC

    def judge(self, event: Event) -> Finding | None:
        """A value that cannot be traced."""
        if event.how != "missing":
            return None
        parameter, value = event.text("parameter") or event.text("name"), event.text("what")
        function = event.text("function")
        what = f"`{parameter}`" if parameter else "A parameter"
        of = f" of `{function}`" if function else ""
        got = value or wording.value(event)
        return self.finding(
            event,
            f"{what}{of} is traced, but it is given {got}, which cannot be: raises TypeError.",
            help=f'Make it static: `static_argnames="{parameter or "..."}"`.',
        )
