"""What the recorder costs: the same training step with the hooks on and off, interleaved in one process.

    python benchmarks/runtime_overhead.py [--pairs 40] [--steps 20] [--host-ms 0]

Each pair runs the block of steps once without and once with a recorder (in changing order); the figure is the median
over the pairs of (on - off) / off, with the quartiles. On a shared machine the wall clock is noisy; the CPU time of
the thread that runs the loop is not, and all hooks run on it: that difference, in µs a step, is the cleaner figure.
Three loops: a step of about 10 ms without a read, the same with two reads a step, and the dispatch of a tiny step,
which shows that the jit fast path is untouched.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import jax
import jax.numpy as jnp
import numpy as np

from runtime_checks.recorder import Recorder

now = time.perf_counter


def calibrated(goal: float = 0.010) -> tuple[Callable[[jax.Array], tuple[jax.Array, jax.Array]], jax.Array]:
    """A step that takes about `goal` seconds here, and its argument."""

    @jax.jit
    def step(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        return jnp.tanh(x @ x * 1e-3), x.mean()

    size = 128
    while True:
        x = jnp.ones((size, size)) * 0.01
        step(x)[0].block_until_ready()  # jaxlint: ignore[variable-shape-batch] looks for a size that takes long enough
        start = now()
        for _ in range(5):
            x, _ = step(x)  # jaxlint: ignore[variable-shape-batch] as above
        x.block_until_ready()
        if (now() - start) / 5 >= goal or size > 4096:
            return step, x
        size = int(size * 1.2)


def measure(block: Callable[[], None], pairs: int, directory: str) -> list[tuple[float, float, float, float]]:
    """Wall and CPU seconds of the block without, then with a recorder; the order alternates."""
    found: list[tuple[float, float, float, float]] = []
    for pair in range(pairs):
        taken: dict[bool, tuple[float, float]] = {}
        for hooked in (pair % 2 == 0, pair % 2 == 1):
            recorder = Recorder(directory=directory).start() if hooked else None
            block()  # what a start costs once is not the question here
            start, cpu = now(), time.thread_time()
            block()
            taken[hooked] = now() - start, time.thread_time() - cpu
            if recorder is not None:
                recorder.stop()
        found.append((*taken[False], *taken[True]))
    return found


def main() -> None:
    """Print one line for each loop."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    step, start = calibrated()
    tiny = jax.jit(lambda a: a + 1)
    one = jnp.float32(1.0)
    tiny(one)

    def quiet() -> None:
        x = start
        for _ in range(options.steps):
            x, _ = step(x)  # jaxlint: ignore[variable-shape-batch] as above
        x.block_until_ready()

    def reading() -> None:
        x = start
        for _ in range(options.steps):
            x, loss = step(x)
            float(loss)  # jaxlint: ignore[sync-in-loop] the cost of watching such a read is measured
            np.asarray(loss)  # jaxlint: ignore[numpy-in-loop] as above
        x.block_until_ready()

    def dispatch() -> None:
        x = one
        for _ in range(options.steps * 100):
            x = tiny(x)
        x.block_until_ready()

    print(f"jax {jax.__version__}, {jax.default_backend()}, {options.pairs} pairs of {options.steps} steps")
    loops = (("no reads", quiet, 1), ("two reads a step", reading, 1), ("dispatch of a tiny step", dispatch, 100))
    for name, block, factor in loops:
        block()
        with tempfile.TemporaryDirectory() as directory:
            pairs = measure(block, options.pairs, directory)
        steps = options.steps * factor
        shares = [100 * (wall_on - wall) / wall for wall, _, wall_on, _ in pairs]
        low, middle, high = statistics.quantiles(shares, n=4)
        wall = statistics.median(pair[0] for pair in pairs) / steps
        cpu = (statistics.median(pair[3] for pair in pairs) - statistics.median(pair[1] for pair in pairs)) / steps
        print(
            f"{name}: {1e3 * wall:.3f} ms a step; "
            f"wall on-off median {middle:+.2f} % (quartiles {low:+.2f} .. {high:+.2f}); "
            f"CPU of the thread {1e6 * cpu:+.2f} µs a step = {100 * cpu / wall:+.2f} %"
        )


if __name__ == "__main__":
    main()
