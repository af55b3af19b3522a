"""A PRNG key that is used in each iteration of a loop without being split is reported: in Python loops and
comprehensions, in the bodies of `scan`, `while_loop`, `fori_loop` and `map`, also through compiled functions, object
attributes and keys made of the same constant in each iteration.

## Why
JAX's random functions are pure: the same key gives the same numbers. A training loop that never advances its key uses
one dropout mask and one noise for ever, a sampler returns one sample many times. Nothing fails.

## Bad
```python run=raises:KeyReuseError
import jax

key = jax.random.key(0)
total = 0.0
with jax.debug_key_reuse(True):
    for _ in range(3):
        total += jax.random.normal(key).sum()  # error: [key-reuse-in-loop]
print(total)
```

## Good
```python run=ok
import jax

key = jax.random.key(0)
total = 0.0
with jax.debug_key_reuse(True):
    for _ in range(3):
        key, sub = jax.random.split(key)
        total += jax.random.normal(sub).sum()
print(total)
```

## How it is fixed
By hand: `key, sub = jax.random.split(key)` in the loop, `jax.random.fold_in(key, i)` with the iteration's number, or
`for key in jax.random.split(key, n)`. A key that lives on an object must be stored back.

## Known limits
Silent: uses behind a condition that differs between iterations, sweeps that compare names, numbers, functions or
settings with one key on purpose, loops over two items, and whatever is not certainly the same key.

## At run time
The same key object passed twice to `jax.random`.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule
from jaxlint.rules.purpose import kept


class KeyReuseInLoop(Rule):
    """JAX602."""

    code = "JAX602"
    name = "key-reuse-in-loop"
    summary = "The same PRNG key used in each iteration of a loop"
    severity = Severity.ERROR
    in_tests = False  # a test wants some numbers, the same ones each time
    kinds = (Kind.KEY_REUSE,)
    evidence = Kind.KEY_REUSE

    def judge(self, event: Event) -> Finding | None:
        """The same use of the same key in each iteration."""
        if event.how != "loop" or kept(event):
            return None
        what = event.text("transform")
        made = "makes the same key from a constant and uses it" if what == "constant" else "uses the same key"
        loop = f" of the `{what}`" if what not in ("", "constant") else ""
        return self.finding(
            event,
            f"{wording.code(event)} {made} in each iteration{loop}: the numbers repeat.",
            help="Split the key in the loop, `key, sub = jax.random.split(key)`, or fold in the iteration's number.",
        )
