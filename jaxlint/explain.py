"""The commands `rule`, `rules` and `why`: what a rule means, and what is known of a value."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

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
    import re

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
    from jaxlint.findings import Finding
    from jaxlint.project import Project

    name, line, column = _place(options.place)
    if not os.path.isfile(name):
        raise UsageError(f"{name}: {'not a file' if os.path.exists(name) else 'no such file'}")
    source = files.read(files.Candidate(name, os.path.abspath(name)))
    failure = source if isinstance(source, Finding) else syntax.check_syntax(source)
    if failure is not None or isinstance(source, Finding):
        raise UsageError(f"{name}:{failure.span.row if failure else 1}: {failure.message if failure else ''}")
    if not 1 <= line <= len(source.lines):
        raise UsageError(f"{name} has {len(source.lines)} lines, not {line}")
    from jaxlint.interpreter import why as explain
    from jaxlint.output.terminal import clean

    found = explain(Project([source]), source, line, column)
    for text in found:
        print(clean(text))
    if not found:
        print(f"{clean(options.place)}: nothing is evaluated here in the runs that jaxlint looks at")
    return CLEAN


def _place(text: str) -> tuple[str, int, int | None]:
    """FILE:LINE[:COL] in its parts. A file name may itself hold colons."""
    parts = text.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return parts[0], int(parts[1]), int(parts[2])
    name, _, line = text.rpartition(":")
    if not name or not line.isdigit():
        raise UsageError(f"`{text}` is not of the form FILE:LINE[:COL]")
    return name, int(line), None
