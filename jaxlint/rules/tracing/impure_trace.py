"""A Python side effect in traced code is reported: `print`, logging, a clock, `random` and `np.random`, files and
network, a change of Python state outside the function, a read of a global or attribute that other code changes.

## Why
The Python body runs when JAX traces it, once for each new signature, and never again: what is printed is a
description of a tracer, a clock measures the tracing, a random number is the same for ever, a counter counts
compilations, and a changed setting does not arrive. Nothing raises, the result is just wrong.

## Bad
```python run=ok
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def jitter(x):
    return x + np.random.normal()  # error: [impure-trace]


x = jnp.zeros(())
assert jitter(x) == jitter(x)  # "random", yet always the same
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def jitter(key, x):
    return x + jax.random.normal(key)


first, second = jax.random.split(jax.random.key(0))
x = jnp.zeros(())
assert jitter(first, x) != jitter(second, x)
```

## How it is fixed
`print` becomes `jax.debug.print("{}", x)` (safe); other effects move to the caller or into `jax.debug.callback` or
`io_callback`. Random numbers come from `jax.random` with a key argument. What changes between calls becomes an
argument.

## Known limits
A `print` or log line that shows only shapes, dtypes or a text about tracing or compiling is taken as meant for trace
time, and so is a counter whose name says that it counts traces. Logging of plain Python values is silent.

## At run time
The effect is seen once for each trace, not once for each call.
"""

from __future__ import annotations

import ast
import re

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_TRACE_TIME = re.compile(r"trac|compil|jit|retrace", re.IGNORECASE)
_STATIC_ATTRIBUTES = {"shape", "dtype", "ndim", "size", "sharding", "aval", "weak_type", "nbytes"}
_ONCE = "once, while tracing, not on every call of the compiled function"
# how -> (what happens, advice, is it wrong rather than useless)
_WAYS = {
    "print": (f"prints {_ONCE}", 'Use `jax.debug.print("{}", x)`.', False),
    "logging": (f"logs {_ONCE}", "Use `jax.debug.print` or `jax.debug.callback`.", False),
    "clock": (f"reads the clock {_ONCE}", "Measure outside the compiled function.", True),
    "random": (
        "draws once, while tracing: every call of the compiled function sees the same numbers",
        "Use `jax.random` with a key argument.",
        True,
    ),
    "file": (f"touches the file {_ONCE}", "Do it outside, or use `jax.experimental.io_callback`.", False),
    "network": (f"runs {_ONCE}", "Do it outside, or use `jax.experimental.io_callback`.", False),
    "input": (f"asks {_ONCE}", "Ask outside, and pass the answer as an argument.", True),
}


class ImpureTrace(Rule):
    """JAX107."""

    code = "JAX107"
    name = "impure-trace"
    summary = "A Python side effect in traced code: it runs once"
    severity = Severity.WARNING
    kinds = (Kind.TRACE_EFFECT,)
    evidence = Kind.TRACE_EFFECT

    def judge(self, event: Event) -> Finding | None:
        """All effects but those that are plainly meant for trace time."""
        code = wording.code(event)
        target = event.text("target")
        if event.how == "mutation":
            if _TRACE_TIME.search(target or code):
                return None
            changed = wording.ticked(target) if target else "state outside the function"
            return self.finding(
                event,
                f"{code} changes {changed} {_ONCE}.",
                help="Return the new value, and change the state outside.",
                severity=Severity.ERROR,
            )
        if event.how == "stale-read":
            return self.finding(
                event,
                f"{wording.ticked(target) if target else code} is read once, while tracing: later changes of it never "
                "reach the compiled function.",
                help="Pass it as an argument.",
                severity=Severity.ERROR,
            )
        if event.text("function").startswith("warnings."):
            # Python shows a warning once, too
            return None
        if event.how in ("print", "logging") and _meant_for_trace_time(event):
            return None
        consequence, advice, wrong = _WAYS.get(event.how, (f"runs {_ONCE}", "Move it out.", False))
        return self.finding(
            event,
            f"{code} {consequence}.",
            help=advice,
            severity=Severity.ERROR if wrong else Severity.WARNING,
        )


def _meant_for_trace_time(event: Event) -> bool:
    """Whether a print or log line shows nothing that a call could change."""
    call = wording.expression(event.node)
    if isinstance(call, ast.Await):
        call = call.value
    if not isinstance(call, ast.Call):
        return False
    shown = list(call.args) + [keyword.value for keyword in call.keywords]
    static = event.data.get("traced") is False
    if not static and not all(_static(argument) for argument in shown):
        return False
    if event.how == "logging":
        return True
    text = " ".join(event.source.segment(argument, 1000) for argument in shown)
    return bool(_TRACE_TIME.search(text)) or any(
        isinstance(part, ast.Attribute) and part.attr in _STATIC_ATTRIBUTES
        for argument in shown
        for part in ast.walk(argument)
    )


def _static(node: ast.AST) -> bool:
    """Whether `node` is a constant, a shape or dtype, or a text made of these."""
    match node:
        case ast.Constant():
            return True
        case ast.JoinedStr():
            return all(_static(value) for value in node.values)
        case ast.FormattedValue():
            return _static(node.value)
        case ast.Attribute():
            return node.attr in _STATIC_ATTRIBUTES
        case ast.Subscript():
            return _static(node.value)
        case ast.BinOp():
            return _static(node.left) and _static(node.right)
        case ast.Tuple() | ast.List():
            return all(_static(element) for element in node.elts)
        case ast.Call():
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            return name in ("len", "type", "shape", "ndim", "typeof") or (
                name == "format" and all(_static(argument) for argument in node.args)
            )
        case _:
            return False
