"""The command line, thin: it reads options, calls the parts and prints what they return."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from jaxlint import __version__

if TYPE_CHECKING:
    from jaxlint.config import Config, Settings
    from jaxlint.engine import Report, Stdin
    from jaxlint.rules import Info

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130
COMMANDS = ("check", "rule", "rules", "why", "confirm", "doctor")


class UsageError(Exception):
    """Something that the user asked for cannot be done. The text is one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # What a check makes lives until it ends: collecting it again and again takes a quarter of the run (flax: 4.4 s
        # of CPU against 3.1 s, with the same peak memory).
        gc.set_threshold(1_000_000, 20, 100)
        _survive_odd_characters()
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return CLEAN


def _drop_output() -> None:
    """The reader (`head`) has seen enough: keep the interpreter from complaining at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _survive_odd_characters() -> None:
    """File names and code may hold what the terminal's encoding can't show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _run(arguments: list[str]) -> int:
    if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        return _fail(_unknown_command(arguments[0]))
    if arguments[:1] == ["doctor"]:
        # it reads its own options, and needs nothing of the linter
        from runtime_checks.doctor import main as doctor

        return doctor(arguments[1:])
    if arguments[:1] == ["confirm"]:
        # it reads its own options and hands the rest to the program
        from runtime_checks.confirm import main as confirm

        return confirm(arguments[1:])
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help(sys.stderr)
        return FAILED
    from jaxlint.config import ConfigError

    handlers = {"check": _check, "rule": _rule, "rules": _rules, "why": _why}
    try:
        return handlers[options.command](options)
    except (UsageError, ConfigError) as error:
        return _fail(str(error))


def _fail(message: str) -> int:
    print(f"jaxlint: error: {message}", file=sys.stderr)
    return FAILED


def _unknown_command(word: str) -> str:
    if os.path.exists(word):
        return f"`{word}` is not a command; to check it: jaxlint check {word}"
    from jaxlint.selection import did_you_mean

    return f"`{word}` is not a command{did_you_mean(word, COMMANDS)} (commands: {', '.join(COMMANDS)})"


