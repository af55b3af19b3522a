# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""A trained digits model, for the workloads that start from one."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from runtime_checks.workloads.data import Digits, whole_batches
from runtime_checks.workloads.digits.model import Mlp

BATCH = 64


@nnx.jit
def train_step(model: Mlp, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> jax.Array:
    """One step of Adam on x (BATCH, 64) float32 and y (BATCH,) int32; returns the loss."""

    def loss_fn(model: Mlp) -> jax.Array:
        return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def trained(digits: Digits, steps: int, seed: int = 0) -> Mlp:
    """A model after `steps` steps; 100 give a test accuracy of about 0.95."""
    model = Mlp(rngs=nnx.Rngs(seed))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    rows = whole_batches(len(digits.train_x), BATCH, seed=1)
    for _ in range(steps):
        chosen = next(rows)
        train_step(model, optimizer, *jax.device_put((digits.train_x[chosen], digits.train_y[chosen])))
    return model


def logits_of(model: Mlp, digits: Digits) -> jax.Array:
    """Logits for the test images: (360, 10) float32."""
    return model(jnp.asarray(digits.test_x))


def accuracy_of(logits: jax.Array, digits: Digits) -> float:
    """Share of the test images that the logits classify rightly."""
    return float(jnp.mean(jnp.argmax(logits, axis=-1) == digits.test_y))
