"""Timed regions: a clock that stops while device work is in flight, or around a first call that compiles."""

from __future__ import annotations

from snippets import cases, check

STEP = """
        @jax.jit
        def step(x):
            return x * 2

        x = jnp.ones(1000)
        step(x).block_until_ready()
"""

UNBLOCKED = {
    "time.time": STEP
    + """
        start = time.time()
        y = step(x)
        print(time.time() - start)  # event: clock-stop
    """,
    "perf_counter": STEP
    + """
        start = time.perf_counter()
        for _ in range(100):
            x = step(x)
        end = time.perf_counter()  # event: clock-stop
        print(end - start)
    """,
    "monotonic, nanoseconds": STEP
    + """
        start = time.monotonic_ns()
        y = step(x)
        took = time.monotonic_ns() - start  # event: clock-stop
    """,
    "imported by name": STEP
    + """
        from time import perf_counter as clock

        start = clock()
        y = step(x)
        took = clock() - start  # event: clock-stop
    """,
    "a context manager": STEP
    + """
        class Timer:
            def __enter__(self):
                self.start = time.perf_counter()
                return self

            def __exit__(self, *args):
                self.took = time.perf_counter() - self.start  # event: clock-stop

        with Timer() as timer:
            y = step(x)
    """,
    "blocks on something else": STEP
    + """
        other = step(x)
        start = time.time()
        y = step(x)
        other.block_until_ready()
        print(time.time() - start)  # event: clock-stop
    """,
    "eager jnp": """
        x = jnp.ones((1000, 1000))
        start = time.time()
        y = x @ x
        print(time.time() - start)  # event: clock-stop
    """,
    "timeit": STEP
    + """
        import timeit

        print(timeit.timeit(lambda: step(x), number=100))  # event: clock-stop
    """,
    "effects_barrier does not wait for pure work": STEP
    + """
        start = time.time()
        y = step(x)
        jax.effects_barrier()
        print(time.time() - start)  # event: clock-stop
    """,
    "in a helper": STEP
    + """
        def measure(f, x):
            start = time.perf_counter()
            f(x)
            return time.perf_counter() - start  # event: clock-stop

        measure(step, x)
    """,
}

BLOCKED = {
    "block_until_ready": STEP
    + """
        start = time.time()
        y = step(x).block_until_ready()
        print(time.time() - start)
    """,
    "jax.block_until_ready": STEP
    + """
        start = time.time()
        y = jax.block_until_ready(step(x))
        print(time.time() - start)
    """,
    "float": STEP
    + """
        start = time.time()
        y = float(step(x).sum())
        print(time.time() - start)
    """,
    "np.asarray": STEP
    + """
        start = time.time()
        y = np.asarray(step(x))
        print(time.time() - start)
    """,
    "device_get": STEP
    + """
        start = time.time()
        y = jax.device_get(step(x))
        print(time.time() - start)
    """,
    "print": STEP
    + """
        start = time.time()
        print(step(x))
        print(time.time() - start)
    """,
    "on something computed from it": STEP
    + """
        start = time.time()
        y = step(x)
        z = step(y)
        z.block_until_ready()
        print(time.time() - start)
    """,
    "a tree map": STEP
    + """
        start = time.time()
        y = {"a": step(x)}
        jax.tree.map(lambda v: v.block_until_ready(), y)
        print(time.time() - start)
    """,
    "the user's wrapper": STEP
    + """
        def wait(tree):
            for leaf in jax.tree.leaves(tree):
                leaf.block_until_ready()

        start = time.time()
        y = step(x)
        wait(y)
        print(time.time() - start)
    """,
    "host only": STEP
    + """
        start = time.time()
        total = sum(range(1000))
        print(time.time() - start)
    """,
    "an unknown call may wait": STEP
    + """
        import mylib

        start = time.time()
        y = step(x)
        mylib.wait(y)
        print(time.time() - start)
    """,
    "in the loop": STEP
    + """
        start = time.perf_counter()
        for _ in range(100):
            x = step(x)
        x.block_until_ready()
        end = time.perf_counter()
    """,
    "a deadline": STEP
    + """
        deadline = time.time() + 60
        while time.time() < deadline:
            x = step(x)
            x.block_until_ready()
    """,
    "lower and compile": """
        @jax.jit
        def step(x):
            return x * 2

        start = time.time()
        compiled = step.lower(jnp.ones(3)).compile()
        print(time.time() - start)
    """,
    "equinox waits by itself": """
        import equinox as eqx

        @eqx.filter_jit
        def step(x):
            return x * 2

        x = step(jnp.ones(3))
        start = time.time()
        x = step(x)
        print(time.time() - start)
    """,
}

COMPILES = {
    "the first call": """
        @jax.jit
        def step(x):
            return x * 2

        x = jnp.ones(1000)
        start = time.time()
        step(x).block_until_ready()  # event: timed-compile
        print(time.time() - start)
    """,
    "warmed up": STEP
    + """
        start = time.time()
        step(x).block_until_ready()
        print(time.time() - start)
    """,
    "warmed up with another shape": STEP
    + """
        y = jnp.ones(2000)
        start = time.time()
        step(y).block_until_ready()  # event: timed-compile
        print(time.time() - start)
    """,
}


def test_timer_class_of_another_file_is_reported_at_the_with() -> None:
    files = {
        "timer.py": """
import time

class Timer:
    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, *args):
        self.took = time.perf_counter() - self.start
""",
        "main.py": """
import jax
import jax.numpy as jnp
from timer import Timer

step = jax.jit(lambda x: x * 2)
x = step(jnp.ones(3))
with Timer():  # event: clock-stop context
    step(x)
""",
    }
    check(files)


@cases(UNBLOCKED)
def test_stops_too_early(snippet: str) -> None:
    check(snippet)


@cases(BLOCKED)
def test_waits(snippet: str) -> None:
    check(snippet)


@cases(COMPILES)
def test_compile_time(snippet: str) -> None:
    check(snippet)
