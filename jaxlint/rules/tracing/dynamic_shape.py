"""A shape that depends on traced values is reported: an array indexed by a boolean mask, `nonzero`, `unique`,
`argwhere`, one-argument `where` and their kin without `size=`, a slice with a traced bound, and a traced number
where a shape, a length or a repeat count belongs.

## Why
XLA compiles a program for fixed shapes. Under a trace the values are not known, so neither is the shape of the
result, and the trace stops with an error.

## Bad
```python run=raises:NonConcreteBooleanIndexError
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_valid(x, valid):
    return x[valid].mean()  # error: [dynamic-shape]


print(mean_of_valid(jnp.arange(4.0), jnp.array([True, False, True, True])))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_valid(x, valid):
    return jnp.where(valid, x, 0.0).sum() / valid.sum()


print(mean_of_valid(jnp.arange(4.0), jnp.array([True, False, True, True])))
```

## How it is fixed
- A mask: `jnp.where(mask, x, 0)` and a count, or `jnp.sum(x, where=mask)`.
- `nonzero` and its kin: give `size=` (and `fill_value=`).
- A slice of fixed length at a traced place: `jax.lax.dynamic_slice`; of a traced length: keep the whole array and
  mask it.
- A size that is configuration: make it a static argument, or take it from `x.shape`.

## Known limits
Masks made of numpy constants or of closed-over concrete arrays are concrete and silent. `x.at[mask].set(v)` needs a
concrete mask too in JAX 0.10.

## At run time
The line raises `NonConcreteBooleanIndexError`, `ConcretizationTypeError`, `IndexError` (slices) or `TypeError`
(shapes).
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_STATIC = "Take the size from `x.shape`, or pass it as a static argument (`static_argnames`)."


class DynamicShape(Rule):
    """JAX104."""

    code = "JAX104"
    name = "dynamic-shape"
    summary = "A shape that depends on traced values"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_SHAPE,)
    evidence = Kind.TRACER_SHAPE

    def judge(self, event: Event) -> Finding | None:
        """Each of them raises, so each is reported."""
        code, value = wording.code(event), wording.value(event)
        function = wording.short(event.text("function"))
        if event.how == "mask":
            message = f"{code} selects by a traced mask, so its length is unknown: raises NonConcreteBooleanIndexError."
            help = "Keep the shape: `jnp.where(mask, x, 0)`, or a reduction with `where=mask`."
        elif event.how == "slice":
            message = f"{code} has a traced slice bound, so its length is not known: raises IndexError."
            help = "Use `jax.lax.dynamic_slice` (fixed length, traced start), or mask the whole array."
        elif event.how == "size":
            message = f"The size of {code} depends on traced values: raises ConcretizationTypeError."
            help = f"Give `{function or 'the function'}` a `size=` (and `fill_value=`), or use a mask."
        else:
            parameter = event.text("parameter")
            where = f"`{parameter}` of `{function}`" if parameter and function else f"`{function or 'a shape'}`"
            about = f"{value} is" if value != code else "this is"
            message = f"{where} decides a shape, but {about} traced: raises an error while tracing."
            help = _STATIC
        return self.finding(event, message, help=help)
