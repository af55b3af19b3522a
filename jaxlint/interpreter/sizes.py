"""How many bytes a value certainly takes."""

from __future__ import annotations

from typing import Any

from jaxlint.interpreter.values import Array, Host

# bytes from which on an array is worth a word: a constant of this size shows in compile time and memory
LARGE = 1 << 20
WIDTHS = {
    "float64": 8,
    "int64": 8,
    "uint64": 8,
    "complex64": 8,
    "complex128": 16,
    "float16": 2,
    "bfloat16": 2,
    "int16": 2,
    "uint16": 2,
    "int8": 1,
    "uint8": 1,
    "bool": 1,
}


def size_of(value: Array | Host) -> int:
    """The bytes of an array whose shape is known, else a lower bound (0 where nothing is known)."""
    total = elements(value.shape)
    width = WIDTHS.get(value.dtype or "", 4)
    return total * width


def elements(shape: Any) -> int:
    """The number of elements of a known shape, 0 when a dimension is not known."""
    if shape is None:
        return 0
    total = 1
    for dim in shape:
        if not isinstance(dim, int):
            return 0
        total *= dim
    return total
