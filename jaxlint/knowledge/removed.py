"""What current JAX, Flax, Optax and Orbax have removed or deprecated: `removed.toml`, read on first use."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("removed.toml")
Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Retired:
    """One row. `name` is the dotted name, or for arguments the name of the call.

    Of an argument exactly one of `keyword` (no longer taken), `positional` (how many may be given by position) and
    `missing` (a keyword that must be given) is set.
    """

    name: str
    removed: str = ""
    deprecated: str = ""
    use: str = ""
    rename: bool = False
    advice: str = ""
    reference: str = ""
    keyword: str = ""
    positional: int | None = None
    missing: str = ""
    becomes: str = ""

    @property
    def library(self) -> str:
        """jax, flax, optax or orbax."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table: names and calls by dotted name, the versions it was checked with, where changes are told."""

    names: Mapping[str, Retired]
    calls: Mapping[str, tuple[Retired, ...]]
    versions: Mapping[str, str]
    references: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Target:
    """The versions a project may run with, by library: `lowest` and `highest` are inclusive, absent means open.

    `below` are exclusive upper bounds.
    """

    lowest: Mapping[str, Version] = field(default_factory=dict)
    highest: Mapping[str, Version] = field(default_factory=dict)
    below: Mapping[str, Version] = field(default_factory=dict)

    def reaches(self, library: str, version: str) -> bool:
        """Whether the project may run with `version` or a later one that the table knows."""
        wanted = parse_version(version)
        if wanted > parse_version(table().versions.get(library, "0")):
            return False
        if library in self.highest and wanted > self.highest[library]:
            return False
        return library not in self.below or wanted < self.below[library]

    def predates(self, library: str, version: str) -> bool:
        """Whether the project says that it also runs with versions before `version`."""
        return library in self.lowest and self.lowest[library] < parse_version(version)


LATEST = Target()


def parse_version(text: str) -> Version:
    """`"0.4.35"` as numbers, three of them at least so that 0.8 equals 0.8.0."""
    numbers = [int(part) for part in re.findall(r"\d+", text)][:4]
    return tuple(numbers + [0] * (3 - len(numbers)))


@cache
def table() -> Table:
    """The table of `removed.toml`."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    document: dict[str, Any] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    names = {name: Retired(name, **row) for rows in document["names"].values() for name, row in rows.items()}
    calls: dict[str, tuple[Retired, ...]] = {}
    for row in document["arguments"]:
        made = Retired(row.pop("call"), **row)
        calls[made.name] = (*calls.get(made.name, ()), made)
    return Table(names, calls, document["versions"], document["references"])


def candidates(words: Set[str]) -> frozenset[str]:
    """The names of the table whose every part is among the words of a file: the others cannot be meant in it."""
    return frozenset(name for name, parts in _parts() if all(part in words for part in parts))


@cache
def _parts() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every name of the table with its parts, the rarest first: the last."""
    known = table()
    return tuple((name, tuple(reversed(name.split(".")))) for name in dict.fromkeys((*known.names, *known.calls)))
