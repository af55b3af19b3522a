"""A `PartitionSpec` with more entries than the array has dimensions, or with one axis twice.

## Why
`jax.device_put`, `jit` and `with_sharding_constraint` raise when the spec is longer than the rank. It happens where one
sharding is mapped over a whole training state: the step counter and the biases have fewer dimensions than the kernels.
(A spec that is shorter is fine: the remaining dimensions are not sharded.)

## Bad
```python run=raises:ValueError
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
rows = NamedSharding(mesh, P("data", None))
bias = jax.device_put(jnp.zeros(8), rows)  # error: [spec-rank-mismatch]
```

## Good
```python run=ok
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
bias = jax.device_put(jnp.zeros(8), NamedSharding(mesh, P("data")))
```

## How it is fixed
Give each leaf a spec of its own rank: `P()` for scalars, `P("data")` for vectors, chosen by `leaf.ndim`.

## Known limits
Only arrays whose rank is known count: from `jnp.zeros(shape)` and the like, not from a loaded file.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class SpecRankMismatch(Rule):
    """JAX802."""

    code = "JAX802"
    name = "spec-rank-mismatch"
    summary = "A PartitionSpec longer than the array's rank, or with an axis used twice"
    severity = Severity.ERROR
    kinds = (Kind.SPEC_RANK,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        if event.how == "twice":
            message = f"The spec uses the axis `{event.text('axis')}` for two dimensions."
            return self.finding(event, message, help="An axis can split one dimension only: use another, or None.")
        rank, entries = event.data["rank"], event.data["entries"]
        where = "a scalar" if rank == 0 else f"{rank} dimension{'s' * (rank != 1)}"
        verb = "is" if rank == 0 else "has"
        message = (
            f"The spec has {entries} entr{'y' if entries == 1 else 'ies'}, and {event.text('what')} {verb} {where}."
        )
        return self.finding(event, message, help="Choose the spec by the rank of the leaf: `P()` for scalars.")
