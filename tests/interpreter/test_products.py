"""Shapes and types of products."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.interpreter.models.products import einsum_shape

SIZES = {"a": 2, "b": 3, "c": 4, "d": 5}


@given(st.lists(st.text("abcd", min_size=1, max_size=4), min_size=1, max_size=3), st.data())
@settings(deadline=None, max_examples=60)
def test_the_shape_of_an_einsum_is_jax_s(operands: list[str], data: st.DataObject) -> None:
    operands = ["".join(dict.fromkeys(letters)) for letters in operands]
    output = "".join(data.draw(st.permutations(sorted(set("".join(operands))))))
    output = output[: data.draw(st.integers(0, len(output)))]
    spec = f"{','.join(operands)}->{output}"
    shapes = [tuple(SIZES[letter] for letter in letters) for letters in operands]
    real = jax.eval_shape(lambda *xs: jnp.einsum(spec, *xs), *(jnp.zeros(shape) for shape in shapes))
    assert einsum_shape(spec, shapes) == real.shape


@pytest.mark.parametrize("spec", ["ab,bc", "...a,a->...", "ab->c,d", "ab,bc->ac,", ""])
def test_what_is_not_understood_has_no_shape(spec: str) -> None:
    assert einsum_shape(spec, [(2, 3), (3, 4)]) is None


def test_unknown_operands_leave_unknown_sizes() -> None:
    assert einsum_shape("ab,bc->ac", [None, (3, 4)]) == (None, 4)
