"""An `nnx.Module`, an optimiser or a callable handed to Orbax, where its state is what can be stored.

## Why
Orbax stores trees of arrays. A linen module, an optax optimiser, a schedule or any function in the tree raises
`ValueError` at the first save: after the first epoch, that is. An `nnx.Module` or `nnx.Optimizer` is worse: it saves
without a word, but its tree has other keys than its state, so that restoring it into `nnx.state(model)` raises, and
plain Python attributes are lost.

## Bad
```python run=raises:ValueError
import tempfile

import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp

params = {"w": jnp.ones(3)}
tx = optax.adam(1e-3)
bundle = {"params": params, "tx": tx, "opt_state": tx.init(params)}
ocp.PyTreeCheckpointer().save(tempfile.mkdtemp() + "/step", bundle)  # error: [checkpoint-object]
```

## Good
```python run=ok
import tempfile

import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp

params = {"w": jnp.ones(3)}
tx = optax.adam(1e-3)
bundle = {"params": params, "opt_state": tx.init(params)}
ocp.PyTreeCheckpointer().save(tempfile.mkdtemp() + "/step", bundle)
```

## How it is fixed
Save `nnx.state(model)`, and restore it into the state of a model made anew. Leave modules, optimisers and functions out
of the tree: code makes them again. The fix wraps an nnx module in `nnx.state`; it is unsafe, because the code that
restores must change with it.

## Known limits
Objects of classes that are not known are silent, and so are strings and other odd leaves.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Applicability, Edit, Finding, Fix, Severity
from jaxlint.rules.base import Rule

NNX = re.compile(r"^\s*(?:from flax import (?:.*,\s*)?nnx\b(?! as)|import flax\.nnx as nnx\b)", re.MULTILINE)


class CheckpointObject(Rule):
    """JAX903."""

    code = "JAX903"
    name = "checkpoint-object"
    summary = "A module, an optimiser or a callable handed to Orbax instead of its state"
    severity = Severity.ERROR
    kinds = (Kind.CHECKPOINT_OBJECT,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault; what it costs depends on the object."""
        what = event.text("what")
        part = "" if event.data["whole"] else " in the saved tree"
        if event.how == "nnx":
            message = f"`{what}`{part} is saved without an error, but does not restore into `nnx.state`."
            help = "Save `nnx.state(...)` of it, and restore into the state of a model made anew."
        elif event.how == "graphdef":
            message = f"The `GraphDef`{part} is saved without an error, but cannot be restored."
            help = "Save the state only; the code that makes the model makes the graphdef again."
        else:
            noun = {
                "module": f"the module `{what}`",
                "optimizer": f"an optax {what}",
                "callable": f"the function `{what}`",
            }
            message = f"Orbax cannot save {noun[event.how]}{part}: it raises `ValueError`."
            help = (
                "Save arrays only (variables, params, opt_state); code makes modules, optimisers and functions again."
            )
        return replace(self.finding(event, message, help=help), fix=wrap(event))


def wrap(event: Event) -> Fix | None:
    """`nnx.state(model)` for `model`."""
    subject = event.subject
    if event.how != "nnx" or not event.data["whole"] or not isinstance(subject, (ast.Name, ast.Attribute)):
        return None
    if not NNX.search(event.source.text):
        return None
    text = f"nnx.state({event.source.segment(subject, 1000)})"
    return Fix(Applicability.UNSAFE, f"Save `{text}`", (Edit(event.source.span(subject), text),))
