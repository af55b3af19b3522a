"""What outside libraries do. `lookup` a canonical dotted name, get the `Entry` that says what a call of it does.

The facts are the text tables in `tables/` (notation: `tabletext`); which table knows which module is in `registry`,
so that a table is imported when the first name of its module is asked for. `canonical` folds the many spellings of
one name (`aliases`), and a user's configuration adds names of its own (`extend`).
"""

from __future__ import annotations

from collections.abc import Mapping

from .entry import NO_OPTIONS, Entry, Table
from .facts import (
    Constant,
    constant,
    is_module,
    is_value_kind,
    lookup,
    method,
    numpy_delegates,
    reset_extensions,
)
from .folding import canonical

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


def extend(functions: Mapping[str, Mapping[str, object]]) -> None:
    """Add facts from a configuration: `"mylib.fast_jit" = { like = "jax.jit" }`. ValueError says what is wrong."""
    from .extension import extend as add_all

    add_all(functions)
