"""Train a character transformer on the language reference that ships with Python, then let it write.

Attention is causal and fused: `jax.nn.dot_product_attention(..., is_causal=True)`.
"""

from __future__ import annotations

import argparse
import functools
import time
from pydoc_data.topics import topics
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

CONTEXT = 64
HISTORY: dict[str, list[jax.Array]] = {"grad_norm": []}


def causal_attention(query: jax.Array, key: jax.Array, value: jax.Array, **_: Any) -> jax.Array:
    """What `nnx.MultiHeadAttention` calls: (batch, time, heads, features) in, the same out."""
    return jax.nn.dot_product_attention(query, key, value, is_causal=True)


class Block(nnx.Module):
    """Attention and a feed-forward part, each normalised before and added after."""

    def __init__(self, features: int, heads: int, *, rngs: nnx.Rngs) -> None:
        self.norm1 = nnx.LayerNorm(features, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(heads, features, decode=False, attention_fn=causal_attention, rngs=rngs)
        self.norm2 = nnx.LayerNorm(features, rngs=rngs)
        self.up = nnx.Linear(features, 4 * features, rngs=rngs)
        self.down = nnx.Linear(4 * features, features, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = x + self.attention(self.norm1(x))
        return x + self.down(nnx.gelu(self.up(self.norm2(x))))


class CharTransformer(nnx.Module):
    """A decoder over characters."""

    def __init__(self, vocabulary: int, features: int, heads: int, layers: int, *, rngs: nnx.Rngs) -> None:
        self.embed = nnx.Embed(vocabulary, features, rngs=rngs)
        self.position = nnx.Embed(CONTEXT, features, rngs=rngs)
        self.blocks = nnx.List([Block(features, heads, rngs=rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(features, rngs=rngs)
        self.head = nnx.Linear(features, vocabulary, rngs=rngs)

    def __call__(self, tokens: jax.Array) -> jax.Array:
        x = self.embed(tokens) + self.position(jnp.arange(tokens.shape[-1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def load_text() -> tuple[np.ndarray, np.ndarray, str]:
    """Training and validation text as numbers, and the characters they stand for."""
    text = "\n".join(topics[name] for name in sorted(topics))
    characters = "".join(sorted(set(text)))
    number = {character: index for index, character in enumerate(characters)}
    data = np.array([number[character] for character in text], dtype=np.int32)
    split = len(data) * 9 // 10
    return data[:split], data[split:], characters


def windows(data: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` stretches of CONTEXT + 1 characters."""
    starts = rng.integers(0, len(data) - CONTEXT - 1, size=count)
    return data[starts[:, None] + np.arange(CONTEXT + 1)]


def loss_fn(params: nnx.State, graphdef: nnx.GraphDef, tokens: jax.Array) -> jax.Array:
    """Mean cross-entropy of the next character; the first few have too little before them to count."""
    logits = nnx.merge(graphdef, params)(tokens[:, :-1])
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:])
    weights = jnp.ones_like(losses)
    weights.at[:, :4].set(0.0)
    return jnp.sum(losses * weights) / jnp.sum(weights)


@functools.partial(jax.jit, static_argnames=("graphdef", "tx", "warmup"))
def train_step(
    params: nnx.State,
    opt_state: optax.OptState,
    tokens: jax.Array,
    step: int,
    average: jax.Array | float,
    graphdef: nnx.GraphDef,
    tx: optax.GradientTransformation,
    warmup: int,
) -> tuple[nnx.State, optax.OptState, jax.Array]:
    loss, grads = jax.value_and_grad(loss_fn)(params, graphdef, tokens)
    HISTORY["grad_norm"].append(optax.global_norm(grads))
    updates, opt_state = tx.update(grads, opt_state, params)
    if warmup:
        rate = min(1.0, float(step + 1) / warmup)
        updates = jax.tree.map(lambda update: update * rate, updates)
    print(f"step {step}: loss {loss}")
    return optax.apply_updates(params, updates), opt_state, 0.9 * average + 0.1 * loss


evaluate = jax.jit(loss_fn, static_argnames="graphdef")


@functools.partial(jax.jit, static_argnames="graphdef")
def next_logits(params: nnx.State, graphdef: nnx.GraphDef, tokens: jax.Array) -> jax.Array:
    return nnx.merge(graphdef, params)(tokens[None])[0, -1]


@jax.jit
def draw(key: jax.Array, logits: jax.Array) -> jax.Array:
    return jax.random.categorical(key, logits)


@jax.jit
def draw_top_p(key: jax.Array, logits: jax.Array, top_p: float) -> jax.Array:
    """Draw among the likeliest characters that together have the probability `top_p`."""
    order = jnp.argsort(-logits)
    total = jnp.cumsum(jax.nn.softmax(logits[order]))
    kept = order[total <= top_p]
    return kept[jax.random.categorical(key, logits[kept])]


def write(
    params: nnx.State, graphdef: nnx.GraphDef, characters: str, prompt: str, length: int, top_p: float | None
) -> str:
    """The prompt and up to `length` characters more, to the end of the line."""
    text = prompt
    newline = characters.index("\n")
    tokens = jnp.array([characters.index(character) for character in prompt])
    key = jax.random.key(0)
    for _ in range(length):
        key, subkey = jax.random.split(key)
        logits = next_logits(params, graphdef, tokens)
        token = draw(subkey, logits) if top_p is None else draw_top_p(subkey, logits, top_p)
        if token == newline:
            break
        text += characters[int(token)]
        tokens = jnp.concatenate([tokens, token[None]])
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--features", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--warmup", type=int, default=0, help="steps until the full learning rate")
    parser.add_argument("--length", type=int, default=12, help="characters to write")
    parser.add_argument("--top-p", type=float, help="draw only among the likeliest")
    args = parser.parse_args()

    train_data, validation_data, characters = load_text()
    model = CharTransformer(len(characters), args.features, 4, args.layers, rngs=nnx.Rngs(0))
    graphdef, params = nnx.split(model, nnx.Param)
    tx = optax.adamw(3e-3, weight_decay=1e-2)
    opt_state = tx.init(params)
    rng = np.random.default_rng(0)

    average = float(np.log(len(characters)))
    start = time.perf_counter()
    for step in range(args.steps):
        tokens = windows(train_data, args.batch_size, rng)
        params, opt_state, average = train_step(params, opt_state, tokens, step, average, graphdef, tx, args.warmup)
    elapsed = time.perf_counter() - start
    print(f"trained {args.steps / elapsed:.1f} steps/s, average loss {average:.3f}")
    print(f"last norm of the gradient: {HISTORY['grad_norm'][-1]}")

    total = 0.0
    for _ in range(10):
        total += evaluate(params, graphdef, windows(validation_data, args.batch_size, rng)).item()
    print(f"validation loss: {total / 10:.3f}")
    print(write(params, graphdef, characters, "The ", args.length, args.top_p))


if __name__ == "__main__":
    main()
