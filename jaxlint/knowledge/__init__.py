"""What outside libraries do. `lookup` a canonical dotted name, get the `Entry` that says what a call of it does.

The facts are the text tables in `tables/` (notation: `tabletext`); which table knows which module is in `registry`,
so that a table is imported when the first name of its module is asked for. `canonical` folds the many spellings of
one name (`aliases`), and a user's configuration adds names of its own (`extend`).
"""

from __future__ import annotations

from .canonical import canonical
from .entry import NO_OPTIONS, Entry, Table
from .lookup import (
    Constant,
    constant,
    extend,
    is_module,
    is_value_kind,
    lookup,
    method,
    numpy_delegates,
    reset_extensions,
)

__all__ = [
    "NO_OPTIONS",
    "Constant",
    "Entry",
    "Table",
    "canonical",
    "constant",
    "extend",
    "is_module",
    "is_value_kind",
    "lookup",
    "method",
    "numpy_delegates",
    "reset_extensions",
]
