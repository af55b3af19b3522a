# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Serve a classifier, with the usual mistakes.

Nothing is compiled before the first request; every request wraps the model in a new lambda and compiles it, with the
number of rows as a static argument besides.
"""

from __future__ import annotations

import statistics

import jax
import jax.numpy as jnp

from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import Floats, load_digits
from runtime_checks.workloads.digits.training import trained
from runtime_checks.workloads.outcome import Outcome
from runtime_checks.workloads.serving.http import ask, serving

TRAINING = 100
REQUESTS = 12
ACCURACY = 0.9

model = None


def classify(pixels: Floats) -> list[int]:
    """The digits of pixels (n, 64)."""
    predict = jax.jit(lambda x, rows: model(x[:rows]).argmax(axis=-1), static_argnums=1)  # type: ignore[misc]
    answer = predict(jnp.array(pixels), len(pixels))
    return [int(digit) for digit in answer]


def run(steps: int = REQUESTS) -> Outcome:
    """Answer `steps` requests."""
    global model
    digits = load_digits()
    model = trained(digits, TRAINING)
    compiles = Compiles()
    with serving(classify) as port:
        share, times = ask(port, digits, steps)
    return Outcome(
        "serving",
        "faulty",
        "share of right answers",
        share,
        ACCURACY,
        True,
        steps,
        REQUESTS,
        sum(times) / 1e3,
        {
            "first_request_ms": times[0],
            "median_request_ms": statistics.median(times),
            "slowest_request_ms": max(times),
            "compiles_in_requests": compiles.count,
        },
    )


if __name__ == "__main__":
    print(run().line())
