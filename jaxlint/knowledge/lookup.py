"""Finding the fact about a name, and the facts a user's configuration adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import NamedTuple

from . import tabletext
from .canonical import canonical
from .entry import Entry
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
        raw = _table("methods", kind).get(name)
        found = _methods[kind, name] = tabletext.entry(name, raw) if raw is not None else None
        return found


def is_value_kind(kind: str) -> bool:
    """Whether `method` knows the kind."""
    return bool(_table("methods", kind))


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
            raw = _table(table, module).get(rest)
            return tabletext.entry(rest, raw) if raw is not None else None
        module, dot, attribute = module.rpartition(".")
        rest = f"{attribute}.{rest}"
    return None


def _table(table: str, module: str) -> dict[str, tabletext.Raw]:
    try:
        return _index[f"{table}:{module}"]
    except KeyError:
        texts: dict[str, str] = import_module(f"{__package__}.tables.{table}").TABLES
        found = _index[f"{table}:{module}"] = tabletext.split(texts.get(module, ""))
        return found


# ---- the user's own names

RESULTS = [
    "unknown",
    "none",
    "array",
    "like",
    "broadcast",
    "reduce",
    "bool_like",
    "arrays",
    "tree",
    "key",
    "keys",
    "same",
    "int",
    "float",
    "bool",
    "str",
    "bytes",
    "python",
    "host",
    "file",
    "object",
    "instance",
]
_EFFECTS = ("", "print", "logging", "clock", "random", "file", "network", "input")
_STRINGS = {"result": RESULTS, "effect": _EFFECTS, "model": None, "reads": None, "jnp": None, "size_param": None}
_BOOLS = ("blocks", "delegates", "dispatches")
_NAME_LISTS = ("params", "shape_params", "number_params")
_KEYS = ["like", *_STRINGS, *_BOOLS, *_NAME_LISTS, "options"]


def extend(functions: Mapping[str, Mapping[str, object]]) -> None:
    """Add facts from a configuration: `"mylib.fast_jit" = { like = "jax.jit" }`. ValueError says what is wrong."""
    added = {name: _user_entry(name, settings) for name, settings in functions.items()}
    _user.update(added)
    _entries.clear()


def reset_extensions() -> None:
    """Forget what `extend` added (a language server reloads its configuration)."""
    _user.clear()
    _entries.clear()


def _user_entry(name: str, settings: Mapping[str, object]) -> Entry:
    where = f'functions."{name}"'
    if not name or not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"{where}: not a dotted name")
    if not isinstance(settings, Mapping):
        raise ValueError(f'{where}: expected a table such as {{ like = "jax.jit" }}, got {settings!r}')
    fields: dict[str, object] = {}
    for key, value in settings.items():
        if key not in _KEYS:
            raise ValueError(f"{where}: unknown key {key!r}{_did_you_mean(key, _KEYS)}")
        if key != "like":
            fields[key] = _checked(where, key, value)
    like = settings.get("like")
    if like is None:
        return Entry(**fields)  # type: ignore[arg-type]
    base = lookup(like) if isinstance(like, str) else None
    if base is None:
        raise ValueError(f"{where}: `like` names nothing that jaxlint knows: {like!r}{_suggest(like)}")
    if "options" in fields:
        fields["options"] = {**base.options, **fields["options"]}  # type: ignore[dict-item]
    known = {field: getattr(base, field) for field in base.__slots__}
    return Entry(**{**known, **fields})


def _checked(where: str, key: str, value: object) -> object:
    if key in _STRINGS:
        if not isinstance(value, str):
            raise ValueError(f"{where}: {key} must be a string, got {value!r}")
        choices = _STRINGS[key]
        if choices is not None and value not in choices:
            listed = ", ".join(choice for choice in choices if choice)
            raise ValueError(f"{where}: {key} cannot be {value!r}{_did_you_mean(value, choices)} (one of: {listed})")
        return value
    if key in _BOOLS:
        if not isinstance(value, bool):
            raise ValueError(f"{where}: {key} must be true or false, got {value!r}")
        return value
    if key in _NAME_LISTS:
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{where}: {key} must be a list of parameter names, got {value!r}")
        return tuple(value)
    if not isinstance(value, Mapping):
        raise ValueError(f"{where}: {key} must be a table, got {value!r}")
    return dict(value)


def _closest(word: str, choices: Iterable[str]) -> list[str]:
    import difflib  # 6 ms of start-up that only a faulty configuration should pay

    return difflib.get_close_matches(word, list(choices), n=1, cutoff=0.6)


def _did_you_mean(word: str, choices: Iterable[str]) -> str:
    close = _closest(word, choices)
    return f", did you mean {close[0]!r}?" if close else ""


def _suggest(like: object) -> str:
    """A known name close to a wrong `like`: same module first, then the same last part in any module."""
    if not isinstance(like, str):
        return ""
    module, _, last = canonical(like).rpartition(".")
    table = TABLE_OF.get(module)
    if table is not None:
        close = _closest(last, _table(table, module))
        if close:
            return f", did you mean {module + '.' + close[0]!r}?"
    for other, other_table in TABLE_OF.items():
        if last in _table(other_table, other):
            return f", did you mean {other + '.' + last!r}?"
    return ""
