"""A `PartitionSpec`, a collective or a layer names an axis that its mesh or the mapped functions around it lack.

## Why
A misspelt or forgotten axis fails when the sharding is made or the function is traced: on the machine with the eight
devices, not at the desk. Some of these errors say little (inside `shard_map` an assertion without a text).

## Bad
```python run=raises:ValueError
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))
rows = NamedSharding(mesh, P("batch", None))  # error: [unknown-mesh-axis] "data, model"
```

## Good
```python run=ok
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))
rows = NamedSharding(mesh, P("data", None))
```

## How it is fixed
Write an axis of the mesh, or give the mesh, `pmap` or `vmap` the axis that is meant. A layer such as `BatchNorm` needs
no `axis_name` where nothing maps over one.

## Known limits
A mesh or an axis name that comes from a parameter or a configuration is silent, and so is a collective in a function
whose callers are not in sight. Where a spec reaches its mesh through a table of rules, it is compared with all meshes
of the program, if all of them are known.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class UnknownMeshAxis(Rule):
    """JAX801."""

    code = "JAX801"
    name = "unknown-mesh-axis"
    summary = "A PartitionSpec or a collective names an axis that the mesh or the mapped function lacks"
    severity = Severity.ERROR
    kinds = (Kind.MESH_AXIS,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        axis, near, known = event.text("axis"), event.text("near"), event.data["known"]
        assert isinstance(known, tuple)
        names = ", ".join(known)
        function = event.text("function").rpartition(".")[2]
        if event.how == "spec":
            message = f"The mesh has no axis `{axis}`: its axes are {names}."
        elif not known:
            message = f"`{function}` needs the axis `{axis}`, and nothing maps over an axis here."
        else:
            message = f"`{function}` needs the axis `{axis}`, and the axes here are {names}."
        if near:
            help = f"Did you mean `{near}`?"
        elif event.how == "layer" and not known:
            help = "Leave out `axis_name`, or call the layer inside `pmap`, `vmap` or `shard_map` with that axis."
        else:
            help = "Name an axis that is there, or give the axis that is meant to the mesh or the mapping transform."
        return self.finding(event, message, help=help)
