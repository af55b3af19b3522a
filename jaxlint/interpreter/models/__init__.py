"""Semantic models: how the interpreter runs the outside functions that a table row alone cannot describe.

The tables name a model by the word `model=...`; here the names meet their functions. Each has the signature
`model(machine, name, entry, args, node) -> Value`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.machine import Machine
from jaxlint.interpreter.models import (
    arrays,
    builtin,
    callbacks,
    control,
    flax,
    haiku,
    host,
    loaders,
    orbax,
    pallas,
    paths,
    products,
    sharding,
    transforms,
    trees,
)
from jaxlint.interpreter.values import Value
from jaxlint.knowledge import Entry

Model = Callable[[Machine, str, Entry, Args, ast.AST], Value]

MODELS: dict[str, Model] = {
    **transforms.MODELS,
    **control.MODELS,
    **trees.MODELS,
    **arrays.MODELS,
    **builtin.MODELS,
    **callbacks.MODELS,
    **host.MODELS,
    **flax.MODELS,
    **haiku.MODELS,
    **loaders.MODELS,
    **orbax.MODELS,
    **pallas.MODELS,
    **paths.MODELS,
    **products.MODELS,
    **sharding.MODELS,
}
