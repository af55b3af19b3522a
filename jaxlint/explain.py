"""The commands `rule`, `rules` and `why`: what a rule means, and what is known of a value."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING

from jaxlint.files import NOTEBOOK
from jaxlint.options import CLEAN, UsageError

if TYPE_CHECKING:
    from jaxlint.rules import Info


def rule(options: argparse.Namespace) -> int:
    """`jaxlint rule CODE`."""
    from jaxlint.rules import TABLE, find_info
    from jaxlint.selection import matches, unknown_selector

    info = find_info(options.rule)
    if info is None:
        family = [known.code for known in TABLE if matches((options.rule,), known)]
        if family:
            raise UsageError(f"`{options.rule}` means {len(family)} rules; name one of them: {', '.join(family)}")
        raise UsageError(unknown_selector(options.rule))
    if options.output_format == "json":
        import json

        print(json.dumps(_as_object(info), indent=2))
        return CLEAN
    known = _as_object(info)
    state = "on by default" if info.default else "off by default: select it by name or code"
    print(f"# {info.name} ({info.code})\n\n{known['severity']}, {state}\n\n{known['explanation']}")
    return CLEAN


def _as_object(info: Info) -> dict[str, object]:
    import inspect

    from jaxlint.rules import load

    loaded = load(info)
    page = inspect.cleandoc(sys.modules[type(loaded).__module__].__doc__ or info.summary)
    # the pages are also tests: what only the test runner reads is left out
    page = re.sub(r"(?m)^(```\w+)[ \t].*$", r"\1", page)
    page = re.sub(r"(?m)[ \t]*# (?:error|note|todo): \[.*$", "", page)
    return {
        "code": info.code,
        "name": info.name,
        "summary": info.summary,
        "severity": loaded.severity.value,
        "default": info.default,
        "explanation": page,
    }


def rules(options: argparse.Namespace) -> int:
    """`jaxlint rules`."""
    from jaxlint.rules import TABLE

    objects = [_as_object(info) for info in TABLE]
    if options.output_format == "json":
        import json

        print(json.dumps(objects, indent=2))
        return CLEAN
    wide = max(len(info.name) for info in TABLE)
    for info, known in zip(TABLE, objects, strict=True):
        state = "on " if info.default else "off"
        print(f"{info.code}  {info.name:<{wide}}  {state}  {known['severity']:<7}  {info.summary}")
    return CLEAN


def why(options: argparse.Namespace) -> int:
    """`jaxlint why FILE:LINE`."""
    from jaxlint import files, syntax
    from jaxlint.findings import Finding, Span
    from jaxlint.project import Project

    name, cell, line, column = _place(options.place)
    if not os.path.isfile(name):
        raise UsageError(f"{name}: {'not a file' if os.path.exists(name) else 'no such file'}")
    source = files.read(files.Candidate(name, os.path.abspath(name)))
    failure = source if isinstance(source, Finding) else syntax.check_syntax(source)
    if failure is not None or isinstance(source, Finding):
        raise UsageError(f"{name}:{failure.span.row if failure else 1}: {failure.message if failure else ''}")
    lines = source.shown_lines(cell)
    if not 1 <= line <= len(lines):
        where = name if cell is None else f"cell {cell} of {name}"
        raise UsageError(f"{where} has {len(lines)} lines, not {line}")
    line = source.joined(Span(line, 1, line, 1, cell)).row
    from jaxlint.interpreter import why as explain
    from jaxlint.output.terminal import clean

    found = explain(Project([source]), source, line, column)
    for text in found:
        print(clean(text))
    if not found:
        print(f"{clean(options.place)}: nothing is evaluated here in the runs that jaxlint looks at")
    return CLEAN


def _place(text: str) -> tuple[str, int | None, int, int | None]:
    """FILE:LINE[:COL], or NOTEBOOK:CELL:LINE[:COL], in its parts. A file name may itself hold colons."""
    form = "NOTEBOOK:CELL:LINE[:COL]" if re.search(rf"{re.escape(NOTEBOOK)}(:\d+)*$", text) else "FILE:LINE[:COL]"
    cell = r":(?P<cell>\d+)" if form.startswith("N") else ""
    match = re.fullmatch(rf"(?P<name>.+?){cell}:(?P<line>\d+)(?::(?P<column>\d+))?", text, re.DOTALL)
    if match is None:
        raise UsageError(f"`{text}` is not of the form {form}")
    column = match["column"]
    return match["name"], int(match["cell"]) if cell else None, int(match["line"]), int(column) if column else None
