"""`jax.jit` or `pmap` applied in a loop to a function that is new each time is reported: a lambda, a nested `def`,
a new `partial`, a bound method, `grad(f)` or `vmap(f)`.

## Why
JAX finds compiled programs by the function object. A new object on each round finds nothing, so it is traced and
compiled anew, although the program is the same.

## Bad
```python run=traces:5
import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.mean((x @ w) ** 2)


w, x = jnp.ones(3), jnp.ones((8, 3))
for _ in range(5):
    w = w - 0.1 * jax.jit(jax.grad(loss))(w, x)  # error: [jit-in-loop]
```

## Good
```python run=traces:1
import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.mean((x @ w) ** 2)


grad = jax.jit(jax.grad(loss))
w, x = jnp.ones(3), jnp.ones((8, 3))
for _ in range(5):
    w = w - 0.1 * grad(w, x)
```

## How it is fixed
Compile once, outside the loop or at module level, and pass what changes as arguments. A factory that is called
once, a cache of compiled functions, or a decorator on the method's class do the same.

## Known limits
`jax.jit(f)` of one and the same module-level `f` finds its program again and costs about 0.1 ms: silent. So is a
loop that compiles another program on each round on purpose (another callable, string or configuration each time),
and a factory, `__init__` or `main` that runs once.

## At run time
Several compilations of the same code.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_NEW = {
    "lambda": "this lambda is a new function each time",
    "nested-def": "the function is defined anew each time",
    "partial": "each `partial` is a new function",
    "bound-method": "each access of a bound method is a new function",
    "transform": "each transformed function is a new one",
}


class JitInLoop(Rule):
    """JAX403."""

    code = "JAX403"
    name = "jit-in-loop"
    summary = "`jit` of a function that is new each time, so that its compilation is never reused"
    severity = Severity.WARNING
    kinds = (Kind.COMPILE_WRAP,)
    evidence = Kind.COMPILE_WRAP

    def judge(self, event: Event) -> Finding | None:
        """On each round of a loop, unless each round's program is another one."""
        if event.loop is None or not event.steady or event.data.get("captures") == "program":
            return None
        transform = event.text("transform") or "jax.jit"
        why = _NEW.get(event.how, "the function is new each time")
        help = "Compile once before the loop, and pass what changes as arguments."
        if event.how == "bound-method":
            help = "Compile once (in `__init__`, or with a decorator that treats `self` as static), and reuse it."
        return self.finding(
            event,
            f"`{transform}` compiles on each iteration ({wording.loop_at(event.loop)}): {why}, so nothing is reused.",
            help=help,
        )
