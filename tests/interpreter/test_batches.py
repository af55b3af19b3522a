"""Batch sizes: whether the last batch is shorter, and what rules that out."""

from __future__ import annotations

from snippets import cases, check

STEP = """
        @jax.jit
        def step(x):
            return x * 2
"""

RAGGED = {
    "range in steps": STEP
    + """
        def run(x, bs):
            for i in range(0, len(x), bs):
                step(x[i : i + bs])  # event: compiled-call ragged-batch, host-to-device argument

        run(np.ones((1000, 3)), 64)
    """,
    "shape[0]": STEP
    + """
        def run(x: np.ndarray, bs: int):
            n = x.shape[0]
            for start in range(0, n, bs):
                stop = start + bs
                step(x[start:stop])  # event: compiled-call ragged-batch, host-to-device argument
    """,
    "min": STEP
    + """
        def run(x: jax.Array, bs: int):
            for start in range(0, len(x), bs):
                stop = min(start + bs, len(x))
                step(x[start:stop])  # event: compiled-call ragged-batch
    """,
    "rounded up": STEP
    + """
        import math

        def run(x: jax.Array, bs: int):
            for k in range(math.ceil(len(x) / bs)):
                step(x[k * bs : (k + 1) * bs])  # event: compiled-call ragged-batch
    """,
    "a permutation": STEP
    + """
        def run(x: jax.Array, rng, bs: int):
            order = rng.permutation(len(x))
            for start in range(0, len(x), bs):
                rows = order[start : start + bs]
                step(x[rows])  # event: compiled-call ragged-batch
    """,
    "constants that do not divide": STEP
    + """
        x = jnp.ones((1000, 3))
        for i in range(0, 1000, 64):
            step(x[i : i + 64])  # event: compiled-call ragged-batch
    """,
    "own generator": STEP
    + """
        def batches(x, bs):
            for i in range(0, len(x), bs):
                yield x[i : i + bs]

        def run(x: jax.Array, bs: int):
            for batch in batches(x, bs):
                step(batch)  # event: compiled-call ragged-batch
    """,
    "torch loader": STEP
    + """
        from torch.utils.data import DataLoader

        def run(dataset):
            loader = DataLoader(dataset, batch_size=64)
            for batch in loader:
                step(batch.numpy())  # event: compiled-call ragged-batch, host-to-device argument
    """,
    "tf.data": STEP
    + """
        import tensorflow as tf

        def run(x):
            ds = tf.data.Dataset.from_tensor_slices(x).batch(64).prefetch(1)
            for batch in ds.as_numpy_iterator():
                step(batch)  # event: compiled-call ragged-batch
    """,
    "array_split": STEP
    + """
        def run(x: np.ndarray, n: int):
            for part in np.array_split(x, n):
                step(part)  # event: compiled-call ragged-batch, host-to-device argument
    """,
}

EVEN = {
    "n - n % bs": STEP
    + """
        def run(x: jax.Array, bs: int):
            n = len(x)
            for i in range(0, n - n % bs, bs):
                step(x[i : i + bs])
    """,
    "n // bs * bs": STEP
    + """
        def run(x: jax.Array, bs: int):
            n = len(x) // bs * bs
            for i in range(0, n, bs):
                step(x[i : i + bs])
    """,
    "steps = n // bs": STEP
    + """
        def run(x: jax.Array, bs: int):
            steps = len(x) // bs
            for i in range(steps):
                step(x[i * bs : (i + 1) * bs])
    """,
    "reshaped": STEP
    + """
        def run(x: jax.Array, bs: int):
            steps = len(x) // bs
            batches = x[: steps * bs].reshape(steps, bs, 3)
            for i in range(steps):
                step(batches[i])
    """,
    "a constant that divides": STEP
    + """
        x = jnp.ones((1024, 3))
        for i in range(0, 1024, 64):
            step(x[i : i + 64])
    """,
    "range up to n - bs + 1": STEP
    + """
        def run(x: jax.Array, bs: int):
            n = len(x)
            for i in range(0, n - bs + 1, bs):
                step(x[i : i + bs])
    """,
    "asserted": STEP
    + """
        def run(x: jax.Array, bs: int):
            assert len(x) % bs == 0
            for i in range(0, len(x), bs):
                step(x[i : i + bs])
    """,
    "the short one is skipped": STEP
    + """
        def run(x: jax.Array, bs: int):
            for i in range(0, len(x), bs):
                batch = x[i : i + bs]
                if len(batch) < bs:
                    break
                step(batch)
    """,
    "padded": STEP
    + """
        def run(x: jax.Array, bs: int):
            for i in range(0, len(x), bs):
                batch = x[i : i + bs]
                short = bs - batch.shape[0]
                batch = jnp.pad(batch, ((0, short), (0, 0)))
                step(batch)
    """,
    "torch loader that drops": STEP
    + """
        from torch.utils.data import DataLoader

        def run(dataset):
            for batch in DataLoader(dataset, batch_size=64, drop_last=True):
                step(batch)
    """,
    "tf.data that drops": STEP
    + """
        import tensorflow as tf

        def run(x):
            for batch in tf.data.Dataset.from_tensor_slices(x).batch(64, drop_remainder=True):
                step(batch)
    """,
    "a window": STEP
    + """
        def run(x: jax.Array, n: int):
            for i in range(n):
                step(x[i : i + 16])
    """,
    "not compiled": """
        def run(x: np.ndarray, bs: int):
            for i in range(0, len(x), bs):
                print(np.mean(x[i : i + bs]))
    """,
    "set into a buffer": STEP
    + """
        def run(x: jax.Array, out: np.ndarray, bs: int):
            y = step(x)
            for i in range(0, len(out), bs):
                out[i : i + bs] = 0
            return y
    """,
}


@cases(RAGGED)
def test_ragged(snippet: str) -> None:
    check(snippet)


@cases(EVEN)
def test_even(snippet: str) -> None:
    check(snippet)
