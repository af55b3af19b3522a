"""Small programs with planted faults, written for the tests of `confirm`.

`# want: RULE VERDICT` says that a finding of that rule on that line must get that verdict. Several may stand on a line,
separated by `;`.
"""

import json
import re

from runtime_checks.static import EVIDENCE

RULES = {
    "traced-branch": "JAX101",
    "traced-to-python": "JAX102",
    "traced-to-numpy": "JAX103",
    "dynamic-shape": "JAX104",
    "unrolled-loop": "JAX105",
    "tracer-leak": "JAX106",
    "impure-trace": "JAX107",
    "in-place-update": "JAX108",
    "type-test-on-traced": "JAX109",
    "sync-in-loop": "JAX201",
    "numpy-in-loop": "JAX202",
    "print-in-loop": "JAX203",
    "branch-in-loop": "JAX204",
    "block-in-loop": "JAX205",
    "host-to-device-in-loop": "JAX206",
    "iterate-device-array": "JAX207",
    "unblocked-timer": "JAX301",
    "timed-compile": "JAX302",
    "variable-shape-batch": "JAX401",
    "growing-array": "JAX402",
    "jit-in-loop": "JAX403",
    "varying-static-arg": "JAX404",
    "unhashable-static-arg": "JAX405",
    "bad-static-spec": "JAX406",
    "missing-static-arg": "JAX407",
    "unstable-signature": "JAX408",
    "missing-donation": "JAX501",
    "use-after-donate": "JAX502",
    "captured-constant": "JAX503",
    "float64-truncated": "JAX703",
    "key-reuse": "JAX601",
    "naive-attention": "JAX504",
}
WANT = re.compile(r"#\s*want:\s*(.+)$")

SYNCS = """
import jax, jax.numpy as jnp, numpy as np
import logging

@jax.jit
def step(x, y):
    return (x @ x * 1e-3 + y).mean()

x = jnp.ones((200, 200))
data = np.ones((200, 200), np.float32)
history = []
for i in range(40):
    loss = step(x, 0.5)
    history.append(float(loss))  # want: sync-in-loop confirmed
    value = np.asarray(loss)  # want: numpy-in-loop confirmed
    text = f"{loss:.3f}"  # want: print-in-loop confirmed
    if loss > 1e9:  # want: branch-in-loop confirmed
        break
    total = np.sum(x)  # want: numpy-in-loop refuted
    if i % 20 == 0:
        print(i, float(loss))  # want: sync-in-loop refuted
    loss.block_until_ready()  # want: block-in-loop confirmed
    out = step(data, 0.5)  # want: host-to-device-in-loop confirmed
    out = step(x, loss)  # want: host-to-device-in-loop refuted
    count = float(len(history))  # want: sync-in-loop refuted
for row in x[:5]:  # want: iterate-device-array confirmed
    pass
for row in data[:5]:  # want: iterate-device-array refuted
    pass
if len(history) > 1000:
    for i in range(10):
        float(step(x, 0.5))  # want: sync-in-loop not reached
w = jnp.ones(3); w * 2  # want: naive-attention not measurable here
"""

