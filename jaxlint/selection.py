"""Which rules run: selectors (`ALL`, `JAX1`, `JAX101`, `traced-branch`) in layers, the command line last.

In one layer the most specific selector that means a rule decides, and `ignore` wins a tie. A later layer overrides
an earlier one; its `select` starts afresh, but an earlier `ignore` still holds against a broader selector, so that
`--select ALL` does not bring back a rule that the configuration ignores by its code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jaxlint.rules import TABLE, Info, find_info

_EXACT = 100
_NO_MATCH = -1


@dataclass(frozen=True, slots=True)
class Layer:
    """The selectors of one place: a configuration file, or the command line. `select` None means: not given."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def specificity(selector: str, info: Info) -> int:
    """How narrowly `selector` means the rule: 0 for ALL, more for a longer prefix, -1 when it means others."""
    if find_info(selector) is info:
        return _EXACT
    upper = selector.upper()
    if upper == "ALL":
        return 0
    return len(upper) if re.fullmatch(r"JAX\d{0,2}", upper) and info.code.startswith(upper) else _NO_MATCH


def _best(selectors: Iterable[str], info: Info) -> int:
    return max((specificity(selector, info) for selector in selectors), default=_NO_MATCH)


def matches(selectors: Iterable[str], info: Info) -> bool:
    """Whether one of the selectors means the rule."""
    return _best(selectors, info) > _NO_MATCH


def is_known(selector: str) -> bool:
    """Whether the selector means any rule at all."""
    return matches((selector,), TABLE[0]) or any(matches((selector,), info) for info in TABLE)


@lru_cache(maxsize=256)
def selected(layers: tuple[Layer, ...]) -> frozenset[str]:
    """The codes of the rules that run under `layers`, first the weakest."""
    return frozenset(info.code for info in TABLE if _runs(layers, info))


def _runs(layers: Sequence[Layer], info: Info) -> bool:
    runs = info.default
    ignored_before = _NO_MATCH
    for layer in layers:
        chosen = max(_best(layer.select or (), info), _best(layer.extend_select, info))
        ignored = _best(layer.ignore, info)
        if layer.select is not None:
            runs = chosen > max(ignored, _NO_MATCH) and chosen >= ignored_before
        elif chosen > ignored:
            runs = True
        elif ignored > _NO_MATCH:
            runs = False
        ignored_before = max(ignored_before, ignored)
    # a file that could not be read is always worth a word: only an explicit ignore silences it
    return ignored_before < _EXACT if info.code == "JAX000" else runs


def unknown_selector(selector: str) -> str:
    """What to say of a selector that means no rule."""
    return f"unknown rule `{selector}`{similar_rule(selector)} (`jaxlint rules` lists them)"


def similar_rule(word: str) -> str:
    """As `did_you_mean`, of rules. Codes that look alike mean nothing alike, so only names are guessed."""
    return "" if re.fullmatch(r"JAX\d*", word.upper()) else did_you_mean(word, (info.name for info in TABLE))


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """`; did you mean `x`?` for the choice closest to `word`, '' when none is close."""
    import difflib  # rarely needed, not cheap

    folded = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.6)
    return f"; did you mean `{folded[close[0]]}`?" if close else ""
