"""Shared by the tests of the shell: a folder to work in, the command as a subprocess, and a stand-in interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
STAND_IN = Path(__file__).with_name("stand_in.py")


@dataclass
class Ran:
    code: int
    out: str
    err: str
    data: bytes = b""  # standard output as it came

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def places(self) -> list[str]:
        """`file:row code` of each finding of a JSON report."""
        return [f"{item['filename']}:{item['location']['row']} {item['code']}" for item in self.json]


class Box:
    """A folder with helpers to fill it and to run jaxlint in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, content: str | bytes = "") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def run(
        self, *arguments: str, stdin: bytes = b"", cwd: str = ".", env: dict[str, str] | None = None, fake: bool = True
    ) -> Ran:
        """Run the command. With `fake`, each call of `float` is an event, and each event is a JAX201 finding."""
        start = [str(STAND_IN)] if fake else ["-m", "jaxlint"]
        clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        done = subprocess.run(
            [sys.executable, *start, *arguments],
            cwd=self.root / cwd,
            input=stdin,
            capture_output=True,
            env={**clean, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8", **(env or {})},
            timeout=60,
        )
        return Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(), done.stdout)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)
