# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Train a perceptron on the digits, with the usual mistakes.

The last batch of an epoch is smaller and compiles the step again; the loss is read on every step; the step's timer
stops before the device has done the step, and its first reading holds the compilation; the print in the compiled
function runs once; testing reads the device for every batch.
"""

from __future__ import annotations

import time

import jax
import numpy as np
import optax
from flax import nnx

from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import load_digits
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.outcome import Outcome

BATCH = 512
TEST_BATCH = 64
HIDDEN = 1024
STEPS = 120
ACCURACY = 0.95


@nnx.jit
def train_step(model: Mlp, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> jax.Array:
    """One step of Adam; returns the loss."""

    def loss_fn(model: Mlp) -> jax.Array:
        return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    print(f"loss: {loss}")
    return loss


@nnx.jit
def predict(model: Mlp, x: jax.Array) -> jax.Array:
    """The likeliest digit of each row."""
    return model(x).argmax(axis=-1)


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps and test."""
    digits = load_digits()
    model = Mlp(HIDDEN, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
    random = np.random.default_rng(1)
    compiles = Compiles()
    losses: list[float] = []
    step_seconds: list[float] = []
    begin = time.perf_counter()
    while len(losses) < steps:
        order = random.permutation(len(digits.train_x))
        x, y = digits.train_x[order], digits.train_y[order]
        for start in range(0, len(x), BATCH):
            step_begin = time.perf_counter()
            loss = train_step(model, optimizer, x[start : start + BATCH], y[start : start + BATCH])
            step_seconds.append(time.perf_counter() - step_begin)
            losses.append(float(loss))
            if len(losses) == steps:
                break
    seconds = time.perf_counter() - begin
    compiled = compiles.count

    correct = 0
    for start in range(0, len(digits.test_x), TEST_BATCH):
        guess = np.asarray(predict(model, digits.test_x[start : start + TEST_BATCH]))
        correct += int((guess == digits.test_y[start : start + TEST_BATCH]).sum())
    return Outcome(
        "digits",
        "faulty",
        "test accuracy",
        correct / len(digits.test_x),
        ACCURACY,
        True,
        steps,
        STEPS,
        seconds,
        {
            "first_loss": losses[0],
            "last_loss": losses[-1],
            "compiles_in_loop": compiled,
            "batch": BATCH,
            "claimed_step_ms": float(np.median(step_seconds)) * 1e3,
            "claimed_mean_step_ms": float(np.mean(step_seconds)) * 1e3,
        },
    )


if __name__ == "__main__":
    print(run().line())
