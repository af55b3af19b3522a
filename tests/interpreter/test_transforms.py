"""Which transforms make abstract tracers, and which leave values that Python can branch on."""

from __future__ import annotations

from snippets import cases, check

TRACING = {
    "jit": """
        @jax.jit
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x
    """,
    "jit of a called function": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        g = jax.jit(f)
        g(jnp.ones(()))
    """,
    "pmap": """
        @jax.pmap
        def f(x):
            return x if x.sum() > 0 else -x  # event: tracer-bool ternary
    """,
    "pmap static": """
        @partial(jax.pmap, static_broadcasted_argnums=(1,))
        def f(x, flag):
            return x if flag else -x

        f(jnp.ones((1, 3)), True)
    """,
    "vmap": """
        def f(x):
            while x > 0:  # event: tracer-bool while
                x = x - 1
            return x

        jax.vmap(f)(jnp.arange(3.0))
    """,
    "vmap maps only what in_axes says": """
        def f(x, flag):
            if flag:
                return x
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        jax.vmap(f, in_axes=(0, None))(jnp.arange(3.0), False)
    """,
    "vmap keeps a Python int": """
        def f(x, n):
            for _ in range(n):
                x = x * 2
            return x

        jax.vmap(f, in_axes=(0, None))(jnp.arange(3.0), 3)
    """,
    "shard_map": """
        from jax import shard_map
        from jax.sharding import Mesh, PartitionSpec as P

        mesh = Mesh(np.array(jax.devices()), ("data",))

        def f(x):
            assert x.sum() > 0  # event: tracer-bool assert
            return x

        shard_map(f, mesh=mesh, in_specs=P("data"), out_specs=P("data"))(jnp.ones(8))
    """,
    "jax.shard_map as decorator": """
        from jax.sharding import Mesh, PartitionSpec as P

        mesh = Mesh(np.array(jax.devices()), ("data",))

        @partial(jax.shard_map, mesh=mesh, in_specs=P("data"), out_specs=P("data"))
        def f(x):
            if x.sum() > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(8))
    """,
    "scan": """
        def body(carry, x):
            if carry > 0:  # event: tracer-bool if
                carry = carry + x
            return carry, float(x)  # event: tracer-convert float

        lax.scan(body, jnp.zeros(()), jnp.arange(3.0))
    """,
    "while_loop": """
        def cond(x):
            return bool(x < 3)  # event: tracer-convert bool

        def body(x):
            return x + int(x)  # event: tracer-convert int

        lax.while_loop(cond, body, jnp.zeros(()))
    """,
    "fori_loop": """
        def body(i, x):
            if i > 2:  # event: tracer-bool if
                return x
            return x + 1

        lax.fori_loop(0, 5, body, jnp.zeros(()))
    """,
    "cond": """
        def yes(x):
            if x > 1:  # event: tracer-bool if
                return x
            return x + 1

        lax.cond(jnp.array(True), yes, lambda x: x, jnp.ones(()))
    """,
    "switch": """
        def one(x):
            return x.item()  # event: tracer-convert .item

        lax.switch(jnp.array(0), [one, lambda x: x], jnp.ones(()))
    """,
    "map": """
        def f(x):
            return x if x > 0 else -x  # event: tracer-bool ternary

        lax.map(f, jnp.arange(3.0))
    """,
    "associative_scan": """
        def combine(a, b):
            if a.sum() > b.sum():  # event: tracer-bool if
                return a
            return b

        lax.associative_scan(combine, jnp.arange(8.0))
    """,
    "checkpoint": """
        @jax.checkpoint
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(()))
    """,
    "remat": """
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        jax.remat(f)(jnp.ones(()))
    """,
    "eval_shape": """
        def f(x):
            if x.sum() > 0:  # event: tracer-bool if
                return x
            return -x

        jax.eval_shape(f, jnp.ones(3))
    """,
    "make_jaxpr": """
        def f(x):
            return np.sqrt(x)  # event: tracer-array call

        jax.make_jaxpr(f)(jnp.ones(3))
    """,
    "lower": """
        def f(x):
            return np.sqrt(x)  # event: tracer-array call

        jax.jit(f).lower(jnp.ones(3)).compile()
    """,
    "export": """
        from jax import export

        def f(x):
            if x.sum() > 0:  # event: tracer-bool if
                return x
            return -x

        export.export(jax.jit(f))(jax.ShapeDtypeStruct((3,), jnp.float32))
    """,
    "pallas kernel": """
        from jax.experimental import pallas as pl

        def kernel(x_ref, o_ref):
            x = x_ref[...]
            if x.sum() > 0:  # event: tracer-bool if
                o_ref[...] = x

        pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))(jnp.ones(8))
    """,
    "nnx.jit": """
        from flax import nnx

        @nnx.jit
        def f(x):
            if x.sum() > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3))
    """,
    "nnx.vmap": """
        from flax import nnx

        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        nnx.vmap(f)(jnp.ones(3))
    """,
    "nnx.scan": """
        from flax import nnx

        @nnx.scan
        def f(carry, x):
            if carry > 0:  # event: tracer-bool if
                carry = carry + x
            return carry, x

        f(jnp.ones(()), jnp.ones(3))
    """,
    "nnx.scan as decorator with axes": """
        from flax import nnx

        @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=(nnx.Carry, 0))
        def f(carry, x):
            if x > 0:  # event: tracer-bool if
                carry = carry + x
            return carry, x

        carry, ys = f(jnp.ones(()), jnp.ones(3))
        if carry > 0:
            print(ys)
    """,
    "nnx.remat": """
        from flax import nnx

        @nnx.remat
        def f(x):
            if x.sum() > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3))
    """,
    "linen lifted": """
        from flax import linen as nn

        class Cell(nn.Module):
            @nn.compact
            def __call__(self, carry, x):
                if carry.sum() > 0:  # event: tracer-bool if
                    carry = carry + x
                return carry, x

        class Model(nn.Module):
            @nn.compact
            def __call__(self, xs):
                scan = nn.scan(Cell, variable_broadcast="params", split_rngs={"params": False})
                carry, ys = scan()(jnp.zeros(3), xs)
                return carry
    """,
    "linen remat of a class": """
        from flax import linen as nn

        class Block(nn.Module):
            features: int = 4

            @nn.compact
            def __call__(self, x, train):
                if self.features > 2 and train:
                    x = x + 1
                if x.sum() > 0:  # event: tracer-bool if
                    return x
                return -x

        class Model(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.remat(Block, static_argnums=(2,))(features=8)(x, True)

        @jax.jit
        def apply(params, x):
            return Model().apply(params, x)

        apply({}, jnp.ones(3))
    """,
    "linen remat method": """
        from flax import linen as nn

        class Block(nn.Module):
            @nn.remat
            @nn.compact
            def __call__(self, x):
                if jnp.any(x > 0):  # event: tracer-bool if
                    return x
                return -x
    """,
    "eqx.filter_jit": """
        import equinox as eqx

        @eqx.filter_jit
        def f(x: jax.Array, flag: bool):
            if flag:
                return x
            if x.sum() > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3), False)
    """,
    "eqx.filter_vmap": """
        import equinox as eqx

        @eqx.filter_vmap
        def f(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(3))
    """,
    "hk.scan": """
        import haiku as hk

        def body(carry, x):
            if carry > 0:  # event: tracer-bool if
                carry = carry + x
            return carry, x

        hk.scan(body, jnp.zeros(()), jnp.arange(3.0))
    """,
    "nested in compiled code": """
        @jax.jit
        def f(xs):
            def body(carry, x):
                if x > 0:  # event: tracer-bool if
                    return carry, x
                return carry + 1, x

            return lax.scan(body, 0.0, xs)

        f(jnp.arange(3.0))
    """,
    "grad under jit": """
        def loss(w):
            if w > 0:  # event: tracer-bool if
                return w
            return -w

        @jax.jit
        def step(w):
            return w - jax.grad(loss)(w)

        step(jnp.ones(()))
    """,
}

EAGER = {
    "grad": """
        def loss(w):
            if w > 0:
                return w**2
            return -w

        jax.grad(loss)(jnp.ones(()))
    """,
    "value_and_grad": """
        def loss(w, n):
            for _ in range(n):
                if w > 0:
                    w = w * 2
            return w

        jax.value_and_grad(loss)(jnp.ones(()), 3)
    """,
    "jvp": """
        def f(x):
            return x if x > 0 else -x

        jax.jvp(f, (jnp.ones(()),), (jnp.ones(()),))
    """,
    "vjp": """
        def f(x):
            return x if x > 0 else -x

        y, pull = jax.vjp(f, jnp.ones(()))
        pull(y)
    """,
    "hessian and linearize": """
        def f(x):
            return x if x > 0 else -x

        jax.hessian(f)(1.0)
        jax.linearize(f, 1.0)
    """,
    "item under grad": """
        def f(x):
            print(x.item())
            return x * 2

        jax.grad(f)(1.0)
    """,
    "eager jnp": """
        x = jnp.ones(3)
        if x.sum() > 0:
            print(float(x[0]))
    """,
    "disable_jit is not known to be off": """
        def f(x):
            if x > 0:
                return x
            return -x

        f(jnp.ones(()))
    """,
}

EAGER_CONVERSIONS = {
    "float under grad": """
        def f(x):
            return x * float(x)  # event: tracer-convert float

        jax.grad(f)(1.0)
    """,
    "numpy under grad": """
        def f(x):
            return np.sin(x)  # event: tracer-array call

        jax.grad(f)(1.0)
    """,
}

HOST = {
    "pure_callback": """
        def host(x):
            if x > 0:
                return np.sqrt(x)
            return x

        @jax.jit
        def f(x):
            return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)

        f(jnp.ones(()))
    """,
    "io_callback": """
        from jax.experimental import io_callback

        def save(x):
            print(float(x))

        @jax.jit
        def f(x):
            io_callback(save, None, x)
            return x

        f(jnp.ones(()))
    """,
    "debug.callback": """
        seen = []

        @jax.jit
        def f(x):
            jax.debug.callback(lambda v: seen.append(float(v)), x)
            jax.debug.print("x = {}", x)
            return x

        f(jnp.ones(()))
    """,
    "a numba kernel is not JAX": """
        import numba

        @numba.jit
        def f(x):
            if x > 0:
                return x
            return -x

        f(1.0)
    """,
    "torch.jit and triton.jit are not JAX": """
        import torch
        import triton

        @triton.jit
        def kernel(x):
            if x > 0:
                return x

        @torch.jit.script
        def g(x):
            if x > 0:
                return x
    """,
}


@cases(TRACING)
def test_traces(snippet: str) -> None:
    check(snippet)


@cases(EAGER)
def test_has_values(snippet: str) -> None:
    check(snippet)


@cases(EAGER_CONVERSIONS)
def test_eager_derivatives_still_have_no_numbers(snippet: str) -> None:
    check(snippet)


@cases(HOST)
def test_runs_on_the_host(snippet: str) -> None:
    check(snippet)
