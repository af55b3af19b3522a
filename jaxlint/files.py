"""Which files to look at, and reading them. A file that cannot be read becomes a finding, never an exception."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxlint import gitignore
from jaxlint.findings import Finding
from jaxlint.globs import posix
from jaxlint.source import Source
from jaxlint.syntax import broken

DEFAULT_EXCLUDE: tuple[str, ...] = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)

STDIN = "<stdin>"
NOTEBOOK = ".ipynb"

Excluded = Callable[[str], bool]
"""Whether the configuration leaves out the file or folder with this absolute path."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to read: the name to report, and where it is."""

    filename: str
    path: str


@dataclass(slots=True)
class Found:
    """The outcome of discovery."""

    files: list[Candidate] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    broken: list[Finding] = field(default_factory=list)


def discover(paths: Sequence[str], excluded: Excluded, *, force_exclude: bool = False) -> Found:
    """The files that `paths` name: files themselves are always taken, folders are walked."""
    found = Found()
    seen: set[str] = set()
    for name in paths:
        path = os.path.abspath(name)
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError):
            found.missing.append(name)
            continue
        if force_exclude and excluded_with_parents(path, excluded):
            continue
        if stat.S_ISDIR(mode):
            candidates: Iterable[Candidate] = _walk(_shown(name), path, excluded, found.broken)
        else:
            candidates = (Candidate(_shown(name), path),)
        for candidate in candidates:
            if candidate.path not in seen:
                seen.add(candidate.path)
                found.files.append(candidate)
    return found


def _shown(name: str) -> str:
    """The name for reports: as given, without the `./` that adds nothing."""
    while name.startswith("./") and len(name) > 2:
        name = name[2:].lstrip("/")
    return name or "."


def excluded_with_parents(path: str, excluded: Excluded) -> bool:
    """Whether the absolute `path` or a folder above it is left out."""
    while True:
        if excluded(path):
            return True
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent


# ---- walking -------------------------------------------------------------------------------------------


def _walk(shown: str, path: str, excluded: Excluded, failures: list[Finding]) -> Iterator[Candidate]:
    """The Python files and notebooks under a folder, sorted. Links to folders are not followed, so no loop can form."""
    stack: list[tuple[str, str, _Level | None]] = [("" if shown == "." else shown, path, _rules_above(path))]
    while stack:
        prefix, folder, level = stack.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            failures.append(broken(prefix or ".", f"this folder cannot be listed: {reason(error)}"))
            continue
        if folder != path and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue  # a virtual environment by whatever name
        if any(entry.name == ".gitignore" for entry in entries):
            level = _with_rules(folder, os.path.join(folder, ".gitignore"), level)
        folders: list[tuple[str, str, _Level | None]] = []
        for entry in entries:
            is_folder = _is_folder(entry)
            if not is_folder and not _is_python(entry):
                continue
            if excluded(entry.path) or _ignored(level, entry.path, is_folder):
                continue
            name = os.path.join(prefix, entry.name) if prefix else entry.name
            if is_folder:
                folders.append((name, entry.path, level))
            else:
                yield Candidate(name, entry.path)
        stack.extend(reversed(folders))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_python(entry: os.DirEntry[str]) -> bool:
    # `.#x.py` is an editor's lock, a link to nowhere
    if not entry.name.endswith((".py", NOTEBOOK)) or entry.name.startswith(".#"):
        return False
    try:
        return not entry.is_dir()
    except OSError:
        return True  # a loop of links: reading it says so


@dataclass(frozen=True, slots=True)
class _Level:
    """The ignore rules of one folder, and those in force above it."""

    folder: str
    rules: tuple[gitignore.Rule, ...]
    above: _Level | None


def _ignored(level: _Level | None, path: str, is_folder: bool) -> bool:
    """Whether git ignores `path`, whose folders it does not ignore: the innermost rule that matches decides."""
    while level is not None:
        inner = path[len(level.folder.rstrip(os.sep)) + 1 :]
        verdict = gitignore.verdict(level.rules, posix(inner), is_folder)
        if verdict is not None:
            return verdict
        level = level.above
    return False


def _rules_above(path: str) -> _Level | None:
    """The rules of the repository around `path`, unless they leave out `path` itself, which the user asked for."""
    chain: list[str] = []
    top = path
    while not os.path.exists(os.path.join(top, ".git")):
        parent = os.path.dirname(top)
        if parent == top:
            return None  # no repository: the folders above have no say
        top = parent
        chain.append(top)
    level = _with_rules(top, os.path.join(top, ".git", "info", "exclude"), None)
    for folder in reversed(chain):
        level = _with_rules(folder, os.path.join(folder, ".gitignore"), level)
    inside = path
    while inside != top:
        if _ignored(level, inside, True):
            return None
        inside = os.path.dirname(inside)
    return level


