"""`jax.nn.dot_product_attention(..., implementation="cudnn")` on float32 or float64 arrays is reported.

## Why
cuDNN's attention takes bfloat16, float16 and the 8-bit floats. On a GPU the call raises `NotImplementedError: Q must
be fp16/bf16/fp8_e4m3fn/fp8_e5m2` (with a mask `ValueError: Unsupported dtype for inputs.`); without a GPU it raises
`RuntimeError: cuDNN is not detected.` whatever the type, so tests on a CPU do not show it.

## Bad
```python run=raises:RuntimeError
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, implementation="cudnn")  # error: [cudnn-dtype]


x = jnp.ones((2, 64, 4, 8))
print(attend(x, x, x).shape)
```

## Good
```python run=raises:RuntimeError
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, implementation="cudnn")


x = jnp.ones((2, 64, 4, 8), jnp.bfloat16)
print(attend(x, x, x).shape)
```

## How it is fixed
By hand: cast queries, keys and values to `jnp.bfloat16` in front of the call, or compute in it from the start
(`dtype=jnp.bfloat16` of the layers).

## Known limits
The type must be known: it is for arrays made in sight, and for what arithmetic, casts and layers with a known type
make of them. (The good program above raises on a CPU as well: there is no cuDNN on one.)
"""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule


class CudnnDtype(Rule):
    """JAX701."""

    code = "JAX701"
    name = "cudnn-dtype"
    summary = "Attention by cuDNN on a type that it does not take"
    severity = Severity.ERROR
    kinds = (Kind.ATTENTION_TYPE,)

    def judge(self, event: Event) -> Finding | None:
        """cuDNN attention in float32 or float64."""
        return self.finding(
            event,
            f"{wording.code(event)}: cuDNN takes bfloat16, float16 or 8-bit floats, and `{event.text('argument')}` is"
            f" {event.text('dtype')}: raises NotImplementedError on a GPU.",
            help="Cast queries, keys and values to `jnp.bfloat16` first, or leave `implementation` out.",
        )
