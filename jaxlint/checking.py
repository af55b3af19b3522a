"""The command `check`: check, fix or compare, and print what is left."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint import gates
from jaxlint.options import CLEAN, FAILED, FOUND, UsageError, settings_of

if TYPE_CHECKING:
    from jaxlint.config import Config, Settings
    from jaxlint.engine import Report, Stdin


def drop_output() -> None:
    """Nothing more can be written (`head` has seen enough, a full disk): keep Python from complaining at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(options: argparse.Namespace) -> int:
    """`jaxlint check`. Returns the exit code."""
    from jaxlint.engine import check

    _refuse(options)
    settings = settings_of(options)
    paths, stdin = _paths(options)
    config = _config_of_run(settings, paths)
    if options.diff:
        return _diff(check(paths, settings, stdin), config, options)
    if options.fix:
        report = _fix(paths, settings, stdin, options)
    else:
        report = check(paths, settings, stdin)
    notes = gates.passed(report, paths, options)
    if options.add_ignores is not None:
        done = gates.ignored(report, options.add_ignores)
        if done.changed:
            report = check(paths, settings)
            gates.passed(report, paths, options)
        notes += done.notes
    code = report.exit_code(config.fail_on, require_files=config.require_files)
    try:
        _print(report, config, options, stdin, notes)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # a gate must fail whether anybody reads all of the findings or not
    return CLEAN if options.exit_zero and code == FOUND else code


def _refuse(options: argparse.Namespace) -> None:
    """Options that cannot go together."""
    if options.update_baseline and not options.baseline:
        raise UsageError("--update-baseline needs --baseline FILE")
    changing = [name for name in ("fix", "diff") if getattr(options, name)]
    if options.add_ignores is not None:
        changing.append("add-ignores")
    if len(changing) > 1:
        raise UsageError(f"--{changing[0]} and --{changing[1]} do not go together")
    if "-" in options.paths or (options.stdin_filename and not options.paths):
        named = {"--since": options.since, "--baseline": options.baseline, "--add-ignores": options.add_ignores}
        for name, value in named.items():
            if value is not None:
                raise UsageError(f"{name} takes files, not standard input")


def _print(
    report: Report, config: Config, options: argparse.Namespace, stdin: Stdin | None, notes: Sequence[str]
) -> None:
    text = _rendered(report, config.output_format, options)
    filters = options.fix and stdin is not None  # standard output is the fixed program's
    if options.output_file:
        _write(options.output_file, text)
    elif filters:
        sys.stderr.write(text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    for note in () if options.quiet else notes:
        print(note, file=sys.stderr)
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
    if "" in paths:
        raise UsageError("a path is empty (perhaps a variable that is not set): name a file or folder, or give no path")
    if "-" not in paths:
        return paths, None
    if sys.stdin is None:
        raise UsageError("standard input is closed, so there is no program to read from it")
    return paths, Stdin(sys.stdin.buffer.read(), options.stdin_filename or STDIN)


def _config_of_run(settings: Settings, paths: Sequence[str]) -> Config:
    """The settings that concern the whole run: those of the working directory, else of the first path."""
    config = settings.for_folder(os.getcwd())
    if config.origin is None and paths:
        first = os.path.abspath(paths[0])
        config = settings.for_folder(first if os.path.isdir(first) else os.path.dirname(first))
    return config


def _rendered(report: Report, output_format: str, options: argparse.Namespace) -> str:
    from jaxlint.output import FINGERPRINTED, View, renderer

    if options.statistics:
        from jaxlint.output.summary import statistics

        return statistics(report.findings, as_json=output_format == "json")
    view = View(lines=report.lines, color=not options.output_file and _wants_color())
    findings = report.findings
    if output_format in FINGERPRINTED:
        from jaxlint.fingerprint import stamp

        findings = stamp(findings, report.sources.get, os.getcwd())
    return renderer(output_format)(findings, view)


def _wants_color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _write(name: str, text: str) -> None:
    from jaxlint.files import reason
    from jaxlint.fixing import put

    data = text.encode("utf-8", "backslashreplace")
    try:
        if os.path.exists(name) and not os.path.isfile(name):  # a pipe, /dev/stderr
            with open(name, "wb") as stream:
                stream.write(data)
        else:
            put(name, data)
    except OSError as error:
        raise UsageError(f"--output-file: {name} cannot be written: {reason(error)}") from None


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
