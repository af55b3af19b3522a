"""Real JAX programs on real data, each in a right and a faulty version.

They are what the linter is run on, what `jaxlint confirm` confirms, and what is measured on a GPU. Each version is one
small module that reads as a user's program would, with `run(steps) -> Outcome`; the faulty one does the same work with
the mistakes that people make. The data ships with packages: scikit-learn's digits, the Python standard library's text.

    python -m runtime_checks.workloads list
    python -m runtime_checks.workloads digits --faulty --steps 100 --json out.json
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from runtime_checks.workloads.outcome import Outcome

__all__ = ["WORKLOADS", "Outcome", "Workload", "load"]


@dataclass(frozen=True, slots=True)
class Workload:
    """One program: `steps` is the length at which its stated figure holds; `unit` says what a step is.

    The faulty version runs for `faulty_steps`: fewer, where it compiles on every one.
    """

    name: str
    steps: int
    faulty_steps: int
    unit: str
    summary: str


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("digits", 120, 120, "training steps", "an nnx MLP on the digits, to a test accuracy"),
        Workload("char-lm", 400, 100, "training steps", "a character model, causal nnx attention, to a loss"),
        Workload("attention", 5, 5, "timed calls", "naive against fused attention over T: time, memory"),
        Workload("data-parallel", 40, 5, "training steps", "one step, sharded over 1 to 8 devices: the same losses"),
        Workload("checkpoint", 100, 100, "training steps", "save nnx.state with Orbax, restore: the same logits"),
        Workload("serving", 40, 12, "requests", "an HTTP server compiled ahead of time"),
        Workload("export", 100, 100, "training steps", "bytes that run where the model's code doesn't exist"),
    )
}


def load(name: str, faulty: bool = False) -> Callable[[int], Outcome]:
    """The `run` function of a workload; imports jax and what the workload needs."""
    package = WORKLOADS[name].name.replace("-", "_")
    module = importlib.import_module(f"{__name__}.{package}.{'faulty' if faulty else 'right'}")
    run: Callable[[int], Outcome] = module.run
    return run
