"""Hands test programs to worker processes and collects what happened to them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from rule_blocks import HERE, Case

WORKERS = 2


class Runner:
    """Runs programs in the background, in the order asked for. A worker that dies costs one program."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._waiting: list[Case] = []
        self._futures: dict[str, Future[dict[str, Any]]] = {}
        self._threads: list[threading.Thread] = []

    def start(self, cases: list[Case]) -> None:
        """Begin with `cases`."""
        self._waiting = [case for case in cases if case.runs]
        self._futures = {case.identifier: Future() for case in self._waiting}
        for number in range(min(WORKERS, len(self._waiting) // 8 + 1)):
            thread = threading.Thread(target=self._work, args=(number,), daemon=True)
            thread.start()
            self._threads.append(thread)

    def answer(self, case: Case) -> dict[str, Any]:
        """What happened to `case`; waits for it."""
        return self._futures[case.identifier].result()

    def stop(self) -> None:
        """Drop what has not begun, and wait for the rest."""
        with self._lock:
            self._waiting = []
        for thread in self._threads:
            thread.join()

    def _next(self) -> Case | None:
        with self._lock:
            return self._waiting.pop(0) if self._waiting else None

    def _work(self, number: int) -> None:
        process: subprocess.Popen[str] | None = None
        while (case := self._next()) is not None:
            if process is None:
                process = self._spawn(number)
            future = self._futures[case.identifier]
            try:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps({"id": case.identifier, "files": case.files}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError(f"the worker died with status {process.wait()}")
                future.set_result(json.loads(line))
            except Exception as error:
                future.set_exception(error)
                process.kill()
                process.wait()
                process = None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()

    def _spawn(self, number: int) -> subprocess.Popen[str]:
        folder = self._folder / f"worker{number}"
        return subprocess.Popen(
            [sys.executable, str(HERE / "rule_worker.py"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )


def complaint(wanted: str, answer: dict[str, Any]) -> str:
    """Why `answer` is not what the option `wanted` promises, or ''."""
    kind, _, detail = wanted.partition(":")
    error = answer["error"][0] if answer["error"] else ""
    if kind == "raises":
        if detail in answer["error"]:
            return ""
        return f"should raise {detail}, but raised {error or 'nothing'}\n{answer['traceback']}"
    if error:
        return f"raised {error}\n{answer['traceback']}"
    if kind == "prints":
        return "" if detail in answer["stdout"] else f"should print {detail!r}, but printed\n{answer['stdout']}"
    if kind in ("traces", "reads"):
        if answer[kind] == int(detail):
            return ""
        return f"should have {detail} {kind}, but had {answer[kind]} {answer['compiled'] if kind == 'traces' else ''}"
    return "" if kind == "ok" else f"no such option: run={wanted}"
