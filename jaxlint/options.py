"""The options of the command line, and what they make of the settings."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from jaxlint import __version__

if TYPE_CHECKING:
    from jaxlint.config import Settings

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """Something that the user asked for cannot be done. The text is one line."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """One line instead of the usage text, which hides it."""
        self.exit(FAILED, f"jaxlint: error: {message} (see {self.prog} --help)\n")


def prepared(arguments: Sequence[str]) -> list[str]:
    """`--add-ignores` without `=REASON` means none; the path behind it is a path."""
    return [f"{word}=" if word == "--add-ignores" else word for word in arguments]


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    made = Parser(prog="jaxlint", description="Find code that is wrong or slow under JAX.", allow_abbrev=False)
    made.add_argument("--version", action="version", version=f"jaxlint {__version__}")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    _add_check(commands)
    rule = commands.add_parser("rule", help="explain a rule", allow_abbrev=False)
    rule.add_argument("rule", metavar="CODE|NAME")
    rule.add_argument("--output-format", choices=("text", "json"), default="text")
    rules = commands.add_parser("rules", help="list the rules", allow_abbrev=False)
    rules.add_argument("--output-format", choices=("text", "json"), default="text")
    why = commands.add_parser("why", help="say what is known of a value, and why", allow_abbrev=False)
    why.add_argument("place", metavar="FILE:LINE[:COL]")
    commands.add_parser("server", help="speak the language server protocol with an editor", allow_abbrev=False)
    commands.add_parser("confirm", help="run a program; say which findings happen", add_help=False)
    commands.add_parser("doctor", help="say what JAX runs on, and what keeps it off the GPU", add_help=False)
    return made


def _add_check(commands: argparse._SubParsersAction[Parser]) -> None:
    check = commands.add_parser("check", help="check files and folders", allow_abbrev=False)
    add = check.add_argument
    add("paths", nargs="*", metavar="PATH", help="files or folders; - for standard input (default: .)")
    for name, text in (
        ("--select", "report only these rules (codes, prefixes, names, ALL), comma-separated"),
        ("--ignore", "leave out these rules"),
        ("--extend-select", "report these rules as well"),
        ("--extend-ignore", "leave out these rules as well"),
        ("--exclude", "leave out these files and folders (globs) instead of the configured ones"),
        ("--extend-exclude", "leave out these files and folders as well"),
    ):
        add(name, action="append", metavar="LIST", default=None, help=text)
    add(
        "--per-file-ignores",
        action="append",
        metavar="GLOB:RULE",
        default=None,
        help="rules to leave out in some files",
    )
    add("--force-exclude", action="store_true", help="apply exclusions to files that are named, too (for pre-commit)")
    add("--output-format", choices=_formats(), default=None, help="how to print findings (default: text)")
    add("--output-file", metavar="FILE", help="write the findings to a file")
    add("--statistics", action="store_true", help="print how often each rule reports instead of its findings")
    add("--fix", action="store_true", help="apply the fixes that keep the meaning")
    add("--unsafe-fixes", action="store_true", help="with --fix or --diff: also those that may change it")
    add("--diff", action="store_true", help="show the fixes as a diff and change nothing; exit 1 if there are any")
    add("--add-ignores", metavar="REASON", help="put an ignore comment at each finding (`=REASON` may be left out)")
    gate = check.add_mutually_exclusive_group()
    gate.add_argument("--baseline", metavar="FILE", help="leave out the findings that this file has")
    gate.add_argument("--since", metavar="REV", help="leave out what was found at this revision of git")
    add("--update-baseline", action="store_true", help="write all findings into the --baseline file")
    add("--exit-zero", action="store_true", help="exit 0 even when there are findings")
    add("--no-cache", action="store_true", help="do not use cached results")
    add("--stdin-filename", metavar="FILE", help="the name of the file that comes on standard input")
    add(
        "--confidence",
        choices=("proven", "likely", "guess"),
        help="the least sure findings to report (default: likely)",
    )
    add("--fail-on", choices=("error", "warning", "advice"), help="the least severity that makes the exit code 1")
    add("--require-files", action="store_true", help="exit 2 when there is no Python file to check")
    config = check.add_mutually_exclusive_group()
    config.add_argument("--isolated", action="store_true", help="read no configuration file")
    config.add_argument("--config", metavar="FILE", help="read this configuration file and no other")
    add("-q", "--quiet", action="store_true", help="print findings only")
    add("-v", "--verbose", action="store_true", help="print settings and times, too")


def _formats() -> tuple[str, ...]:
    from jaxlint.output import NAMES

    return NAMES


def _list(values: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip())


def _selectors(option: str, values: Sequence[str] | None) -> tuple[str, ...]:
    from jaxlint.selection import is_known, unknown_selector

    selectors = _list(values)
    for selector in selectors:
        if not is_known(selector):
            raise UsageError(f"{option}: {unknown_selector(selector)}")
    return selectors


def _selected(values: Sequence[str] | None) -> tuple[str, ...] | None:
    """The rules of `--select`, None when it is not given. A gate that selects nothing would always pass."""
    selectors = _selectors("--select", values)
    if values is not None and not selectors:
        raise UsageError("--select: no rule is named (perhaps a variable that is not set)")
    return selectors if values is not None else None


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of a check. Raises UsageError for a wrong rule or glob."""
    from jaxlint.config import CONFIDENCES, SEVERITIES, Overrides, Settings, per_file_ignore
    from jaxlint.globs import Glob
    from jaxlint.selection import Layer

    here = os.getcwd()
    per_file = []
    for entry in options.per_file_ignores or ():
        pattern, colon, rules = entry.rpartition(":")
        if not colon or not pattern:
            raise UsageError(f"--per-file-ignores: `{entry}` is not of the form GLOB:RULE[,RULE]")
        per_file.append(per_file_ignore(pattern, _selectors("--per-file-ignores", [rules]), here))
    overrides = Overrides(
        layer=Layer(
            select=_selected(options.select),
            extend_select=_selectors("--extend-select", options.extend_select),
            ignore=_selectors("--ignore", options.ignore) + _selectors("--extend-ignore", options.extend_ignore),
        ),
        exclude=None if options.exclude is None else tuple(Glob(here, glob) for glob in _list(options.exclude)),
        extend_exclude=tuple(Glob(here, glob) for glob in _list(options.extend_exclude)),
        per_file_ignores=tuple(per_file),
        output_format=options.output_format,
        fail_on=SEVERITIES[options.fail_on] if options.fail_on else None,
        confidence=CONFIDENCES[options.confidence] if options.confidence else None,
        require_files=options.require_files,
    )
    return Settings(
        overrides, isolated=options.isolated, config_file=options.config, force_exclude=options.force_exclude
    )
