"""`python -m benchmarks.crash_sweep PATH...`: does the engine crash or hang on any file below these folders?

Each file (or, with `--by folder`, each package below PATH) is checked by itself, with a limit of CPU time. The engine
runs in a worker process that a crash or a hang ends and the next file starts anew. `stdlib` and `site-packages`
stand for those folders of the running Python.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import subprocess
import sys
import sysconfig
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

NAMED = {"stdlib": "stdlib", "site-packages": "purelib"}
SKIPPED = {"__pycache__", "site-packages", "dist-packages"}


# ---- the worker ----------------------------------------------------------------------------------------


def work() -> None:
    """Answer each line of standard input (a JSON list of files) with one line of JSON."""
    from jaxlint.config import Overrides, Settings
    from jaxlint.engine import check

    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        start = time.process_time()
        try:
            report = check(json.loads(line), Settings(Overrides(exclude=()), isolated=True))
            answer: dict[str, Any] = {
                "errors": [*report.internal_errors, *report.usage_errors],
                "codes": Counter(finding.code for finding in report.findings),
                "files": report.files,
            }
        except BaseException as error:
            answer = {"errors": [f"{type(error).__name__}: {error}"], "codes": {}, "files": 0}
        answer["seconds"] = time.process_time() - start
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """A worker process, started when needed and again when it was lost."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[str] | None = None
        self.answers: queue.Queue[str] = queue.Queue()

    def ask(self, files: list[str], limit: float) -> dict[str, Any]:
        """The worker's answer, or what became of the worker."""
        child = self._started()
        assert child.stdin is not None
        try:
            child.stdin.write(json.dumps(files) + "\n")
            child.stdin.flush()
            answer = self._wait(child.pid, limit)
        except queue.Empty:
            self.stop()
            return {"hang": True}
        except BrokenPipeError:
            answer = ""
        if not answer:
            status = child.wait()
            self.stop()
            return {"errors": [f"the process ended with status {status}"], "codes": {}, "seconds": 0.0, "files": 0}
        parsed: dict[str, Any] = json.loads(answer)
        return parsed

    def _wait(self, process: int, limit: float) -> str:
        """The next answer; queue.Empty when the worker has used `limit` CPU seconds, or ten times that went by."""
        before, end = cpu_seconds(process), time.monotonic() + 10 * limit
        while True:
            try:
                return self.answers.get(timeout=0.5)
            except queue.Empty:
                if cpu_seconds(process) - before > limit or time.monotonic() > end:
                    raise

    def _started(self) -> subprocess.Popen[str]:
        if self.child is None:
            command = [sys.executable, "-m", "benchmarks.crash_sweep", "--worker"]
            self.child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
            self.answers = queue.Queue()
            assert self.child.stdout is not None
            threading.Thread(target=read, args=(self.child.stdout, self.answers), daemon=True).start()
        return self.child

    def stop(self) -> None:
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None


def cpu_seconds(process: int) -> float:
    """CPU seconds of a process so far; the wall clock where the system does not tell (a busy machine is no hang)."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def read(stream: IO[str], answers: queue.Queue[str]) -> None:
    for line in stream:
        answers.put(line)
    answers.put("")


# ---- the sweep -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unit:
    """What is checked at once."""

    name: str
    files: tuple[str, ...]


def units(path: Path, by_folder: bool) -> Iterator[Unit]:
    """The files below `path`, or what stands directly in `path`, each folder as one unit."""
    if path.is_file():
        yield Unit(str(path), (str(path),))
        return
    for entry in sorted(path.iterdir()):
        if entry.name in SKIPPED or entry.is_symlink():
            continue
        if entry.is_dir():
            files = tuple(
                str(file)
                for file in sorted(entry.rglob("*.py"))
                if not SKIPPED.intersection(file.parts[len(path.parts) :])
            )
            if by_folder and files:
                yield Unit(str(entry), files)
            elif not by_folder:
                yield from (Unit(file, (file,)) for file in files)
        elif entry.suffix == ".py":
            yield Unit(str(entry), (str(entry),))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crash_sweep", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, folders, stdlib or site-packages")
    parser.add_argument("--by", choices=["file", "folder"], default="file", help="what is checked at once")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds for one unit")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look at every Nth unit only")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        work()
        return 0
    if not args.paths:
        parser.error("name a file, a folder, stdlib or site-packages")

    worker = Worker()
    codes: Counter[str] = Counter()
    slowest: list[tuple[float, str]] = []
    crashes = hangs = files = 0
    for path in args.paths:
        folder = Path(sysconfig.get_paths()[NAMED[path]] if path in NAMED else path)
        for unit in list(units(folder, args.by == "folder"))[:: args.every]:
            answer = worker.ask(list(unit.files), args.limit)
            if answer.get("hang"):
                hangs += 1
                print(f"HANG  {unit.name}: no answer after {args.limit:.0f} CPU seconds", flush=True)
                continue
            for error in answer["errors"]:
                crashes += 1
                print(f"CRASH {unit.name}: {error}", flush=True)
            files += answer["files"]
            codes.update(answer["codes"])
            slowest = sorted([*slowest, (answer["seconds"], unit.name)], reverse=True)[:5]
    worker.stop()
    print(f"{files} files, {crashes} crashes, {hangs} hangs")
    print("findings: " + (", ".join(f"{code} {count}" for code, count in sorted(codes.items())) or "none"))
    print("slowest: " + ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slowest))
    return int(crashes + hangs > 0)


if __name__ == "__main__":
    sys.exit(main())
