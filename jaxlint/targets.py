"""Which versions of JAX, Flax, Optax and Orbax a file's project may run with, from its configuration and metadata."""

from __future__ import annotations

import configparser
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from jaxlint.knowledge.removed import LATEST, Target, Version, parse_version

# the distribution of each library; jaxlib carries jax's version
LIBRARY_OF = {"jax": "jax", "jaxlib": "jax", "flax": "flax", "optax": "optax", "orbax-checkpoint": "orbax"}
REQUIREMENT = re.compile(
    r"^\s*(jax|jaxlib|flax|optax|orbax[-_.]checkpoint)(?![\w.-])\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)", re.IGNORECASE
)
CLAUSE = re.compile(r"(===|==|~=|<=|>=|!=|<|>|\^|~)\s*v?(\d[\d.]*\*?)")
METADATA = ("pyproject.toml", "setup.cfg", "setup.py")


class Targets:
    """Finds the target of a file; folders are looked at once."""

    def __init__(self, *, metadata: bool = True) -> None:
        self.metadata = metadata
        self._by_folder: dict[str, Target] = {}

    def of(self, path: str, target_jax: str | None) -> Target:
        """The target of the file at the absolute `path`; `target_jax` is the configuration's word, which wins."""
        found = self._of_folder(os.path.dirname(path)) if self.metadata else LATEST
        if target_jax is None:
            return found
        version = parse_version(target_jax)
        whole = version if target_jax.count(".") >= 2 else (*version[: target_jax.count(".") + 1], 1 << 30)
        below = {library: bound for library, bound in found.below.items() if library != "jax"}
        return Target({**found.lowest, "jax": version}, {**found.highest, "jax": whole}, below)

    def _of_folder(self, folder: str) -> Target:
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._look(folder)
        return known

    def _look(self, folder: str) -> Target:
        requirements = list(project_requirements(folder))
        if requirements:
            return combine(requirements)
        parent = os.path.dirname(folder)
        is_root = any(os.path.exists(os.path.join(folder, name)) for name in (".git", *METADATA))
        return LATEST if is_root or parent == folder else self._of_folder(parent)


def combine(requirements: list[str]) -> Target:
    """What a list of requirements allows. Where two disagree the narrower bound above and the wider below count."""
    lowest: dict[str, Version] = {}
    highest: dict[str, Version] = {}
    below: dict[str, Version] = {}
    for text in requirements:
        match = REQUIREMENT.match(text)
        if match is None:
            continue
        library = LIBRARY_OF[re.sub(r"[_.]", "-", match.group(1).lower())]
        for operator, number in CLAUSE.findall(match.group(2)):
            any_last = number.endswith("*")
            version = parse_version(number)
            if operator in (">=", ">", "==", "===", "~=", "^", "~"):
                lowest[library] = min(lowest.get(library, version), version)
            if operator in ("==", "===", "<=") and not any_last:
                highest[library] = min(highest.get(library, version), version)
            bound = upper_bound(operator, number)
            if bound is not None:
                below[library] = min(below.get(library, bound), bound)
    return Target(lowest, highest, below)


def upper_bound(operator: str, number: str) -> Version | None:
    """The exclusive upper bound of one clause: `<0.5`, `~=0.4.3`, `^0.4.20`, `==0.4.*`."""
    parts = [int(part) for part in number.split(".") if part.isdigit()]
    if operator == "<" or not parts:
        return parse_version(number) if parts else None
    if operator == "==" and number.endswith("*"):
        place = len(parts) - 1
    elif operator in ("~=", "~"):
        place = max(0, len(parts) - 2) if operator == "~=" else min(1, len(parts) - 1)
    elif operator == "^":
        place = next((i for i, part in enumerate(parts) if part), len(parts) - 1)
    else:
        return None
    return parse_version(".".join(map(str, [*parts[:place], parts[place] + 1])))


def project_requirements(folder: str) -> Iterator[str]:
    """The requirement texts of a folder's own metadata that are about our libraries."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        if name == "pyproject.toml":
            yield from from_pyproject(read(path))
        elif name == "setup.cfg":
            yield from from_setup_cfg(read(path))
        elif name == "setup.py":
            yield from re.findall(r"""["']([^"'\n]+)["']""", read(path)) if "jax" in read(path) else ()
        elif name.startswith("requirements") and name.endswith((".txt", ".in")):
            yield from read(path).splitlines()


def read(path: str) -> str:
    """The text of a file, '' when it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1_000_000)
    except OSError:
        return ""


def from_pyproject(text: str) -> Iterator[str]:
    """`project.dependencies`, its extras, dependency groups and Poetry's tables."""
    if not any(name in text for name in LIBRARY_OF):
        return
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError):
        return  # another tool's business; the configuration reader reports it where it is ours
    project = as_table(document.get("project"))
    own = [item for item in as_list(project.get("dependencies")) if isinstance(item, str)]
    poetry = as_table(as_table(as_table(document.get("tool")).get("poetry")).get("dependencies"))
    for name, wanted in poetry.items():
        version = wanted.get("version", "") if isinstance(wanted, dict) else wanted
        own.append(f"{name} {version if str(version)[:1] in '^~<>=!' else '==' + str(version)}")
    if any(REQUIREMENT.match(item) for item in own):
        yield from own
        return
    for group in (project.get("optional-dependencies"), document.get("dependency-groups")):
        for items in as_table(group).values():
            yield from (item for item in as_list(items) if isinstance(item, str))


def as_table(value: object) -> dict[str, Any]:
    """The value if it is a table, else an empty one: metadata is another tool's to check."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def from_setup_cfg(text: str) -> Iterator[str]:
    """`options.install_requires`."""
    if "jax" not in text:
        return
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    yield from parser.get("options", "install_requires", fallback="").splitlines()
