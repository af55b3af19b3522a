# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""Compare naive and fused attention over growing T, as it should be measured.

Each way is compiled ahead of time, run once unmeasured, and timed with the result waited for. Memory is what the
compiler reports for the program: temporaries beside inputs and outputs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp

from runtime_checks.workloads.attention import kernels
from runtime_checks.workloads.compiles import Compiles
from runtime_checks.workloads.outcome import Outcome

REPEATS = 5


def seconds_per_call(call: Callable[..., jax.Array], arguments: tuple[jax.Array, ...], repeats: int) -> float:
    """Median time of a compiled call, in seconds, without its first run."""
    jax.block_until_ready(call(*arguments))
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        jax.block_until_ready(call(*arguments))
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def run(steps: int = REPEATS) -> Outcome:
    """Time each way `steps` times at each T."""
    dtype = kernels.best_dtype()
    ways: dict[str, Callable[..., jax.Array]] = {"naive": kernels.naive, "xla": kernels.xla}
    no_cudnn = kernels.why_no_cudnn()
    if not no_cudnn:
        ways["cudnn"] = kernels.cudnn
    fused = "xla" if no_cudnn else "cudnn"

    # jit once a way: its cache holds one program for each length
    compiled_ways = {way: jax.jit(function) for way, function in ways.items()}
    rows: list[dict[str, object]] = []
    difference = jnp.zeros(())
    total = 0.0
    compiled_while_timing = 0
    for length in kernels.lengths():
        arguments = kernels.inputs(length, dtype)
        results = {}
        for way, function in compiled_ways.items():
            program = function.lower(*arguments).compile()
            memory = program.memory_analysis()
            results[way] = program(*arguments)
            jax.block_until_ready(results[way])
            compiles = Compiles()
            seconds = seconds_per_call(program, arguments, steps)
            compiled_while_timing += compiles.count
            total += seconds * steps
            row: dict[str, object] = {"length": length, "way": way, "ms": seconds * 1e3}
            row["temporary_bytes"] = int(memory.temp_size_in_bytes) if memory is not None else None
            rows.append(row)
        apart = jnp.abs(results["naive"].astype(jnp.float32) - results[fused].astype(jnp.float32)).max()
        difference = jnp.maximum(difference, apart)

    for row in rows:
        print(
            f"T={row['length']:<5} {row['way']:<6} {row['ms']:8.3f} ms  {row['temporary_bytes']} bytes of temporaries"
        )
    return Outcome(
        "attention",
        "right",
        f"largest difference of {fused} from naive",
        float(difference),
        2e-2 if dtype == jnp.bfloat16 else 1e-5,
        False,
        steps,
        1,
        total,
        {"dtype": dtype.name, "fused": fused, "no_cudnn": no_cudnn, "rows": rows},
        {"free of compilation while timing": compiled_while_timing == 0},
    )


if __name__ == "__main__":
    print(run().line())
