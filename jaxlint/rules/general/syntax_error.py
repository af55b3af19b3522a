"""A file or a notebook cell that cannot be read or parsed is reported, and the other files are checked as usual.

The message says what is wrong and where; when the syntax is newer than the Python that runs jaxlint, it says so.

## Why
A file that jaxlint cannot parse is a file that it did not check. A gate that is green because it looked at
nothing is worse than none.

## Bad
```python
def scale(x:  # error: [syntax-error]
    return 2 * x
```

## Good
```python run=ok
def scale(x):
    return 2 * x


print(scale(3.0))
```

## How it is fixed
By hand. Files that are not meant for this Python (templates, fixtures of another version) belong in `exclude`.

## Known limits
The check cannot be silenced by a comment in the file itself, as the comments of a broken file are not trusted;
use `per-file-ignores`. A notebook's magics and shell lines are understood, other cell languages are skipped.
"""

from __future__ import annotations

from typing import ClassVar

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class SyntaxError(Rule):
    """JAX000. The engine reports it; there is no event."""

    code = "JAX000"
    name = "syntax-error"
    summary = "A file or notebook cell that cannot be read or parsed"
    severity = Severity.ERROR
    kinds: ClassVar[tuple[Kind, ...]] = ()

    def judge(self, event: Event) -> Finding | None:
        """Never called."""
        return None
