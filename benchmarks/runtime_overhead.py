"""What the recorder costs: the same training step with the hooks on and off, interleaved in one process.

    python benchmarks/runtime_overhead.py [--pairs 40] [--steps 20] [--step-ms 10]

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
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import jax
import jax.numpy as jnp
import numpy as np

from runtime_checks.recorder import Recorder

now = time.perf_counter
# percent of a step, by loop
LIMITS = {"no reads": 1.0, "two reads a step": 5.0}


@jax.jit
def step(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """One step on a matrix; its size makes it long or short."""
    return jnp.tanh(x @ x * 1e-3), x.mean()


def quiet(x: jax.Array, steps: int) -> None:
    """Steps without a read."""
    for _ in range(steps):
        x, _ = step(x)  # jaxlint: ignore[variable-shape-batch] on purpose: a size that takes long enough is looked for
    x.block_until_ready()


def reading(x: jax.Array, steps: int) -> None:
    """Steps with two reads each."""
    for _ in range(steps):
        x, loss = step(x)  # jaxlint: ignore[variable-shape-batch] as above
        float(loss)  # jaxlint: ignore[sync-in-loop] the cost of watching such a read is measured
        np.asarray(loss)  # jaxlint: ignore[numpy-in-loop] as above
    x.block_until_ready()


def calibrated(block: Callable[[jax.Array, int], None], goal: float) -> jax.Array:
    """An argument with which a step of `block` takes at least `goal` seconds here.

    The shortest of several rounds counts: on a shared machine the others are too long, and the step would be too small.
    """
    size = 128
    while True:
        x = jnp.ones((size, size)) * 0.01
        block(x, 1)
        shortest = float("inf")
        for _ in range(8):
            start = now()
            block(x, 4)
            shortest = min(shortest, (now() - start) / 4)
        if shortest >= goal or size > 4096:
            return x
        size = int(size * 1.15)


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


def main() -> int:
    """Print one line for each loop; 1 when the CPU time is over a limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--step-ms", type=float, default=10.0, help="how long a step should take")
    options = parser.parse_args()
    tiny = jax.jit(lambda a: a + 1)
    one = jnp.float32(1.0)
    tiny(one)
    arguments = {block: calibrated(block, 1e-3 * options.step_ms) for block in (quiet, reading)}

    def dispatch() -> None:
        x = one
        for _ in range(options.steps * 100):
            x = tiny(x)
        x.block_until_ready()

    print(f"jax {jax.__version__}, {jax.default_backend()}, {options.pairs} pairs of {options.steps} steps")
    loops = (
        ("no reads", partial(quiet, arguments[quiet], options.steps), 1),
        ("two reads a step", partial(reading, arguments[reading], options.steps), 1),
        ("dispatch of a tiny step", dispatch, 100),
    )
    over = False
    for name, block, factor in loops:
        block()
        with tempfile.TemporaryDirectory() as directory:
            pairs = measure(block, options.pairs, directory)
        steps = options.steps * factor
        shares = [100 * (wall_on - wall) / wall for wall, _, wall_on, _ in pairs]
        low, middle, high = statistics.quantiles(shares, n=4)
        wall = statistics.median(pair[0] for pair in pairs) / steps
        cpu = statistics.median(pair[3] - pair[1] for pair in pairs) / steps
        # a loaded machine stretches the step, not what the hooks compute: take the length that was asked for
        share = 100 * cpu / (1e-3 * options.step_ms if factor == 1 else wall)
        over |= share > LIMITS.get(name, float("inf"))
        print(
            f"{name}: {1e3 * wall:.3f} ms a step; "
            f"wall on-off median {middle:+.2f} % (quartiles {low:+.2f} .. {high:+.2f}); "
            f"CPU of the thread {1e6 * cpu:+.2f} µs a step = {share:+.2f} % of "
            + (f"a step of {options.step_ms:g} ms" if factor == 1 else "it")
        )
    return int(over)


if __name__ == "__main__":
    raise SystemExit(main())
