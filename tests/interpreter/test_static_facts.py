"""What is static on a tracer, and what asks for its value."""

from __future__ import annotations

from snippets import cases, check

STATIC = {
    "attributes": """
        @jax.jit
        def f(x):
            if x.ndim > 1 and x.shape[0] > 2 and x.size > 3 and x.dtype == jnp.float32:
                return x.sum()
            n, d = x.shape
            for _ in range(n):
                x = x + d
            return x if x.nbytes > 100 else -x

        f(jnp.ones((3, 4)))
    """,
    "sharding and aval": """
        @jax.jit
        def f(x):
            if x.aval.shape == (3,) or x.weak_type:
                return x
            if x.sharding is not None:
                return -x
            return x

        f(jnp.ones(3))
    """,
    "len": """
        @jax.jit
        def f(x):
            if len(x) > 2:
                return x
            return x * len(x)

        f(jnp.ones(3))
    """,
    "isinstance": """
        @jax.jit
        def f(x):
            if isinstance(x, (jax.Array, np.ndarray)):
                return x
            if isinstance(x, jax.core.Tracer):
                return -x
            return x

        f(jnp.ones(3))
    """,
    "is None": """
        @jax.jit
        def f(x, mask=None):
            if mask is None:
                return x
            if mask is not None and x is not None:
                x = x * mask
            return x

        f(jnp.ones(3), jnp.ones(3))
    """,
    "hasattr, callable and type": """
        @jax.jit
        def f(x):
            if hasattr(x, "shape") and not callable(x):
                return x
            if type(x) is dict:
                return 0
            return -x

        f(jnp.ones(3))
    """,
    "jnp.ndim and its kin": """
        @jax.jit
        def f(x):
            if jnp.ndim(x) > 1 or jnp.shape(x)[0] > 2 or jnp.size(x) > 3:
                return x
            if jnp.issubdtype(x.dtype, jnp.floating) and jnp.result_type(x) == jnp.float32:
                return x
            if jnp.iscomplexobj(x):
                return x.real
            return -x

        f(jnp.ones(3))
    """,
    "tree structure": """
        @jax.jit
        def f(a, b):
            if jax.tree.structure(a) == jax.tree.structure(b):
                return a
            if jax.tree_util.tree_structure(a) != jax.tree_util.tree_structure(b):
                return b
            return a

        f({"x": jnp.ones(3)}, {"x": jnp.ones(3)})
    """,
    "keys and lengths of containers": """
        @jax.jit
        def f(params, xs):
            if "bias" in params:
                xs = [x + params["bias"] for x in xs]
            if len(xs) > 1 and len(params) and xs:
                return xs[0] + xs[1]
            for name, value in params.items():
                if name.startswith("w"):
                    xs = [x * value for x in xs]
            if params:
                return xs
            return None

        f({"w": jnp.ones(3), "bias": jnp.ones(3)}, [jnp.ones(3), jnp.ones(3)])
    """,
    "keys of a tree nobody calls with": """
        @jax.jit
        def f(params, batch):
            if "mask" in batch:
                return params
            if batch.get("labels") is not None:
                return batch
            for key in params:
                if key != "w":
                    return params[key]
            return params
    """,
    "loops over layers and leaves": """
        @jax.jit
        def f(params, x):
            for w in params["layers"]:
                x = x @ w
            for leaf in jax.tree.leaves(params):
                x = x + leaf.sum()
            for w, b in zip(params["layers"], params["layers"]):
                x = x @ w + b
            for i, w in enumerate(params["layers"]):
                if i > 0:
                    x = x @ w
            return x

        f({"layers": [jnp.ones((3, 3)), jnp.ones((3, 3))]}, jnp.ones(3))
    """,
    "numpy on shapes": """
        @jax.jit
        def f(x):
            scale = float(np.sqrt(x.shape[-1]))
            size = int(np.prod(x.shape))
            if np.prod(x.shape) > 10:
                return x / scale
            return x.reshape(size)

        f(jnp.ones((3, 4)))
    """,
    "math on shapes": """
        import math

        @jax.jit
        def f(x):
            if math.ceil(x.shape[0] / 2) > 1:
                return x * math.sqrt(x.shape[0])
            return x

        f(jnp.ones((3, 4)))
    """,
    "python arithmetic of builtins on tracers": """
        @jax.jit
        def f(x, y):
            total = sum([x, y])
            return abs(total) + round(x) + divmod(x, y)[0] + pow(x, 2)

        f(jnp.ones(()), jnp.ones(()))
    """,
    "plain f-string and debug print": """
        @jax.jit
        def f(x):
            name = f"{x}"
            jax.debug.print("x = {x}", x=x)
            return x

        f(jnp.ones(()))
    """,
    "device count": """
        @jax.jit
        def f(x):
            if jax.device_count() > 1 or jax.default_backend() == "gpu":
                return x
            return -x

        f(jnp.ones(()))
    """,
}

