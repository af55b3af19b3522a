# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Export a trained model as bytes that run without its code, as it should be done.

The parameters are part of the program, the batch size is a symbol, and it is lowered for CPU and GPU alike.
"""

from __future__ import annotations

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from flax import nnx

from runtime_checks.workloads.data import load_digits
from runtime_checks.workloads.digits.model import Mlp
from runtime_checks.workloads.digits.training import logits_of, trained
from runtime_checks.workloads.export.elsewhere import run_elsewhere
from runtime_checks.workloads.outcome import Outcome

STEPS = 100
DIFFERENCE = 1e-4  # stated: the largest difference of a logit


def to_bytes(model: Mlp) -> bytes:
    """The model as a program of pixels (b, 64) float32 to logits (b, 10) float32, for any b, on CPU and NVIDIA GPU."""
    graphdef, state = nnx.split(model)

    def logits(x: jax.Array) -> jax.Array:
        return nnx.merge(graphdef, state)(x)

    (batch,) = jax.export.symbolic_shape("b")
    exported = jax.export.export(jax.jit(logits), platforms=("cpu", "cuda"))(
        jax.ShapeDtypeStruct((batch, 64), jnp.float32)
    )
    return bytes(exported.serialize())


def run(steps: int = STEPS) -> Outcome:
    """Train for `steps` steps, export, run elsewhere, compare."""
    digits = load_digits()
    model = trained(digits, steps)
    exported = to_bytes(model)
    answer, facts = run_elsewhere(exported, ".jax", digits.test_x)
    expected = jax.device_get(logits_of(model, digits))
    difference = float("inf") if answer is None else float(np.abs(answer - expected).max())
    return Outcome(
        "export",
        "right",
        "largest difference of a logit",
        difference,
        DIFFERENCE,
        False,
        steps,
        STEPS,
        0.0,
        {"bytes": len(exported), **facts},
        {
            "loaded without the model's code": answer is not None and not facts["model_code_loaded"],
            "right for another batch size": bool(facts.get("any_batch")),
        },
    )


if __name__ == "__main__":
    print(run().line())
