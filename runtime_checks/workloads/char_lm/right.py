# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Train a character model and let it write, as it should be done.

Attention is causal, through `jax.nn.dot_product_attention(is_causal=True)`. The loss is read every hundred steps only.
Text is written by one compiled scan over a window of fixed size.
"""

from __future__ import annotations

import time

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from runtime_checks.workloads.char_lm.model import (
    CONTEXT,
    VOCABULARY,
    CharModel,
    bigram_loss,
    causal_attention,
    sees_the_future,
)
from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import load_text, windows
from runtime_checks.workloads.outcome import Outcome

BATCH = 32
STEPS = 400
LOSS = 2.3  # stated validation loss after STEPS steps, in nats a character
WRITTEN = 32  # characters


def cross_entropy(model: CharModel, pieces: jax.Array) -> jax.Array:
    """Mean loss over pieces (batch, CONTEXT + 1) int32 of text, in nats a character."""
    logits = model(pieces[:, :-1])
    return optax.softmax_cross_entropy_with_integer_labels(logits, pieces[:, 1:]).mean()


@nnx.jit
def train_step(model: CharModel, optimizer: nnx.Optimizer, pieces: jax.Array) -> jax.Array:
    """One step of Adam; returns the loss."""
    loss, grads = nnx.value_and_grad(cross_entropy)(model, pieces)
    optimizer.update(model, grads)
    return loss


evaluate = nnx.jit(cross_entropy)


@nnx.jit(static_argnames="count")
def write(model: CharModel, window: jax.Array, key: jax.Array, count: int) -> jax.Array:
    """`count` characters after a window (CONTEXT,) int32: (count,) int32."""

    def one(window: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array]:
        code = jax.random.categorical(key, model(window[None])[0, -1])
        return jnp.append(window[1:], code.astype(jnp.int32)), code

    return jax.lax.scan(one, window, jax.random.split(key, count))[1]


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps, validate, and write a little."""
    train, test = load_text()
    model = CharModel(causal_attention, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adamw(3e-3), wrt=nnx.Param)
    pieces = windows(train, BATCH, CONTEXT + 1, seed=1)

    first = train_step(model, optimizer, jax.device_put(next(pieces)))
    jax.block_until_ready(first)
    compiles = Compiles()
    begin = time.perf_counter()
    loss = first
    for step in range(1, steps):
        loss = train_step(model, optimizer, jax.device_put(next(pieces)))
        if step % 100 == 0:
            print(f"step {step}: loss {float(loss):.3f}")
    jax.block_until_ready(loss)
    seconds = time.perf_counter() - begin
    compiled = compiles.count

    validation = windows(test, 256, CONTEXT + 1, seed=2)
    value = float(evaluate(model, jax.device_put(next(validation))))
    text = write(model, jax.device_put(test[:CONTEXT]), jax.random.key(3), WRITTEN)
    return Outcome(
        "char-lm",
        "right",
        "validation loss",
        value,
        LOSS,
        False,
        steps,
        STEPS,
        seconds,
        {
            "first_loss": float(first),
            "bigram_loss": bigram_loss(train, test),
            "uniform_loss": float(jnp.log(VOCABULARY)),
            "compiles_in_loop": compiled,
            "written": "".join(map(chr, jax.device_get(text))),
            "characters_per_second": BATCH * CONTEXT * (steps - 1) / seconds if steps > 1 else 0.0,
        },
        {"free of recompilation": compiled == 0, "causal": not sees_the_future(model)},
    )


if __name__ == "__main__":
    print(run().line())
