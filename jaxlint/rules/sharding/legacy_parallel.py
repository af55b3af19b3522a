"""`pmap`, `xmap` and the shardings of their time, where `jit` with a `NamedSharding` or `shard_map` serves.

## Why
`pmap` wants a leading device axis, replicates whole trees by hand, and does not combine with the sharding of arrays;
since JAX 0.8 it is in maintenance. `jit` on sharded arrays does the same without the axis, and `shard_map` where the
collectives are written by hand. This is advice, off by default: code on `pmap` works.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


def step(batch):
    return jax.lax.pmean(batch.mean(), "devices")


parallel = jax.pmap(step, axis_name="devices")  # error: [legacy-parallel]
print(parallel(jnp.ones((1, 4))))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("devices",))
step = jax.jit(lambda batch: batch.mean())
print(step(jax.device_put(jnp.ones((1, 4)), NamedSharding(mesh, P("devices")))))
```

## How it is fixed
Make a mesh, put the batch with `NamedSharding(mesh, P("data"))` and the parameters with `P()`, and use `jax.jit`. Where
the function uses collectives, `jax.shard_map` keeps them.

## Known limits
Names are read where they are used, not followed; code behind a test of the version is silent.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class LegacyParallel(Rule):
    """JAX803."""

    code = "JAX803"
    name = "legacy-parallel"
    summary = "`pmap`, `xmap` or an old sharding where `jit` and `NamedSharding` serve"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.LEGACY_NAME,)

    def judge(self, event: Event) -> Finding | None:
        """Every use is worth the advice."""
        return self.finding(
            event,
            f"`{event.text('name')}` is the old way to run on several devices.",
            help="Use `jax.jit` on arrays with a `NamedSharding`, or `jax.shard_map` for collectives by hand.",
        )
