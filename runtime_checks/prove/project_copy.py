"""Copies of the user's project: each run of a proof gets a fresh one, and the original is never written to."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# what no run needs, by name; virtual environments are known by their `pyvenv.cfg`
SKIPPED = frozenset(
    (
        ".git",
        ".hg",
        ".svn",
        "__pycache__",
        "node_modules",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        ".nox",
    )
)
# bytes that a copy may take
LIMIT = 2 * 10**9


class NotCopied(Exception):
    """The project cannot be copied; the text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the project is, and where in it the program starts. `root` and `cwd` are real absolute paths."""

    root: str
    cwd: str

    @classmethod
    def of(cls, root: str, cwd: str) -> Layout:
        """Raises NotCopied when the program does not start inside the project, or the project is too large."""
        layout = cls(os.path.realpath(root), os.path.realpath(cwd))
        if layout.cwd != layout.root and not layout.cwd.startswith(layout.root + os.sep):
            raise NotCopied(f"the program's project is {root}: start `confirm --prove` from that folder or below it")
        size = sum(found.stat().st_size for found in _files(Path(layout.root)))
        if size > LIMIT:
            raise NotCopied(
                f"{root} holds {size / 1e9:.1f} GB, and each run of a proof needs a copy of it (at most "
                f"{LIMIT / 1e9:.0f} GB): keep the data outside the project, or link to it"
            )
        return layout

    def copied(self, path: str) -> str:
        """`path` relative to the root ('.' for the root itself), '' when a copy doesn't hold it."""
        real = os.path.realpath(path)
        if real != self.root and not real.startswith(self.root + os.sep):
            return ""
        relative = os.path.relpath(real, self.root)
        above = real
        while above != self.root:
            if _is_skipped(above):
                return ""
            above = os.path.dirname(above)
        return relative

    def inside(self, path: str, folder: str) -> str:
        """`path` (of the original) in the copy that stands in `folder`; what the copy doesn't hold stays as it is."""
        relative = self.copied(path)
        return os.path.normpath(os.path.join(folder, relative)) if relative else path


def _files(root: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if not _is_skipped(os.path.join(folder, name))]
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink() and path.is_file():
                yield path


def _is_skipped(path: str) -> bool:
    return os.path.basename(path) in SKIPPED or os.path.isfile(os.path.join(path, "pyvenv.cfg"))


@contextmanager
def fresh_copy(layout: Layout, folder: str, changed: Mapping[str, bytes]) -> Iterator[str]:
    """A copy of the project in `folder` (which must not exist), with the content of some files (by path relative to
    the root) replaced; gone at the end."""
    try:
        shutil.copytree(layout.root, folder, symlinks=True, ignore=_ignored)
        for relative, data in changed.items():
            path = Path(folder, relative)
            if path.is_symlink():  # writing through it could reach the original
                path.unlink()
            path.write_bytes(data)
        _keep_links_inside(layout.root, folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ignored(folder: str, names: list[str]) -> set[str]:
    return {
        name for name in names if _is_skipped(os.path.join(folder, name)) or _is_special(os.path.join(folder, name))
    }


def _is_special(path: str) -> bool:
    """Sockets, pipes and devices, which cannot be copied."""
    mode = os.lstat(path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _keep_links_inside(root: str, folder: str) -> None:
    """Links by absolute path into the project lead into the copy."""
    for above, names, files in os.walk(folder):
        for name in (*names, *files):
            path = os.path.join(above, name)
            goal = os.readlink(path) if os.path.islink(path) else ""
            if os.path.isabs(goal) and (goal == root or goal.startswith(root + os.sep)):
                os.unlink(path)
                os.symlink(os.path.join(folder, os.path.relpath(goal, root)), path)