COMPILES = """
import time
import jax, jax.numpy as jnp
from functools import partial

def scale(a):
    return a * 2

@jax.jit
def mean(batch):
    return batch.mean()

@partial(jax.jit, static_argnames="n")
def power(a, n):
    return a ** n

@jax.jit
def add(a, b):
    return a + b

data = jnp.arange(100.0)
for i in range(3):
    jax.jit(lambda a: a + 1)(data)  # want: jit-in-loop confirmed
    jax.jit(scale)(data)  # want: jit-in-loop refuted
for start in range(0, 100, 32):
    mean(data[start : start + 32])  # want: variable-shape-batch confirmed
for start in range(0, 96, 32):
    mean(jax.lax.dynamic_slice(data, (start,), (32,)))  # want: variable-shape-batch refuted
for n in range(2, 5):
    power(data, n)  # want: varying-static-arg confirmed
for n in (2, 2, 2):
    power(data, n)  # want: varying-static-arg refuted
add(data, 1.0)  # want: unstable-signature refuted
add(data, 1)  # want: unstable-signature confirmed
grown = jnp.zeros(1)
for i in range(4):
    grown = jnp.concatenate([grown, jnp.ones(1)])  # want: growing-array confirmed
key = jax.random.key(0)
jax.random.normal(key)
jax.random.uniform(key)  # want: key-reuse confirmed

@jax.jit
def heavy(a):
    for _ in range(3):
        a = a @ a * 1e-3
    return a

def bench(a):
    t0 = time.perf_counter()
    heavy(a)  # want: timed-compile confirmed
    t1 = time.perf_counter()
    heavy(a).block_until_ready()
    t0 = time.perf_counter()
    heavy(a)  # want: timed-compile refuted
    t1 = time.perf_counter()  # want: unblocked-timer confirmed
    t0 = time.perf_counter()
    heavy(a).block_until_ready()
    t1 = time.perf_counter()  # want: unblocked-timer refuted

bench(jnp.ones((1200, 1200)))
donated = jnp.ones(5)
jax.jit(scale, donate_argnums=0)(donated)
try:
    print(donated)  # want: use-after-donate confirmed
except RuntimeError:
    pass
"""

TRACES = """
import jax, jax.numpy as jnp, numpy as np

class Model:
    cache = None

@jax.jit
def caught(x):
    try:
        if x > 0:  # want: traced-branch confirmed
            return x
    except Exception:
        pass
    if x.ndim > 0:  # want: traced-branch refuted
        return -x
    print("traced")  # want: impure-trace confirmed
    Model.cache = x * 2  # want: tracer-leak confirmed
    if isinstance(x, float):  # want: type-test-on-traced confirmed
        return x
    return x

def host(x):
    print("host")  # want: impure-trace refuted
    if x > 0:  # want: traced-branch refuted
        return x
    return x

@jax.jit
def keeps_nothing(x):
    y = x * 2  # want: tracer-leak refuted
    return y

for _ in range(3):
    caught(jnp.float32(1.0))
    host(jnp.float32(1.0))
    keeps_nothing(1.0)

@jax.jit
def ends(x):
    return np.sin(x)  # want: traced-to-numpy confirmed

ends(jnp.float32(1.0))
print("never")  # want: sync-in-loop not reached
"""


MEMORY = """
import jax, jax.numpy as jnp

table = jnp.ones((1000, 300))
small = jnp.ones(300)

@jax.jit
def holds(x):
    return table @ x  # want: captured-constant confirmed

@jax.jit
def passes(table, x):
    return table @ x  # want: captured-constant refuted

@jax.jit  # want: missing-donation confirmed
def update(state):
    return state * 0.5

def donates(state):
    return state * 0.5

donating = jax.jit(donates, donate_argnums=0)  # want: missing-donation refuted
little = jax.jit(lambda x: x + 1)  # want: missing-donation refuted
state, other = table + 1, table + 2
for _ in range(3):
    state, other, small = update(state), donating(other), little(small)
holds(small)
passes(table, small)
wide = jnp.zeros(3, jnp.float64)  # want: float64-truncated confirmed
wide = small.astype("int64")  # want: float64-truncated confirmed
wide = jnp.zeros(3, jnp.float32)  # want: float64-truncated refuted
if wide is None:
    jnp.float64(1)  # want: float64-truncated not reached
"""

LEAKS = """
import functools
import jax, jax.numpy as jnp

@functools.lru_cache  # want: tracer-leak confirmed
def table(n):
    return jnp.cos(jnp.arange(n) * 1.0)

class Box:
    def put(self, value):
        self.kept = value  # want: tracer-leak confirmed

    def take(self):
        return self.kept + 1

box = Box()

def puts(x):
    box.put(x * 2)
    return x

@jax.jit
def uses(x):
    return x + table(3)

@jax.jit
def fine(x):
    y = x * 3  # want: tracer-leak not measurable here
    return y

def quietly(f, *args):
    try:
        f(*args)
    except jax.errors.UnexpectedTracerError:
        pass

uses(jnp.ones(3))
quietly(lambda: table(3) + 1)
jax.jit(jax.vmap(puts))(jnp.ones(3))
quietly(box.take)
fine(jnp.ones(3))
"""

