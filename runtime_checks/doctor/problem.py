"""One thing that is wrong, or that one should know, with its likely cause and what to do."""

from __future__ import annotations

from dataclasses import dataclass

ERROR = "error"  # JAX does not work, or not on what was expected
WARNING = "warning"  # it works, and something will hurt
NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True)
class Problem:
    """`name` is stable, for scripts; the other texts are for people."""

    name: str
    severity: str
    title: str
    cause: str
    remedy: str


def version_tuple(text: str) -> tuple[int, ...]:
    """The leading numbers of a version: "0.10.2+cuda12" gives (0, 10, 2)."""
    numbers: list[int] = []
    for part in text.split("+")[0].split("."):
        digits = ""
        for character in part:
            if not character.isdigit():
                break
            digits += character
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
