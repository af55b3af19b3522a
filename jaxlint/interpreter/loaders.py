"""Methods of loaders and datasets: most keep what is known of the batches, `batch` decides it anew."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.values import UNKNOWN, Const, Host, IterV, Ragged, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

KEEPING = frozenset(
    {
        "prefetch",
        "shuffle",
        "cache",
        "as_numpy_iterator",
        "with_options",
        "to_iter_dataset",
        "seed",
        "with_format",
        "set_format",
        "skip",
        "__iter__",
        "mp_prefetch",
    }
)


def loader_method(m: Machine, value: IterV, name: str, args: Args, node: ast.AST) -> Value:
    """`dataset.batch(32).prefetch(1)`."""
    if name == "batch" and args.pos:
        drop = args.kw.get("drop_remainder")
        known = bool(drop.value) if isinstance(drop, Const) else False if drop is None and len(args.pos) < 2 else None
        source = m.frames[-1].module.source
        ragged = (
            Ragged(f"`{source.segment(node, 50)}` keeps a shorter last batch", node, source) if known is False else None
        )
        return IterV(
            "loader",
            value.parts,
            node,
            {**value.options, "elem": Host("object", varies=frozenset({-1}), ragged=ragged)},
        )
    if name == "repeat":
        # repeated before batching there is no last batch; repeated after it the short one comes back each epoch
        return IterV("loader", value.parts, node, value.options)
    if name in KEEPING:
        return IterV("loader", value.parts, node, value.options)
    if name in ("padded_batch", "map", "filter", "unbatch", "take"):
        return IterV("loader", value.parts, node, {**value.options, "elem": Host("object", varies=frozenset({-1}))})
    return UNKNOWN
