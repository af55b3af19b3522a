"""`--since REV`: what was found at a revision of git is taken out of what is found now.

Both trees are analysed whole, since a change in one file can make a fault in another. The old tree is read from git's
objects into a temporary folder; the working tree, the index and hooks are left alone. Both are checked under the
configuration of today, so that a rule switched on since then counts for neither.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from jaxlint.engine import Report
from jaxlint.findings import Finding
from jaxlint.fingerprint import stamp

CONFIGURATION = ("pyproject.toml", "jaxlint.toml")
KEPT = (".py", ".ipynb", ".gitignore")
Check = Callable[[Sequence[str]], Report]
"""Check paths, as seen from the working directory."""


class GitError(Exception):
    """Git has no such revision, or cannot be asked. The text is one line for the user."""


def new_findings(report: Report, paths: Sequence[str], revision: str, check: Check) -> list[Finding]:
    """The findings of `report` that were not there at `revision`. Raises GitError."""
    here = os.getcwd()
    with Tree(revision) as tree, tree.entered():
        inside = [path for path in map(tree.moved, paths) if os.path.lexists(path)]
        old = check(inside) if inside else Report()
        before = Counter(
            finding.fingerprint
            for finding in stamp(old.findings, old.sources.get, os.getcwd(), tree.renames(os.getcwd()))
        )
    new = []
    for finding in stamp(report.findings, report.sources.get, here):
        if before[finding.fingerprint] > 0:
            before[finding.fingerprint] -= 1
        else:
            new.append(finding)
    return new


class Tree:
    """The files of a revision that a check can read, in a temporary folder."""

    def __init__(self, revision: str) -> None:
        self.here = os.path.realpath(os.getcwd())
        self.root = os.path.realpath(git(["rev-parse", "--show-toplevel"], "").decode().rstrip("\n"))
        shown = f"--since: `{revision}` is no commit of this repository"
        self.commit = (
            git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"], shown)
            .decode()
            .strip()
        )
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="jaxlint-since-"))

    def __enter__(self) -> Tree:
        try:
            self._write()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _write(self) -> None:
        """Write the files of the revision, then the configuration of today over them."""
        wanted: list[tuple[bytes, str]] = []
        for entry in git(["ls-tree", "-r", "-z", "--full-tree", self.commit], "").split(b"\0"):
            kind, _, name = entry.partition(b"\t")
            path = os.fsdecode(name)
            # links and submodules are left out; what git calls a path is checked before it is one
            if kind.startswith(b"100") and path.endswith(KEPT) and self._is_inside(path):
                wanted.append((kind.split()[2], path))
        for (_, path), data in zip(wanted, blobs([blob for blob, _ in wanted])):
            target = Path(self.folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for name in git(["ls-files", "-z", "-c", "-o", "--exclude-standard"], "", self.root).split(b"\0"):
            path = os.fsdecode(name)
            if os.path.basename(path) in CONFIGURATION and self._is_inside(path):
                source, target = Path(self.root, path), Path(self.folder, path)
                if source.is_file() and not source.is_symlink():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, target)

    def _is_inside(self, path: str) -> bool:
        joined = os.path.normpath(os.path.join(self.folder, path))
        return joined.startswith(self.folder + os.sep)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Work in the folder that stands for the working directory."""
        twin = os.path.join(self.folder, os.path.relpath(self.here, self.root))
        os.makedirs(twin, exist_ok=True)
        os.chdir(twin)
        try:
            yield
        finally:
            os.chdir(self.here)

    def moved(self, path: str) -> str:
        """A path that the user gave, in the old tree: relative ones stay, absolute ones are moved there."""
        if not os.path.isabs(path):
            return path
        return os.path.join(self.folder, os.path.relpath(os.path.realpath(path), self.root))

    def renames(self, twin: str) -> Mapping[str, str]:
        """The new name of each file that was renamed since, both as seen from the working directory."""
        fields = git(["diff", "--name-status", "-z", "-M", "--diff-filter=R", self.commit], "", self.root).split(b"\0")
        found: dict[str, str] = {}
        for place in range(0, len(fields) - 2, 3):
            old, new = (os.path.join(self.folder, os.fsdecode(name)) for name in fields[place + 1 : place + 3])
            found[os.path.relpath(old, twin)] = os.path.relpath(new, twin)
        return found


def git(arguments: Sequence[str], failure: str, folder: str | None = None, data: bytes = b"") -> bytes:
    """What git prints. Raises GitError with `failure`, or with git's own words where that is empty."""
    command = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", *arguments]
    try:
        done = subprocess.run(command, input=data, capture_output=True, cwd=folder)
    except OSError:
        raise GitError("--since: git is not installed") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1].removeprefix("fatal: ")
        raise GitError(failure or f"--since: git {arguments[0]}: {said}")
    return done.stdout


def blobs(names: Sequence[bytes]) -> Iterator[bytes]:
    """The contents of git's objects."""
    if not names:
        return
    answer = git(["cat-file", "--batch"], "", None, b"".join(name + b"\n" for name in names))
    place = 0
    for name in names:
        end = answer.index(b"\n", place)
        header = answer[place:end].split()
        if len(header) != 3:
            raise GitError(f"--since: git has no object {name.decode()} (a partial or shallow clone?)")
        size = int(header[2])
        yield answer[end + 1 : end + 1 + size]
        place = end + 2 + size
