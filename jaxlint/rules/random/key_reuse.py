"""A PRNG key that is used up twice is reported: drawn from twice, split after a draw, handed to two samplers, carried
on by a loop body that has used it, or captured by the function of a `vmap` so that every row gets it.

## Why
JAX's random functions are pure: the same key gives the same numbers. Two draws from one key are correlated (a
`uniform` and a `normal` at 0.97), a key that was drawn from and is then split gives keys that are not independent of
the draw, and a dropout mask from a captured key is the same for all rows. Nothing fails; the statistics are wrong.

## Bad
```python run=raises:KeyReuseError
import jax

key = jax.random.key(0)
with jax.debug_key_reuse(True):
    level = jax.random.uniform(key, (4, 1))
    noise = level * jax.random.normal(key, (4, 3))  # error: [key-reuse]
print(noise)
```

## Good
```python run=ok
import jax

level_key, noise_key = jax.random.split(jax.random.key(0))
with jax.debug_key_reuse(True):
    level = jax.random.uniform(level_key, (4, 1))
    noise = level * jax.random.normal(noise_key, (4, 3))
print(noise)
```

## How it is fixed
By hand: split the key before the first use and give each use its own part, `key, sub = jax.random.split(key)`. For
`vmap`, split along the mapped axis and pass the keys as an argument.

## Known limits
`fold_in` and `clone` use nothing up, so a `fold_in` after a draw is silent. Silent, too: a key that only library code
unknown to jaxlint has used, keys in containers of unknown length, two uses in different branches, and a key that
`vmap` is told not to map with `in_axes=None`. A key used in one branch and again after it is reported as likely.

## At run time
The same key object passed twice to `jax.random`.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule
from jaxlint.rules.purpose import on_purpose


class KeyReuse(Rule):
    """JAX601."""

    code = "JAX601"
    name = "key-reuse"
    summary = "One PRNG key used for two draws"
    severity = Severity.ERROR
    in_tests = False  # a test wants some numbers, the same ones each time
    kinds = (Kind.KEY_REUSE,)
    evidence = Kind.KEY_REUSE

    def judge(self, event: Event) -> Finding | None:
        """A second use of one key, outside of plain repetition in a loop."""
        if on_purpose(event):
            return None
        code = wording.code(event)
        if event.how == "again":
            return self.finding(
                event,
                f"{code} uses a key that {wording.line(event)} uses, too: the numbers are not independent.",
                help="Split the key first, `key, sub = jax.random.split(key)`, and give each use its own part.",
            )
        if event.how == "carry":
            return self.finding(
                event,
                f"{code} carries on a key that {wording.line(event)} has used: the next iteration repeats numbers.",
                help="Carry on one part of `jax.random.split(key)`, and draw with the other.",
            )
        if event.how == "lanes":
            return self.finding(
                event,
                f"{code} uses the same key in each row of the `vmap`: all rows get the same numbers.",
                help="Split the key along the mapped axis, and pass the keys as a mapped argument.",
            )
        return None
