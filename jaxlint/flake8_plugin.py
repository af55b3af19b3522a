"""A plugin for flake8: the findings of jaxlint, under their own codes.

flake8 asks file by file, so what other files of the project say is read from the disk for each of them anew: slower
than `jaxlint check`, with the same findings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint import __version__

STANDARD_INPUT = ("-", "stdin")


class Plugin:
    """What flake8 makes for each file."""

    name = "jaxlint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self.filename = filename
        self.text = "".join(lines)

    def run(self) -> Iterator[tuple[int, int, str, type[Any]]]:
        """Row (from 1), column (from 0), text and type of each finding."""
        from jaxlint.api import check_source

        name = "<stdin>" if self.filename in STANDARD_INPUT else self.filename
        for finding in check_source(self.text, name).findings:
            if finding.code != "JAX000":  # flake8 reports broken files itself
                yield finding.span.row, finding.span.column - 1, f"{finding.code} {finding.message}", type(self)
