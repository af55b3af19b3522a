"""A Python test on a traced value is reported: `if`, `elif`, `while`, `a if c else b`, `assert`, `and`, `or`,
`not`, `in`, a chained comparison, `match`, a comprehension's `if`, and the builtins that test inside: `any`,
`all`, `min`, `max`, `sorted`, `filter`, `list.index`. An explicit `bool(x)` is `traced-to-python`.

## Why
Python must know now which way to go. Under `jax.jit`, `vmap`, `scan`, `grad` of a jitted function and the other
staging transforms the value exists only when the compiled program runs, so the trace stops with an error.
Such a line can sit unnoticed for long: it fails only once an option is used, or once somebody adds a `jit`
three calls above it.

## Bad
```python run=raises:TracerBoolConversionError
import jax
import jax.numpy as jnp


@jax.jit
def clip_update(step, limit):
    norm = jnp.linalg.norm(step)
    if norm > limit:  # error: [traced-branch]
        step = step * (limit / norm)
    return step


print(clip_update(jnp.ones(4), 1.0))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def clip_update(step, limit):
    norm = jnp.linalg.norm(step)
    return jnp.where(norm > limit, step * (limit / norm), step)


print(clip_update(jnp.ones(4), 1.0))
```

## How it is fixed
- Two values: `jnp.where(test, a, b)` (both are computed). Two pieces of work: `jax.lax.cond`. A loop until
  something holds: `jax.lax.while_loop`. Several cases: `jax.lax.switch`.
- `and`, `or`, `not`: `&`, `|`, `~`, or `jnp.logical_and` and its kin. `any`, `all`, `max`: `jnp.any`, ...
- An `assert`: `jax.experimental.checkify.check`, `equinox.error_if`, or a test outside the compiled function.
- A value that is configuration: make it static (`static_argnames`), a default that nobody overrides, or an
  attribute that the transform does not trace.

## Known limits
Tests on shapes, dtypes, `None`, `isinstance`, `len`, dictionary keys and static arguments are plain Python and
never reported. Eager `jax.grad` lets Python branch on values, so code under it alone is silent. Where jaxlint
cannot tell whether a value is traced it says nothing.

## At run time
The line raises `jax.errors.TracerBoolConversionError` (a `ValueError` where the array has several elements).
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_STATIC = " If the value is configuration, pass it as a static argument (`static_argnames`)."
_ADVICE = {
    "if": "Choose with `jnp.where(test, a, b)` or `jax.lax.cond`." + _STATIC,
    "elif": "Choose with `jnp.where`, `jnp.select` or `jax.lax.cond`." + _STATIC,
    "ternary": "Write `jnp.where(test, a, b)`." + _STATIC,
    "while": "Use `jax.lax.while_loop`, or `jax.lax.fori_loop` for a known number of rounds.",
    "assert": "Test outside the compiled function, or use `jax.experimental.checkify.check`.",
    "and": "Combine with `&` or `jnp.logical_and`." + _STATIC,
    "or": "Combine with `|` or `jnp.logical_or`; for a default, test `is None`.",
    "not": "Negate with `~` or `jnp.logical_not`." + _STATIC,
    "in": "Ask on the device: `jnp.any(values == x)` or `jnp.isin`.",
    "chained-comparison": "Split it: `(a < x) & (x < b)`.",
    "match": "Use `jax.lax.switch` or `jnp.select`." + _STATIC,
    "comprehension": "Keep all elements and mask with `jnp.where`.",
    "filter": "Keep all elements and mask with `jnp.where`.",
    "any": "Use `jnp.any` on a stacked array, or `|`.",
    "all": "Use `jnp.all` on a stacked array, or `&`.",
    "min": "Use `jnp.minimum` (two values) or `jnp.min` (an array).",
    "max": "Use `jnp.maximum` (two values) or `jnp.max` (an array).",
    "sorted": "Use `jnp.sort`.",
    "index-method": "Search on the device: `jnp.argmax(values == x)`.",
}
_STATEMENTS = {"if", "elif", "while", "assert", "match"}


class TracedBranch(Rule):
    """JAX101."""

    code = "JAX101"
    name = "traced-branch"
    summary = "A Python branch on a value that is only known on the device"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_BOOL,)
    evidence = Kind.TRACER_BOOL

    def judge(self, event: Event) -> Finding | None:
        """Every truth test of a tracer. An explicit `bool(x)` is a conversion: JAX102."""
        how = event.how
        test, value = wording.text(event), wording.value(event)
        about = "a traced value" if value == f"`{test}`" else f"{value}, a traced value"
        if how in _STATEMENTS:
            test = f"{how} {test}"
        elif how == "ternary":
            test = f"... if {test} else ..."
        elif how == "comprehension":
            test = f"for ... if {test}"
        return self.finding(
            event,
            f"`{test}` tests {about}: raises TracerBoolConversionError.",
            help=_ADVICE.get(how, _ADVICE["if"]),
        )
