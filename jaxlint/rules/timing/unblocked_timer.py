"""A clock that is stopped while device work of the timed region may still be in flight is reported.

## Why
JAX returns as soon as the work is queued. The clock then shows how fast Python queues work, which can be a thousand
times less than the work takes, and changes that make the work slower may even look faster.

## Bad
```python run=ok
import time

import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x @ x)
x = jnp.ones((64, 64))
f(x).block_until_ready()  # compile first

start = time.perf_counter()
y = f(x)
print("seconds:", time.perf_counter() - start)  # error: [unblocked-timer]
```

## Good
```python run=ok
import time

import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x @ x)
x = jnp.ones((64, 64))
f(x).block_until_ready()  # compile first

start = time.perf_counter()
y = jax.block_until_ready(f(x))
print("seconds:", time.perf_counter() - start)
```

## How it is fixed
`jax.block_until_ready(result)` before the clock is read (safe). In a loop, wait once after the last step, then read
the clock.

## Known limits
Anything that needs the finished value waits as well (`float`, `np.asarray`, `print`, `device_get`,
`jax.effects_barrier`), so regions that end so are silent; so are regions without device work, and work done by
`equinox.filter_jit`, which waits by itself.

## At run time
Seconds of work still pending when the clock was read.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Fix, Severity
from jaxlint.rules import edits
from jaxlint.rules.base import Rule


class UnblockedTimer(Rule):
    """JAX301."""

    code = "JAX301"
    name = "unblocked-timer"
    summary = "A clock stopped while the device still works on what it should time"
    severity = Severity.ERROR
    kinds = (Kind.CLOCK_STOP,)
    evidence = Kind.CLOCK_STOP

    def judge(self, event: Event) -> Finding | None:
        """The interpreter emits only stops with work in flight."""
        work = event.text("work")
        done = f"`{work}`" if work else "the timed work"
        clock = "The timer" if event.how in ("timeit", "context") else "The clock"
        finding = self.finding(
            event,
            f"{clock} stops before {done} has finished: it measures how fast Python queues work, not the work.",
            help="Wait first: `jax.block_until_ready(result)` before the clock is read.",
        )
        return replace(finding, fix=_wait_first(event) if event.how == "read" else None)


def _wait_first(event: Event) -> Fix | None:
    """A line that waits for the result, in front of the statement that reads the clock."""
    source = event.source
    stop = edits.statement_of(source, event.node)
    work = edits.statement_of(source, event.subject) if event.subject is not None else None
    jax = edits.jax_name(source)
    if stop is None or work is None or jax is None or not isinstance(work, ast.Assign) or len(work.targets) != 1:
        return None
    if edits.scope_of(source, stop) is not edits.scope_of(source, work) or not edits.stands_alone(source, stop):
        return None
    if source.span(work).row >= source.span(stop).row:
        return None
    names = _names(work.targets[0])
    if not names:
        return None
    what = names[0] if len(names) == 1 else f"({', '.join(names)})"
    line = f"{jax}.block_until_ready({what})"
    return edits.safe(f"Insert `{line}`", edits.before(source, stop, line))


def _names(target: ast.expr) -> list[str]:
    """The variables that an assignment binds; [] when it binds something else, too."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) else []
