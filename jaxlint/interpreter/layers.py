"""What a layer of a library does to shape and type, and how much its weights take.

The tables say it: `last=features` (the last dimension becomes that parameter), `fan_in=in_features` (the weights have
as many rows; without it, as the input's last dimension says), `appends=features` and `rows=num_embeddings` (embedding),
`keeps` (shape and type stay).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.outcome import dtype_name
from jaxlint.interpreter.values import Array, Const, InstanceV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

GIVEN = ("given",)


def remember(made: InstanceV, entry: Entry, args: Args) -> InstanceV:
    """Keep what a layer was made with."""
    made.attrs[GIVEN] = {**dict(zip(entry.params, args.pos)), **args.kw}
    return made


def given(value: InstanceV, name: object) -> Value | None:
    """What a layer was given for a parameter."""
    found = value.attrs.get(GIVEN)
    return found.get(name) if isinstance(found, dict) and isinstance(name, str) else None


def number(value: InstanceV, name: object) -> int | None:
    """A parameter that is a known integer."""
    found = given(value, name)
    return found.value if isinstance(found, Const) and isinstance(found.value, int) else None


def applied(m: Machine, value: InstanceV, entry: Entry, made: Array, first: Value | None) -> Array:
    """The result of a layer with its shape and type, where the layer says them."""
    operand = first if isinstance(first, Array) else None
    shape = operand.shape if operand is not None else None
    options = entry.options
    if options.get("keeps"):
        return made.but(shape=shape, dtype=operand.dtype if operand is not None else None)
    if "last" not in options and "appends" not in options:
        return made
    size = number(value, options.get("last") or options.get("appends"))
    rows = number(value, options.get("fan_in") or options.get("rows"))
    if rows is None and "last" in options and shape and isinstance(shape[-1], int):
        rows = shape[-1]
    m.weights += 4 * (rows or 0) * (size or 0)
    return made.but(shape=new_shape(shape, size, bool(options.get("appends"))), dtype=result_type(value))


def new_shape(shape: Any, size: int | None, appends: bool) -> Any:
    """The shape with its last dimension replaced, or one more."""
    if shape is None or (not appends and not shape):
        return None
    return (*shape, size) if appends else (*shape[:-1], size)


def result_type(value: InstanceV) -> str | None:
    """The type of what a layer computes: the one asked for, else that of its float32 weights."""
    asked = given(value, "dtype")
    if asked is not None and not (isinstance(asked, Const) and asked.value is None):
        return dtype_name(asked)
    weights = given(value, "param_dtype")
    return "float32" if weights is None else dtype_name(weights)


def weight_of(value: InstanceV) -> int:
    """The bytes of the weights of a layer whose sizes were given, 0 where they are not known."""
    entry = knowledge.lookup(value.extern) if value.extern else None
    if entry is None:
        return 0
    size = number(value, entry.options.get("last") or entry.options.get("appends"))
    rows = number(value, entry.options.get("fan_in") or entry.options.get("rows"))
    return 4 * (rows or 0) * (size or 0)
