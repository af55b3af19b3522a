# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Save a trained model with Orbax and restore it into a new one, as it should be done.

What is saved is the state, `nnx.state(model, nnx.Param)`: arrays under names. The path is absolute, and the
checkpointer is closed before anything reads the checkpoint: saving is asynchronous.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp
from flax import nnx

from runtime_checks.workloads.data import load_digits
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.digits.training import accuracy_of, logits_of, trained
from runtime_checks.workloads.outcome import Outcome

STEPS = 100
ACCURACY = 0.9  # stated test accuracy of the restored model


def save(path: Path, model: Mlp) -> None:
    """Write the model's parameters; they are on disk when this returns."""
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(path, nnx.state(model, nnx.Param))


def restore(path: Path) -> Mlp:
    """A new model with the parameters of a checkpoint."""
    model = Mlp(rngs=nnx.Rngs(7))
    with ocp.StandardCheckpointer() as checkpointer:
        nnx.update(model, checkpointer.restore(path, nnx.state(model, nnx.Param)))
    return model


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps, save, restore, compare."""
    digits = load_digits()
    model = trained(digits, steps)
    logits = logits_of(model, digits)
    jax.block_until_ready(logits)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).absolute() / "digits"
        begin = time.perf_counter()
        save(path, model)
        saved = time.perf_counter()
        again = restore(path)
        jax.block_until_ready(nnx.state(again))
        restored = time.perf_counter()
    difference = float(jnp.abs(logits_of(again, digits) - logits).max())
    return Outcome(
        "checkpoint",
        "right",
        "test accuracy of the restored model",
        accuracy_of(logits_of(again, digits), digits),
        ACCURACY,
        True,
        steps,
        STEPS,
        0.0,
        {"save_ms": (saved - begin) * 1e3, "restore_ms": (restored - saved) * 1e3, "logit_difference": difference},
        {"equal to the saved model": difference == 0.0},
    )


if __name__ == "__main__":
    print(run().line())
