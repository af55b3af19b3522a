"""A relative path handed to an Orbax checkpointer or manager, or to flax's `save_checkpoint`.

## Why
Orbax wants absolute paths and raises `ValueError` when it saves or restores. A `CheckpointManager` takes the relative
folder at first and fails at the first save; in the background, where nobody waits, the error is only in the log. `~` is
not expanded either.

## Bad
```python run=raises:ValueError
import jax.numpy as jnp
import orbax.checkpoint as ocp

with ocp.StandardCheckpointer() as saver:
    saver.save("checkpoints/last", {"w": jnp.ones(3)})  # error: [relative-checkpoint-path]
```

## Good
```python run=ok
import os
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp

os.chdir(tempfile.mkdtemp())
with ocp.StandardCheckpointer() as saver:
    saver.save(os.path.abspath("checkpoints/last"), {"w": jnp.ones(3)})
```

## How it is fixed
`os.path.abspath(path)`, or `path.absolute()` for a `Path`. The fix writes one of the two where it needs no new import;
it is safe, since a relative path only raises.

## Known limits
Only paths whose beginning is known count: literals, what is joined to them, f-strings that begin with text, and
defaults of parameters where a call is in sight. Options of the command line are silent.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Applicability, Edit, Finding, Fix, Severity
from jaxlint.rules.base import Rule

OS = re.compile(r"^import os(?:\.path)?\s*$", re.MULTILINE)


class RelativeCheckpointPath(Rule):
    """JAX907."""

    code = "JAX907"
    name = "relative-checkpoint-path"
    summary = "A relative path handed to an Orbax checkpointer or manager"
    severity = Severity.ERROR
    kinds = (Kind.CHECKPOINT_PATH,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        text = event.source.segment(event.subject, 50) if event.subject is not None else "the path"
        finding = self.finding(
            event,
            f"`{text}` is a relative path here, and Orbax raises `ValueError` for those.",
            help="Make it absolute: `os.path.abspath(path)`, or `path.absolute()`.",
        )
        return replace(finding, fix=absolute(event))


def absolute(event: Event) -> Fix | None:
    """Wrap the path."""
    node = event.subject
    if node is None or isinstance(node, ast.Starred):
        return None
    text = event.source.segment(node, 1000)
    if event.data["object"]:
        plain = isinstance(node, (ast.Name, ast.Attribute, ast.Call))
        wrapped = f"{text}.absolute()" if plain else f"({text}).absolute()"
    elif OS.search(event.source.text):
        wrapped = f"os.path.abspath({text})"
    else:
        return None
    return Fix(Applicability.SAFE, f"Write `{wrapped}`", (Edit(event.source.span(node), wrapped),))
