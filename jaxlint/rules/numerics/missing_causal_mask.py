"""Self-attention without a causal mask is reported in a model that predicts the next token: the program splits its
tokens into `x[:, :-1]` and `x[:, 1:]`, or the code is named as a language model or decoder.

## Why
Each position sees the tokens behind it, the one that it has to predict included. Training looks excellent, since the
answer can be copied; generation, where there are no later tokens, is nonsense. A mask of the padding does not help:
it hides what is not there, not what comes later.

## Bad
```python run=ok
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class CharLM(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        h = nn.Embed(30, 16)(tokens)
        h = h + nn.MultiHeadDotProductAttention(num_heads=2)(h)  # error: [missing-causal-mask]
        return nn.Dense(30)(h)


tokens = jnp.arange(24).reshape(2, 12)
model = CharLM()
params = model.init(jax.random.key(0), tokens[:, :-1])
logits = model.apply(params, tokens[:, :-1])
print(optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean())
```

## Good
```python run=ok
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class CharLM(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        h = nn.Embed(30, 16)(tokens)
        h = h + nn.MultiHeadDotProductAttention(num_heads=2)(h, mask=nn.make_causal_mask(tokens))
        return nn.Dense(30)(h)


tokens = jnp.arange(24).reshape(2, 12)
model = CharLM()
params = model.init(jax.random.key(0), tokens[:, :-1])
logits = model.apply(params, tokens[:, :-1])
print(optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean())
```

## How it is fixed
By hand: `is_causal=True` for `jax.nn.dot_product_attention`, `mask=nn.make_causal_mask(tokens)` for flax's layers,
combined with a mask of the padding by `nn.combine_masks`.

## Known limits
Off by default, since what a model is for shows only in its training or in its names. Any mask but one made by
`make_attention_mask` from two tests of the tokens is believed to be causal; attention written out is not looked at.
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class MissingCausalMask(Rule):
    """JAX702."""

    code = "JAX702"
    name = "missing-causal-mask"
    summary = "Self-attention of a next-token model that sees the later tokens"
    severity = Severity.WARNING
    default = False
    kinds = (Kind.ATTENTION_FUTURE,)

    def judge(self, event: Event) -> Finding | None:
        """Self-attention without a causal mask."""
        mask = "masks the padding only" if event.how == "padding" else "has no causal mask"
        return self.finding(
            event,
            f"{wording.code(event)} {mask}: each token sees the later ones, and this model predicts the next"
            f" ({event.text('why')}).",
            help="Pass `is_causal=True`, or a mask from `make_causal_mask` (`combine_masks` joins it with another).",
        )
