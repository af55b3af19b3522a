"""The output formats. Each is a module with one function `render(findings, view) -> str`.

A new format is a new module, a line in `_MODULES` and, where the configuration may name it, in `config.FORMATS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxlint.findings import Finding


def _no_lines(filename: str, cell: int | None) -> list[str] | None:
    return None


@dataclass(frozen=True, slots=True)
class View:
    """What a format may look at beside the findings: the lines of a file by its reported name and cell, and colour."""

    lines: Callable[[str, int | None], list[str] | None] = _no_lines
    color: bool = False


Renderer = Callable[[Sequence[Finding], View], str]

_MODULES = {
    "text": "jaxlint.output.text",
    "concise": "jaxlint.output.concise",
    "json": "jaxlint.output.json_format",
    "github": "jaxlint.output.github",
    "sarif": "jaxlint.output.sarif",
    "gitlab": "jaxlint.output.gitlab",
    "junit": "jaxlint.output.junit",
}

NAMES: tuple[str, ...] = tuple(_MODULES)

MACHINE: frozenset[str] = frozenset({"json", "sarif", "gitlab", "junit"})
"""Formats that a program parses: nothing else may stand beside them on stdout."""

FINGERPRINTED: frozenset[str] = frozenset({"sarif", "gitlab"})
"""Formats that need `Finding.fingerprint`."""


def renderer(name: str) -> Renderer:
    """The renderer of the format `name`; only its module is imported."""
    render: Renderer = importlib.import_module(_MODULES[name]).render
    return render
