"""The command line, thin: it reads options, calls the parts and prints what they return."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence

from jaxlint.options import CLEAN, FAILED, INTERRUPTED, UsageError, parser, prepared

COMMANDS = ("check", "rule", "rules", "why", "server", "confirm", "doctor")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # What a check makes lives until it ends: collecting it again and again takes a quarter of the run (flax: 4.4 s
        # of CPU against 3.1 s, with the same peak memory). A server lives on: it would grow by 3 MB a check.
        if arguments[:1] != ["server"]:
            gc.set_threshold(1_000_000, 20, 100)
        _prepare_streams()
        if not _has_working_directory():
            return _fail("the working directory no longer exists; change to another one and run again")
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        from jaxlint.checking import drop_output

        drop_output()
        return CLEAN
    except OSError as error:
        from jaxlint.checking import drop_output

        drop_output()
        return _fail(f"{error.filename or 'the output'}: {error.strerror or error}")


def _prepare_streams() -> None:
    """Names and code may hold what the terminal's encoding can't show; and a stream may be closed (`>&-`)."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _has_working_directory() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


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
    reader = parser()
    options = reader.parse_args(prepared(arguments))
    if options.command is None:
        reader.print_help(sys.stderr)
        return FAILED
    from jaxlint import checking, explain
    from jaxlint.config import ConfigError

    handlers = {
        "check": checking.run,
        "rule": explain.rule,
        "rules": explain.rules,
        "why": explain.why,
        "server": _server,
    }
    try:
        return handlers[options.command](options)
    except (UsageError, ConfigError) as error:
        return _fail(str(error))


def _server(options: argparse.Namespace) -> int:
    try:
        from jaxlint.server.app import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError('the language server needs pygls: pip install "jaxlint-gpu[lsp]"') from None
    return serve()


def _fail(message: str) -> int:
    from jaxlint.output.terminal import clean

    print(f"jaxlint: error: {clean(message)}", file=sys.stderr)
    return FAILED


def _unknown_command(word: str) -> str:
    if os.path.exists(word):
        return f"`{word}` is not a command; to check it: jaxlint check {word}"
    from jaxlint.selection import did_you_mean

    return f"`{word}` is not a command{did_you_mean(word, COMMANDS)} (commands: {', '.join(COMMANDS)})"
