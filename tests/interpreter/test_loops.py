"""Hot and cold: a read counts where it happens in each iteration of a loop that dispatches device work."""

from __future__ import annotations

from snippets import cases, check

STEP = """
        @jax.jit
        def step(x):
            return x * 2
"""

HOT = {
    "for": STEP
    + """
        def run(x, n):
            for _ in range(n):
                x = step(x)
                print(float(x))  # event: host-read float
    """,
    "while": STEP
    + """
        def run(x, n):
            i = 0
            while i < n:
                x = step(x)
                print(float(x))  # event: host-read float
                i += 1
    """,
    "while True": STEP
    + """
        def run(x, queue):
            while True:
                x = step(x)
                if queue.empty():
                    break
                queue.put(float(x))  # event: host-read float
    """,
    "while on the value": STEP
    + """
        def run(x):
            while x < 3:  # event: host-read branch
                x = step(x)
    """,
    "a comprehension": STEP
    + """
        def run(xs):
            return [float(step(x)) for x in xs]  # event: host-read float
    """,
    "at module level": STEP
    + """
        x = jnp.ones(())
        for i in range(1000):
            x = step(x)
            print(i, float(x))  # event: host-read float
    """,
    "evaluation": STEP
    + """
        def evaluate(x, batches):
            correct = 0
            for batch in batches:
                correct += int(step(batch))  # event: host-read int
            return correct
    """,
    "a helper that reads": STEP
    + """
        def log(value):
            print(float(value))

        def run(x, n):
            for _ in range(n):
                x = step(x)
                log(x)  # event: host-read float
    """,
    "a helper that computes and reads": STEP
    + """
        def loss_of(x):
            return float(step(x))  # event: host-read float

        def run(xs):
            for x in xs:
                print(loss_of(x))
    """,
    "a method": """
        class Trainer:
            def __init__(self):
                self.step = jax.jit(lambda x: x * 2)
                self.x = jnp.ones(())

            def fit(self, n):
                for _ in range(n):
                    self.x = self.step(self.x)
                    print(float(self.x))  # event: host-read float
    """,
    "enumerate and zip": STEP
    + """
        def run(x, batches, labels):
            for i, (batch, label) in enumerate(zip(batches, labels)):
                x = step(x)
                print(i, float(x))  # event: host-read float
    """,
    "a flag does not gate": STEP
    + """
        def run(x, n, verbose, writer):
            for _ in range(n):
                x = step(x)
                if verbose:
                    print(float(x))  # event: host-read float
                if writer is not None:
                    writer.add(float(step(x)))  # event: host-read float
    """,
    "a generator drives": STEP
    + """
        def batches(n):
            for i in range(n):
                yield np.ones(3) * i

        def run(x, n):
            for batch in batches(n):
                x = step(x)
                print(float(x))  # event: host-read float
    """,
    "with tqdm": STEP
    + """
        from tqdm import tqdm

        def run(x, n):
            bar = tqdm(range(n))
            for _ in bar:
                x = step(x)
                bar.set_postfix(loss=float(x))  # event: host-read float
    """,
}

COLD = {
    "every hundredth step": STEP
    + """
        def run(x, n):
            for i in range(n):
                x = step(x)
                if i % 100 == 0:
                    print(float(x))
    """,
    "every nth step by a continue": STEP
    + """
        def run(x, n):
            for i in range(n):
                x = step(x)
                if i % 100:
                    continue
                print(float(x))
    """,
    "the last step": STEP
    + """
        def run(x, n):
            for i in range(n):
                x = step(x)
                if i == n - 1:
                    print(float(x))
    """,
    "after the loop": STEP
    + """
        def run(x, n):
            for i in range(n):
                x = step(x)
            print(float(x))
    """,
    "the epoch loop": STEP
    + """
        def run(x, epochs, batches):
            for epoch in range(epochs):
                for batch in batches:
                    x = step(x)
                print(epoch, float(x))
    """,
    "a break branch": STEP
    + """
        def run(x, batches):
            for i, batch in enumerate(batches):
                x = step(x)
                if i > 10:
                    print(float(x))
                    break
    """,
    "an except branch": STEP
    + """
        def run(x, batches):
            for batch in batches:
                try:
                    x = step(x)
                except RuntimeError:
                    print(float(x))
    """,
    "a helper behind a gate": STEP
    + """
        def log(i, x):
            if i % 100 == 0:
                print(float(x))

        def run(x, n):
            for i in range(n):
                x = step(x)
                log(i, x)
    """,
    "a counter": STEP
    + """
        def run(x, batches):
            seen = 0
            for batch in batches:
                x = step(x)
                seen += 1
                if seen == 50:
                    print(float(x))
                    seen = 0
    """,
    "a loop without device work": """
        def run(rows):
            for row in rows:
                print(float(np.mean(row)))
    """,
    "a loop of setup": """
        def run(names):
            params = {}
            for name in names:
                params[name] = jnp.zeros(3)
            return params
    """,
    "a loop in traced code": """
        @jax.jit
        def f(x):
            for _ in range(3):
                x = x * 2
            return x
    """,
    "a nested gate": STEP
    + """
        def run(x, n, log):
            for i in range(n):
                x = step(x)
                if log and i % 10 == 0 and i > 0:
                    print(float(x))
    """,
    "one loop of a constant one": STEP
    + """
        def run(x):
            for _ in range(1):
                x = step(x)
                print(float(x))
    """,
    "an empty loop": STEP
    + """
        def run(x):
            for _ in []:
                x = step(x)
                print(float(x))
    """,
}


@cases(HOT)
def test_hot(snippet: str) -> None:
    check(snippet)


@cases(COLD)
def test_cold(snippet: str) -> None:
    check(snippet)
