"""Finding the fact about a name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from . import tabletext
from .entry import Entry
from .folding import canonical
from .registry import MODULES, TABLE_OF

_index: dict[str, dict[str, tabletext.Raw]] = {}
_entries: dict[str, Entry | None] = {}
_methods: dict[tuple[str, str], Entry | None] = {}
_user: dict[str, Entry] = {}


class Constant(NamedTuple):
    """A name that is a plain value: what kind (`result` of its entry), and the value where it is known."""

    result: str
    known: bool
    value: object


def lookup(name: str) -> Entry | None:
    """The fact about a dotted name (folded first, so any spelling will do); None when nothing is known."""
    if name in _user:
        return _user[name]
    try:
        return _entries[name]
    except KeyError:
        found = _entries[name] = _find(canonical(name))
        return found


def is_module(name: str) -> bool:
    """Whether a dotted name is a module of a library that the tables know."""
    return name in MODULES or canonical(name) in MODULES


def method(kind: str, name: str) -> Entry | None:
    """The method or attribute `name` of values of a kind: array, at, key, ndarray.

    `Entry.attribute` tells an attribute (`.shape`, `.T`) from a method (`.sum`).
    """
    try:
        return _methods[kind, name]
    except KeyError:
        raw = table_index("methods", kind).get(name)
        found = _methods[kind, name] = tabletext.entry(name, raw) if raw is not None else None
        return found


def is_value_kind(kind: str) -> bool:
    """Whether `method` knows the kind."""
    return bool(table_index("methods", kind))


def constant(name: str) -> Constant | None:
    """The plain value a name stands for (`math.pi`, `numpy.newaxis`), None when it is no plain value."""
    entry = lookup(name)
    if entry is None or not entry.attribute:
        return None
    return Constant(entry.result, "value" in entry.options, entry.options.get("value"))


def numpy_delegates(name: str) -> bool:
    """Whether a NumPy function calls the array's own method, so that a tracer passes through it."""
    entry = lookup(name)
    return entry is not None and entry.delegates


def _find(name: str) -> Entry | None:
    module, dot, rest = name.rpartition(".")
    while dot:
        table = TABLE_OF.get(module)
        if table is not None:
            raw = table_index(table, module).get(rest)
            return tabletext.entry(rest, raw) if raw is not None else None
        module, dot, attribute = module.rpartition(".")
        rest = f"{attribute}.{rest}"
    return None


def table_index(table: str, module: str) -> dict[str, tabletext.Raw]:
    """The lines about a module in a table, by name."""
    try:
        return _index[f"{table}:{module}"]
    except KeyError:
        texts: dict[str, str] = import_module(f"{__package__}.tables.{table}").TABLES
        found = _index[f"{table}:{module}"] = tabletext.split(texts.get(module, ""))
        return found


def add(facts: Mapping[str, Entry]) -> None:
    """Facts that override the tables."""
    _user.update(facts)
    _entries.clear()


def reset_extensions() -> None:
    """Forget what `extend` added (a language server reloads its configuration)."""
    _user.clear()
    _entries.clear()