VALUES = {
    "booleans": """
        @jax.jit
        def f(x, y):
            a = x and y  # event: tracer-bool and
            b = x or y  # event: tracer-bool or
            c = not x  # event: tracer-bool not
            d = 0 < x < 1  # event: tracer-bool chained-comparison
            return a, b, c, d

        f(jnp.ones(()), jnp.ones(()))
    """,
    "builtins that ask": """
        @jax.jit
        def f(x, y):
            a = max(x, y)  # event: tracer-bool max
            b = min([x, y])  # event: tracer-bool min
            c = sorted([x, y])  # event: tracer-bool sorted
            d = any([x, y])  # event: tracer-bool any
            e = all(v > 0 for v in [x, y])  # event: tracer-bool all
            g = [v for v in [x, y] if v > 0]  # event: tracer-bool comprehension
            return a, b, c, d, e, g

        f(jnp.ones(()), jnp.ones(()))
    """,
    "in a list": """
        @jax.jit
        def f(x):
            if x in [1, 2]:  # event: tracer-bool in
                return x
            return -x

        f(jnp.ones(()))
    """,
    "match": """
        @jax.jit
        def f(x):
            match x:
                case 0:  # event: tracer-bool match
                    return x
                case _:
                    return -x

        f(jnp.ones(()))
    """,
    "conversions": """
        import math

        @jax.jit
        def f(x, i):
            a = float(x)  # event: tracer-convert float
            b = int(x)  # event: tracer-convert int
            c = x.item()  # event: tracer-convert .item
            d = x.tolist()  # event: tracer-convert .tolist
            e = math.sqrt(x)  # event: tracer-convert math
            g = [1, 2, 3][i]  # event: tracer-convert list-index
            h = {0: 1}[i]  # event: tracer-convert dict-key
            k = f"{x:.2f}"  # event: tracer-convert format
            return a

        f(jnp.ones(()), 1)
    """,
    "numpy": """
        @jax.jit
        def f(x):
            a = np.exp(x)  # event: tracer-array call
            b = np.asarray(x)  # event: tracer-array call
            c = np.ones(3)
            c[0] = x[0]  # event: tracer-array assign
            return a

        f(jnp.ones(3))
    """,
    "shapes": """
        @jax.jit
        def f(x, n):
            a = jnp.zeros(n)  # event: tracer-shape argument
            b = x[:n]  # event: tracer-shape slice
            c = x[x > 0]  # event: tracer-shape mask
            d = jnp.nonzero(x)  # event: tracer-shape size
            e = jnp.nonzero(x, size=2)
            g = jnp.arange(n)  # event: tracer-shape argument
            return a

        f(jnp.ones(3), 2)
    """,
    "types": """
        @jax.jit
        def f(x):
            if isinstance(x, float):  # event: tracer-type-test isinstance
                return x
            return -x

        f(1.0)
    """,
    "writes": """
        @jax.jit
        def f(x):
            x[0] = 1.0  # event: array-write item
            x[1] += 1.0  # event: array-write augmented
            x.at[2].set(3.0)  # event: array-write discarded
            y = x.at[2].set(3.0)
            return y

        f(jnp.ones(3))
    """,
    "jnp on constants": """
        LIMIT = 3

        @jax.jit
        def f(x):
            if jnp.prod(jnp.array(x.shape)) > LIMIT:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones((3, 4)))
    """,
    "jnp.array_equal of shapes": """
        @jax.jit
        def f(x, y):
            if jnp.array_equal(jnp.array(x.shape), jnp.array(y.shape)):  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones((3, 4)), jnp.ones((3, 4)))
    """,
    "x or default": """
        @jax.jit
        def f(x, scale=None):
            scale = scale or 1.0  # event: tracer-bool or
            return x * scale

        f(jnp.ones(()), 2.0)
    """,
}


@cases(STATIC)
def test_is_static(snippet: str) -> None:
    check(snippet)


@cases(VALUES)
def test_asks_for_a_value(snippet: str) -> None:
    check(snippet)
