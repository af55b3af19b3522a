"""A name or an argument that current JAX, Flax, Optax or Orbax has removed or deprecated.

## Why
A removed name is an `AttributeError`, an `ImportError` or a `TypeError` after the next upgrade, often in code that a
test does not reach. A deprecated one warns now and is the next to go. The table says since which version, and what to
write instead.

## Bad
```python run=raises:AttributeError
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
print(jax.tree_map(lambda leaf: leaf * 2, params))  # error: [removed-api] "removed in JAX 0.6.0"
```

## Good
```python run=ok
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
print(jax.tree.map(lambda leaf: leaf * 2, params))
```

## How it is fixed
Where the replacement is a plain rename, the name is rewritten in place, which is safe; imports keep the name they bind.
Elsewhere the help says what to write.

## Known limits
Names are read from imports and attribute chains. Methods of arrays and of other objects (`x.device()`) are not looked
at. Code behind a test of the version, `hasattr`, or a `try` that catches the failed look-up is silent.

Names of Flax and Optax that are deprecated but work are reported only with `--confidence guess`.

Which versions count is the project's own word: `target-jax` in the configuration, else the pins in `pyproject.toml`,
`setup.cfg`, `setup.py` or `requirements*.txt`. A name that was removed in a version that the pins exclude is
silent, and so is a deprecation that is younger than the oldest version they allow.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxlint.events import Event, Kind
from jaxlint.findings import Applicability, Confidence, Edit, Finding, Fix, Severity
from jaxlint.knowledge.removed import LATEST, Retired, Target
from jaxlint.rules.base import Rule

TITLE = {"jax": "JAX", "flax": "Flax", "optax": "Optax", "orbax": "Orbax"}


class RemovedApi(Rule):
    """JAX906."""

    code = "JAX906"
    name = "removed-api"
    summary = "A name that current JAX, Flax, Optax or Orbax removed or deprecated"
    severity = Severity.ERROR
    kinds = (Kind.RETIRED_NAME,)

    def judge(self, event: Event) -> Finding | None:
        """Removed for some version that the project may run with, or deprecated for all of them."""
        row, target = event.data["row"], event.data.get("target", LATEST)
        assert isinstance(row, Retired) and isinstance(target, Target)
        library = row.library
        if row.removed and target.reaches(library, row.removed):
            state, severity = f"was removed in {TITLE[library]} {row.removed}", Severity.ERROR
        elif row.deprecated and target.reaches(library, row.deprecated):
            if target.predates(library, row.deprecated):
                return None
            state, severity = f"is deprecated since {TITLE[library]} {row.deprecated}", Severity.WARNING
        else:
            return None
        finding = self.finding(event, f"{subject(row)} {state}.", help=remedy(row), severity=severity)
        # JAX says when a deprecated name goes; Flax and Optax keep theirs for years, and nothing breaks meanwhile
        soft = severity is Severity.WARNING and library != "jax"
        confidence = Confidence.GUESS if soft else finding.confidence
        return replace(finding, fix=rename(event, row), confidence=confidence)


def subject(row: Retired) -> str:
    """What was removed, in words."""
    if row.keyword:
        return f"The argument `{row.keyword}` of `{row.name}`"
    if row.missing:
        return f"`{row.name}` without `{row.missing}`"
    if row.positional is not None:
        return f"Passing more than {row.positional} argument{'s' * (row.positional != 1)} of `{row.name}` by position"
    return f"`{row.name}`"


def remedy(row: Retired) -> str:
    """What to write instead."""
    if row.becomes:
        return f"It is now called `{row.becomes}`."
    if row.use and row.advice:
        return f"Use `{row.use}` {row.advice}."
    if row.use:
        return f"Use `{row.use}`."
    return f"{row.advice[:1].upper()}{row.advice[1:]}." if row.advice else "It has no replacement."


def rename(event: Event, row: Retired) -> Fix | None:
    """The edit for a plain rename."""
    node, statement = event.node, event.data.get("statement")
    edit: Edit | None = None
    if row.becomes and isinstance(node, ast.Call):
        keyword = next(k for k in node.keywords if k.arg == row.keyword)
        span = event.source.span(keyword)
        line = event.source.lines[span.row - 1]
        if line[span.column - 1 :].startswith(row.keyword):
            edit = Edit(type(span)(span.row, span.column, span.row, span.column + len(row.keyword)), row.becomes)
    elif row.rename and isinstance(node, ast.Attribute):
        edit = attribute_edit(event, row, node)
    elif row.rename and isinstance(statement, ast.ImportFrom) and len(statement.names) == 1:
        module, _, name = row.use.rpartition(".")
        bound = event.text("bound")
        if event.text("written") == row.name and module:
            binding = name if name == bound else f"{name} as {bound}"
            edit = Edit(event.source.span(statement), f"from {module} import {binding}")
    if edit is None:
        return None
    return Fix(Applicability.SAFE, f"Write `{row.becomes or row.use}`", (edit,))


def attribute_edit(event: Event, row: Retired, node: ast.Attribute) -> Edit | None:
    """Rewrite `base.old` as `base.new` where the new name lives below the same module."""
    old_home, _, _ = row.name.rpartition(".")
    if row.use.startswith(f"{old_home}."):
        base = event.source.segment(node.value, 1000)
        return Edit(event.source.span(node), f"{base}.{row.use[len(old_home) + 1 :]}")
    root = ast.walk(node)
    whole = isinstance(node.value, ast.Attribute) and event.source.segment(node, 1000) == row.name
    plain = any(isinstance(part, ast.Name) and part.id == row.use.partition(".")[0] for part in root)
    # a module that `import jax` brings along; others would need an import of their own
    reachable = row.use.startswith(("jax.numpy.", "jax.lax.", "jax.sharding.", "jax.tree.")) or row.use.count(".") == 1
    return Edit(event.source.span(node), row.use) if whole and plain and reachable else None
