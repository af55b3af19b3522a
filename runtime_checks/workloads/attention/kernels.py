# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""The three ways to compute causal attention that are compared, and the inputs.

All take query, key, value of shape (B, T, N, H) and return (B, T, N, H) of the same dtype.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp

BATCH, HEADS, HEAD_DIM = 1, 4, 64
# cuDNN's fused attention needs Ampere or newer
CAPABILITY = 8.0


def naive(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    """Attention as the formula is written: the scores (B, N, T, T) exist in memory, in float32."""
    length = query.shape[1]
    scores = jnp.einsum("btnh,bsnh->bnts", query, key, preferred_element_type=jnp.float32)
    scores = scores / jnp.sqrt(query.shape[-1])
    causal = jnp.tril(jnp.ones((length, length), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30), axis=-1)
    return jnp.einsum("bnts,bsnh->btnh", weights.astype(value.dtype), value)


xla = partial(jax.nn.dot_product_attention, is_causal=True, implementation="xla")
cudnn = partial(jax.nn.dot_product_attention, is_causal=True, implementation="cudnn")


def on_gpu() -> bool:
    """Whether JAX computes on an NVIDIA GPU."""
    return jax.default_backend() in ("gpu", "cuda")


def best_dtype() -> jnp.dtype:
    """bfloat16 on a GPU; float32 on a CPU, which has no bfloat16 units."""
    return jnp.dtype(jnp.bfloat16 if on_gpu() else jnp.float32)


def why_no_cudnn() -> str:
    """ "" where cuDNN's attention runs, else the reason."""
    if not on_gpu():
        return f"the backend is {jax.default_backend()}"
    capability = getattr(jax.devices()[0], "compute_capability", "0")
    if float(capability) < CAPABILITY:
        return f"compute capability {capability} is below {CAPABILITY}"
    x = jnp.ones((1, 128, 1, HEAD_DIM), jnp.bfloat16)
    try:
        jax.block_until_ready(cudnn(x, x, x))
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return ""


def inputs(length: int, dtype: jnp.dtype) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Random query, key and value: (BATCH, length, HEADS, HEAD_DIM)."""
    seed, shape = jax.random.key(length), (BATCH, length, HEADS, HEAD_DIM)
    query = jax.random.normal(jax.random.fold_in(seed, 0), shape, dtype)
    key = jax.random.normal(jax.random.fold_in(seed, 1), shape, dtype)
    value = jax.random.normal(jax.random.fold_in(seed, 2), shape, dtype)
    return query, key, value


def lengths() -> tuple[int, ...]:
    """The sequence lengths T: what a laptop's CPU does in seconds, or what shows on a GPU."""
    return (512, 1024, 2048, 4096, 8192) if on_gpu() else (128, 256, 512, 1024)
