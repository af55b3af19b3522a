"""What a test, an early exit or a guard says about the values behind it."""

from __future__ import annotations

from snippets import cases, check

NARROWED = {
    "is None, return": """
        @jax.jit
        def f(x, mask=None):
            if mask is None:
                return x
            return jnp.where(mask, x, 0)

        f(jnp.ones(3))
        f(jnp.ones(3), jnp.ones(3))
    """,
    "is not None, else": """
        def helper(x, n=None):
            if n is not None:
                return x * n
            else:
                return x if n is None else -x

        jax.jit(helper)(jnp.ones(3))
    """,
    "isinstance of a tracer": """
        def helper(x):
            if isinstance(x, jax.core.Tracer):
                return x
            if x > 0:
                return float(x)
            return -x

        jax.jit(helper)(jnp.ones(()))
    """,
    "not isinstance of a tracer": """
        def helper(x):
            if not isinstance(x, jax.core.Tracer) and x > 0:
                return x
            return -x

        jax.jit(helper)(jnp.ones(()))
    """,
    "is_concrete": """
        def helper(x):
            if jax.core.is_concrete(x):
                return float(x)
            return x

        jax.jit(helper)(jnp.ones(()))
    """,
    "try, TracerBoolConversionError": """
        def helper(x):
            try:
                if x > 0:
                    return x
            except jax.errors.TracerBoolConversionError:
                pass
            return -x

        jax.jit(helper)(jnp.ones(()))
    """,
    "try, ConcretizationTypeError": """
        def helper(x):
            try:
                return float(x)
            except jax.errors.ConcretizationTypeError:
                return x

        jax.jit(helper)(jnp.ones(()))
    """,
    "ensure_compile_time_eval": """
        @jax.jit
        def f(x):
            with jax.ensure_compile_time_eval():
                n = jnp.prod(jnp.array(x.shape))
                if n > 3:
                    return x
            return -x

        f(jnp.ones(3))
    """,
    "assert isinstance": """
        def helper(x):
            assert isinstance(x, (int, float))
            if x > 0:
                return x
            return -x

        def run(flag):
            return helper(3.0 if flag else jnp.ones(()))
    """,
    "isinstance of a float, then use": """
        def helper(x, scale):
            if isinstance(scale, (int, float)):
                if scale == 1.0:
                    return x
            return x * scale

        @jax.jit
        def f(x):
            return helper(x, 1.0)

        f(jnp.ones(3))
    """,
    "an option by its string": """
        def pool(x, how):
            if how == "max":
                return x.max()
            elif how == "mean":
                return x.mean()
            raise ValueError(how)

        @partial(jax.jit, static_argnames="how")
        def f(x, how="mean"):
            return pool(x, how)

        f(jnp.ones(3))
    """,
    "callable or array": """
        def schedule(lr, step):
            if callable(lr):
                return lr(step)
            return lr

        @jax.jit
        def f(step):
            return schedule(lambda s: s * 2, step) + schedule(0.1, step)

        f(jnp.ones(()))
    """,
    "a union of None and array": """
        def make(flag):
            return jnp.ones(3) if flag else None

        def run(flag):
            x = make(flag)
            if x is None:
                return 0
            return x + 1
    """,
    "raise behind a known test": """
        @jax.jit
        def f(x):
            if x.ndim != 1:
                raise ValueError(f"{x:.2f}")
            return x

        f(jnp.ones(3))
    """,
}

NOT_NARROWED = {
    "behind an early return": """
        @jax.jit
        def f(x, mask=None):
            if mask is None:
                return x
            if mask.sum() > 0:  # event: tracer-bool if
                return -x
            return x

        f(jnp.ones(3), jnp.ones(3))
    """,
    "outside the with": """
        @jax.jit
        def f(x):
            with jax.ensure_compile_time_eval():
                n = jnp.ones(())
            m = jnp.ones(()) * 2
            if m > 3:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3))
    """,
    "an exception of another kind": """
        @jax.jit
        def f(x):
            try:
                if x > 0:  # event: tracer-bool if
                    return x
            except KeyError:
                pass
            return -x

        f(jnp.ones(()))
    """,
    "isinstance of jax.Array": """
        @jax.jit
        def f(x):
            if isinstance(x, jax.Array) and x > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(()))
    """,
    "a walrus": """
        @jax.jit
        def f(x):
            if (y := x * 2) > 0:  # event: tracer-bool if
                return y
            return -x

        f(jnp.ones(()))
    """,
}


@cases(NARROWED)
def test_narrowed(snippet: str) -> None:
    check(snippet)


@cases(NOT_NARROWED)
def test_not_narrowed(snippet: str) -> None:
    check(snippet)
