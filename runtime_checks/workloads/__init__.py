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
    """One program: `steps` is the length at which its stated figure holds; `unit` says what a step is."""

    name: str
    steps: int
    unit: str
    summary: str


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("digits", 330, "training steps", "an nnx MLP on scikit-learn's digits, to a test accuracy"),
        Workload("char-lm", 400, "training steps", "a character model with causal nnx attention, to a validation loss"),
        Workload("attention", 5, "timed calls", "naive against fused attention over growing T: time, memory, equality"),
        Workload("data-parallel", 40, "training steps", "one step, sharded over 1, 2, 4, 8 devices: the same losses"),
        Workload("checkpoint", 100, "training steps", "train, save nnx.state with Orbax, restore: the same logits"),
        Workload("serving", 40, "requests", "an HTTP server compiled ahead of time: no compilation in a request"),
        Workload("export", 100, "training steps", "jax.export bytes run where the model's code doesn't exist"),
    )
}


def load(name: str, faulty: bool = False) -> Callable[[int], Outcome]:
    """The `run` function of a workload; imports jax and what the workload needs."""
    package = WORKLOADS[name].name.replace("-", "_")
    module = importlib.import_module(f"{__name__}.{package}.{'faulty' if faulty else 'right'}")
    run: Callable[[int], Outcome] = module.run
    return run
