# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Serve a classifier, as it should be done: compiled before the server opens.

The program is lowered and compiled for one size of batch; requests are padded to it. No request compiles anything.
"""

from __future__ import annotations

import statistics

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.data import Floats, load_digits
from runtime_checks.workloads.digits.training import trained
from runtime_checks.workloads.outcome import Outcome
from runtime_checks.workloads.serving.http import Classify, ask, serving

TRAINING = 100
REQUESTS = 40
ROWS = 8  # at most, in a request
ACCURACY = 0.9  # stated share of right answers


def make_classifier(training_steps: int = TRAINING) -> Classify:
    """A function of pixels (n, 64) float32, n at most ROWS, to n digits; compiled when this returns."""
    graphdef, state = nnx.split(trained(load_digits(), training_steps))

    def digit(state: nnx.State, x: jax.Array) -> jax.Array:
        return nnx.merge(graphdef, state)(x).argmax(axis=-1)

    program = jax.jit(digit).lower(state, jax.ShapeDtypeStruct((ROWS, 64), jnp.float32)).compile()

    def classify(pixels: Floats) -> list[int]:
        padded = np.zeros((ROWS, 64), np.float32)
        padded[: len(pixels)] = pixels
        answer: list[int] = jax.device_get(program(state, jax.device_put(padded))).tolist()
        return answer[: len(pixels)]

    return classify


def run(steps: int = REQUESTS) -> Outcome:
    """Answer `steps` requests."""
    classify = make_classifier()
    compiles = Compiles()
    with serving(classify) as port:
        share, times = ask(port, load_digits(), steps)
    return Outcome(
        "serving",
        "right",
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
        {"free of compilation in requests": compiles.count == 0},
    )


if __name__ == "__main__":
    print(run().line())
