"""Every way to apply a transform, and every way to be called by traced code."""

from __future__ import annotations

from snippets import cases, check

APPLIED = {
    "decorator": """
        @jax.jit
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
    """,
    "decorator with arguments": """
        @jax.jit(static_argnames="n")
        def f(x, n):
            if n > 0:
                return x
            if x > 0:  # event: tracer-bool if
                return x

        f(jnp.ones(()), n=0)
    """,
    "partial as decorator": """
        @partial(jax.jit, static_argnums=1)
        def f(x, n):
            if n:
                x = x + 1
            if x > 0:  # event: tracer-bool if
                return x
    """,
    "partial through a name": """
        fast = functools.partial(jax.jit, static_argnames=("n",))

        @fast
        def f(x, n=2):
            if n:
                x = x + 1
            if x > 0:  # event: tracer-bool if
                return x
    """,
    "call": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        jax.jit(f)(1.0)
    """,
    "call with the function by keyword": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        jax.jit(fun=f)(1.0)  # event: retired-name argument
    """,
    "assignment": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        f = jax.jit(f)
    """,
    "method": """
        class Model:
            @partial(jax.jit, static_argnums=0)
            def step(self, x):
                if x > 0:  # event: tracer-bool if
                    return x

        Model().step(jnp.ones(()))
    """,
    "method that nobody calls": """
        class Model:
            @partial(jax.jit, static_argnums=(0,))
            def step(self, x):
                if x.sum() > 0:  # event: tracer-bool if
                    return x
    """,
    "bound method": """
        class Model:
            def __init__(self):
                self.flag = True
                self.fast = jax.jit(self.step)

            def step(self, x):
                if self.flag:
                    x = x + 1
                if x > 0:  # event: tracer-bool if
                    return x

        Model().fast(jnp.ones(()))
    """,
    "bound method of an instance": """
        class Model:
            def step(self, x):
                if x > 0:  # event: tracer-bool if
                    return x

        model = Model()
        step = jax.jit(model.step)
        step(jnp.ones(()))
    """,
    "nested transforms": """
        def loss(w, x):
            if x > 0:  # event: tracer-bool if
                return w * x
            return w

        step = jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0)))
        step(jnp.ones(()), jnp.ones(3))
    """,
    "factory": """
        def make(scale):
            def step(x):
                if x > scale:  # event: tracer-bool if
                    return x
                return scale * x

            return jax.jit(step)

        step = make(2.0)
        step(jnp.ones(()))
    """,
    "factory that nobody calls": """
        def make(scale):
            @jax.jit
            def step(x):
                if x.sum() > 0:  # event: tracer-bool if
                    return x
                return scale * x

            return step
    """,
    "dict": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        steps = {"train": jax.jit(f), "other": jax.jit(lambda x: x)}
        steps["train"](jnp.ones(()))
    """,
    "tuple": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        def make():
            return jax.jit(f), jax.jit(lambda x: x)

        first, second = make()
        first(jnp.ones(()))
    """,
    "alias of the transform": """
        from jax import jit as compile_it

        compiled = compile_it

        @compiled
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
    """,
    "alias of the function": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        g = f
        h = jax.jit(g)
        h(jnp.ones(()))
    """,
    "the user's wrapper": """
        def fast(f, **options):
            return jax.jit(f, **options)

        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        g = fast(f)
        g(jnp.ones(()))
    """,
    "the user's decorator": """
        def fast(f):
            @functools.wraps(f)
            def inner(*args):
                return compiled(*args)

            compiled = jax.jit(f)
            return inner

        @fast
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        f(jnp.ones(()))
    """,
    "the user's decorator with arguments": """
        def fast(static=()):
            def wrap(f):
                return jax.jit(f, static_argnames=static)

            return wrap

        @fast(static=("n",))
        def f(x, n):
            if n:
                x = x + 1
            if x > 0:  # event: tracer-bool if
                return x

        f(jnp.ones(()), n=3)
    """,
    "lambda": """
        f = jax.jit(lambda x: x if x > 0 else -x)  # event: tracer-bool ternary
        f(jnp.ones(()))
    """,
    "__call__": """
        class Scale:
            def __init__(self, by):
                self.by = by

            def __call__(self, x):
                if x > self.by:  # event: tracer-bool if
                    return x

        f = jax.jit(Scale(2.0))
        f(jnp.ones(()))
    """,
    "conditional decorator": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x

        def run(fast: bool):
            g = jax.jit(f) if fast else f
            return g(jnp.ones(()))
    """,
    "helper called by traced code": """
        def helper(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        @jax.jit
        def f(x):
            return helper(x + 1)

        f(jnp.ones(()))
    """,
    "helper three calls down": """
        def deepest(x):
            return float(x)  # event: tracer-convert float

        def deeper(x):
            return deepest(x)

        def deep(x):
            return deeper(x)

        @jax.jit
        def f(x):
            return deep(x)

        f(jnp.ones(()))
    """,
    "closure over a traced argument": """
        @jax.jit
        def f(x):
            def inner():
                if x > 0:  # event: tracer-bool if
                    return x
                return -x

            return inner()

        f(jnp.ones(()))
    """,
    "starred arguments": """
        @jax.jit
        def f(*xs):
            for x in xs:
                if x > 0:  # event: tracer-bool if
                    return x

        f(jnp.ones(()), jnp.ones(()))
    """,
    "keyword arguments": """
        @jax.jit
        def f(**batch):
            if batch["x"] > 0:  # event: tracer-bool if
                return batch["x"]

        f(x=jnp.ones(()))
    """,
    "partial of a compiled function": """
        @jax.jit
        def f(w, x):
            if x > 0:  # event: tracer-bool if
                return w * x

        g = partial(f, jnp.ones(()))
        g(jnp.ones(()))
    """,
    "static method and class method": """
        class Model:
            @staticmethod
            @jax.jit
            def one(x):
                if x > 0:  # event: tracer-bool if
                    return x

            @classmethod
            def two(cls, x):
                return cls.one(x)

        Model.two(jnp.ones(()))
    """,
    "property that holds a compiled function": """
        class Model:
            @property
            def step(self):
                return jax.jit(self._step)

            def _step(self, x):
                if x > 0:  # event: tracer-bool if
                    return x

        Model().step(jnp.ones(()))
    """,
}

NOT_APPLIED = {
    "called by nobody": """
        def f(x):
            if x > 0:
                return x
    """,
    "called eagerly as well as traced elsewhere": """
        def helper(x):
            return x * 2

        @jax.jit
        def f(x):
            return helper(x)

        if helper(2) > 3:
            f(jnp.ones(()))
    """,
    "another library's jit": """
        from mylib import jit

        @jit
        def f(x):
            if x > 0:
                return x
    """,
    "a name rebound": """
        def f(x):
            if x > 0:
                return x

        g = jax.jit(lambda x: x)
        g = f
        g(1.0)
    """,
    "an unknown decorator": """
        import mylib

        @mylib.timed
        def f(x):
            if x > 0:
                return x
    """,
    "one of two with a value that may be host": """
        def f(x):
            if x > 0:
                return x

        def run(flag):
            x = jnp.ones(()) if flag else 3.0
            return f(x)
    """,
}


@cases(APPLIED)
def test_applied(snippet: str) -> None:
    check(snippet)


@cases(NOT_APPLIED)
def test_not_applied(snippet: str) -> None:
    check(snippet)
