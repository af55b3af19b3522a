"""`isinstance`: which values are instances of which types, and what annotations promise."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.values import (
    Array,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    PartialV,
    TransformedV,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

ARRAY_TYPES = frozenset(
    {
        "jax.Array",
        "jax.numpy.ndarray",
        "jax.core.Tracer",
        "jax.typing.ArrayLike",
        "chex.Array",
        "chex.ArrayDevice",
        "chex.ArrayTree",
        "jaxtyping.Array",
        "jaxtyping.ArrayLike",
        "jaxtyping.PRNGKeyArray",
        "jaxtyping.Key",
        "jaxtyping.Scalar",
        "flax.typing.Array",
        "chex.PRNGKey",
        "chex.Scalar",
        "chex.Numeric",
    }
)
PYTHON_TYPES = {
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.bool": "bool",
    "builtins.str": "str",
    "builtins.bytes": "bytes",
    "builtins.complex": "complex",
    "numbers.Number": "number",
    "numbers.Real": "number",
    "numbers.Integral": "int",
    "numpy.ndarray": "ndarray",
    "numpy.generic": "npnumber",
    "numpy.number": "npnumber",
    "numpy.floating": "npnumber",
    "numpy.integer": "npnumber",
}
CONTAINER_TYPES = {
    "builtins.list": "list",
    "builtins.tuple": "tuple",
    "builtins.dict": "dict",
    "builtins.set": "set",
    "collections.abc.Mapping": "dict",
    "typing.Mapping": "dict",
    "collections.abc.Sequence": "sequence",
    "typing.Sequence": "sequence",
    "collections.abc.Callable": "callable",
    "typing.Callable": "callable",
}


def type_names(m: Machine, f: Frame, node: ast.expr) -> tuple[str, ...]:
    """The canonical names of the types in an isinstance test; '?' for one that is not known."""
    from jaxlint.interpreter.expressions import evaluate

    key = ("types", id(node))
    stored = m.memo.get(key)
    if stored is not None:
        return stored  # type: ignore[no-any-return]
    parts: list[ast.expr] = []
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Tuple):
            pending.extend(part.elts)
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
            pending.extend((part.left, part.right))
        else:
            parts.append(part)
    found: list[str] = []
    for part in parts:
        value = evaluate(m, f, part)
        if isinstance(value, ExternV):
            found.append(value.name)
        elif isinstance(value, ClassV):
            found.append("class:" + str(id(value)))
        elif isinstance(value, Const) and value.value is None:
            found.append("None")
        elif isinstance(value, TupleV) and value.items is not None:
            found.extend(v.name if isinstance(v, ExternV) else "class:" + str(id(v)) for v in value.items)
        else:
            found.append("?")
    if "?" not in found and not any(isinstance(p, ast.Name) and p.id in f.names for p in parts):
        m.memo[key] = tuple(found)
    return tuple(found)


def instance_of(value: Value, names: tuple[str, ...]) -> bool | None:
    """Whether `value` is an instance of one of the types; None when not certain."""
    results = [instance_of_one(value, name) for name in names]
    if True in results:
        return True
    return None if None in results else False


def instance_of_one(value: Value, name: str) -> bool | None:
    """Whether `value` is an instance of one named type."""
    if isinstance(value, Array):
        if name == "jax.core.Tracer":
            return value.trace is not None
        if name in ARRAY_TYPES:
            return True
        return False if name in PYTHON_TYPES or name in CONTAINER_TYPES or name.startswith("class:") else None
    if isinstance(value, Const) and value.value is None:
        return name in ("None", "types.NoneType", "builtins.object") if name != "?" else None
    kind = kind_of(value)
    if kind and kind != "object":
        return python_instance(kind, name)
    if isinstance(value, (TupleV, ListV, DictV)):
        wanted = CONTAINER_TYPES.get(name)
        if wanted is None:
            return False if name in PYTHON_TYPES or name in ARRAY_TYPES or name.startswith("class:") else None
        mine = "tuple" if isinstance(value, TupleV) else "dict" if isinstance(value, DictV) else value.kind
        return wanted == mine or (wanted == "sequence" and mine in ("list", "tuple"))
    if isinstance(value, (FunctionV, BoundV, PartialV, TransformedV)):
        return (
            True
            if CONTAINER_TYPES.get(name) == "callable"
            else False
            if name in PYTHON_TYPES or name in CONTAINER_TYPES
            else None
        )
    if isinstance(value, InstanceV):
        return class_instance(value, name)
    return None


def python_instance(kind: str, name: str) -> bool | None:
    """isinstance for Python and NumPy values."""
    wanted = PYTHON_TYPES.get(name)
    if wanted is None:
        return (
            False
            if name in CONTAINER_TYPES or name in ARRAY_TYPES or name.startswith("class:") or name == "None"
            else None
        )
    if kind == "bool":
        return wanted in ("bool", "int", "number")
    if kind == "npnumber":
        return None
    return wanted == kind or (wanted == "number" and kind in ("int", "float", "complex"))


def class_instance(value: InstanceV, name: str) -> bool | None:
    """isinstance for instances of project and outside classes."""
    from jaxlint.interpreter.attributes import mro

    if value.cls is None:
        return True if value.extern == name else None
    if name.startswith("class:"):
        line, complete = mro(value.cls)
        if any(isinstance(c, ClassV) and "class:" + str(id(c)) == name for c in line):
            return True
        return False if complete or value.cls.family == "enum" else None
    line, complete = mro(value.cls)
    if any(isinstance(c, ExternV) and c.name == name for c in line):
        return True
    if name in PYTHON_TYPES or name in ARRAY_TYPES or name in CONTAINER_TYPES:
        return False if complete else None
    return None


ANNOTATION_WRAPPERS = frozenset(
    {"typing.Annotated", "typing.Final", "typing.ClassVar", "typing.Required", "typing.NotRequired"}
)


def annotation_value(m: Machine, f: Frame, node: ast.expr | None) -> Value | None:
    """The evaluated annotation (a class, an outside name, a union of them), None when it says nothing."""
    from jaxlint.interpreter.expressions import evaluate

    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(node, ast.Subscript):
        base = annotation_value(m, f, node.value)
        if isinstance(base, ExternV):
            if base.name in ANNOTATION_WRAPPERS:
                inner = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
                return annotation_value(m, f, inner)
            if base.name == "typing.Optional":
                inner_value = annotation_value(m, f, node.slice)
                return UnionV((inner_value, Const(None))) if inner_value is not None else None
            if base.name.startswith("jaxtyping."):
                return ExternV("jax.Array")
        return base
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        options = [annotation_value(m, f, part) for part in (node.left, node.right)]
        return UnionV(tuple(o for o in options if o is not None)) if None not in options else None
    if isinstance(node, ast.Constant) and node.value is None:
        return Const(None)
    if isinstance(node, (ast.Name, ast.Attribute)):
        m.muted += 1
        try:
            value = evaluate(m, f, node)
        finally:
            m.muted -= 1
        return value if isinstance(value, (ExternV, ClassV, UnionV)) else None
    return None


def says_array(annotation: Value | None) -> bool:
    """Whether an annotation promises one jax array (not None, not a container)."""
    return isinstance(annotation, ExternV) and annotation.name in ARRAY_TYPES and "Tree" not in annotation.name


def host_of(annotation: Value | None) -> Value | None:
    """The host value that an annotation like `int` or `np.ndarray` promises."""
    if isinstance(annotation, ExternV):
        kind = PYTHON_TYPES.get(annotation.name)
        if kind in ("int", "float", "bool", "str", "ndarray"):
            return Host(kind)
    return None
