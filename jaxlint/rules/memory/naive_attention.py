"""Attention that is written out (the product of queries and keys, a softmax, the product with the values) is reported
where `jax.nn.dot_product_attention` could do it: nothing but scaling, a mask or a bias happens to the scores, and the
weights go into the one product. The place reaches from the softmax to that product.

## Why
The scores are an array of batch x heads x queries x keys: with 8,192 tokens, 16 heads and float32 that is 4 GB for one
row of the batch, and the weights as much again, both kept for the backward pass. On a GPU with cuDNN the fused call
(`implementation="cudnn"`, in bfloat16 or float16) never makes them. The default implementation makes them, too, and is
no faster: the gain needs the GPU.

## Bad
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    weights = jax.nn.softmax(scores, axis=-1)  # error: [naive-attention]
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


x = jax.random.normal(jax.random.key(0), (2, 64, 4, 8))
print(attend(x, x, x).shape)
```

## Good
```python run=ok
import jax


@jax.jit
def attend(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)  # on a GPU, in bfloat16: implementation="cudnn"


x = jax.random.normal(jax.random.key(0), (2, 64, 4, 8))
print(attend(x, x, x).shape)
```

## How it is fixed
By hand: `jax.nn.dot_product_attention(q, k, v, bias=..., mask=..., is_causal=...)`, with arrays of batch x tokens x
heads x depth. It scales by the root of the depth itself.

## Known limits
Off by default. Silent where the weights are returned, stored or dropped out, where the scores pass through anything
else (a soft cap), where the two products stand in different functions, for scores with fewer than three dimensions,
and for products without an `einsum` whose shapes are not known.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class NaiveAttention(Rule):
    """JAX504."""

    code = "JAX504"
    name = "naive-attention"
    summary = "Attention written out, so that all scores are held in memory"
    severity = Severity.ADVICE
    default = False
    kinds = (Kind.ATTENTION_SCORES,)

    def judge(self, event: Event) -> Finding | None:
        """Softmax and product written out."""
        return self.finding(
            event,
            f"{wording.value(event)} is attention written out: the scores of each query with each key are held in"
            " memory.",
            help='Call `jax.nn.dot_product_attention`; on a GPU, in bfloat16, with `implementation="cudnn"`.',
        )
