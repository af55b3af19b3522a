"""A `static_argnums`, `static_argnames`, `donate_argnums` or `donate_argnames` that fits no parameter of the
function is reported, and so is a parameter that is both static and donated.

## Why
An index out of range or an unknown name raises when `jit` is applied. On a function with `*args` or `**kwargs` it is
accepted without a word, and the argument that was meant is traced after all.

## Bad
```python run=raises:ValueError
import jax
import jax.numpy as jnp


def apply(x, deterministic):
    return x if deterministic else x * 0.5


fast = jax.jit(apply, static_argnames="determinstic")  # error: [bad-static-spec]
print(fast(jnp.ones(2), deterministic=True))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


def apply(x, deterministic):
    return x if deterministic else x * 0.5


fast = jax.jit(apply, static_argnames="deterministic")
print(fast(jnp.ones(2), deterministic=True))
```

## How it is fixed
Correct the name or the index. On methods count `self` as argument 0 where the plain function is compiled, and not
where the bound method is.

## Known limits
Functions whose parameters are not known (a decorated one, a library's) are silent.

## At run time
`ValueError` when `jit` is applied, or an argument that is traced although it was meant to be static.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class BadStaticSpec(Rule):
    """JAX407."""

    code = "JAX407"
    name = "bad-static-spec"
    summary = "`static_arg*` or `donate_*` that fit no parameter of the function"
    severity = Severity.ERROR
    kinds = (Kind.STATIC_SPEC,)
    evidence = Kind.STATIC_SPEC

    def judge(self, event: Event) -> Finding | None:
        """All specifications but the missing one (JAX406)."""
        if event.how == "missing":
            return None
        name, function, close = event.text("name"), event.text("function"), event.text("close")
        which = f"`{name}`" if name else wording.value(event)
        of = f"`{function}`" if function else "the function"
        subject = of if function else "The function"
        help = f"Did you mean `{close}`?" if close else f"Check it against the parameters of {of}."
        if event.how == "out-of-range":
            message = f"{which} is out of range: {of} has fewer parameters."
        elif event.how == "overlap":
            message = f"{which} is both static and donated: a static argument has no buffer to donate."
            help = "Take it out of one of the two."
        elif event.how == "positional-only":
            message = f"{which} of {of} is positional-only, so it cannot be named."
            help = "Give its index in `static_argnums` or `donate_argnums`."
        else:
            message = f"{subject} has no parameter {which}, so nothing becomes static or donated."
        return self.finding(event, message, help=help)