MORE = """
import threading
import jax, jax.numpy as jnp, numpy as np
from functools import partial

def quietly(f, *args):
    try:
        f(*args)
    except Exception:
        pass

def in_a_thread(f, *args):
    thread = threading.Thread(target=f, args=args)
    thread.start()
    thread.join()

@jax.jit
def converts(x):
    return x * float(x)  # want: traced-to-python confirmed

@jax.jit
def sizes(x):
    n = float(x.shape[0])  # want: traced-to-python refuted
    return x[: len(x) // 2] * n  # want: dynamic-shape refuted

@jax.jit
def filters(x):
    return x[x > 0]  # want: dynamic-shape confirmed

@jax.jit
def loops(x):
    for i in range(50):  # want: unrolled-loop confirmed
        x = x * 2
    for i in range(2):  # want: unrolled-loop refuted
        x = x + 1
    return x

@jax.jit
def updates(x):
    x.at[0].set(1.0)  # want: in-place-update confirmed
    x = x.at[1].set(2.0)  # want: in-place-update refuted
    return x

@jax.jit
def assigns(x):
    x[0] = 1.0  # want: in-place-update confirmed
    return x

def assigns_on_the_host(x):
    x[0] = 1.0  # want: in-place-update refuted
    return x

@partial(jax.jit, static_argnames="shape")
def fill(x, shape):
    return jnp.broadcast_to(x, shape)

def by_name(x, kind):
    return x + 1 if kind == "up" else x - 1

named = jax.jit(by_name)  # want: missing-static-arg confirmed

def by_kind(x, kind):
    return x + 1 if kind == "up" else x - 1

fixed = jax.jit(by_kind, static_argnames="kind")  # want: missing-static-arg refuted; bad-static-spec refuted

def flagged(x, flag):
    return x if flag else -x

wrong = jax.jit(flagged, static_argnums=0)  # want: bad-static-spec confirmed

x = jnp.ones(4)
for function in (converts, filters):
    quietly(function, x if function is filters else x[0])
sizes(x), loops(x), updates(x), assigns_on_the_host(np.ones(3)), fixed(x, "up")
fill(x[0], (2, 3))  # want: unhashable-static-arg refuted
in_a_thread(lambda: named(x, "up"))
in_a_thread(assigns, x)
quietly(wrong, 1, True)
grown = jnp.zeros(4)
for i in range(6):
    grown = jnp.concatenate([grown[1:], jnp.ones(1)])  # want: growing-array refuted
fill(x[0], [2, 3])  # want: unhashable-static-arg confirmed
"""


def findings_of(path, text):
    """(findings in the JSON of `jaxlint check`, {(row, rule): verdict})."""
    found, wanted = [], {}
    for row, line in enumerate(text.splitlines(), 1):
        matched = WANT.search(line)
        for part in matched[1].split(";") if matched else ():
            rule, verdict = part.strip().split(" ", 1)
            wanted[row, rule] = verdict
            found.append(
                {
                    "code": RULES[rule],
                    "name": rule,
                    "message": rule,
                    "severity": "warning",
                    "filename": str(path),
                    "location": {"row": row, "column": 1},
                    "end_location": {"row": row, "column": len(line)},
                }
            )
    assert all(RULES[rule] in EVIDENCE or RULES[rule] in ("JAX502", "JAX601", "JAX504") for _, rule in wanted)
    return found, wanted


def write(folder, text, name="program.py"):
    """Write a program and its findings; returns (path, findings path, wanted)."""
    path = folder / name
    path.write_text(text.lstrip("\n"))
    found, wanted = findings_of(path, text.lstrip("\n"))
    findings = folder / "findings.json"
    findings.write_text(json.dumps(found))
    return path, findings, wanted
