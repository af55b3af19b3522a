"""The rules of a .gitignore file, entry by entry, as git applies them while it walks.

The `pathspec` library matches a path by its folders as well: its `!e/` brings back every file below `e`, where git
brings back the folder only. So the rules are read here; a test compares the outcome with git itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from jaxlint.globs import char_class

_MAGIC = frozenset("*?[\\")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line. `matches` sees the name of an entry, or its path from the file's folder when it is `anchored`."""

    matches: Callable[[str], bool]
    negated: bool
    folders_only: bool
    anchored: bool


def parse(lines: Iterable[str]) -> tuple[Rule, ...]:
    """The rules, the last one first: the first that matches decides."""
    return tuple(_rules(lines))[::-1]


def verdict(rules: tuple[Rule, ...], path: str, is_folder: bool) -> bool | None:
    """Whether the rules ignore the entry at `path` (from the file's folder, with `/`). None: they do not say."""
    name = path.rpartition("/")[2]
    for rule in rules:
        if (is_folder or not rule.folders_only) and rule.matches(path if rule.anchored else name):
            return not rule.negated
    return None


def _rules(lines: Iterable[str]) -> Iterator[Rule]:
    for line in lines:
        pattern = _without_trailing_spaces(line)
        negated = pattern.startswith("!")
        if negated:
            pattern = pattern[1:]
        elif pattern.startswith("#"):
            continue
        folders_only = pattern.endswith("/")
        if folders_only:
            pattern = pattern[:-1]
        anchored = "/" in pattern
        pattern = pattern.removeprefix("/")
        if pattern:
            yield Rule(_matcher(pattern), negated, folders_only, anchored)


def _without_trailing_spaces(line: str) -> str:
    end = len(line)
    while end and line[end - 1] == " " and not (end > 1 and line[end - 2] == "\\"):
        end -= 1
    return line[:end]


def _matcher(pattern: str) -> Callable[[str], bool]:
    # most lines are a name or `*.suffix`, and compiling an expression for each costs more than the walk
    if not _MAGIC.intersection(pattern):
        return pattern.__eq__
    tail = pattern[1:]
    if pattern[0] == "*" and "/" not in pattern and not _MAGIC.intersection(tail):
        return lambda text: text.endswith(tail) and "/" not in text
    expression = _translate(pattern)
    if expression is None:
        return lambda text: False  # git never matches a pattern that it cannot read
    compiled = re.compile(expression, re.DOTALL)
    return lambda text: compiled.fullmatch(text) is not None


def _translate(pattern: str) -> str | None:
    out: list[str] = []
    i = 0
    while i < len(pattern):
        char = pattern[i]
        if char == "*":
            text, i = _stars(pattern, i)
            out.append(text)
            continue
        if char == "[":
            found = char_class(pattern, i)
            if found is None:
                return None
            text, i = found
            out.append(text)
            continue
        if char == "\\":
            i += 1
            if i == len(pattern):
                return None
            char = pattern[i]
            out.append(re.escape(char))
        else:
            out.append("[^/]" if char == "?" else re.escape(char))
        i += 1
    return "".join(out)


def _stars(pattern: str, start: int) -> tuple[str, int]:
    """What the stars at `start` mean, and where to go on. Two cross folders when they stand alone between slashes."""
    end = start
    while pattern.startswith("*", end):
        end += 1
    alone = (start == 0 or pattern[start - 1] == "/") and (end == len(pattern) or pattern[end] == "/")
    if end - start != 2 or not alone:
        return "[^/]*", end
    if end == len(pattern):
        return (".+" if start else "[^/]*"), end
    return "(?:[^/]+/)*", end + 1
