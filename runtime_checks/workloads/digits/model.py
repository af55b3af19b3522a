# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""The model that several workloads train."""

from __future__ import annotations

import jax
from flax import nnx


class Mlp(nnx.Module):
    """64 pixels to 10 logits through one hidden layer: (batch, 64) float32 to (batch, 10) float32."""

    def __init__(self, hidden: int = 128, *, rngs: nnx.Rngs) -> None:
        self.hidden = nnx.Linear(64, hidden, rngs=rngs)
        self.out = nnx.Linear(hidden, 10, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.out(nnx.relu(self.hidden(x)))
