"""An ignore comment is reported when the rule that it names ran and had nothing to say there.

## Why
A comment that silences nothing hides the next fault on that line, and tells readers of a problem that is gone.

## Bad
```python run=ok
import jax.numpy as jnp

total = float(jnp.sum(jnp.arange(3.0)))  # jaxlint: ignore[sync-in-loop] read once  # error: [unused-suppression]
print(total)
```

## Good
```python run=ok
import jax.numpy as jnp

total = float(jnp.sum(jnp.arange(3.0)))  # read once, after the work
print(total)
```

## How it is fixed
The comment, or the rule's name in it, is removed. The fix is safe.

## Known limits
Only rules that ran are judged: a comment for a rule that is not selected is left alone. A comment inside a
function that jaxlint gave up on is left alone too, since the finding that it silences may be out of sight.
"""

from __future__ import annotations

from typing import ClassVar

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class UnusedSuppression(Rule):
    """JAX001. The engine reports it, after all rules have run; there is no event."""

    code = "JAX001"
    name = "unused-suppression"
    summary = "An ignore comment that silences nothing"
    severity = Severity.WARNING
    default = False
    kinds: ClassVar[tuple[Kind, ...]] = ()

    def judge(self, event: Event) -> Finding | None:
        """Never called."""
        return None
