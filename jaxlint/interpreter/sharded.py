"""What a run saw of meshes and partition specs."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.interpreter.values import Value
    from jaxlint.source import Source

Axes = tuple[str, ...]


@dataclass(eq=False, slots=True)
class Made:
    """A mesh or a spec that was made: its names (None when not known), where, and whether it met its counterpart."""

    names: Axes | None
    node: ast.AST
    source: Source
    scope: str
    met: bool = False


@dataclass(eq=False, slots=True)
class Shardings:
    """What a run saw of meshes and specs, to judge specs that reach their mesh on ways that are not followed."""

    meshes: list[Made] = field(default_factory=list)
    specs: dict[int, Made] = field(default_factory=dict)
    # files in which a sharding was made of a mesh that is not known, and of a known mesh and a spec that is not
    strange: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    # specs whose identity is a key above: they must not be collected
    kept: list[Value] = field(default_factory=list)
