# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Train a character model and let it write, with the usual mistakes.

Attention has no causal mask, so the loss is too good to be true. The loss is printed and compared on every step, and
every step waits. Writing appends to the text, so every character compiles the model for one more length.
"""

from __future__ import annotations

import time

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from runtime_checks.workloads.char_lm.model import CONTEXT, CharModel, bigram_loss, sees_the_future
from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import load_text, windows
from runtime_checks.workloads.outcome import Outcome

BATCH = 32
STEPS = 100
FULL_STEPS = 400  # after which LOSS is stated
LOSS = 2.3
WRITTEN = 6


@nnx.jit
def train_step(model: CharModel, optimizer: nnx.Optimizer, pieces: jax.Array) -> jax.Array:
    """One step of Adam; returns the loss."""

    def loss_fn(model: CharModel) -> jax.Array:
        logits = model(pieces[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, pieces[:, 1:]).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def next_logits(model: CharModel, codes: jax.Array) -> jax.Array:
    """Logits of the character after codes (1, T)."""
    return model(codes)[0, -1]


@nnx.jit
def evaluate(model: CharModel, pieces: jax.Array) -> jax.Array:
    """Mean loss over pieces (batch, CONTEXT + 1)."""
    logits = model(pieces[:, :-1])
    return optax.softmax_cross_entropy_with_integer_labels(logits, pieces[:, 1:]).mean()


def write(model: CharModel, codes: jax.Array, key: jax.Array, count: int) -> jax.Array:
    """`count` characters after codes (T,) int32."""
    for _ in range(count):
        key, now = jax.random.split(key)
        code = jax.random.categorical(now, next_logits(model, codes[None]))
        codes = jnp.append(codes, code.astype(jnp.int32))
    return codes[-count:]


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps, validate, and write a little."""
    train, test = load_text()
    model = CharModel(nnx.dot_product_attention, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adamw(3e-3), wrt=nnx.Param)
    pieces = windows(train, BATCH, CONTEXT + 1, seed=1)

    best: jax.Array | float = float("inf")
    begin = time.perf_counter()
    for step in range(steps):
        loss = train_step(model, optimizer, next(pieces))
        jax.block_until_ready(loss)
        if loss < best:
            best = loss
        print(f"step {step}: loss {loss:.3f}")
    seconds = time.perf_counter() - begin

    compiles = Compiles()
    text = write(model, jnp.asarray(test[: CONTEXT - WRITTEN]), jax.random.key(3), WRITTEN)
    written = "".join(chr(code) for code in text.tolist())
    compiled = compiles.count
    value = float(evaluate(model, next(windows(test, 256, CONTEXT + 1, seed=2))))
    return Outcome(
        "char-lm",
        "faulty",
        "validation loss",
        value,
        LOSS,
        False,
        steps,
        FULL_STEPS,
        seconds,
        {
            "best_loss": float(best),
            "bigram_loss": bigram_loss(train, test),
            "compiles_while_writing": compiled,
            "written": written,
        },
        {"causal": not sees_the_future(model)},
    )


if __name__ == "__main__":
    print(run().line())
