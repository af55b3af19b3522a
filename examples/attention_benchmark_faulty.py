"""Naive against fused causal attention: time, agreement, and what many layers of it do to the tokens."""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp

Attention = Callable[[jax.Array, jax.Array, jax.Array], jax.Array]


def naive_attention(query: jax.Array, key: jax.Array, value: jax.Array, *, check: bool = False) -> jax.Array:
    """Attention as in the text book: the scores of all pairs are held in memory."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / jnp.sqrt(query.shape[-1])
    causal = jnp.tril(jnp.ones((query.shape[1], key.shape[1]), dtype=bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf), axis=-1)
    if check and jnp.isnan(weights).any():
        raise FloatingPointError("a row of the attention weights has no finite score")
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value)


def fused_attention(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    return jax.nn.dot_product_attention(query, key, value, is_causal=True)


def inputs(seed: int, length: int) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Query, key and value of shape (batch, time, heads, features)."""
    query_key, key_key, value_key = jax.random.split(jax.random.key(seed), 3)
    shape = (2, length, 4, 32)
    return (
        jax.random.normal(query_key, shape),
        jax.random.normal(key_key, shape),
        jax.random.normal(value_key, shape),
    )


def seconds_per_call(attend: Attention, length: int, repeats: int) -> float:
    query, key, value = inputs(0, length)
    start = time.perf_counter()
    for _ in range(repeats):
        attend(query, key, value)
    return (time.perf_counter() - start) / repeats


def largest_difference(length: int, seeds: int) -> float:
    """The largest difference between the two, over random inputs."""
    worst = 0.0
    for seed in range(seeds):
        query, key, value = inputs(seed, length)
        difference = jax.jit(lambda q, k, v: jnp.abs(naive_attention(q, k, v) - fused_attention(q, k, v)).max())
        worst = max(worst, float(difference(query, key, value)))
    return worst


@functools.partial(jax.jit, static_argnames="depth")
def token_spread(query: jax.Array, key: jax.Array, value: jax.Array, depth: int) -> jax.Array:
    """How far the tokens are from one another after `depth` layers of attention and nothing else."""
    for _ in range(depth):
        value = fused_attention(query, key, value)
    return jnp.std(value, axis=1).mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="+", default=[128, 256, 512])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--check", action="store_true", help="stop if a row of the weights is not a number")
    args = parser.parse_args()

    naive = jax.jit(functools.partial(naive_attention, check=args.check))
    fused = jax.jit(fused_attention)
    for length in args.lengths:
        naive_time = seconds_per_call(naive, length, args.repeats)
        fused_time = seconds_per_call(fused, length, args.repeats)
        print(f"T = {length}: naive {1e3 * naive_time:.2f} ms, fused {1e3 * fused_time:.2f} ms")

    query, key, value = inputs(0, 64)
    spreads = []
    for depth in range(1, args.depth + 1):
        spreads.append(token_spread(query, key, value, depth))
    print("spread of the tokens:", " ".join(f"{spread:.3f}" for spread in jax.device_get(spreads)))
    print(f"largest difference: {largest_difference(64, args.seeds):.2e}")


if __name__ == "__main__":
    main()
