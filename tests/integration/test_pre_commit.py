"""The hooks in the real pre-commit: this tree is the source of hooks, a new repository their user.

pre-commit installs the hook into an environment of its own, as it does for users, so a package index must be in reach.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.shell.conftest import REPOSITORY

pytest.importorskip("pre_commit")
pytestmark = [pytest.mark.slow, pytest.mark.program, pytest.mark.timeout(600)]

SYNC = """\
import jax


@jax.jit
def step(p):
    return p - 1, p.sum()


def train(p):
    for _ in range(100):
        p, loss = step(p)
        print("loss", float(loss))


train(jax.numpy.ones(3))
"""
FIXABLE = """\
import jax.numpy as jnp

x = jnp.zeros(3)
x[0] = 1.0
"""


def git(folder: Path, *arguments: str) -> str:
    config = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"]
    ran = subprocess.run(["git", *config, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository with the files of this tree, and its commit."""
    source = tmp_path_factory.mktemp("hooks")
    names = git(REPOSITORY, "ls-files", "-z", "-c", "-o", "--exclude-standard").split("\0")
    for name in filter(None, names):
        if (REPOSITORY / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((REPOSITORY / name).read_bytes())
    git(source, "init", "-q")
    git(source, "add", "-A")
    git(source, "commit", "-qm", "hooks")
    return source, git(source, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pre-commit-home")


class User:
    """A repository that uses the hooks."""

    def __init__(self, folder: Path, hooks: tuple[Path, str], home: Path) -> None:
        self.folder, self.home = folder, home
        git(folder, "init", "-q")
        self.write(
            ".pre-commit-config.yaml",
            f"repos:\n- repo: {hooks[0]}\n  rev: {hooks[1]}\n  hooks:\n  - id: jaxlint\n"
            "  - id: jaxlint-fix\n    stages: [manual]\n",
        )

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        git(self.folder, "add", "-A")
        return self.run_as_it_is(*arguments)

    def run_as_it_is(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--color", "never", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env={**os.environ, "PRE_COMMIT_HOME": str(self.home)},
        )


@pytest.fixture
def user(tmp_path: Path, hooks: tuple[Path, str], home: Path) -> User:
    return User(tmp_path, hooks, home)


def test_a_commit_with_a_finding_is_stopped(user: User) -> None:
    user.write("train.py", SYNC)
    ran = user.run()
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "train.py:12:23: JAX201 [sync-in-loop]" in ran.stdout and "exit code: 1" in ran.stdout
    user.write("train.py", SYNC.replace('        print("loss", float(loss))\n', ""))
    ran = user.run()
    assert ran.returncode == 0 and re.search(r"jaxlint\.+Passed", ran.stdout), ran.stdout


def test_nothing_to_check(user: User) -> None:
    user.write("README", "no Python")
    ran = user.run()
    assert ran.returncode == 0 and "(no files to check)Skipped" in ran.stdout, ran.stdout


def test_excluded_files_that_are_committed(user: User) -> None:
    user.write("pyproject.toml", '[tool.jaxlint]\nexclude = ["generated"]\n')
    user.write("generated/train.py", SYNC)
    ran = user.run()
    assert ran.returncode == 0 and "JAX201" not in ran.stdout, ran.stdout


def test_fixes_are_left_for_the_user_to_add(user: User) -> None:
    user.write("a.py", FIXABLE)
    ran = user.run("jaxlint-fix", "--hook-stage", "manual")
    assert ran.returncode == 1 and "files were modified by this hook" in ran.stdout, ran.stdout + ran.stderr
    assert "x = x.at[0].set(1.0)" in (user.folder / "a.py").read_text()
    assert user.run("jaxlint-fix", "--hook-stage", "manual").returncode == 0


def test_many_files_and_two_runs_at_a_time(user: User) -> None:
    for number in range(300):
        user.write(f"pkg/part{number}.py", SYNC if number == 299 else "import jax\n")
    git(user.folder, "add", "-A")
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: user.run_as_it_is("--all-files"), range(2)))
    for ran in runs:
        assert ran.returncode == 1 and ran.stdout.count("[sync-in-loop]") == 1, ran.stdout + ran.stderr
