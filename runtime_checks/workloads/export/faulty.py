# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Export a trained model, with the usual mistakes.

A branch on a traced value keeps the model from being exported; what is shipped instead is a pickle, which is nothing
without the code. The model's speed is "measured" with a new lambda for each size and without waiting.
"""

from __future__ import annotations

import pickle
import time

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

from runtime_checks.workloads.data import load_digits
from runtime_checks.workloads.digits.training import logits_of, trained
from runtime_checks.workloads.export.elsewhere import run_elsewhere
from runtime_checks.workloads.outcome import Outcome

STEPS = 100
DIFFERENCE = 1e-4
SIZES = (64, 4096, 65536)  # rows


@jax.jit
def scaled(x: jax.Array) -> jax.Array:
    """Pixels in [0, 1], whether they came as 0 to 1 or as 0 to 16."""
    if x.max() > 1.0:
        return x / 16.0
    return x


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps, try to export, run elsewhere, compare."""
    digits = load_digits()
    model = trained(digits, steps)
    claimed = {}
    for size in SIZES:
        predict = jax.jit(lambda x: model(x))
        x = jnp.asarray(np.resize(digits.test_x, (size, 64)))
        begin = time.perf_counter()
        predict(x)
        claimed[f"claimed_ms_{size}"] = (time.perf_counter() - begin) * 1e3

    try:
        exported = jax.export.export(jax.jit(lambda x: model(scaled(x))))(jax.ShapeDtypeStruct((8, 64), jnp.float32))
        shipped, suffix = bytes(exported.serialize()), ".jax"
    except jax.errors.TracerBoolConversionError as error:
        print(f"cannot export, shipping a pickle: {type(error).__name__}")
        shipped, suffix = pickle.dumps(model), ".pickle"

    answer, facts = run_elsewhere(shipped, suffix, digits.test_x)
    expected = np.asarray(logits_of(model, digits))
    difference = float("inf") if answer is None else float(np.abs(answer - expected).max())
    return Outcome(
        "export",
        "faulty",
        "largest difference of a logit",
        difference,
        DIFFERENCE,
        False,
        steps,
        STEPS,
        0.0,
        {"bytes": len(shipped), **claimed, **facts},
        {"loaded without the model's code": answer is not None},
    )


if __name__ == "__main__":
    print(run().line())
