"""The Python interface: `jaxlint.check_paths` and `jaxlint.check_source`.

    import jaxlint

    result = jaxlint.check_paths(["src"], select=["JAX1", "sync-in-loop"])
    for finding in result.findings:
        print(finding.filename, finding.span.row, finding.code, finding.message)

What this module exports keeps its meaning within a major version; fields may be added.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.engine import Report, Stdin, check
from jaxlint.files import declared_encoding
from jaxlint.findings import Finding
from jaxlint.selection import Layer, is_known, unknown_selector

if TYPE_CHECKING:
    from jaxlint.config import Settings

CONFIDENCE = ("guess", "likely", "proven")


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found.

    `findings` are sorted by file, row and column. `errors` say what kept the check from looking at everything (a
    missing path, a failure of jaxlint itself), `warnings` what else should be known. `files`, `traced_functions` and
    `given_up` count what was looked at, and the places that the analysis gave up on.
    """

    findings: tuple[Finding, ...]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    files: int
    traced_functions: int
    given_up: int


def check_paths(
    paths: Iterable[str | os.PathLike[str]],
    *,
    select: Iterable[str] | None = None,
    extend_select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    confidence: str | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
) -> Result:
    """Check files and folders, as `jaxlint check PATHS` does.

    `select`, `extend_select` and `ignore` hold codes, prefixes, names or "ALL", and stand above the configuration.
    `confidence` ("proven", "likely", "guess") is the least sure finding to report. `config` is a configuration file
    that is read instead of those near the files; with `isolated` none is read. Nothing is printed, written, imported
    or executed. Raises ValueError for an unknown rule or confidence, and `jaxlint.ConfigError` (a ValueError) for a
    configuration that cannot be used.
    """
    settings = _settings(select, extend_select, ignore, confidence, config, isolated)
    return _result(check([os.fspath(path) for path in paths], settings))


def check_source(
    text: str,
    filename: str = "<string>",
    *,
    select: Iterable[str] | None = None,
    extend_select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    confidence: str | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
) -> Result:
    """Check a program that is in memory, as `jaxlint check - --stdin-filename FILENAME` does.

    `filename` need not exist. It decides which configuration counts, and which files the program's imports lead to.
    The other parameters and the errors are those of `check_paths`.
    """
    settings = _settings(select, extend_select, ignore, confidence, config, isolated)
    data = text.encode("utf-8", "surrogatepass")
    encoding = declared_encoding(data)
    if encoding is not None:
        try:
            data = text.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            pass  # the check says what is wrong with it
    return _result(check(["-"], settings, Stdin(data, filename)))


def _settings(
    select: Iterable[str] | None,
    extend_select: Iterable[str],
    ignore: Iterable[str],
    confidence: str | None,
    config: str | os.PathLike[str] | None,
    isolated: bool,
) -> Settings:
    from jaxlint.config import CONFIDENCES, Overrides, Settings

    if confidence is not None and confidence not in CONFIDENCES:
        raise ValueError(f"confidence: `{confidence}` is none of {', '.join(CONFIDENCE)}")
    layer = Layer(
        select=None if select is None else _known("select", select),
        extend_select=_known("extend_select", extend_select),
        ignore=_known("ignore", ignore),
    )
    overrides = Overrides(layer=layer, confidence=None if confidence is None else CONFIDENCES[confidence])
    return Settings(overrides, isolated=isolated, config_file=None if config is None else os.fspath(config))


def _known(parameter: str, selectors: Iterable[str]) -> tuple[str, ...]:
    if isinstance(selectors, str):
        raise ValueError(f"{parameter}: give a list of rules, not one string")
    found = tuple(selectors)
    for selector in found:
        if not is_known(selector):
            raise ValueError(f"{parameter}: {unknown_selector(selector)}")
    return found


def _result(report: Report) -> Result:
    return Result(
        findings=tuple(report.findings),
        errors=(*report.usage_errors, *report.internal_errors),
        warnings=tuple(report.warnings),
        files=report.files,
        traced_functions=report.traced_functions,
        given_up=report.given_up,
    )
