"""Planted faults: where they can stand, what the edits make of a program, and when one counts as found."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import pytest

from benchmarks.mutate import hot, program, traced
from benchmarks.mutate.__main__ import Recall, is_found, report, spread, table
from benchmarks.mutate.edits import Edit, Text, apply
from benchmarks.mutate.mutation import Mutation
from benchmarks.mutate.sites import Sites, find_sites

PROGRAM = '''\
"""A training loop."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="deep")
def forward(w, x, deep):
    hidden = jnp.tanh(x @ w)
    if deep:
        hidden = hidden * 2
    return hidden


@jax.jit
def step(w, x):
    loss = jnp.mean((x @ w) ** 2)
    w = w.at[0].set(0.0)
    return w - 0.1 * loss, loss


w = jnp.ones((8, 8))
x = jnp.ones((16, 8))
for i in range(100):
    w, loss = step(w, x)
    if i % 10 == 0:
        print(loss)
print(forward(w, x, deep=True))
'''
TIMED = """\
import time

import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x @ x)
x = jnp.ones((512, 512))
f(x).block_until_ready()
start = time.perf_counter()
y = f(x)
jax.block_until_ready(y)
print(time.perf_counter() - start)
"""
Mutator = Callable[[Sites], Iterator[Mutation]]


@pytest.fixture(scope="module")
def sites() -> Sites:
    return find_sites("program.py", PROGRAM)


def outcome(text: str, mutator: Mutator, fault: str) -> tuple[str, Mutation, bool]:
    """The first program with the fault, the mutation, and whether it is found."""
    sites = find_sites("program.py", text)
    mutation = next(m for m in mutator(sites) if m.fault == fault)
    changed, rows = apply(sites.text, mutation.edits, -1 if mutation.marked is None else mutation.marked)
    found = is_found(mutation, rows, report("program.py", text, None), report("program.py", changed, None))
    return changed, mutation, found


def test_sites_are_tracers_and_compiled_calls_in_hot_loops(sites: Sites) -> None:
    assert [(s.node.lineno, s.name) for s in sites.traced] == [(10, "hidden"), (12, "hidden"), (18, "loss"), (19, "w")]
    assert [(s.node.lineno, s.name, s.scalar) for s in sites.hot] == [(26, "loss", True)]


def test_a_host_loop_and_an_eager_function_are_no_sites() -> None:
    text = (
        "import jax.numpy as jnp\n\ndef f(x):\n    y = jnp.sin(x)\n    return y\n\nfor i in range(9):\n    z = f(i)\n"
    )
    found = find_sites("program.py", text)
    assert (found.traced, found.hot) == ([], [])


def test_edits_keep_the_rest_of_the_text() -> None:
    text = Text("ä = f(x)  # kept\nif ä:\n    y = 1\n")
    call = text.tree.body[0].value  # type: ignore[attr-defined]
    inner = text.tree.body[1].body[0]  # type: ignore[attr-defined]
    changed, rows = apply(text, [text.replace(call.args[0], "2"), text.after(inner, ["z = 2", "w = 3"])], 1)
    assert changed == "ä = f(2)  # kept\nif ä:\n    y = 1\n    z = 2\n    w = 3\n"
    assert list(rows) == [4, 5]


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply(Text("abc = 1\n"), [Edit(0, 2, "x"), Edit(1, 3, "y")], 0)


def test_lines_on_top_stand_after_docstring_and_future_imports() -> None:
    text = Text('"""Doc."""\nfrom __future__ import annotations\nimport os\n')
    assert apply(text, [text.on_top(["import sys"])], 0)[0].splitlines()[2:] == ["import sys", "import os"]


MUTATORS = [
    traced.value_asked,
    traced.update_forgotten,
    hot.value_read,
    hot.gate_removed,
    hot.program_made,
    hot.array_grown,
    hot.arguments_changed,
    program.static_spec_broken,
    program.static_spec_dropped,
]


@pytest.mark.parametrize("mutator", MUTATORS, ids=lambda m: m.__name__)
def test_every_mutation_is_a_program_and_changes_it(sites: Sites, mutator: Mutator) -> None:
    mutations = list(mutator(sites))
    assert mutations
    for mutation in mutations:
        changed, _ = apply(sites.text, mutation.edits, -1 if mutation.marked is None else mutation.marked)
        ast.parse(changed)
        assert changed != PROGRAM


@pytest.mark.parametrize(
    ("mutator", "fault"),
    [
        (traced.value_asked, "if"),
        (traced.value_asked, "helper with if"),
        (traced.value_asked, "np.asarray"),
        (hot.value_read, "helper with float"),
        (hot.gate_removed, "gate removed"),
        (hot.program_made, "lambda jitted"),
        (hot.array_grown, "append"),
        (hot.arguments_changed, "loop counter as a static argument"),
        (hot.arguments_changed, "number that comes back as an array"),
        (program.static_spec_dropped, "static_arg* dropped"),
        (program.static_spec_broken, "wrong static_arg*"),
    ],
)
def test_planted_faults_are_found(mutator: Mutator, fault: str) -> None:
    assert outcome(PROGRAM, mutator, fault)[2]


@pytest.mark.parametrize("mutator", [program.wait_dropped, program.warm_up_dropped])
def test_waits_and_warm_ups_are_taken_away(mutator: Mutator) -> None:
    (changed, _, found) = outcome(TIMED, mutator, mutator.__name__.replace("_", " ").replace("warm up", "warm-up"))
    assert changed.count("block_until_ready") == 1
    assert found


def test_a_keyword_is_removed_with_its_comma() -> None:
    changed, _, _ = outcome(PROGRAM, program.static_spec_dropped, "static_arg* dropped")
    assert "@partial(jax.jit)\n" in changed


def test_a_finding_elsewhere_does_not_count(sites: Sites) -> None:
    mutation = next(traced.value_asked(sites))
    changed, rows = apply(sites.text, mutation.edits, 0)
    after = report("program.py", changed, None)
    assert is_found(mutation, rows, [], after)
    assert not is_found(mutation, range(1, 2), [], after)
    assert not is_found(mutation, rows, [], [])


def test_what_was_reported_before_does_not_count() -> None:
    mutation = Mutation("wait dropped", ("JAX301",), (), None, 1)
    old = report("program.py", TIMED.replace("jax.block_until_ready(y)\n", ""), None)
    assert is_found(mutation, range(0), [], old)
    assert not is_found(mutation, range(0), old, old)


def test_misses_lower_the_recall() -> None:
    recall = Recall()
    for found in (True, True, False, True):
        recall.add("a.py", Mutation("if", ("JAX101",), (), 0, 7), found)
    assert "| JAX101 | 4 | 3 | 75% | if 3/4 |" in table(recall)
    assert recall.misses == ["a.py:7: JAX101 if"]


def test_few_are_taken_at_equal_distances() -> None:
    mutations = [Mutation("if", ("JAX101",), (), 0, row) for row in range(10)]
    assert [m.row for m in spread(mutations, 2)] == [0, 5]
    assert spread(mutations[:1], 2) == mutations[:1]
