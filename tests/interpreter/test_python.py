"""Python itself: containers, joins, loops, generators, context managers, classes, closures."""

from __future__ import annotations

from snippets import cases, check

# Each snippet ends in `use(value)`, where `use` is compiled: an event there proves that the value was followed.
FOLLOWED = {
    "tuple unpacking": """
        @jax.jit
        def f(x):
            a, (b, *rest) = 1, (x, 2, 3)
            if b > 0:  # event: tracer-bool if
                return a
            return rest[0] + a if rest[0] > 1 else 0

        f(jnp.ones(()))
    """,
    "swap": """
        @jax.jit
        def f(x):
            a, b = x, 1
            a, b = b, a
            if a > 1:
                return b
            return 0 if b > 0 else 1  # event: tracer-bool ternary

        f(jnp.ones(()))
    """,
    "list": """
        @jax.jit
        def f(x):
            items = [1]
            items.append(x)
            items.extend([2, 3])
            items.insert(0, 5)
            if items[0] > 1:
                last = items.pop()
            if items[2] > 0:  # event: tracer-bool if
                return items
            return items

        f(jnp.ones(()))
    """,
    "dict": """
        @jax.jit
        def f(x):
            d = {"n": 1}
            d["x"] = x
            d.update(y=x, m=2)
            d.setdefault("z", x)
            if d["n"] > 0 and d["m"] > 0:
                d = {**d, "w": x}
            for key in ("x", "y", "z", "w"):
                if d[key] > 0:  # event: tracer-bool if
                    return d
            return d.pop("n")

        f(jnp.ones(()))
    """,
    "dict comprehension": """
        @jax.jit
        def f(xs):
            d = {k: v + 1 for k, v in xs.items() if k != "skip"}
            if d["x"] > 0:  # event: tracer-bool if
                return d
            return {}

        f({"x": jnp.ones(()), "skip": 1})
    """,
    "list comprehension": """
        @jax.jit
        def f(x):
            ys = [x * i for i in range(3)]
            zs = [i for i in range(3)]
            if zs[1] > 0 and len(ys) == 3:
                return ys
            return 1 if ys[0] > 0 else 2

        f(jnp.ones(()))
    """,
    "nested functions and closures": """
        @jax.jit
        def f(x):
            n = 0

            def bump():
                nonlocal n
                n += 1
                return x * n

            y = bump()
            if n > 3:
                return x
            if y > 0:  # event: tracer-bool if
                return y
            return -y

        f(jnp.ones(()))
    """,
    "default arguments": """
        @jax.jit
        def f(x):
            def g(y, n=2, *, scale=x):
                if n > 1:
                    return scale
                return y

            if g(1) > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(()))
    """,
    "join of two tracers": """
        def f(x, flag):
            if flag:
                y = x + 1
            else:
                y = x * 2
            if y > 0:  # event: tracer-bool if
                return y
            return -y

        def run(flag):
            return jax.jit(f, static_argnums=1)(jnp.ones(()), flag)
    """,
    "a loop that changes a value": """
        @jax.jit
        def f(x):
            y = 0
            for i in range(3):
                y = y + x
            if y > 0:  # event: tracer-bool if
                return y
            return -y

        f(jnp.ones(()))
    """,
    "a while loop over a Python number": """
        @jax.jit
        def f(x):
            n = 10
            while n > 1:
                x = x * n
                n = n // 2
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        f(jnp.ones(()))
    """,
    "a generator": """
        def pairs(x):
            for i in range(3):
                yield i, x * i

        @jax.jit
        def f(x):
            for i, y in pairs(x):
                if i > 1:
                    x = x + 1
                if y > 0:  # event: tracer-bool if
                    x = x + y
            return x

        f(jnp.ones(()))
    """,
    "yield from": """
        def inner(x):
            yield x
            yield x + 1

        def outer(x):
            yield from inner(x)

        @jax.jit
        def f(x):
            for y in outer(x):
                if y > 0:  # event: tracer-bool if
                    x = x + y
            return x

        f(jnp.ones(()))
    """,
    "contextlib.contextmanager": """
        import contextlib

        @contextlib.contextmanager
        def scaled(x):
            yield x * 2

        @jax.jit
        def f(x):
            with scaled(x) as y:
                if y > 0:  # event: tracer-bool if
                    return y
            return x

        f(jnp.ones(()))
    """,
    "context manager class": """
        class Scope:
            def __init__(self, x):
                self.x = x

            def __enter__(self):
                return self.x

            def __exit__(self, *error):
                return False

        @jax.jit
        def f(x):
            with Scope(x) as y, Scope(1) as n:
                if n > 0:
                    x = x + 1
                if y > 0:  # event: tracer-bool if
                    return y
            return x

        f(jnp.ones(()))
    """,
    "properties and methods": """
        class Box:
            def __init__(self, x):
                self._x = x
                self.n = 3

            @property
            def x(self):
                return self._x

            @classmethod
            def of(cls, x):
                return cls(x)

            @staticmethod
            def twice(x):
                return x * 2

            def __getitem__(self, i):
                return self._x

            def __len__(self):
                return self.n

            def __add__(self, other):
                return self._x + other

        @jax.jit
        def f(x):
            box = Box.of(x)
            if len(box) > 2 and box.n > 2:
                y = box.x + box[0] + Box.twice(x)
            if box + 1 > 0:  # event: tracer-bool if
                return y
            return 0 if y > 0 else 1  # event: tracer-bool ternary

        f(jnp.ones(()))
    """,
    "inheritance and super": """
        class Base:
            scale = 2

            def value(self, x):
                return x * self.scale

        class Child(Base):
            scale = 3

            def value(self, x):
                return super().value(x) + 1

        @jax.jit
        def f(x):
            child = Child()
            if child.scale > 2 and isinstance(child, Base):
                if child.value(x) > 0:  # event: tracer-bool if
                    return x
            return -x

        f(jnp.ones(()))
    """,
    "getattr, setattr, vars": """
        class Box:
            pass

        @jax.jit
        def f(x):
            box = Box()
            setattr(box, "x", x)
            box.n = 2
            if getattr(box, "n") > 1 and getattr(box, "missing", None) is None:
                if getattr(box, "x") > 0:  # event: tracer-bool if
                    return x
            return -x

        f(jnp.ones(()))
    """,
    "reduce, map, filter, zip": """
        @jax.jit
        def f(x, y):
            total = functools.reduce(lambda a, b: a + b, [x, y])
            doubled = list(map(lambda v: v * 2, [x, y]))
            for (a, n) in zip(doubled, [1, 2]):
                if n > 1:
                    total = total + a
            if total > 0:  # event: tracer-bool if
                return total
            return 0 if doubled[0] > 0 else 1  # event: tracer-bool ternary

        f(jnp.ones(()), jnp.ones(()))
    """,
    "tree.map": """
        @jax.jit
        def f(params):
            new = jax.tree.map(lambda p: p * 2, params)
            jax.tree.map(lambda p, q: p if p > q else q, params, new)  # event: tracer-bool ternary
            if new["w"] > 0:  # event: tracer-bool if
                return new
            return params

        f({"w": jnp.ones(())})
    """,
    "try and finally": """
        @jax.jit
        def f(x):
            y = 0
            try:
                y = x * 2
            finally:
                if y > 0:  # event: tracer-bool if
                    y = -y
            return y

        f(jnp.ones(()))
    """,
    "match binds": """
        @jax.jit
        def f(x):
            match {"x": x, "n": 1}:
                case {"n": n}:
                    pass
            match x:
                case y:
                    if y > 0:  # event: tracer-bool if
                        return y
            return -x

        f(jnp.ones(()))
    """,
    "global state": """
        SCALE = 2.0

        @jax.jit
        def f(x):
            if SCALE > 1:
                return x * SCALE
            return 1 if x > 0 else 2

        f(jnp.ones(()))
    """,
    "chained calls of methods": """
        @jax.jit
        def f(x):
            if x.reshape(-1).astype(jnp.float32).sum(axis=0) > 0:  # event: tracer-bool if
                return x.T.mean()
            return -x

        f(jnp.ones((2, 2)))
    """,
    "async": """
        @jax.jit
        def step(x):
            if x > 0:  # event: tracer-bool if
                return x
            return -x

        async def main():
            x = jnp.ones(())
            async for i in stream():
                x = step(x)
                print(float(x))  # event: host-read float

        async def stream():
            for i in range(100):
                yield i
    """,
    "leaks": """
        KEPT = []

        class Box:
            pass

        box = Box()
        latest = None

        @jax.jit
        def f(x):
            global latest
            latest = x  # event: tracer-leak global
            box.x = x  # event: tracer-leak attribute
            KEPT.append(x)  # event: tracer-leak container
            local = []
            local.append(x)
            return x

        f(jnp.ones(()))
    """,
}

