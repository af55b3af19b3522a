"""One spelling for each outside name."""

from __future__ import annotations

from .aliases import ALIASES, PRIVATE
from .registry import LIBRARIES

_seen: dict[str, str] = {}


def canonical(name: str) -> str:
    """The spelling of `name` that the tables use: `jax.tree_util.tree_map` -> `jax.tree.map`.

    An unknown name comes back as it is, so the result may always be used in place of the name.
    """
    found = _seen.get(name)
    if found is None:
        found = _seen[name] = _fold(name)
    return found


def _fold(name: str) -> str:
    if name.partition(".")[0] not in LIBRARIES:
        return name
    # Bounded: an alias may lead to another alias; the tests see to it that none leads back.
    for _ in range(8):
        folded = _fold_once(name)
        if folded == name:
            break
        name = folded
    return name


def _fold_once(name: str) -> str:
    end = len(name)
    while end > 0:
        prefix = name[:end]
        target = ALIASES.get(prefix)
        if target is not None:
            return target + name[end:]
        if end < len(name):
            home = PRIVATE.get(prefix) or _package_of_private(prefix)
            if home:
                return f"{home}.{_public_part(name[end + 1 :])}"
        end = name.rfind(".", 0, end)
    return name


def _package_of_private(prefix: str) -> str:
    """`equinox` for `equinox._jit`; '' for a prefix whose last part is public or belongs to a class."""
    package, _, last = prefix.rpartition(".")
    if not package or last[:1] != "_" or last[:2] == "__":
        return ""
    parts = package.split(".")
    return package if all(part[:1].islower() for part in parts) else ""


def _public_part(rest: str) -> str:
    """Drop the private modules from what follows a private package: `linear.Dense.apply` -> `Dense.apply`.

    The package's own modules are in lower case; the first name that is not, or else the last one, is public.
    """
    parts = rest.split(".")
    for index, part in enumerate(parts):
        if part[:1].isupper():
            return ".".join(parts[index:])
    return parts[-1]
