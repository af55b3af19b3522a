"""A request handler whose first request pays for tracing and compiling.

## Why
A compiled function is compiled by its first call, once for each shape. Where that call happens inside of a request, the
first user waits for seconds or minutes, and a load balancer may take the server for dead. This is advice, off by
default.

## Bad
```python run=traces:1
import http.server

import jax
import jax.numpy as jnp


@jax.jit
def score(rows):
    return rows.sum(axis=1)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        return score(jnp.zeros((1, 8)))  # error: [cold-start-serving]


print(Handler.do_POST(None))
```

## Good
```python run=traces:1
import http.server

import jax
import jax.numpy as jnp


@jax.jit
def score(rows):
    return rows.sum(axis=1)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        return score(jnp.zeros((1, 8)))


score(jnp.zeros((1, 8))).block_until_ready()
print(Handler.do_POST(None))
```

## How it is fixed
Call the function once for each shape that it serves before the server accepts requests, or compile it ahead with
`function.lower(...).compile()`.

## Known limits
Handlers are told by their names (`do_POST`, `handle_request`), by routes (`@app.post("/...")`) and by classes that are
named like servers. One warm-up call silences the function, whatever its shapes.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class ColdStartServing(Rule):
    """JAX905."""

    code = "JAX905"
    name = "cold-start-serving"
    summary = "A request handler whose first request pays for tracing and compiling"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.COLD_REQUEST,)

    def judge(self, event: Event) -> Finding | None:
        """Every such handler is worth the advice."""
        call = event.source.segment(event.node, 40)
        return self.finding(
            event,
            f"The first request to `{event.text('handler')}` compiles `{call}`: nothing calls it before.",
            help="Call it once at the start for each shape that it serves, or use `.lower(...).compile()`.",
        )