UNSURE = {
    "a tracer or a host value": """
        def f(x, flag):
            y = x if flag else 3.0
            if y > 0:
                return y
            return -y

        def run(flag):
            return jax.jit(f, static_argnums=1)(jnp.ones(()), flag)
    """,
    "a tracer on one path only": """
        def run(flag, x):
            y = 1
            if flag:
                y = unknown(x)
            if y > 0:
                return y
    """,
    "an element of a list of both": """
        @jax.jit
        def f(x, i):
            return x

        def run(i):
            items = [jnp.ones(()), 2.0]
            y = items[i]
            if y > 0:
                return f(y, i)
    """,
    "a shadowed module": """
        from flax.training import train_state

        def run(train_state):
            if train_state.params > 0:
                return train_state

        def other(jnp):
            if jnp.ones(3) > 0:
                return jnp
    """,
    "deleted and rebound": """
        @jax.jit
        def f(x):
            y = x
            del y
            y = 3
            if y > 0:
                return x
            return -x

        f(jnp.ones(()))
    """,
    "rebound in an except": """
        @jax.jit
        def f(x):
            try:
                import fancy
                y = fancy.value
            except ImportError:
                y = None
            if y:
                return x
            return -x

        f(jnp.ones(()))
    """,
    "vars that only exist elsewhere": """
        @jax.jit
        def f(x):
            if undefined_flag:
                return x
            return missing.attribute(x)

        f(jnp.ones(()))
    """,
}


@cases(FOLLOWED)
def test_followed(snippet: str) -> None:
    check(snippet)


@cases(UNSURE)
def test_silent_where_unsure(snippet: str) -> None:
    check(snippet)
