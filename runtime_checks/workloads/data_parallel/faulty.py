# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Train on 1, 2, 4 and 8 devices, with the usual mistakes.

The step is wrapped in a new `partial` and compiled again on every iteration; the loss is fetched on every step; the
gradients' norm is put in a list from inside the compiled function, where there is no number yet; the clock is read
while the devices still work.
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
from runtime_checks.workloads.data import load_digits
from runtime_checks.workloads.data_parallel.devices import device_counts, split_cpu
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.outcome import Outcome

BATCH = 256
STEPS = 5
DIFFERENCE = 1e-4

optimizer = optax.adam(3e-3)
norms: list[jax.Array] = []


def train_step(graphdef: Any, params: Any, opt_state: Any, x: jax.Array, y: jax.Array) -> tuple[Any, Any, jax.Array]:
    """One step of Adam: new parameters, optimiser state, and the loss."""

    def loss_fn(params: Any) -> jax.Array:
        logits = nnx.merge(graphdef, params)(x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    norms.append(jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(grads))))
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps on each number of devices and compare the losses."""
    split_cpu()
    digits = load_digits()
    counts = device_counts()
    whole = len(digits.train_x) // BATCH * BATCH
    runs: list[list[float]] = []
    compiles = Compiles()
    total = 0.0
    queued = 0.0
    for count in counts:
        mesh = Mesh(np.array(jax.devices()[:count]), ("data",))
        split_rows = NamedSharding(mesh, PartitionSpec("data", None))
        split_labels = NamedSharding(mesh, PartitionSpec("data"))
        graphdef, params = nnx.split(Mlp(rngs=nnx.Rngs(0)), nnx.Param)
        params, opt_state = jax.device_put((params, optimizer.init(params)), NamedSharding(mesh, PartitionSpec()))
        losses: list[float] = []
        begin = time.perf_counter()
        for number in range(steps):
            start = number * BATCH % whole
            x = jax.device_put(digits.train_x[start : start + BATCH], split_rows)
            y = jax.device_put(digits.train_y[start : start + BATCH], split_labels)
            step = jax.jit(partial(train_step, graphdef))
            step_begin = time.perf_counter()
            params, opt_state, loss = step(params, opt_state, x, y)
            queued += time.perf_counter() - step_begin
            losses.append(jax.device_get(loss).item())
        total += time.perf_counter() - begin
        runs.append(losses)

    try:
        print(f"last norm of the gradients: {float(norms[-1]):.3f}")
    except jax.errors.JAXTypeError as error:
        print(f"the norm of the gradients could not be read: {type(error).__name__}")
    alone = np.array(runs[0])
    difference = max(float(np.max(np.abs(np.array(losses) - alone) / alone)) for losses in runs)
    return Outcome(
        "data-parallel",
        "faulty",
        "largest relative difference of a loss",
        difference,
        DIFFERENCE,
        False,
        steps,
        STEPS,
        total,
        {"devices": counts, "compiles_in_loop": compiles.count, "claimed_step_ms": queued / steps / len(counts) * 1e3},
    )


if __name__ == "__main__":
    print(run().line())
