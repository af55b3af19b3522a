"""Static arguments stay Python values; a specification that is wrong is an event of its own."""

from __future__ import annotations

from snippets import cases, check

STATIC = {
    "by number": """
        @partial(jax.jit, static_argnums=(1,))
        def f(x, n):
            if n > 2:
                return x
            for _ in range(n):
                x = x + 1
            return x

        f(jnp.ones(3), 2)
    """,
    "by a negative number": """
        @partial(jax.jit, static_argnums=-1)
        def f(x, n):
            return x if n else -x

        f(jnp.ones(3), True)
    """,
    "by name": """
        @partial(jax.jit, static_argnames=("n",))
        def f(x, n):
            return x if n else -x

        f(jnp.ones(3), n=True)
    """,
    "by name, passed by position": """
        @partial(jax.jit, static_argnames="n")
        def f(x, n):
            return x if n else -x

        f(jnp.ones(3), True)
    """,
    "by number, passed by keyword": """
        @partial(jax.jit, static_argnums=1)
        def f(x, n):
            return x if n else -x

        f(jnp.ones(3), n=True)
    """,
    "by both": """
        @partial(jax.jit, static_argnums=(1,), static_argnames=("mode",))
        def f(x, n, mode):
            if n and mode == "mean":
                return x.mean()
            return x

        f(jnp.ones(3), True, mode="mean")
    """,
    "names through a variable": """
        STATIC = ("n", "mode")

        @partial(jax.jit, static_argnames=STATIC)
        def f(x, n, mode):
            return x if n and mode == "a" else -x
    """,
    "names that are not known": """
        def build(names):
            @partial(jax.jit, static_argnames=names)
            def f(x, n):
                return x if n else -x

            return f
    """,
    "keyword-only": """
        @partial(jax.jit, static_argnames="train")
        def f(x, *, train):
            return x if train else -x

        f(jnp.ones(3), train=True)
    """,
    "self": """
        class Model:
            def __init__(self, depth):
                self.depth = depth

            @partial(jax.jit, static_argnums=0)
            def step(self, x):
                for _ in range(self.depth):
                    x = x + 1
                if self.depth > 2:
                    return x
                return -x

        Model(3).step(jnp.ones(3))
    """,
    "self by name": """
        class Model:
            depth = 3

            @partial(jax.jit, static_argnames=("self",))
            def step(self, x):
                return x if self.depth > 2 else -x

        Model().step(jnp.ones(3))
    """,
    "bound by partial": """
        def f(n, x):
            return x if n > 2 else -x

        jax.jit(partial(f, 3))(jnp.ones(3))
    """,
    "bound by partial with a keyword": """
        def f(x, n):
            return x if n > 2 else -x

        jax.jit(partial(f, n=3))(jnp.ones(3))
    """,
    "a default that nobody overrides": """
        @jax.jit
        def f(x, n=3, mode="mean"):
            if mode == "mean" and n > 2:
                return x.mean()
            return x

        f(jnp.ones(3))
    """,
    "a default of a function that nobody calls": """
        @jax.jit
        def f(x, axis=None, keepdims=False):
            if axis is None or keepdims:
                return x.sum()
            return x
    """,
    "closed over": """
        def make(n):
            @jax.jit
            def f(x):
                return x if n > 2 else -x

            return f

        make(3)(jnp.ones(3))
    """,
    "nnx.jit leaves configuration alone": """
        from flax import nnx

        class Model(nnx.Module):
            def __init__(self, rngs):
                self.depth = 3
                self.layer = nnx.Linear(4, 4, rngs=rngs)

            def __call__(self, x):
                if self.depth > 2:
                    x = self.layer(x)
                return x

        @nnx.jit
        def step(model, x):
            return model(x)

        step(Model(nnx.Rngs(0)), jnp.ones((2, 4)))
    """,
    "filter_jit leaves all but arrays alone": """
        import equinox as eqx

        @eqx.filter_jit
        def f(x, n, mode, flag):
            if n > 2 and mode == "mean" and flag:
                return x.mean()
            return x

        f(jnp.ones(3), 3, "mean", True)
    """,
    "a static outer parameter in a nested loss": """
        @partial(jax.jit, static_argnames="train")
        def step(w, x, train):
            def loss(w):
                y = w * x
                if train:
                    y = y + 1
                return y.sum()

            return jax.grad(loss)(w)

        step(jnp.ones(3), jnp.ones(3), True)
    """,
    "static for checkpoint": """
        @partial(jax.checkpoint, static_argnums=(1,))
        def f(x, train):
            return x if train else -x

        f(jnp.ones(3), True)
    """,
    "an enum": """
        import enum

        class Mode(enum.Enum):
            TRAIN = 1
            EVAL = 2

        @partial(jax.jit, static_argnames="mode")
        def f(x, mode):
            return x if mode is Mode.TRAIN else -x

        f(jnp.ones(3), mode=Mode.TRAIN)
    """,
    "a frozen dataclass": """
        @dataclasses.dataclass(frozen=True)
        class Config:
            depth: int = 3
            mode: str = "mean"

        @partial(jax.jit, static_argnums=1)
        def f(x, config):
            for _ in range(config.depth):
                x = x + 1
            return x.mean() if config.mode == "mean" else x

        f(jnp.ones(3), Config())
    """,
}

