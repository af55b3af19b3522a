"""Variables of `nnx` with a sharding annotation that are made while no mesh is in force.

## Why
Since Flax 0.12 an annotated variable is sharded at once: making it outside of `jax.set_mesh` raises `ValueError`. The
older `with mesh:` does not count.

## Bad
```python run=raises:ValueError
import jax
from flax import nnx

init = nnx.with_partitioning(nnx.initializers.lecun_normal(), (None, "model"))


def create(seed):
    return nnx.Linear(4, 8, kernel_init=init, rngs=nnx.Rngs(seed))


model = create(0)  # error: [sharded-variable-without-mesh]
```

## Good
```python run=ok
import jax
from flax import nnx

init = nnx.with_partitioning(nnx.initializers.lecun_normal(), (None, "model"))
mesh = jax.make_mesh((1,), ("model",), axis_types=(jax.sharding.AxisType.Auto,))


def create(seed):
    return nnx.Linear(4, 8, kernel_init=init, rngs=nnx.Rngs(seed))


with jax.set_mesh(mesh):
    model = create(0)
```

## How it is fixed
Make the model under `with jax.set_mesh(mesh):`, or give the annotation its mesh
(`nnx.with_partitioning(init, names, mesh=mesh)`). `nnx.use_eager_sharding(False)` brings back the old behaviour.

## Known limits
Reported where the model is made in a run that is followed from a script; a factory that nobody calls is silent.
Projects that mention eager sharding are silent, and so are those whose pins exclude Flax 0.12.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class ShardedVariableWithoutMesh(Rule):
    """JAX805."""

    code = "JAX805"
    name = "sharded-variable-without-mesh"
    summary = "Variables with partitioning annotations made outside of any mesh"
    severity = Severity.ERROR
    kinds = (Kind.SHARDED_VARIABLE,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        row = event.data["made"]
        where = "" if row == getattr(event.node, "lineno", row) else f" (line {row} of {event.text('file')})"
        return self.finding(
            event,
            f"A variable with a sharding annotation is made here{where}, and no mesh is set: Flax 0.12 raises.",
            help="Put it under `with jax.set_mesh(mesh):`, or give the annotation a mesh.",
        )
