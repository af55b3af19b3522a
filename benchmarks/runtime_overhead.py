"""What the recorder costs: the same training step with the hooks on and off, interleaved in one process.

    python benchmarks/runtime_overhead.py [--pairs 40] [--steps 20] [--host-ms 0]

Each pair runs the block of steps once without and once with a recorder (in changing order); the figure is the median
over the pairs of (on - off) / off, with the quartiles. Three loops: a step of about 10 ms without a read, with two
reads a step, and the dispatch of a tiny step (microseconds), which shows that the jit fast path is untouched.
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
        step(x)[0].block_until_ready()
        start = now()
        for _ in range(5):
            x, _ = step(x)
        x.block_until_ready()
        if (now() - start) / 5 >= goal or size > 4096:
            return step, x
        size = int(size * 1.2)


def measure(block: Callable[[], None], pairs: int, directory: str) -> tuple[list[float], list[float]]:
    """Seconds of the block without and with a recorder, alternating."""
    without: list[float] = []
    with_it: list[float] = []
    for pair in range(pairs):
        for hooked in (pair % 2 == 0, pair % 2 == 1):
            recorder = Recorder(directory=directory).start() if hooked else None
            block()  # what a start costs once is not the question here
            start = now()
            block()
            seconds = now() - start
            if recorder is not None:
                recorder.stop()
            (with_it if hooked else without).append(seconds)
    return without, with_it


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
            x, _ = step(x)
        x.block_until_ready()

    def reading() -> None:
        x = start
        for _ in range(options.steps):
            x, loss = step(x)
            float(loss)
            np.asarray(loss)
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
            without, with_it = measure(block, options.pairs, directory)
        steps = options.steps * factor
        shares = [100 * (b - a) / a for a, b in zip(without, with_it, strict=True)]
        low, middle, high = statistics.quantiles(shares, n=4)
        best = 100 * (min(with_it) - min(without)) / min(without)
        print(
            f"{name}: {1e3 * statistics.median(without) / steps:.3f} ms a step, on-off median {middle:+.2f} % "
            f"(quartiles {low:+.2f} .. {high:+.2f}), best runs {best:+.2f} %"
        )


if __name__ == "__main__":
    main()