# ---- options -------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line instead of the usage text, which hides it."""
        self.exit(FAILED, f"jaxlint: error: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="jaxlint", description="Find code that is wrong or slow under JAX.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"jaxlint {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_check(commands)
    rule = commands.add_parser("rule", help="explain a rule", allow_abbrev=False)
    rule.add_argument("rule", metavar="CODE|NAME")
    rule.add_argument("--output-format", choices=("text", "json"), default="text")
    rules = commands.add_parser("rules", help="list the rules", allow_abbrev=False)
    rules.add_argument("--output-format", choices=("text", "json"), default="text")
    why = commands.add_parser("why", help="say what is known of a value, and why", allow_abbrev=False)
    why.add_argument("place", metavar="FILE:LINE[:COL]")
    commands.add_parser("confirm", help="run a program; say which findings happen", add_help=False)
    commands.add_parser("doctor", help="say what JAX runs on, and what keeps it off the GPU", add_help=False)
    return parser


def _add_check(commands: argparse._SubParsersAction[_Parser]) -> None:
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


def _settings(options: argparse.Namespace) -> Settings:
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
            select=None if options.select is None else _selectors("--select", options.select),
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


# ---- check ---------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    from jaxlint.engine import check

    settings = _settings(options)
    paths, stdin = _paths(options)
    config = _config_of_run(settings, paths)
    if options.diff:
        return _diff(check(paths, settings, stdin), config, options)
    if options.fix:
        report = _fix(paths, settings, stdin, options)
    else:
        report = check(paths, settings, stdin)
    code = report.exit_code(config.fail_on, require_files=config.require_files)
    try:
        _print(report, config, options, stdin)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()  # a gate must fail whether anybody reads all of the findings or not
    return CLEAN if options.exit_zero and code == FOUND else code


def _print(report: Report, config: Config, options: argparse.Namespace, stdin: Stdin | None) -> None:
    text = _rendered(report, config.output_format, options)
    filters = options.fix and stdin is not None  # standard output is the fixed program's
    if options.output_file:
        _write(options.output_file, text)
    elif filters:
        sys.stderr.write(text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    _print_rest(report, config, options, stdout_taken=filters)


def _fix(paths: list[str], settings: Settings, stdin: Stdin | None, options: argparse.Namespace) -> Report:
    """Apply the fixes; the report of what is left."""
    from jaxlint import fixing, repair
    from jaxlint.engine import check
    from jaxlint.output.terminal import clean

    if stdin is not None:
        if len(paths) > 1:
            raise UsageError("--fix takes standard input or files, not both at once")
        report = check(paths, settings, stdin)
        text = repair.stdin_text(report, stdin.filename, unsafe=options.unsafe_fixes)
        # bytes, so that the program comes back in its own encoding and with its own line ends
        sys.stdout.buffer.write(stdin.data if text is None else fixing.encoded(stdin.data, text))
        sys.stdout.buffer.flush()
        return report
    done = repair.fix(lambda: check(paths, settings), unsafe=options.unsafe_fixes)
    for message in done.failures:
        print(f"jaxlint: warning: {clean(message)}", file=sys.stderr)
    if done.fixed and not options.quiet:
        number = done.fixed.total()
        print(
            f"Fixed {number} finding{'s' * (number != 1)} in {len(done.fixed)} file{'s' * (len(done.fixed) != 1)}.",
            file=sys.stderr,
        )
    return done.report


def _diff(report: Report, config: Config, options: argparse.Namespace) -> int:
    from jaxlint import repair
    from jaxlint.output.terminal import clean, clean_line

    text = repair.diff(report, unsafe=options.unsafe_fixes)
    # `patch` needs the characters as they are; a terminal must not obey them
    shown = text if not sys.stdout.isatty() else "".join(clean_line(line) + "\n" for line in text.split("\n")[:-1])
    sys.stdout.write(shown)
    for message in (*report.usage_errors, *report.internal_errors):
        print(f"jaxlint: error: {clean(message)}", file=sys.stderr)
    if report.usage_errors or report.internal_errors:
        return FAILED
    return FOUND if text and not options.exit_zero else CLEAN


def _paths(options: argparse.Namespace) -> tuple[list[str], Stdin | None]:
    from jaxlint.engine import Stdin
    from jaxlint.files import STDIN

    paths: list[str] = options.paths or (["-"] if options.stdin_filename else ["."])
    if "-" not in paths:
        return paths, None
    return paths, Stdin(sys.stdin.buffer.read(), options.stdin_filename or STDIN)


def _config_of_run(settings: Settings, paths: Sequence[str]) -> Config:
    """The settings that concern the whole run: those of the working directory, else of the first path."""
    config = settings.for_folder(os.getcwd())
    if config.origin is None and paths:
        first = os.path.abspath(paths[0])
        config = settings.for_folder(first if os.path.isdir(first) else os.path.dirname(first))
    return config


def _rendered(report: Report, output_format: str, options: argparse.Namespace) -> str:
    from jaxlint.output import View, renderer

    if options.statistics:
        from jaxlint.output.summary import statistics

        return statistics(report.findings, as_json=output_format == "json")
    view = View(lines=report.lines, color=not options.output_file and _wants_color())
    return renderer(output_format)(report.findings, view)


def _wants_color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _write(name: str, text: str) -> None:
    try:
        with open(name, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"--output-file: {name} cannot be written: {error.strerror}") from None


def _print_rest(report: Report, config: Config, options: argparse.Namespace, *, stdout_taken: bool) -> None:
    """Errors, warnings and the summary. Only the summary may stand on stdout, and only beside text for people."""
    from jaxlint.output.summary import summary
    from jaxlint.output.terminal import clean

    for message in report.usage_errors:
        print(f"jaxlint: error: {clean(message)}", file=sys.stderr)
    for message in report.internal_errors:
        print(f"jaxlint: internal error: {clean(message)}; please report it", file=sys.stderr)
    if options.quiet:
        return
    for message in report.warnings:
        print(f"jaxlint: warning: {clean(message)}", file=sys.stderr)
    if not report.files and not report.usage_errors:
        where = ", ".join(options.paths or ["."])
        print(f"jaxlint: warning: no Python file to check in: {clean(where)}", file=sys.stderr)
    if options.verbose:
        print(f"configuration: {config.origin or 'none found'}", file=sys.stderr)
        for phase, seconds in report.seconds.items():
            print(f"{seconds:8.3f} s  {phase}", file=sys.stderr)
    for_people = config.output_format in ("text", "concise") and not options.statistics and not options.output_file
    incomplete = bool(report.usage_errors or report.internal_errors)
    line = summary(report.findings, report.files, report.traced_functions, report.given_up, incomplete=incomplete)
    stream = sys.stdout if for_people and not stdout_taken else sys.stderr
    print(line, file=stream)
    hint = _fixable(report, options)
    if hint:
        print(hint, file=stream)


def _fixable(report: Report, options: argparse.Namespace) -> str:
    """How many findings a fix is at hand for."""
    if not any(finding.fix is not None for finding in report.findings):
        return ""
    from jaxlint.fixing import count

    safe, unsafe = count(report.findings)
    parts = [f"{safe} fixable with `--fix`"] if safe and not options.fix else []
    if unsafe and not (options.fix and options.unsafe_fixes):
        parts.append(
            f"{unsafe} more with `--unsafe-fixes`" if parts else f"{unsafe} fixable with `--fix --unsafe-fixes`"
        )
    return f"{', '.join(parts)}." if parts else ""


# ---- the other commands --------------------------------------------------------------------------------


def _rule(options: argparse.Namespace) -> int:
    from jaxlint.rules import TABLE, find_info
    from jaxlint.selection import unknown_selector

    info = find_info(options.rule)
    if info is None:
        raise UsageError(unknown_selector(options.rule))
    assert info in TABLE
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

    rule = load(info)
    page = inspect.cleandoc(sys.modules[type(rule).__module__].__doc__ or info.summary)
    # the pages are also tests: what only the test runner reads is left out
    page = re.sub(r"(?m)^(```\w+)[ \t].*$", r"\1", page)
    page = re.sub(r"(?m)[ \t]*# (?:error|note|todo): \[.*$", "", page)
    return {
        "code": info.code,
        "name": info.name,
        "summary": info.summary,
        "severity": rule.severity.value,
        "default": info.default,
        "explanation": page,
    }


def _rules(options: argparse.Namespace) -> int:
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


def _why(options: argparse.Namespace) -> int:
    from jaxlint import files, syntax
    from jaxlint.findings import Finding
    from jaxlint.project import Project

    name, line, column = _place(options.place)
    if not os.path.isfile(name):
        raise UsageError(f"{name}: no such file")
    source = files.read(files.Candidate(name, os.path.abspath(name)))
    failure = source if isinstance(source, Finding) else syntax.check_syntax(source)
    if failure is not None or isinstance(source, Finding):
        raise UsageError(f"{name}:{failure.span.row if failure else 1}: {failure.message if failure else ''}")
    if not 1 <= line <= len(source.lines):
        raise UsageError(f"{name} has {len(source.lines)} lines, not {line}")
    from jaxlint.interpreter import why
    from jaxlint.output.terminal import clean

    for text in why(Project([source]), source, line, column):
        print(clean(text))
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
