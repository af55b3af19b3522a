"""Snippets of JAX code with the events that the interpreter must predict, written on their lines.

    @jax.jit
    def f(x):
        if x > 0:  # event: tracer-bool if
            return x

A mark names a kind of `jaxlint.events.Kind` and, if it matters, the event's `how`; several are separated by
commas. Events without a mark and marks without an event are errors: a snippet without marks must be silent.
Each snippet begins after the imports in `PREAMBLE`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping

import pytest

from jaxlint.events import Event
from jaxlint.interpreter import Analysis, analyse
from jaxlint.project import Project
from jaxlint.source import Source

PREAMBLE = """\
import dataclasses
import functools
import time
from functools import partial
from typing import Any, NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""

MARK = re.compile(r"#\s*event:\s*(.*)$")
Place = tuple[str, int, str, str]


# events about names rather than values: a snippet need not mark them
ADVICE = frozenset({"legacy-name"})


def run(files: Mapping[str, str] | str) -> Analysis:
    """Interpret a snippet (the preamble is put before it) or a project of files as they are."""
    texts = {"main.py": PREAMBLE + textwrap.dedent(files)} if isinstance(files, str) else dict(files)
    return analyse(Project([Source(name, text) for name, text in texts.items()]))


def expected(name: str, text: str) -> Iterable[Place]:
    """The marks of a file."""
    for row, line in enumerate(text.splitlines(), 1):
        found = MARK.search(line)
        for part in found.group(1).split(",") if found else ():
            kind, _, how = part.strip().partition(" ")
            yield name, row, kind, how.strip()


def seen(event: Event) -> Place:
    """An event as a mark would name it."""
    return event.source.filename, getattr(event.node, "lineno", 0), event.kind.value, event.how


def matches(mark: Place, place: Place) -> bool:
    """Whether a mark stands for an event; it may leave `how` out."""
    return mark[:3] == place[:3] and mark[3] in ("", place[3])


def check(files: Mapping[str, str] | str) -> Analysis:
    """Compare the events of a snippet, or of a project, with the marks in it."""
    texts = {"main.py": PREAMBLE + textwrap.dedent(files)} if isinstance(files, str) else dict(files)
    marks = [mark for name, text in texts.items() for mark in expected(name, text)]
    result = run(texts)
    assert result.failures == []
    events = [seen(event) for event in result.events]
    missing = [mark for mark in marks if not any(matches(mark, place) for place in events)]
    extra = [p for p in events if p[2] not in ADVICE and not any(matches(mark, p) for mark in marks)]
    assert not missing and not extra, f"missing: {show(missing, texts)}  unexpected: {show(extra, texts)}"
    return result


def show(places: Iterable[Place], texts: Mapping[str, str]) -> str:
    """Places with the text of their lines, for messages."""
    rows = [
        f"{name}:{row} {kind} {how}: {texts[name].splitlines()[row - 1].strip()}" for name, row, kind, how in places
    ]
    return "; ".join(rows) or "none"


def cases(table: Mapping[str, str], gaps: Mapping[str, str] | None = None) -> pytest.MarkDecorator:
    """Parametrise a test over named snippets; `gaps` names those that are known to fail, with the reason."""
    gaps = gaps or {}
    assert gaps.keys() <= table.keys()
    return pytest.mark.parametrize(
        "snippet",
        [
            pytest.param(
                text, id=name, marks=[pytest.mark.xfail(strict=True, reason=gaps[name])] if name in gaps else []
            )
            for name, text in table.items()
        ],
    )
