# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Save a trained model with Orbax and restore it, with the usual mistakes.

The model object itself is saved, which works, and cannot be restored into a state. Training reads the loss on every
step. (That the save isn't waited for would lose it when the program ends here; the restore below waits for it.)
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import optax
import orbax.checkpoint as ocp
from flax import nnx

from runtime_checks.workloads.data import load_digits
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.digits.training import accuracy_of, logits_of, train_step
from runtime_checks.workloads.outcome import Outcome

BATCH = 64
STEPS = 100
ACCURACY = 0.9


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps, save, try to restore."""
    digits = load_digits()
    model = Mlp(rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    history: list[float] = []
    begin = time.perf_counter()
    while len(history) < steps:
        for start in range(0, len(digits.train_x), BATCH):
            x, y = digits.train_x[start : start + BATCH], digits.train_y[start : start + BATCH]
            history.append(train_step(model, optimizer, x, y).item())
            if len(history) == steps:
                break
    seconds = time.perf_counter() - begin

    again = Mlp(rngs=nnx.Rngs(7))
    failure = ""
    with tempfile.TemporaryDirectory() as folder:
        checkpointer = ocp.StandardCheckpointer()
        checkpointer.save(Path(folder) / "digits", model)
        try:
            nnx.update(again, checkpointer.restore(Path(folder) / "digits", nnx.state(again, nnx.Param)))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"[:300]
            print(f"could not restore: {type(error).__name__}")
        checkpointer.wait_until_finished()
    return Outcome(
        "checkpoint",
        "faulty",
        "test accuracy of the restored model",
        accuracy_of(logits_of(again, digits), digits),
        ACCURACY,
        True,
        steps,
        STEPS,
        seconds,
        {"failure": failure, "last_loss": history[-1]},
        {"equal to the saved model": not failure},
    )


if __name__ == "__main__":
    print(run().line())
