"""Data loaders: what their batches look like, and whether the last one is shorter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.values import Const, Host, IterV, Ragged, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def truthy(value: Value | None) -> bool | None:
    """A constant flag; None when it is not known."""
    if value is None:
        return False
    return bool(value.value) if isinstance(value, Const) else None


def loader(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A loader or a dataset operation: batched with or without a shorter last batch."""
    drop_name = str(entry.options.get("drop", "drop_remainder"))
    batch_name = str(entry.options.get("batch", "batch_size"))
    size = args.named(entry.params, batch_name)
    drop = truthy(args.named(entry.params, drop_name))
    source = m.frames[-1].module.source
    ragged: Any = None
    batches = size is not None and not (isinstance(size, Const) and size.value in (None, 1))
    if batches and drop is False and args.double_star is None:
        ragged = Ragged(f"`{source.segment(node, 50)}` keeps a shorter last batch", node, source)
    elem = Host("object", varies=frozenset({-1}), ragged=ragged)
    return IterV("loader", tuple(args.pos[:1]), node, {"elem": elem, "name": name})


MODELS = {"loader": loader}
