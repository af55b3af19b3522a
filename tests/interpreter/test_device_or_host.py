"""Which values live on the device: reading one in a hot loop waits, a host value costs nothing."""

from __future__ import annotations

from snippets import cases, check

STEP = """
        @jax.jit
        def step(x):
            return x * 2

        def run(x, n):
            for i in range(n):
"""

READS = {
    "float of a compiled call": STEP
    + """
                x = step(x)
                print_it = float(x)  # event: host-read float
    """,
    "item, int, bool, tolist": STEP
    + """
                x = step(x)
                a = x.item()  # event: host-read .item
                b = int(step(x))  # event: host-read int
                c = bool(step(x))  # event: host-read bool
                d = step(x).tolist()  # event: host-read .tolist
    """,
    "numpy": STEP
    + """
                x = step(x)
                y = np.asarray(x)  # event: host-read numpy
                z = np.sqrt(step(x))  # event: host-read numpy
                w = np.mean(step(x))
    """,
    "device_get": STEP
    + """
                x = step(x)
                y = jax.device_get(x)  # event: host-read numpy
    """,
    "print and f-string": STEP
    + """
                x = step(x)
                print(i, x)  # event: host-read print
                y = step(x)
                print(f"{i}: {y}")  # event: host-read print
    """,
    "branch": STEP
    + """
                x = step(x)
                if x > 3:  # event: host-read branch
                    pass
    """,
    "iteration": """
        @jax.jit
        def step(x):
            return x * 2

        def run(n):
            x = jnp.ones(1000)
            for i in range(n):
                x = step(x)
                for v in x:  # event: device-iterate for
                    print(v)  # event: host-read print
    """,
    "a dict of metrics": """
        @jax.jit
        def step(x):
            return x * 2, {"loss": x.sum(), "norm": x.max()}

        def run(x, n):
            log = []
            for i in range(n):
                x, metrics = step(x)
                log.append({k: float(v) for k, v in metrics.items()})  # event: host-read float
    """,
    "eager jnp between compiled calls": STEP
    + """
                x = step(x)
                y = jnp.mean(x)
                z = float(y)  # event: host-read float
    """,
    "block_until_ready": STEP
    + """
                x = step(x)
                x.block_until_ready()  # event: host-block
                jax.block_until_ready(step(x))  # event: host-block
    """,
}

HOST = {
    "float of a host value": STEP
    + """
                x = step(x)
                y = float(np.ones(3).mean())
                z = int(i / 2)
    """,
    "float of what was fetched": STEP
    + """
                x = step(x)
        y = np.asarray(jnp.ones(3))
        z = float(y[0])
        if y.sum() > 3:
            print(y)
    """,
    "metrics once an epoch": """
        @jax.jit
        def step(x):
            return x * 2

        def run(x, epochs, n):
            for epoch in range(epochs):
                for i in range(n):
                    x = step(x)
                print(epoch, float(x))
    """,
    "shapes and dtypes": STEP
    + """
                x = step(x)
                print(i, x.shape, x.dtype, len(x))
                if x.shape[0] > 3 and x.ndim == 2:
                    pass
    """,
    "is None and isinstance": STEP
    + """
                x = step(x)
                if x is None or isinstance(x, np.ndarray):
                    break
    """,
    "appending without reading": STEP
    + """
                x = step(x)
                log.append(x)
        print([float(v) for v in log])
    """.replace("log.append", "LOG.append").replace("in log", "in LOG"),
    "no device work in the loop": """
        def run(values):
            total = 0.0
            for v in values:
                total += float(v)
            return total
    """,
    "last step's value": STEP
    + """
                y = step(x)
                if i > 0:
                    print(float(x))
                x = y
    """,
    "the result of a host function": STEP
    + """
                x = step(x)
                loss = evaluate(i)
                print(float(loss))

        def evaluate(i):
            return np.mean([i, i + 1])
    """,
    "callbacks inside compiled code": """
        @jax.jit
        def step(x):
            jax.debug.callback(lambda v: print(float(v)), x)
            return x

        def run(x, n):
            for i in range(n):
                x = step(x)
    """,
}

CONSTANTS = {
    "jnp under jit is traced": """
        @jax.jit
        def f(x):
            if jnp.zeros(3).sum() > 0:  # event: tracer-bool if
                return x
            return float(jnp.pi * jnp.ones(()))  # event: tracer-convert float

        f(jnp.ones(()))
    """,
    "numpy under jit is not": """
        @jax.jit
        def f(x):
            if np.zeros(3).sum() > 0:
                return x
            return x * float(np.pi) + np.sqrt(2.0)

        f(jnp.ones(()))
    """,
    "a closed-over array keeps its value until jnp touches it": """
        LIMIT = jnp.ones(())

        @jax.jit
        def f(x):
            y = x * float(LIMIT)
            if LIMIT > 0:  # event: tracer-bool if
                return y
            return -y

        f(jnp.ones(()))
    """,
    "constants outside": """
        LIMIT = jnp.ones(())
        if LIMIT > 0:
            SCALE = float(LIMIT)
    """,
    "under vmap constants have values": """
        def f(x):
            if jnp.ones(()) > 0:
                return x
            return -x

        jax.vmap(f)(jnp.ones(3))
    """,
    "weak and strong dtypes": """
        @jax.jit
        def f(x, scale):
            return x * scale

        def run(x, n):
            scale = jnp.float32(2.0)
            for i in range(n):
                x = f(x, scale)
    """,
}


@cases(READS)
def test_waits_for_the_device(snippet: str) -> None:
    check(snippet)


@cases(HOST)
def test_does_not_wait(snippet: str) -> None:
    check(snippet)


@cases(CONSTANTS)
def test_constants(snippet: str) -> None:
    check(snippet)