def _with_rules(folder: str, name: str, above: _Level | None) -> _Level | None:
    """The level of `folder` with the rules of the file `name`; the level above when it holds none."""
    try:
        with open(name, encoding="utf-8-sig", errors="replace") as file:
            rules = gitignore.parse(file.read().split("\n"))
    except OSError:
        return above
    return _Level(folder, rules, above) if rules else above


# ---- reading -------------------------------------------------------------------------------------------


class Undecodable(Exception):
    """The bytes of a file are not Python text. `row` is where, `help` what to do."""

    def __init__(self, message: str, *, row: int = 1, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.help = help


def read(candidate: Candidate) -> Source | Finding:
    """The file as text, or the finding that says why not."""
    try:
        if not stat.S_ISREG(os.stat(candidate.path).st_mode):
            return broken(candidate.filename, "not a regular file (a device, pipe or socket), so it is not read")
        with open(candidate.path, "rb") as file:
            data = file.read()
    except FileNotFoundError as error:
        why = "a symbolic link that leads nowhere" if os.path.islink(candidate.path) else reason(error)
        return broken(candidate.filename, f"cannot be read: {why}", help="Mend it, or leave it out with `exclude`.")
    except (OSError, ValueError) as error:
        return broken(
            candidate.filename,
            f"cannot be read: {reason(error)}",
            help="Make it readable, or leave it out with `exclude`.",
        )
    except MemoryError:
        return broken(candidate.filename, "cannot be read: larger than the memory")
    return from_bytes(data, candidate.filename, Path(candidate.path))


def from_bytes(data: bytes, filename: str, path: Path | None) -> Source | Finding:
    """A source from the bytes of a file or of stdin, or the finding that says why not."""
    try:
        text = decode(data)
    except Undecodable as error:
        return broken(filename, error.message, row=error.row, help=error.help)
    if filename.endswith(NOTEBOOK):
        from jaxlint.notebook import read_notebook  # start-up counts: most runs meet none

        return read_notebook(text, filename, path)
    return Source(filename=filename, text=text, path=path)


def reason(error: Exception) -> str:
    """The system's words for an error, without number and file name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


_COOKIE = rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_BLANK = rb"^[ \t\f]*(?:#[^\r\n]*)?$"


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a comment in the first two lines declares (PEP 263)."""
    if b"coding" not in data[:4096]:
        return None
    lines = re.split(rb"\r\n|\r|\n", data[:4096], maxsplit=2)[:2]
    for line in lines:
        found = re.match(_COOKIE, line)
        if found:
            return found.group(1).decode("ascii", "replace")
        if not re.match(_BLANK, line):
            return None
    return None


def decode(data: bytes) -> str:
    """The text of a Python file: its declared encoding, UTF-8 otherwise; a byte order mark is dropped."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Undecodable("encoded in UTF-16, which Python does not read", help="Save it as UTF-8.")
    if (null := data.find(b"\0")) >= 0:
        raise Undecodable(
            "holds null bytes: a binary file, not Python text",
            row=_row(data, null),
            help="Leave it out with `exclude`.",
        )
    marked = data.startswith(b"\xef\xbb\xbf")
    if marked:
        data = data[3:]
    encoding = declared_encoding(data)
    name = (encoding or "utf-8").lower().replace("_", "-")
    if name == "utf-8" or name.startswith("utf-8-"):
        name = "utf-8"
    elif marked:
        raise Undecodable(f"starts with a UTF-8 mark but declares the encoding `{encoding}`", help="Drop one of them.")
    try:
        text = data.decode(name)
    except UnicodeDecodeError as error:
        raise Undecodable(
            f"byte 0x{data[error.start]:02x} is not valid in the encoding {name}",
            row=_row(data, error.start),
            help="Save it as UTF-8, or declare its encoding in the first line: `# -*- coding: latin-1 -*-`.",
        ) from None
    except (LookupError, ValueError, TypeError) as error:
        # a name that is unknown, or that of a codec which doesn't give text ("hex")
        raise Undecodable(
            f"declares the encoding `{encoding}`, which Python cannot use: {error}",
            help="Declare an encoding that Python knows, or save it as UTF-8 and drop the declaration.",
        ) from None
    if "\0" in text:
        raise Undecodable("holds null characters: not Python text", row=text.count("\n", 0, text.index("\0")) + 1)
    return text


def _row(data: bytes, offset: int) -> int:
    head = data[:offset].replace(b"\r\n", b"\n")
    return head.count(b"\n") + head.count(b"\r") + 1
