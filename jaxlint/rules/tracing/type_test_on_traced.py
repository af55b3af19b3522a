"""`isinstance(x, float)`, `isinstance(x, (int, bool))`, `type(x) is int` and the like on a traced value are reported.

## Why
A Python number that is passed to a compiled function becomes a traced array inside. It is an instance of
`jax.Array`, never of `float`, `int` or `bool`, so the test is false without a word, and the branch that was meant for
numbers is never taken.

## Bad
```python run=prints:2.0
import jax


@jax.jit
def scale(x, factor):
    if isinstance(factor, float):  # error: [type-test-on-traced]
        return x * factor
    return x * 2  # taken, although 10.0 was passed


print(scale(1.0, 10.0))
```

## Good
```python run=prints:10.0
import jax
import jax.numpy as jnp


@jax.jit
def scale(x, factor):
    if jnp.ndim(factor) == 0:  # the rank is known while tracing
        return x * factor
    return x * factor.mean()


print(scale(1.0, 10.0))
```

## How it is fixed
Test what is known while tracing: `jnp.ndim(x) == 0`, `jnp.issubdtype(x.dtype, jnp.integer)`; or make the argument
static, so that the test sees the Python value.

## Known limits
Tests for `jax.Array`, `np.ndarray`, `jax.core.Tracer`, `str`, `None`, containers and the project's own classes mean
something else and are silent.

## At run time
A tracer arrives at the test.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class TypeTestOnTraced(Rule):
    """JAX109."""

    code = "JAX109"
    name = "type-test-on-traced"
    summary = "`isinstance(x, float)` on a traced value: false without a word"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_TYPE_TEST,)
    evidence = Kind.TRACER_TYPE_TEST

    def judge(self, event: Event) -> Finding | None:
        """Always false, so always reported."""
        return self.finding(
            event,
            f"{wording.code(event)} is always false here: {wording.value(event)} is traced, and a traced value is a "
            "`jax.Array` even when a Python number was passed.",
            help="Test `jnp.ndim(x) == 0` or `x.dtype`, or make the argument static (`static_argnames`).",
        )
