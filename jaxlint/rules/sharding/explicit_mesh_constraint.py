"""`with_sharding_constraint` with a sharding over Explicit mesh axes, which are the default of `jax.make_mesh`.

## Why
Since JAX 0.9 the axes of `jax.make_mesh` are Explicit: shardings are part of the array's type, and a constraint on such
an axis raises `ValueError` as soon as the line runs. Code written for `Mesh(...)` or an older `make_mesh`, whose axes
are Auto, breaks.

## Bad
```python run=raises:ValueError
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",))


@jax.jit
def scale(x):
    return jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P("data")))  # error: [explicit-mesh-constraint]


print(scale(jnp.ones(8)))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",), axis_types=(AxisType.Auto,))


@jax.jit
def scale(x):
    return jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P("data")))


print(scale(jnp.ones(8)))
```

## How it is fixed
Make the mesh with `axis_types=(AxisType.Auto,) * n`, or keep the Explicit mesh and use `jax.sharding.reshard`.

## Known limits
A mesh that comes from a parameter is silent, and so is a bare `PartitionSpec` under `jax.set_mesh`.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class ExplicitMeshConstraint(Rule):
    """JAX804."""

    code = "JAX804"
    name = "explicit-mesh-constraint"
    summary = "`with_sharding_constraint` over an Explicit mesh axis, the default of `make_mesh` since JAX 0.9"
    severity = Severity.ERROR
    kinds = (Kind.EXPLICIT_CONSTRAINT,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        axis = event.text("axis")
        why = " (the default of `jax.make_mesh` since JAX 0.9)" if event.data["default"] else ""
        return self.finding(
            event,
            f"`with_sharding_constraint` raises here: the mesh axis `{axis}` is Explicit{why}.",
            help="Make the mesh with `axis_types=(AxisType.Auto,) * n`, or use `jax.sharding.reshard`.",
        )
