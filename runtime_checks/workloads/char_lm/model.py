# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""A small decoder over characters. Causality comes from the `attention_fn` that is passed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

VOCABULARY = 128  # ASCII
CONTEXT = 64  # characters
WIDTH = 64
HEADS = 4
LAYERS = 2

Attention = Callable[..., jax.Array]


def causal_attention(query: jax.Array, key: jax.Array, value: jax.Array, **_: Any) -> jax.Array:
    """Attention that sees no later position: query, key, value and result (batch, T, heads, width / heads).

    `nnx.MultiHeadAttention` also passes mask, dropout and precision arguments; this model uses none of them.
    """
    return jax.nn.dot_product_attention(query, key, value, is_causal=True)


class Block(nnx.Module):
    """Attention, then a perceptron, each added to its input: (batch, T, WIDTH) to the same."""

    def __init__(self, attention_fn: Attention, *, rngs: nnx.Rngs) -> None:
        self.before_attention = nnx.LayerNorm(WIDTH, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(HEADS, WIDTH, decode=False, attention_fn=attention_fn, rngs=rngs)
        self.before_perceptron = nnx.LayerNorm(WIDTH, rngs=rngs)
        self.widen = nnx.Linear(WIDTH, 4 * WIDTH, rngs=rngs)
        self.narrow = nnx.Linear(4 * WIDTH, WIDTH, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = x + self.attention(self.before_attention(x))
        return x + self.narrow(nnx.gelu(self.widen(self.before_perceptron(x))))


class CharModel(nnx.Module):
    """Character codes (batch, T) int32, T at most CONTEXT, to logits of the next one (batch, T, VOCABULARY)."""

    def __init__(self, attention_fn: Attention = causal_attention, *, rngs: nnx.Rngs) -> None:
        self.embed = nnx.Embed(VOCABULARY, WIDTH, rngs=rngs)
        self.place = nnx.Embed(CONTEXT, WIDTH, rngs=rngs)
        self.blocks = nnx.List([Block(attention_fn, rngs=rngs) for _ in range(LAYERS)])
        self.norm = nnx.LayerNorm(WIDTH, rngs=rngs)
        self.head = nnx.Linear(WIDTH, VOCABULARY, rngs=rngs)

    def __call__(self, codes: jax.Array) -> jax.Array:
        x = self.embed(codes) + self.place(jnp.arange(codes.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def bigram_loss(train: np.ndarray[Any, Any], test: np.ndarray[Any, Any]) -> float:
    """Nats a character of the best table of pairs (add-one): what a model must beat to have used its context."""
    counts = np.ones((VOCABULARY, VOCABULARY))
    np.add.at(counts, (train[:-1], train[1:]), 1)
    logs = np.log(counts / counts.sum(1, keepdims=True))
    return float(-logs[test[:-1], test[1:]].mean())


@nnx.jit
def change_of_the_past(model: CharModel) -> jax.Array:
    """How much another last character changes the logits at earlier places, a float32 scalar."""
    codes = jnp.full((1, CONTEXT), ord("a"), jnp.int32)
    return jnp.abs(model(codes) - model(codes.at[0, -1].set(ord("z"))))[0, :-1].max()


def sees_the_future(model: CharModel) -> bool:
    """Whether what the model says at a place depends on later places."""
    return float(change_of_the_past(model)) > 1e-4