TRACED = {
    "not the static one": """
        @partial(jax.jit, static_argnums=(1,))
        def f(x, n, m):
            if n:
                x = x + 1
            if m:  # event: tracer-bool if
                x = x + 2
            return x

        f(jnp.ones(3), True, True)
    """,
    "a Python number under jit": """
        @jax.jit
        def f(x, n):
            for _ in range(n):  # event: tracer-convert range
                x = x + 1
            return x

        f(jnp.ones(3), 3)
    """,
    "a default that a call overrides": """
        @jax.jit
        def f(x, flag=False):
            if flag:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3), flag=True)
    """,
    "a float of a config pytree": """
        @jax.jit
        def f(x, config):
            if config["scale"] > 1:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3), {"scale": 2.0})
    """,
    "an int field of a registered dataclass": """
        @partial(jax.tree_util.register_dataclass, data_fields=["x", "n"], meta_fields=["mode"])
        @dataclasses.dataclass
        class State:
            x: jax.Array
            n: int
            mode: str

        @jax.jit
        def f(state):
            if state.mode == "mean":
                return state.x.mean()
            if state.n > 2:  # event: tracer-bool if
                return state.x
            return -state.x

        f(State(jnp.ones(3), 3, "sum"))
    """,
}

WRONG = {
    "unknown name": """
        @partial(jax.jit, static_argnames=("trian",))  # event: static-spec unknown-name
        def f(x, train):
            return x
    """,
    "out of range": """
        @partial(jax.jit, static_argnums=(2,))  # event: static-spec out-of-range
        def f(x, n):
            return x
    """,
    "static and donated": """
        @partial(jax.jit, static_argnums=(1,), donate_argnums=(1,))  # event: static-spec overlap
        def f(x, n):
            return x
    """,
    "a string that is traced": """
        @jax.jit  # event: static-spec missing
        def f(x, mode):
            return x

        f(jnp.ones(3), "mean")
    """,
    "a callable that is traced": """
        @jax.jit  # event: static-spec missing
        def f(x, act):
            return act(x)

        f(jnp.ones(3), jnp.tanh)
    """,
    "an unhashable static": """
        @partial(jax.jit, static_argnames="sizes")
        def f(x, sizes):
            return x

        f(jnp.ones(3), sizes=[1, 2])  # event: compiled-call static-unhashable
    """,
    "a static that varies": """
        @partial(jax.jit, static_argnums=1)
        def f(x, n):
            return x * n

        x = jnp.ones(3)
        for i in range(100):
            x = f(x, i)  # event: compiled-call static-varies
    """,
}


@cases(STATIC)
def test_stays_python(snippet: str) -> None:
    check(snippet)


@cases(TRACED)
def test_is_traced(snippet: str) -> None:
    check(snippet)


@cases(WRONG)
def test_specification(snippet: str) -> None:
    check(snippet)
