# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Train on 1, 2, 4 and 8 devices by sharding alone: the step does not know how many there are.

The parameters are replicated, the batch is split along its first axis, and the compiler does the rest. On a machine
with one CPU, JAX splits it into eight virtual devices.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import Digits, load_digits, whole_batches
from runtime_checks.workloads.data_parallel.devices import device_counts, split_cpu
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.outcome import Outcome

BATCH = 256
STEPS = 40
# stated: the largest relative difference of a loss from that on one device; sums are taken in another order
DIFFERENCE = 1e-4

optimizer = optax.adam(3e-3)


@partial(jax.jit, static_argnums=0)
def train_step(graphdef: Any, params: Any, opt_state: Any, x: jax.Array, y: jax.Array) -> tuple[Any, Any, jax.Array]:
    """One step of Adam on x (BATCH, 64) float32 and y (BATCH,) int32: new parameters, optimiser state, and the loss."""

    def loss_fn(params: Any) -> jax.Array:
        logits = nnx.merge(graphdef, params)(x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def train(digits: Digits, devices: list[jax.Device], steps: int) -> tuple[np.ndarray[Any, Any], float, int]:
    """Train on `devices`: the losses (steps,), seconds without the first step, and compilations after it."""
    mesh = Mesh(np.array(devices), ("data",))
    split_rows = NamedSharding(mesh, PartitionSpec("data", None))
    split_labels = NamedSharding(mesh, PartitionSpec("data"))
    everywhere = NamedSharding(mesh, PartitionSpec())

    graphdef, params = nnx.split(Mlp(rngs=nnx.Rngs(0)), nnx.Param)
    params, opt_state = jax.device_put((params, optimizer.init(params)), everywhere)
    rows = whole_batches(len(digits.train_x), BATCH, seed=1)

    def next_batch() -> tuple[jax.Array, jax.Array]:
        chosen = next(rows)
        return jax.device_put((digits.train_x[chosen], digits.train_y[chosen]), (split_rows, split_labels))

    params, opt_state, loss = train_step(graphdef, params, opt_state, *next_batch())
    losses = [loss]
    jax.block_until_ready(loss)
    compiles = Compiles()
    begin = time.perf_counter()
    for _ in range(steps - 1):
        x, y = next_batch()
        params, opt_state, loss = train_step(graphdef, params, opt_state, x, y)
        losses.append(loss)
    jax.block_until_ready(losses)
    seconds = time.perf_counter() - begin
    compiled = compiles.count
    return np.asarray(jnp.stack(losses)), seconds, compiled


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps on each number of devices and compare the losses."""
    split_cpu()
    digits = load_digits()
    counts = device_counts()
    alone = np.zeros(steps, np.float32)
    difference, compiled, total = 0.0, 0, 0.0
    details: dict[str, object] = {"devices": counts}
    for count in counts:
        losses, seconds, again = train(digits, jax.devices()[:count], steps)
        if count == 1:
            alone = losses
        difference = max(difference, float(np.max(np.abs(losses - alone) / alone)))
        compiled += again
        total += seconds
        details[f"last_loss_on_{count}"] = float(losses[-1])
        details[f"steps_per_second_on_{count}"] = (steps - 1) / seconds if seconds else 0.0
    details["compiles_in_loop"] = compiled
    return Outcome(
        "data-parallel",
        "right",
        "largest relative difference of a loss",
        difference,
        DIFFERENCE,
        False,
        steps,
        STEPS,
        total,
        details,
        {"free of recompilation": compiled == 0},
    )


if __name__ == "__main__":
    print(run().line())
