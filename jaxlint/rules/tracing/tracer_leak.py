"""A traced value that is stored where it outlives its trace is reported: on `self`, in a global or nonlocal name, in
a list, dict or set of an outer scope, in a cache, in the state of a module captured by closure.

## Why
A traced value stands for a value inside one trace. When the trace is over nothing stands behind it: the next use
raises `UnexpectedTracerError`, often far from the line that stored it. And the store itself runs once, when the
function is traced, not on each call.

## Bad
```python run=raises:UnexpectedTracerError
import jax
import jax.numpy as jnp

history = []


@jax.jit
def step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    history.append(loss)  # error: [tracer-leak]
    return w - 0.1 * loss


step(jnp.ones(3), jnp.ones((2, 3)))
print(history[0] + 1.0)
```

## Good
```python run=ok
import jax
import jax.numpy as jnp

history = []


@jax.jit
def step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    return w - 0.1 * loss, loss


w, loss = step(jnp.ones(3), jnp.ones((2, 3)))
history.append(loss)
print(history[0] + 1.0)
```

## How it is fixed
Return the value, and store it outside the compiled function. State that must change under a trace is an argument
and a result: a carry of `lax.scan`, an `nnx.Variable` under `nnx.jit`, a `mutable=` collection in linen.

## Known limits
Stores into objects that are made inside the trace, into `nnx.Variable`s under nnx transforms and into
`self.sow`/`self.variable` are right and silent. A store into an object that jaxlint cannot place is silent.

## At run time
The later use raises `UnexpectedTracerError`; `jax.checking_leaks()` names the store.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_RETURN = "Return the value from the compiled function, and store it outside."
_WAYS = {
    "attribute": ("the attribute {target}", _RETURN),
    "global": ("the global {target}", _RETURN),
    "nonlocal": ("{target} of the enclosing function", _RETURN),
    "container": ("{target}, which lives outside the compiled function", _RETURN),
    "memoised": ("a cache", "Cache only outside traced code, or cache plain Python values."),
    "default": ("the default value {target}", _RETURN),
}


class TracerLeak(Rule):
    """JAX106."""

    code = "JAX106"
    name = "tracer-leak"
    summary = "A traced value stored where it outlives the trace"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_LEAK,)
    evidence = Kind.TRACER_LEAK

    def judge(self, event: Event) -> Finding | None:
        """Each leak is wrong; the wording says where the value went."""
        target = wording.ticked(event.text("target") or event.source.segment(wording.expression(event.node)))
        if event.how == "closure-module":
            return self.finding(
                event,
                f"{target} is captured by closure and changed under a trace: its new state never comes out of the "
                "trace, and JAX or Flax raises an error.",
                help="Pass the module as an argument of the transformed function.",
            )
        if event.how == "nondiff":
            return self.finding(
                event,
                f"{target} is a `nondiff_argnums` parameter, but it is traced: it leaks into the backward pass.",
                help="Make it a differentiable argument with a zero or None gradient; `nondiff_argnums` is for "
                "functions and static values.",
            )
        place, advice = _WAYS.get(event.how, ("{target}", _RETURN))
        return self.finding(
            event,
            f"{wording.value(event)} is traced and is stored in {place.format(target=target)}: it outlives the trace, "
            "and its next use raises UnexpectedTracerError.",
            help=advice,
        )
