# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics, disable-error-code="arg-type"
"""Compare naive and fused attention over growing T, measured as it should not be.

The clock is read when the calls are queued, not when they are done; the first, compiling call is in the mean; and each
timing compiles again, because every lambda is a new function to jit.
"""

from __future__ import annotations

import time

import jax
import jax.numpy as jnp

from runtime_checks.workloads.attention import kernels
from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.outcome import Outcome

REPEATS = 5


def run(steps: int = REPEATS) -> Outcome:
    """Time each way `steps` times at each T."""
    dtype = kernels.best_dtype()
    rows: list[dict[str, object]] = []
    total = 0.0
    difference = 0.0
    compiles = Compiles()
    for length in kernels.lengths():
        q, k, v = kernels.inputs(length, dtype)

        attend = jax.jit(lambda q, k, v: kernels.naive(q, k, v))
        begin = time.perf_counter()
        for _ in range(steps):
            naive = attend(q, k, v)
        naive_seconds = time.perf_counter() - begin

        attend = jax.jit(lambda q, k, v: kernels.xla(q, k, v))
        begin = time.perf_counter()
        for _ in range(steps):
            fused = attend(q, k, v)
        fused_seconds = time.perf_counter() - begin

        begin = time.perf_counter()
        for _ in range(steps):
            fused = attend(q, k, v)
        queued_seconds = time.perf_counter() - begin

        total += naive_seconds + fused_seconds + queued_seconds
        difference = max(difference, float(jnp.abs(naive - fused).max()))
        rows.append({"length": length, "way": "naive", "ms": naive_seconds / steps * 1e3})
        rows.append({"length": length, "way": "xla", "ms": fused_seconds / steps * 1e3})
        rows.append({"length": length, "way": "xla again", "ms": queued_seconds / steps * 1e3})

    for row in rows:
        print(f"T={row['length']:<5} {row['way']:<9} {row['ms']:8.3f} ms")
    return Outcome(
        "attention",
        "faulty",
        "largest difference of xla from naive",
        difference,
        2e-2 if dtype == jnp.bfloat16 else 1e-5,
        False,
        steps,
        1,
        total,
        {"dtype": dtype.name, "fused": "xla", "compiles_in_loop": compiles.count, "rows": rows},
    )


if __name__ == "__main__":
    print(run().line())
