"""The table of removed names against the installed libraries."""

from __future__ import annotations

import importlib
import warnings

import pytest

from jaxlint.knowledge.removed import Retired, Target, candidates, parse_version, table

NAMES = list(table().names.values())
CALLS = [row for rows in table().calls.values() for row in rows]


def look_up(name: str) -> bool:
    """Whether a dotted name exists in the installed libraries."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:end]))
        except Exception:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                for part in parts[end:]:
                    value = getattr(value, part)
            except Exception:
                return False
        return True
    return False


def installed(library: str) -> str:
    module = importlib.import_module("orbax.checkpoint" if library == "orbax" else library)
    return str(module.__version__)


def is_checked_version(library: str) -> bool:
    return parse_version(installed(library)) >= parse_version(table().versions[library])


@pytest.mark.parametrize("row", NAMES, ids=lambda row: row.name)
def test_removed_names_are_absent_and_deprecated_ones_present(row: Retired) -> None:
    if not is_checked_version(row.library):
        pytest.skip(f"the installed {row.library} is older than the table")
    now = parse_version(installed(row.library))
    if row.removed and parse_version(row.removed) <= now:
        assert not look_up(row.name), f"{row.name} is there"
    elif not row.removed:
        assert look_up(row.name), f"{row.name} is gone: since which version?"


@pytest.mark.parametrize("row", [row for row in NAMES if row.use], ids=lambda row: row.name)
def test_replacements_exist(row: Retired) -> None:
    if not is_checked_version(row.library):
        pytest.skip(f"the installed {row.library} is older than the table")
    assert look_up(row.use), f"{row.use}, named as the replacement of {row.name}, is absent"


@pytest.mark.parametrize("row", CALLS, ids=lambda row: f"{row.name}-{row.keyword or row.missing or row.positional}")
def test_argument_rows_are_about_one_thing(row: Retired) -> None:
    assert sum((bool(row.keyword), bool(row.missing), row.positional is not None)) == 1
    assert look_up(row.name)
    assert row.removed or row.deprecated


def test_every_row_says_when_and_what_to_do() -> None:
    for row in (*NAMES, *CALLS):
        assert row.removed or row.deprecated, row.name
        assert row.rename <= bool(row.use), row.name
        assert not (row.removed and row.deprecated) or parse_version(row.deprecated) <= parse_version(row.removed)


def test_candidates_need_every_part() -> None:
    assert candidates(frozenset({"jax", "tree_map"})) == {"jax.tree_map"}
    assert candidates(frozenset({"tree_map", "trapz"})) == frozenset()


def test_targets_compare_versions() -> None:
    pinned = Target(lowest={"jax": (0, 4, 30)}, highest={"jax": (0, 4, 30)})
    assert pinned.reaches("jax", "0.4.24") and not pinned.reaches("jax", "0.6.0")
    assert Target(below={"jax": (0, 5, 0)}).reaches("jax", "0.4.38")
    assert not Target(below={"jax": (0, 5, 0)}).reaches("jax", "0.5.0")
    assert not Target().reaches("jax", "99.0"), "a version that the table does not know"
    assert Target(lowest={"jax": (0, 4, 1)}).predates("jax", "0.8.0") and not Target().predates("jax", "0.8.0")
