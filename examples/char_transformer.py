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
    weights = weights.at[:, :4].set(0.0)
    return jnp.sum(losses * weights) / jnp.sum(weights)


@functools.partial(jax.jit, static_argnames=("graphdef", "tx", "warmup"))
def train_step(
    params: nnx.State,
    opt_state: optax.OptState,
    tokens: jax.Array,
    step: int,
    average: jax.Array,
    graphdef: nnx.GraphDef,
    tx: optax.GradientTransformation,
    warmup: int,
) -> tuple[nnx.State, optax.OptState, dict[str, jax.Array]]:
    loss, grads = jax.value_and_grad(loss_fn)(params, graphdef, tokens)
    updates, opt_state = tx.update(grads, opt_state, params)
    if warmup:
        rate = jnp.minimum(1.0, (step + 1) / warmup)
        updates = jax.tree.map(lambda update: update * rate, updates)
    metrics = {"loss": 0.9 * average + 0.1 * loss, "grad_norm": optax.global_norm(grads)}
    return optax.apply_updates(params, updates), opt_state, metrics


evaluate = jax.jit(loss_fn, static_argnames="graphdef")


def keep_top_p(logits: jax.Array, top_p: float | jax.Array) -> jax.Array:
    """The logits of the likeliest characters that together have the probability `top_p`; minus infinity elsewhere."""
    order = jnp.argsort(-logits)
    probability = jax.nn.softmax(logits[order])
    likelier = jnp.cumsum(probability) - probability
    return logits.at[order].set(jnp.where(likelier < top_p, logits[order], -jnp.inf))


@functools.partial(jax.jit, static_argnames=("graphdef", "length"))
def generate(
    params: nnx.State, graphdef: nnx.GraphDef, prompt: jax.Array, length: int, top_p: float, key: jax.Array
) -> jax.Array:
    """`length` tokens after the prompt, in a buffer whose shape never changes."""
    model = nnx.merge(graphdef, params)
    tokens = jnp.zeros(CONTEXT, jnp.int32).at[: prompt.shape[0]].set(prompt)

    def extend(index: jax.Array, tokens: jax.Array) -> jax.Array:
        logits = keep_top_p(model(tokens[None])[0, index - 1], top_p)
        token = jax.random.categorical(jax.random.fold_in(key, index), logits)
        return tokens.at[index].set(token)

    end = prompt.shape[0] + length
    return jax.lax.fori_loop(prompt.shape[0], end, extend, tokens)[:end]


def write(params: nnx.State, graphdef: nnx.GraphDef, characters: str, prompt: str, length: int, top_p: float) -> str:
    """The prompt and up to `length` characters more, to the end of the line."""
    start = jnp.array([characters.index(character) for character in prompt])
    tokens = generate(params, graphdef, start, length, top_p, jax.random.key(0))
    text = "".join(characters[token] for token in np.asarray(tokens))
    return prompt + text[len(prompt) :].split("\n")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--features", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--warmup", type=int, default=0, help="steps until the full learning rate")
    parser.add_argument("--length", type=int, default=12, help="characters to write")
    parser.add_argument("--top-p", type=float, default=1.0, help="draw only among the likeliest")
    args = parser.parse_args()

    train_data, validation_data, characters = load_text()
    model = CharTransformer(len(characters), args.features, 4, args.layers, rngs=nnx.Rngs(0))
    graphdef, params = nnx.split(model, nnx.Param)
    tx = optax.adamw(3e-3, weight_decay=1e-2)
    opt_state = tx.init(params)
    rng = np.random.default_rng(0)

    average = jnp.asarray(np.log(len(characters)), jnp.float32)
    # The first step compiles; the clock starts when it has run.
    tokens = windows(train_data, args.batch_size, rng)
    params, opt_state, metrics = train_step(params, opt_state, tokens, 0, average, graphdef, tx, args.warmup)
    jax.block_until_ready(params)

    start = time.perf_counter()
    for step in range(1, args.steps):
        tokens = windows(train_data, args.batch_size, rng)
        params, opt_state, metrics = train_step(
            params, opt_state, tokens, step, metrics["loss"], graphdef, tx, args.warmup
        )
    jax.block_until_ready((params, metrics))
    elapsed = time.perf_counter() - start
    print(f"trained {(args.steps - 1) / elapsed:.1f} steps/s, average loss {metrics['loss']:.3f}")
    print(f"last norm of the gradient: {metrics['grad_norm']:.3f}")

    losses = [evaluate(params, graphdef, windows(validation_data, args.batch_size, rng)) for _ in range(10)]
    print(f"validation loss: {np.mean(jax.device_get(losses)):.3f}")
    print(write(params, graphdef, characters, "The ", args.length, args.top_p))


if __name__ == "__main__":
    main()
