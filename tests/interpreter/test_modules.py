"""How JAX sees the instances of classes: which attributes are arrays, and which are configuration."""

from __future__ import annotations

from snippets import cases, check

NNX = """
        from flax import nnx

        class Model(nnx.Module):
            def __init__(self, depth, rngs):
                self.depth = depth
                self.act = nnx.relu
                self.name = "model"
                self.scale = nnx.Param(jnp.ones(()))
                self.layers = nnx.List([nnx.Linear(4, 4, rngs=rngs) for _ in range(depth)])
                self.norm = nnx.BatchNorm(4, rngs=rngs)

            def __call__(self, x, train=True):
"""

MODULES = {
    "nnx configuration is static": NNX
    + """
                if self.depth > 2 and self.name == "model" and train:
                    x = self.act(x)
                for layer in self.layers:
                    x = layer(x)
                if self.norm is not None:
                    x = self.norm(x)
                return x

        @nnx.jit
        def step(model, x):
            return model(x)

        step(Model(3, nnx.Rngs(0)), jnp.ones((2, 4)))
    """,
    "nnx state is traced": NNX
    + """
                if self.scale > 2:  # event: tracer-bool if
                    x = self.act(x)
                if self.scale[...] > 2:  # event: tracer-bool if
                    x = self.act(x)
                y = self.layers[0](x)
                if y.sum() > 0:  # event: tracer-bool if
                    return y
                return x

        @nnx.jit
        def step(model, x):
            return model(x)

        step(Model(3, nnx.Rngs(0)), jnp.ones((2, 4)))
    """,
    "nnx.Optimizer": """
        import optax
        from flax import nnx

        @nnx.jit
        def step(model, optimizer, x):
            def loss_fn(model):
                return (model(x) ** 2).mean()

            loss, grads = nnx.value_and_grad(loss_fn)(model)
            optimizer.update(model, grads)
            if loss > 3:  # event: tracer-bool if
                return loss
            return -loss

        model = nnx.Linear(4, 4, rngs=nnx.Rngs(0))
        optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
        step(model, optimizer, jnp.ones((2, 4)))
    """,
    "linen fields and param": """
        from flax import linen as nn

        class Model(nn.Module):
            features: int
            mode: str = "mean"
            act: Any = nn.relu

            @nn.compact
            def __call__(self, x, train: bool = True):
                w = self.param("w", nn.initializers.ones, (4, self.features))
                if self.features > 2 and self.mode == "mean":
                    x = self.act(x @ w)
                if w.sum() > 0:  # event: tracer-bool if
                    x = nn.Dense(self.features)(x)
                return x

        model = Model(4)

        @jax.jit
        def apply(params, x):
            return model.apply(params, x)

        params = model.init(jax.random.key(0), jnp.ones((2, 4)))
        apply(params, jnp.ones((2, 4)))
    """,
    "linen setup": """
        from flax import linen as nn

        class Model(nn.Module):
            sizes: tuple = (4, 4)

            def setup(self):
                self.layers = [nn.Dense(size) for size in self.sizes]

            def __call__(self, x):
                for i, layer in enumerate(self.layers):
                    x = layer(x)
                    if i != len(self.layers) - 1:
                        x = nn.relu(x)
                return x

        @jax.jit
        def apply(params, x):
            return Model().apply(params, x)

        apply({}, jnp.ones((2, 4)))
    """,
    "equinox fields": """
        import equinox as eqx

        class Model(eqx.Module):
            weight: jax.Array
            scale: float
            depth: int = eqx.field(static=True)
            linear: eqx.nn.Linear

            def __init__(self, key):
                self.weight = jnp.ones(3)
                self.scale = 2.0
                self.depth = 3
                self.linear = eqx.nn.Linear(3, 3, key=key)

            def __call__(self, x):
                if self.depth > 2:
                    x = self.linear(x)
                if self.scale > 1:  # event: tracer-bool if
                    x = x * 2
                if self.weight.sum() > 0:  # event: tracer-bool if
                    return x
                return -x

        @jax.jit
        def f(model, x):
            return model(x)

        f(Model(jax.random.key(0)), jnp.ones(3))
    """,
    "equinox filter_jit keeps numbers": """
        import equinox as eqx

        class Model(eqx.Module):
            weight: jax.Array
            scale: float

            def __call__(self, x):
                if self.scale > 1:
                    x = x * 2
                if self.weight.sum() > 0:  # event: tracer-bool if
                    return x
                return -x

        @eqx.filter_jit
        def f(model, x):
            return model(x)

        f(Model(jnp.ones(3), 2.0), jnp.ones(3))
    """,
    "registered dataclass": """
        @partial(jax.tree_util.register_dataclass, data_fields=["x"], meta_fields=["mode"])
        @dataclasses.dataclass
        class State:
            x: jax.Array
            mode: str

        @jax.jit
        def f(state):
            if state.mode == "mean":
                if state.x.sum() > 0:  # event: tracer-bool if
                    return state.x
            return -state.x

        f(State(jnp.ones(3), "mean"))
    """,
    "registered with metadata": """
        @jax.tree_util.register_dataclass
        @dataclasses.dataclass
        class State:
            x: jax.Array
            mode: str = dataclasses.field(metadata=dict(static=True))

        @jax.jit
        def f(state):
            if state.mode == "mean":
                return state.x
            if state.x.sum() > 0:  # event: tracer-bool if
                return state.x
            return -state.x

        f(State(jnp.ones(3), "sum"))
    """,
    "register_pytree_node_class": """
        @jax.tree_util.register_pytree_node_class
        class State:
            def __init__(self, x, mode):
                self.x = x
                self.mode = mode

            def tree_flatten(self):
                return (self.x,), self.mode

            @classmethod
            def tree_unflatten(cls, mode, children):
                return cls(*children, mode)

        @jax.jit
        def f(state):
            if state.mode == "mean":
                return state.x
            if state.x.sum() > 0:  # event: tracer-bool if
                return state.x
            return -state.x

        f(State(jnp.ones(3), "sum"))
    """,
    "flax struct": """
        from flax import struct

        @struct.dataclass
        class State:
            x: jax.Array
            n: int
            mode: str = struct.field(pytree_node=False, default="mean")

        @jax.jit
        def f(state):
            if state.mode == "mean":
                state = state.replace(x=state.x + 1)
            if state.n > 2:  # event: tracer-bool if
                return state.x
            return -state.x

        f(State(jnp.ones(3), 3))
    """,
    "chex dataclass": """
        import chex

        @chex.dataclass
        class State:
            x: jax.Array
            n: int

        @jax.jit
        def f(state):
            if state.n > 2:  # event: tracer-bool if
                return state.x
            return -state.x

        f(State(x=jnp.ones(3), n=3))
    """,
    "NamedTuple": """
        class State(NamedTuple):
            x: jax.Array
            n: int

        @jax.jit
        def f(state):
            x, n = state
            if n > 2:  # event: tracer-bool if
                return state._replace(x=x + 1)
            if state.n > 2:  # event: tracer-bool if
                return state
            return state

        f(State(jnp.ones(3), 3))
    """,
    "TrainState": """
        import optax
        from flax.training.train_state import TrainState

        class MyState(TrainState):
            batch_stats: Any = None

        @jax.jit
        def step(state, batch):
            def loss_fn(params):
                return state.apply_fn(params, batch).mean()

            loss, grads = jax.value_and_grad(loss_fn)(state.params)
            state = state.apply_gradients(grads=grads)
            if state.tx is not None and state.batch_stats is None:
                loss = loss + 1
            if state.step > 3:  # event: tracer-bool if
                return state, loss
            return state, -loss

        state = MyState.create(apply_fn=lambda p, x: p["w"] * x, params={"w": jnp.ones(3)}, tx=optax.adam(1e-3))
        step(state, jnp.ones(3))
    """,
    "a plain class as a static self": """
        class Agent:
            def __init__(self, gamma):
                self.gamma = gamma
                self.update = jax.jit(self._update)

            def _update(self, x):
                if self.gamma > 0.5:
                    return x * self.gamma
                if x > 0:  # event: tracer-bool if
                    return x
                return -x

        Agent(0.4).update(jnp.ones(()))
    """,
    "inheritance": """
        from flax import nnx

        class Base(nnx.Module):
            def __init__(self, depth):
                self.depth = depth

            def __call__(self, x):
                return self.forward(x)

        class Model(Base):
            def __init__(self, depth):
                super().__init__(depth)
                self.w = nnx.Param(jnp.ones(3))

            def forward(self, x):
                if self.depth > 2:
                    x = x * self.w
                if x.sum() > 0:  # event: tracer-bool if
                    return x
                return -x

        @nnx.jit
        def f(model, x):
            return model(x)

        f(Model(3), jnp.ones(3))
    """,
    "haiku": """
        import haiku as hk

        class Net(hk.Module):
            def __init__(self, width):
                super().__init__()
                self.width = width

            def __call__(self, x):
                if self.width > 2:
                    x = hk.Linear(self.width)(x)
                return x

        def forward(x):
            return Net(4)(x)

        net = hk.transform(forward)

        @jax.jit
        def f(params, x):
            return net.apply(params, None, x)

        f(net.init(jax.random.key(0), jnp.ones((2, 4))), jnp.ones((2, 4)))
    """,
}


@cases(MODULES)
def test_module(snippet: str) -> None:
    check(snippet)
