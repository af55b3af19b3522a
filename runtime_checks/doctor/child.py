"""Run a command with a time limit that holds even when the command cannot be stopped.

A GPU driver that hangs leaves its process in an uninterruptible wait: neither SIGKILL nor closing its pipes ends it.
So the output goes to temporary files (nothing to read until the end of a pipe), the whole process group is killed, and
a child that survives that is abandoned.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# seconds given to a killed child to disappear before it is abandoned
GRACE = 2.0
# bytes of each stream that are kept, from the end
KEPT = 200_000


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a command. `code` is its exit status, negative for a signal, None unless `status` is "ended"."""

    status: str  # ended | timeout | missing (no such program) | refused (could not be started)
    code: int | None = None
    out: str = ""
    err: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.status == "ended" and self.code == 0


def run_limited(
    command: Sequence[str], timeout: float | None, env: Mapping[str, str] | None = None, cwd: str | None = None
) -> Ran:
    """Run `command` for at most `timeout` seconds (plus `GRACE`); never raises for what the command does."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            child = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=env,
                cwd=cwd,
                start_new_session=True,
            )
        except FileNotFoundError:
            return Ran("missing")
        except OSError as error:
            return Ran("refused", err=str(error))
        status = "ended"
        code: int | None
        try:
            code = child.wait(timeout)
        except subprocess.TimeoutExpired:
            status, code = "timeout", None
            _kill(child)
        except BaseException:
            _kill(child)
            raise
        return Ran(status, code, _tail(out), _tail(err), time.monotonic() - begin)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the child's process group, and leave it behind if it won't go."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    except (ProcessLookupError, PermissionError):
        pass
    try:
        child.wait(GRACE)
    except subprocess.TimeoutExpired:
        # Stops Popen's destructor from warning about a child that is still there.
        child.returncode = -signal.SIGTERM


def _tail(stream: object) -> str:
    """The last `KEPT` bytes of a temporary file as text."""
    seek, read = getattr(stream, "seek"), getattr(stream, "read")  # noqa: B009
    size = seek(0, os.SEEK_END)
    seek(max(0, size - KEPT))
    return bytes(read()).decode("utf-8", "replace")
