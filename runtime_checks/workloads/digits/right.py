# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Train a perceptron on the digits, as it should be done.

Every batch has the same shape, the loss stays on the device until the end, and the clock is stopped when the device is
done.
"""

from __future__ import annotations

import time

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import load_digits, whole_batches
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.outcome import Outcome

BATCH = 512
HIDDEN = 1024
STEPS = 120
ACCURACY = 0.95  # stated test accuracy after STEPS steps


@nnx.jit
def train_step(model: Mlp, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> jax.Array:
    """One step of Adam on x (BATCH, 64) float32 and y (BATCH,) int32; returns the loss, a float32 scalar."""

    def loss_fn(model: Mlp) -> jax.Array:
        return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def accuracy(model: Mlp, x: jax.Array, y: jax.Array) -> jax.Array:
    """Share of the rows of x that are classified as y says."""
    return jnp.mean(jnp.argmax(model(x), axis=-1) == y)


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps and test."""
    digits = load_digits()
    model = Mlp(HIDDEN, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
    rows = whole_batches(len(digits.train_x), BATCH, seed=1)

    def next_batch() -> tuple[jax.Array, jax.Array]:
        chosen = next(rows)
        return jax.device_put((digits.train_x[chosen], digits.train_y[chosen]))

    # The first step compiles; it is a step like the others, but not one to time.
    losses = [train_step(model, optimizer, *next_batch())]
    jax.block_until_ready(losses)
    compiles = Compiles()
    begin = time.perf_counter()
    for _ in range(steps - 1):
        x, y = next_batch()
        losses.append(train_step(model, optimizer, x, y))
    jax.block_until_ready(losses[-1])
    seconds = time.perf_counter() - begin
    compiled = compiles.count

    correct = accuracy(model, *jax.device_put((digits.test_x, digits.test_y)))
    first, last = jax.device_get((losses[0], losses[-1]))
    return Outcome(
        "digits",
        "right",
        "test accuracy",
        float(correct),
        ACCURACY,
        True,
        steps,
        STEPS,
        seconds,
        {"first_loss": float(first), "last_loss": float(last), "compiles_in_loop": compiled, "batch": BATCH},
        {"free of recompilation": compiled == 0},
    )


if __name__ == "__main__":
    print(run().line())
