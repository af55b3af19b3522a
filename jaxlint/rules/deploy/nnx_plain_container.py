"""A plain list, tuple or dict of modules, variables or arrays as an attribute of an `nnx.Module`.

## Why
Since Flax 0.12 a module must know which attributes hold data. A plain container counts as static, and data in it raises
`ValueError` when it is assigned; one that is filled later raises at the end of the constructor, or at the next `split`.

## Bad
```python run=raises:ValueError
from flax import nnx


class Stack(nnx.Module):
    def __init__(self, depth, rngs):
        self.layers = [nnx.Linear(4, 4, rngs=rngs) for _ in range(depth)]  # error: [nnx-plain-container]


Stack(2, nnx.Rngs(0))
```

## Good
```python run=ok
from flax import nnx


class Stack(nnx.Module):
    def __init__(self, depth, rngs):
        self.layers = nnx.List([nnx.Linear(4, 4, rngs=rngs) for _ in range(depth)])


Stack(2, nnx.Rngs(0))
```

## How it is fixed
Wrap the container in `nnx.List` or `nnx.Dict`. The fix does that where the container is flat and `nnx` is imported by
that name; it is safe, since the plain one only raises.

## Known limits
Slices and sums of lists are silent, and so are classes with `pytree=False`, attributes that are declared as data, and
projects whose pins exclude Flax 0.12.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Applicability, Edit, Finding, Fix, Severity, Span
from jaxlint.rules.base import Rule
from jaxlint.rules.deploy.checkpoint_object import NNX


class NnxPlainContainer(Rule):
    """JAX908."""

    code = "JAX908"
    name = "nnx-plain-container"
    summary = "A plain list, tuple or dict of modules or variables on an `nnx.Module`"
    severity = Severity.ERROR
    kinds = (Kind.NNX_CONTAINER,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        wrapper = "nnx.Dict" if event.how == "dict" else "nnx.List"
        finding = self.finding(
            event,
            f"A plain {event.how} on an `nnx.Module` cannot hold modules, variables or arrays: Flax 0.12 raises.",
            help=f"Wrap it in `{wrapper}`.",
        )
        return replace(finding, fix=wrap(event, wrapper))


def wrap(event: Event, wrapper: str) -> Fix | None:
    """Put the container into nnx' own, where that changes nothing else."""
    node = event.subject
    if event.data["nested"] or not isinstance(node, ast.expr) or not NNX.search(event.source.text):
        return None
    span = event.source.span(node)
    if isinstance(node, ast.Tuple) and event.source.segment(node, 1000)[:1] != "(":
        return None
    start, end = Span(span.row, span.column, span.row, span.column), Span(*[span.end_row, span.end_column] * 2)
    edits = (Edit(start, f"{wrapper}("), Edit(end, ")"))
    return Fix(Applicability.SAFE, f"Wrap it in `{wrapper}`", edits)
