"""Products of arrays: the shape and type of `jnp.einsum`, `jnp.matmul` and `jnp.dot`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import dims_of, dtype_of, result_array
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.models.arrays import text_of
from jaxlint.interpreter.models.growth import is_numpy
from jaxlint.interpreter.operators import matmul_shape, promote, unwrap_variable
from jaxlint.interpreter.outcome import dtype_name, generic_outcome
from jaxlint.interpreter.values import Array, Const, Dims, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def einsum(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jnp.einsum."""
    if is_numpy(name):
        return generic_outcome(m, name, entry, args, node)
    arrays = [unwrap_variable(v) for v in args.pos[1:]]
    spec = args.pos[0] if args.pos and args.star is None else None
    text = spec.value if isinstance(spec, Const) and isinstance(spec.value, str) else ""
    shape = einsum_shape(text, [dims_of(v) for v in arrays])
    made = result_array(
        m, node, [v for v in arrays if isinstance(v, (Array, Tree))], shape=shape, dtype=product_type(args, arrays)
    )
    seq = m.dispatch(node, text_of(m, node), compiled=False)
    return made.but(born=seq) if made.trace is None else made


def product(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """jnp.matmul, jnp.dot."""
    made = generic_outcome(m, name, entry, args, node)
    if is_numpy(name) or not isinstance(made, Array) or len(args.pos) != 2:
        return made
    factors = [unwrap_variable(v) for v in args.pos]
    a, b = (dims_of(v) for v in factors)
    plain = name.endswith("matmul") or (a is not None and b is not None and len(a) <= 2 and len(b) <= 2 and a and b)
    return made.but(shape=matmul_shape(a, b) if plain else None, dtype=product_type(args, factors))


def product_type(args: Args, factors: Sequence[Value]) -> str | None:
    """The type of a product; None when it is not known."""
    wanted = args.kw.get("preferred_element_type")
    if wanted is not None and not (isinstance(wanted, Const) and wanted.value is None):
        return dtype_name(wanted)
    types = [dtype_of(v) for v in factors]
    if not types or None in types:
        return None

    def joined(a: str | None, b: str | None) -> str | None:
        # promotion looks at nothing but the types
        return promote(ast.Mult(), Array(dtype=a), Array(dtype=b))

    found = reduce(joined, types)
    return None if found in ("int", "float", "bool", "complex") else found


def einsum_shape(spec: str, shapes: Sequence[Dims | None]) -> Dims | None:
    """The shape of an explicit einsum without an ellipsis; None when it is not known."""
    inputs, arrow, output = spec.replace(" ", "").partition("->")
    operands = inputs.split(",")
    if not arrow or not all(part.isalpha() or not part for part in (*operands, output)) or len(operands) != len(shapes):
        return None
    sizes: dict[str, object] = {}
    for letters, shape in zip(operands, shapes):
        if shape is not None and len(shape) == len(letters):
            sizes.update({letter: size for letter, size in zip(letters, shape) if size is not None})
    return tuple(sizes.get(letter) for letter in output)  # type: ignore[misc]


MODELS = {"einsum": einsum, "product": product}
