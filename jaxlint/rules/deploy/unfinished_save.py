"""An asynchronous save that nothing waits for before the program, or the checkpointer's life, ends.

## Why
`StandardCheckpointer`, `AsyncCheckpointer` and `CheckpointManager` copy the arrays and return; a thread writes the
files. Without a wait the last checkpoint is lost when the program ends, with exit status 0. Waiting on another
checkpointer object does nothing for this one, and files that are copied or read before the wait are not there yet.

## Bad
```python run=raises:FileNotFoundError
import shutil
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp

folder = tempfile.mkdtemp()
staging = folder + "/staging"
with ocp.StandardCheckpointer() as saver:
    saver.save(staging, {"w": jnp.ones((2000, 2000))})  # error: [unfinished-save]
    shutil.copytree(staging, folder + "/public")
```

## Good
```python run=ok
import shutil
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp

folder = tempfile.mkdtemp()
staging = folder + "/staging"
with ocp.StandardCheckpointer() as saver:
    saver.save(staging, {"w": jnp.ones((2000, 2000))})
shutil.copytree(staging, folder + "/public")
```

## How it is fixed
Use the checkpointer in a `with` statement, or call its `wait_until_finished()` or `close()` before the program ends.
The fix adds `wait_until_finished()` behind a save that stands by itself and in no loop; that is safe.

## Known limits
A checkpointer that is returned, kept in an attribute or handed to code that is not in sight is silent: somebody may
wait there. `PyTreeCheckpointer` and `Checkpointer` wait by themselves.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Applicability, Edit, Finding, Fix, Severity, Span
from jaxlint.rules.base import Rule


class UnfinishedSave(Rule):
    """JAX904."""

    code = "JAX904"
    name = "unfinished-save"
    summary = "An asynchronous save that nothing waits for before exit"
    severity = Severity.ERROR
    kinds = (Kind.UNFINISHED_SAVE,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        call = event.source.segment(event.node, 50) if isinstance(event.node, ast.Call) else "the save"
        name = event.source.segment(event.node.func, 40) if isinstance(event.node, ast.Call) else call
        if event.how == "used":
            use = event.source.said(int(event.text("row")))
            message = f"`{name}` returns before the files are written, and {use} uses them."
            help = (
                "Call `wait_until_finished()` on the same checkpointer before, or use the files after its `with` block."
            )
        else:
            message = f"`{name}` returns before the files are written, and nothing waits for it: the save may be lost."
            help = (
                "Call `wait_until_finished()` or `close()` on the same checkpointer, or use it in a `with` statement."
            )
        return replace(self.finding(event, message, help=help), fix=wait(event))


def wait(event: Event) -> Fix | None:
    """`saver.wait_until_finished()` on a line of its own behind the save."""
    node = event.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    receiver = node.func.value
    if not isinstance(receiver, (ast.Name, ast.Attribute)):
        return None
    span = event.source.span(node)
    line = event.source.lines[span.row - 1]
    last = event.source.lines[span.end_row - 1]
    indent = line[: span.column - 1]
    alone = not indent.strip() and not last[span.end_column - 1 :].split("#")[0].strip()
    if not alone or in_loop(event):
        return None
    text = f"\n{indent}{event.source.segment(receiver, 200)}.wait_until_finished()"
    end = Span(span.end_row, len(last) + 1, span.end_row, len(last) + 1)
    return Fix(Applicability.SAFE, "Wait for the save", (Edit(end, text),))


def in_loop(event: Event) -> bool:
    """Whether the save stands in a loop, where a wait on each round costs time."""
    loops = (ast.For, ast.AsyncFor, ast.While)
    row = getattr(event.node, "lineno", 0)
    tree = event.source.parse()
    return any(isinstance(n, loops) and n.lineno <= row <= (n.end_lineno or row) for n in ast.walk(tree))
