"""Run a saved model in another process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from runtime_checks.workloads.data import Floats


def run_elsewhere(model: bytes, suffix: str, pixels: Floats) -> tuple[Floats | None, dict[str, Any]]:
    """Logits (n, 10) that a process without the model's code computes, and what it says; None and why if it can't."""
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs, file = (Path(folder) / name for name in ("pixels.npy", "logits.npy", f"model{suffix}"))
        np.save(inputs, pixels)
        file.write_bytes(model)
        consumer = Path(__file__).with_name("consumer.py")
        command = [sys.executable, "-I", str(consumer), str(file), str(inputs), str(outputs)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines()
            return None, {"failure": lines[-1] if lines else f"status {done.returncode}"}
        return np.load(outputs), json.loads(done.stdout.strip().splitlines()[-1])
