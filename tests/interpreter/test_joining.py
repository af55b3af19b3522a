"""The join of two values: commutative, idempotent, and never more definite than what it joins."""

from __future__ import annotations

import ast
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jaxlint.interpreter.arrays import definite_array, is_tracer
from jaxlint.interpreter.joining import join, kind_of, options
from jaxlint.interpreter.values import (
    FALSE,
    MISSING,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    ExternV,
    Host,
    Link,
    ListV,
    Trace,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)
from jaxlint.source import Source

SOURCE = Source("x.py", "x")
LINK = Link("x is traced", ast.parse("x"), SOURCE)
TRACES = (None, Trace("jit", 1, True, LINK), Trace("vmap", 2, True, LINK), Trace("grad", 1, False, LINK))

arrays = st.builds(
    Array,
    trace=st.sampled_from(TRACES),
    shape=st.sampled_from((None, (), (3,), (4,), (3, 4), (None, 4))),
    dtype=st.sampled_from((None, "float32", "int32")),
    weak=st.sampled_from((None, True, False)),
    born=st.integers(0, 3),
)
hosts = st.builds(
    Host,
    kind=st.sampled_from(("int", "float", "bool", "str", "ndarray", "object")),
    varies=st.sampled_from((frozenset(), frozenset({1}))),
)
constants = st.sampled_from((NONE, TRUE, FALSE, Const(1), Const(2), Const(1.5), Const("a"), Const("b"), Const(1)))
simple = st.one_of(
    arrays,
    arrays.map(Tree),
    hosts,
    constants,
    st.just(UNKNOWN),
    st.just(ExternV("jax.numpy.tanh")),
    st.builds(Unknown, name=st.just("n")),
)
values = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: TupleV(tuple(items))),
        st.lists(inner, max_size=3).map(lambda items: ListV(tuple(items))),
        inner.map(lambda item: TupleV(None, item)),
        st.tuples(inner, inner).map(lambda pair: join(*pair)),
    ),
    max_leaves=5,
)


def shown(value: Any) -> Any:
    """What a value says, comparable."""
    if value is MISSING:
        return "missing"
    if isinstance(value, Unknown):
        return "unknown"
    if isinstance(value, Const):
        return ("const", type(value.value).__name__, value.value)
    if isinstance(value, Array):
        return ("array", id(value.trace), value.shape, value.dtype, value.weak, value.born)
    if isinstance(value, Tree):
        return ("tree", shown(value.leaf))
    if isinstance(value, Host):
        return ("host", value.kind, value.shape, value.varies, value.dtype)
    if isinstance(value, TupleV | ListV):
        items = None if value.items is None else tuple(map(shown, value.items))
        return (type(value).__name__, items, shown(value.elem) if items is None else "")
    if isinstance(value, UnionV):
        return ("union", frozenset(map(shown, value.options)))
    return ("other", id(value) if not isinstance(value, ExternV) else value.name)


@given(values, values)
def test_commutes(a: Value, b: Value) -> None:
    assert shown(join(a, b)) == shown(join(b, a))


@given(values)
def test_idempotent(a: Value) -> None:
    assert join(a, a) is a


@given(values, values)
def test_absorbs_what_it_holds(a: Value, b: Value) -> None:
    """Joining a part in once more may forget, but never says something else."""
    once = join(a, b)
    again = join(once, b)
    assert covers(again, once)


@given(values, values)
def test_never_more_definite(a: Value, b: Value) -> None:
    """A rule that fires on the join would have fired on both."""
    joined = join(a, b)
    for part in (a, b):
        assert covers(joined, part)
    if is_tracer(joined):
        assert all(is_tracer(o) or is_none(o) for v in (a, b) for o in options(v))
    array = definite_array(joined)
    if array is not None and array.trace is None:
        assert all(definite_array(o) is not None or is_none(o) for v in (a, b) for o in options(v))


@given(values)
def test_missing_keeps_the_other(a: Value) -> None:
    assert join(a, MISSING) is a
    assert join(MISSING, a) is a


@given(values)
def test_unknown_wins(a: Value) -> None:
    assert isinstance(join(a, UNKNOWN), Unknown)
    assert isinstance(join(UNKNOWN, a), Unknown)


def is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def covers(wide: Value, narrow: Value) -> bool:
    """Whether everything that `narrow` may be is among what `wide` may be."""
    if isinstance(wide, Unknown) or wide is narrow or narrow is MISSING:
        return True
    if isinstance(narrow, UnionV):
        return all(covers(wide, option) for option in narrow.options)
    if isinstance(wide, UnionV):
        return any(covers(option, narrow) for option in wide.options)
    if isinstance(wide, Tree):
        inner = narrow.leaf if isinstance(narrow, Tree) else narrow
        return covers(wide.leaf, inner)
    if isinstance(wide, Array):
        return (
            isinstance(narrow, Array)
            and wide.trace is narrow.trace
            and wide.dtype in (None, narrow.dtype)
            and wide.weak in (None, narrow.weak)
            and covers_shape(wide.shape, narrow.shape)
        )
    if isinstance(wide, Host):
        kind = kind_of(narrow)
        numbers = {"int", "float", "bool", "npnumber"}
        return bool(kind) and (wide.kind in (kind, "object") or (wide.kind == "float" and kind in numbers))
    if isinstance(wide, TupleV | ListV):
        if not isinstance(narrow, type(wide)):
            return False
        if wide.items is not None:
            return (
                narrow.items is not None
                and len(narrow.items) == len(wide.items)
                and all(map(covers, wide.items, narrow.items))
            )
        parts = narrow.items if narrow.items is not None else (narrow.elem,)
        return all(covers(wide.elem, part) for part in parts) if wide.elem is not MISSING else not parts
    return shown(wide) == shown(narrow)


def covers_shape(wide: Any, narrow: Any) -> bool:
    if wide is None:
        return True
    return narrow is not None and len(wide) == len(narrow) and all(a is None or a == b for a, b in zip(wide, narrow))
