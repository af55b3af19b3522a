"""`python -m benchmarks.jax_matrix [--versions 0.4.35 0.8]`: the runtime tests on old and new versions of JAX.

For each version it makes a virtual environment (kept, so that a second run is quick), installs JAX with the libraries
of its time, runs `tests/runtime` in it, and prints a table. Exit status 1 if a version fails.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from runtime_checks.doctor.child import run_limited

ROOT = Path(__file__).resolve().parents[1]
# What every environment needs besides JAX: the linter's own packages, and those of the tests.
COMMON = ("pytest>=8.2", "pytest-timeout", "libcst>=1.4", 'tomli>=2;python_version<"3.11"')
# JAX, and the libraries that were current with it.
VERSIONS = {
    "0.4.35": (
        "jax==0.4.35", "jaxlib==0.4.35", "numpy<2.2", "scipy<1.15", "ml-dtypes<0.6",
        "flax==0.10.2", "optax==0.2.4", "orbax-checkpoint<0.11", "scikit-learn<1.7", "flatbuffers",
    ),
    "0.6": (
        "jax==0.6.2", "jaxlib==0.6.2", "numpy<2.4", "flax==0.10.7", "optax==0.2.5", "orbax-checkpoint<0.12",
        "scikit-learn", "flatbuffers",
    ),
    "0.8": (
        "jax==0.8.1", "jaxlib==0.8.1", "numpy<2.4", "flax>=0.12,<0.12.3", "optax", "orbax-checkpoint", "scikit-learn",
        "flatbuffers",
    ),
    "0.10": ("jax>=0.10,<0.11", "flax>=0.12", "optax", "orbax-checkpoint", "scikit-learn", "flatbuffers"),
}  # fmt: skip


@dataclass(slots=True)
class Row:
    """What became of one version: counts of tests, seconds, and which versions were installed."""

    version: str
    status: str = ""  # passed | failed | not installed | timeout
    installed: str = ""
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    seconds: float = 0.0
    detail: str = ""


def environment_python(folder: Path) -> Path:
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(version: str, folder: Path, base: str, limit: float) -> str:
    """Make the environment of a version; "" or the reason why it could not be made."""
    python = environment_python(folder)
    stamp = folder / "installed.json"
    wanted = json.dumps([*COMMON, *VERSIONS[version]])
    if stamp.is_file() and stamp.read_text() == wanted:
        return ""
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([base, "-m", "venv", str(folder)], capture_output=True, text=True)
    if made.returncode != 0:
        return made.stderr.strip()[-300:]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ran = run_limited([*pip, *COMMON, *VERSIONS[version]], limit)
    if not ran.ok:
        errors = [line for line in ran.err.splitlines() if line.startswith("ERROR")]
        return (errors[-1] if errors else f"pip: {ran.status}")[:300]
    stamp.write_text(wanted)
    return ""


def installed(python: Path) -> str:
    """The versions that matter, as one text."""
    code = (
        "import platform, importlib.metadata as m; "
        "print('Python', platform.python_version(), *(f'{n} {m.version(n)}' for n in ('jax', 'flax', 'numpy')))"
    )
    return run_limited([str(python), "-c", code], 60).out.strip()


def read_counts(row: Row, output: str) -> None:
    """Fill the counts from pytest's last line."""
    for count, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)", output.strip().rpartition("\n")[2]):
        name = "errors" if word.startswith("error") else word
        setattr(row, name, int(count))


def run_version(version: str, folder: Path, base: str, tests: list[str], limit: float) -> Row:
    """Install one version and run the tests on it."""
    row = Row(version)
    begin = time.monotonic()
    row.detail = install(version, folder, base, limit)
    if row.detail:
        row.status = "not installed"
        return row
    python = environment_python(folder)
    row.installed = installed(python)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    command = [str(python), "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-rfE", "--tb=short"]
    ran = run_limited([*command, f"--rootdir={ROOT}", *(str(ROOT / test) for test in tests)], limit, environment)
    (folder.parent / f"{folder.name}.log").write_text(ran.out + ran.err)
    read_counts(row, ran.out)
    row.status = "timeout" if ran.status == "timeout" else ("passed" if ran.code == 0 else "failed")
    broken = [line for line in ran.out.splitlines() if line.startswith(("FAILED", "ERROR"))]
    row.detail = "; ".join(broken)[:2000]
    row.seconds = time.monotonic() - begin
    return row


def table(rows: list[Row]) -> str:
    """The rows as Markdown."""
    lines = ["| JAX | installed | result | passed | failed | errors | skipped | seconds |", "|" + "---|" * 8]
    for row in rows:
        counts = f"{row.passed} | {row.failed} | {row.errors} | {row.skipped} | {row.seconds:.0f}"
        lines.append(f"| {row.version} | {row.installed} | {row.status} | {counts} |")
    details = [f"\n{row.version}: {row.detail}" for row in rows if row.detail]
    return "\n".join([*lines, *details]) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Run the matrix."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.jax_matrix", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--versions", nargs="+", choices=list(VERSIONS), default=list(VERSIONS))
    parser.add_argument("--tests", nargs="+", default=["tests/runtime"], help="below the repository")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "jax_matrix", help="for the environments")
    parser.add_argument("--python", default=sys.executable, help="the Python to make them with (3.11 serves all)")
    parser.add_argument("--limit", type=float, default=1800.0, help="seconds to install, and seconds to test")
    options = parser.parse_args(argv)
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for version in options.versions:
        folder = options.folder.resolve() / f"jax-{version}"
        rows.append(run_version(version, folder, options.python, options.tests, options.limit))
        print(f"JAX {version}: {rows[-1].status}", flush=True)
        (options.folder / "matrix.json").write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    print("\n" + table(rows))
    return int(any(row.status != "passed" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
