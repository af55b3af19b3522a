"""Globs of the configuration: `*` stays inside one path component, `**` crosses them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache


@lru_cache(maxsize=1024)
def compiled(glob: str) -> re.Pattern[str]:
    """A pattern that matches (with `fullmatch`) what `glob` means, on paths with `/` between components."""
    return re.compile(_committed(_translate(glob)), re.DOTALL)


_STAR = "[^/]*"
_FOLDERS = "(?:[^/]+/)*"
_ANYTHING = ".*"
_MOST_TRIED = 4
_NEVER = "(?!)"


def _committed(tokens: list[str]) -> str:
    """The tokens as one pattern that does not try each way to share a path out among several stars.

    What stands between two stars may as well match at the first place where it can. So it is matched in a lookahead,
    which is never tried again: a hostile glob such as `*a*a*a*a*a*b` would take years otherwise. Where alternatives or
    a `**` inside of a component make that unsound, a glob with many stars matches nothing.
    """
    if "|" in tokens or _ANYTHING in tokens[:-1]:
        stars = sum(token in (_STAR, _FOLDERS, _ANYTHING) for token in tokens)
        return "".join(tokens) if stars <= _MOST_TRIED else _NEVER
    count = 0

    def joined(parts: list[str], star: str) -> str:
        nonlocal count
        if len(parts) == 1:
            return parts[0]
        made = parts[0]
        for part in parts[1:-1]:
            count += 1
            made += f"(?=(?P<g{count}>{star}?{part}))(?P=g{count})"
        return made + star + parts[-1]

    blocks = []
    for block in _split(tokens, _FOLDERS):
        components = [joined(["".join(p) for p in _split(part, _STAR)], _STAR) for part in _split(block, "/")]
        blocks.append("/".join(components))
    return joined(blocks, _FOLDERS)


def _split(tokens: list[str], at: str) -> list[list[str]]:
    """The tokens between those that are `at`."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == at:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _translate(glob: str) -> list[str]:
    out: list[str] = []
    braces = 0
    i = 0
    while i < len(glob):
        char = glob[i]
        if char == "*":
            stars = len(glob[i:]) - len(glob[i:].lstrip("*"))
            i += stars
            if stars == 1:
                out.append(_STAR)
            elif glob[i : i + 1] == "/" and (i == stars or glob[i - stars - 1] == "/"):
                # a whole component: `a/**/b` also means `a/b`
                out.append(_FOLDERS)
                i += 1
            else:
                out.append(_ANYTHING)
            continue
        if char == "?":
            out.append("[^/]")
        elif char == "[":
            found = char_class(glob, i)
            if found is None:
                out.append(r"\[")  # without an end it is an ordinary character
                i += 1
            else:
                out.append(found[0])
                i = found[1]
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
    return out


_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "digit": "0-9",
    "lower": "a-z",
    "upper": "A-Z",
    "space": r"\s",
    "xdigit": "0-9A-Fa-f",
}


def char_class(glob: str, start: int) -> tuple[str, int] | None:
    """The set that opens at `start`, and where to go on; None when it has no end. It never matches a slash."""
    i = start + 1
    negated = glob[i : i + 1] in ("!", "^")
    i += negated
    first = i
    members: list[str] = []
    previous = ""
    while i < len(glob) and (i == first or glob[i] != "]"):  # a `]` right at the start is a member
        named = re.compile(r"\[:(\w+):\]").match(glob, i)
        if named:
            members.append(_POSIX.get(named.group(1), ""))
            i = named.end()
            previous = ""
            continue
        is_range = glob[i] == "-" and bool(previous) and glob[i + 1 : i + 2] not in ("", "]")
        i += is_range
        if glob[i] == "\\" and i + 1 < len(glob):
            i += 1
        if is_range and previous <= glob[i]:
            members.append(f"{re.escape(previous)}-{re.escape(glob[i])}")
        elif not is_range:
            members.append(re.escape(glob[i]))
        previous = "" if is_range else glob[i]
        i += 1
    if i >= len(glob):
        return None
    if not "".join(members):
        return ("(?!/)." if negated else "(?!)"), i + 1
    return f"(?!/)[{'^' if negated else ''}{''.join(members)}]", i + 1


def _closes(glob: str, start: int) -> bool:
    """Whether the brace that opens at `start` is closed; what stands in a set (`[}]`) or is escaped closes nothing."""
    depth = 0
    i = start
    while i < len(glob):
        found = char_class(glob, i) if glob[i] == "[" else None
        if found is not None:
            i = found[1]
            continue
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
