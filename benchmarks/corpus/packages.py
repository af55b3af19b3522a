"""The pinned packages of the corpus, and how they are fetched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PINNED: dict[str, str] = {
    "flax": "0.12.8",
    "optax": "0.2.8",
    "equinox": "0.13.8",
    "diffrax": "0.7.2",
    "optimistix": "0.1.0",
    "numpyro": "0.22.0",
    "brax": "0.14.2",
    "dm-haiku": "0.0.17",
    "distrax": "0.1.9",
    "mctx": "0.0.71",
    "chex": "0.1.92",
    "jaxopt": "0.8.5",
}


def fetch(name: str, cache: Path) -> Path:
    """The folder of one package, without its dependencies; installed into `cache` when it isn't there yet."""
    folder = cache / name
    version = PINNED[name]
    if not list(folder.glob(f"{name.replace('-', '_')}-{version}.dist-info")):
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        options = ["--no-compile", "--upgrade", "--target", str(folder), f"{name}=={version}"]
        subprocess.run([*command, *options], check=True)
    return folder
