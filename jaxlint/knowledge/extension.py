"""Facts from a user's configuration. Imported only where there are some: a plain run does not pay for it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from .entry import Entry
from .facts import add, lookup, table_index
from .folding import canonical
from .registry import TABLE_OF

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
_STRINGS = {
    "result": RESULTS,
    "effect": _EFFECTS,
    "model": None,
    "reads": None,
    "jnp": None,
    "size_param": None,
    "varargs": None,
}
_BOOLS = ("blocks", "delegates", "dispatches", "attribute")
_NAME_LISTS = ("params", "shape_params", "number_params")
_KEYS = ["like", *_STRINGS, *_BOOLS, *_NAME_LISTS, "options"]


def extend(functions: Mapping[str, Mapping[str, object]]) -> None:
    """Add facts from a configuration: `"mylib.fast_jit" = { like = "jax.jit" }`. ValueError says what is wrong."""
    added = {name: _user_entry(name, settings) for name, settings in functions.items()}
    add(added)


def _user_entry(name: str, settings: Mapping[str, object]) -> Entry:
    where = f'functions."{name}"'
    if not name or not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"{where}: not a dotted name")
    if not isinstance(settings, Mapping):
        raise ValueError(f'{where}: expected a table such as {{ like = "jax.jit" }}, got {settings!r}')
    fields: dict[str, object] = {}
    for written, value in settings.items():
        key = written.replace("-", "_")  # as TOML spells keys
        if key not in _KEYS:
            raise ValueError(f"{where}: unknown key {written!r}{_did_you_mean(key, _KEYS)}")
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
        close = _closest(last, table_index(table, module))
        if close:
            return f", did you mean {module + '.' + close[0]!r}?"
    for other, other_table in TABLE_OF.items():
        if last in table_index(other_table, other):
            return f", did you mean {other + '.' + last!r}?"
    return ""
