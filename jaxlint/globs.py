"""Globs of the configuration: `*` stays inside one path component, `**` crosses them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache


@lru_cache(maxsize=1024)
def compiled(glob: str) -> re.Pattern[str]:
    """A pattern that matches (with `fullmatch`) what `glob` means, on paths with `/` between components."""
    return re.compile(_translate(glob), re.DOTALL)


def _translate(glob: str) -> str:
    out: list[str] = []
    braces = 0
    i = 0
    while i < len(glob):
        char = glob[i]
        if char == "*":
            stars = len(glob[i:]) - len(glob[i:].lstrip("*"))
            i += stars
            if stars == 1:
                out.append("[^/]*")
            elif glob[i : i + 1] == "/" and (i == stars or glob[i - stars - 1] == "/"):
                # a whole component: `a/**/b` also means `a/b`
                out.append("(?:[^/]+/)*")
                i += 1
            else:
                out.append(".*")
            continue
        if char == "?":
            out.append("[^/]")
        elif char == "[":
            text, i = _class(glob, i)
            out.append(text)
            continue
        elif char == "{" and _closes(glob, i):
            braces += 1
            out.append("(?:")
        elif char == "}" and braces:
            braces -= 1
            out.append(")")
        elif char == "," and braces:
            out.append("|")
        elif char == "\\" and i + 1 < len(glob):
            i += 1
            out.append(re.escape(glob[i]))
        else:
            out.append(re.escape(char))
        i += 1
    return "".join(out)


def _class(glob: str, start: int) -> tuple[str, int]:
    """The character class that opens at `start`, and where to go on. Without an end, `[` is an ordinary character."""
    first = start + 1
    negated = glob[first : first + 1] in ("!", "^")
    if negated:
        first += 1
    end = glob.find("]", first + 1)  # a `]` right at the start is a member
    if end < 0:
        return r"\[", start + 1
    members = "".join(_member(char) for char in glob[first:end])
    return (f"(?!/)[{'^' if negated else ''}{members}]", end + 1)


def _member(char: str) -> str:
    return char if char.isalnum() or char == "-" else re.escape(char)


def _closes(glob: str, start: int) -> bool:
    depth = 0
    i = start
    while i < len(glob):
        if glob[i] == "\\":
            i += 1
        elif glob[i] == "{":
            depth += 1
        elif glob[i] == "}":
            depth -= 1
            if depth == 0:
                return True
        i += 1
    return False


_MAGIC = frozenset("*?[{\\")


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern of a configuration file, relative to the folder `root` of that file.

    A pattern without a slash names a file or folder anywhere; one with a slash names a place under `root`.
    """

    root: str
    pattern: str

    def matches(self, path: str) -> bool:
        """Whether the pattern names the absolute path `path` itself."""
        pattern = self.pattern.removeprefix("./").rstrip("/")
        if "/" not in pattern:
            if not _MAGIC.intersection(pattern):
                return path.endswith(pattern) and os.path.basename(path) == pattern
            return compiled(pattern).fullmatch(os.path.basename(path)) is not None
        if pattern.startswith("/"):
            return compiled(pattern).fullmatch(posix(path)) is not None
        return compiled(pattern).fullmatch(relative(path, self.root)) is not None

    def covers(self, path: str) -> bool:
        """Whether the pattern names `path` or, when it ends in `/`, a folder that holds it."""
        if not self.pattern.endswith("/"):
            return self.matches(path)
        inner = self.root.rstrip(os.sep) + os.sep
        while path.startswith(inner):
            path = os.path.dirname(path)
            if path != self.root and self.matches(path):
                return True
        return False


def relative(path: str, root: str) -> str:
    """`path` as seen from the folder `root`, with `/` between components."""
    prefix = root.rstrip(os.sep) + os.sep
    if path.startswith(prefix):
        return posix(path[len(prefix) :])
    try:
        return posix(os.path.relpath(path, root))
    except ValueError:  # another drive on Windows
        return posix(path)


def posix(path: str) -> str:
    """`path` with `/` between components."""
    return path if os.sep == "/" else path.replace(os.sep, "/")
