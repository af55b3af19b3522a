"""`value.name`, read and written, for every sort of value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.interpreter.arrays import result_array, shape_value
from jaxlint.interpreter.joining import join, kind_of
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    AtV,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    GeneratorV,
    Host,
    InstanceV,
    IterV,
    ListV,
    MethodV,
    ModuleV,
    PartialV,
    SuperV,
    TransformedV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

TREE_METHODS = frozenset(
    {"items", "values", "keys", "get", "copy", "pop", "update", "_replace", "replace", "setdefault"}
)
SHAPED = frozenset({"shape", "ndim", "size", "dtype", "nbytes", "itemsize", "sharding", "aval", "weak_type"})


def get_attribute(m: Machine, value: Value, name: str, node: ast.AST) -> Value:
    """`value.name`."""
    work = READERS.get(value.__class__)
    if work is not None:
        return work(m, value, name, node)  # type: ignore[no-any-return]
    return UNKNOWN


def array_has(name: str) -> bool:
    """Whether every jax array has the attribute, a tracer too."""
    return name in SHAPED or name == "at" or knowledge.method("array", name) is not None


def array_attribute(m: Machine, value: Array, name: str, node: ast.AST) -> Value:
    """Attributes and methods of a jax array; what is static under a trace is a Python value."""
    if name == "shape":
        return shape_value(value.shape)
    if name == "ndim":
        return Const(len(value.shape)) if value.shape is not None else Host("int")
    if name == "size":
        return array_size(value)
    if name == "dtype":
        return Host("object") if value.dtype is None else ExternV("numpy.dtype:" + value.dtype)
    if name == "at":
        return AtV(value)
    entry = knowledge.method("array", name)
    if entry is None:
        return MethodV(value, name, node) if name.startswith("__") else UNKNOWN
    if not entry.attribute:
        return MethodV(value, name, node)
    if entry.result in ("int", "float", "bool", "str", "python"):
        return Host(entry.result if entry.result != "python" else "object")
    if name in ("T", "mT"):
        shape = (
            None
            if value.shape is None
            else value.shape[::-1]
            if name == "T"
            else (*value.shape[:-2], *value.shape[:-3:-1])
        )
        return result_array(m, node, (value,), shape=shape, dtype=value.dtype, weak=value.weak)
    return result_array(m, node, (value,), shape=value.shape)


def array_size(value: Array) -> Value:
    """`x.size`."""
    if value.shape is not None and all(isinstance(d, int) for d in value.shape):
        total = 1
        for dim in value.shape:
            total *= int(dim)  # type: ignore[arg-type]
        return Const(total)
    return Host("int")


def tree_attribute(m: Machine, value: Tree, name: str, node: ast.AST) -> Value:
    """Attributes of a pytree of unknown structure: only those that an array or a mapping has say something."""
    if name in TREE_METHODS:
        return MethodV(value, name, node)
    if name in SHAPED or name == "at" or knowledge.method("array", name) is not None:
        if name in ("count", "index", "device", "real", "imag", "max", "min", "view", "trace", "data"):
            return UNKNOWN
        return array_attribute(m, value.leaf, name, node)
    return UNKNOWN


def host_attribute(m: Machine, value: Host, name: str, node: ast.AST) -> Value:
    """Attributes of NumPy arrays and other host values."""
    if value.kind in ("ndarray", "npnumber"):
        if name == "shape":
            if value.ragged is not None:
                return TupleV(None, Host("int"))
            return shape_value(value.shape)
        if name in ("ndim", "size"):
            return Host("int", varies=value.varies)
        if name == "dtype":
            return Host("object") if value.dtype is None else ExternV("numpy.dtype:" + value.dtype)
        entry = knowledge.method("ndarray", name)
        if entry is not None and entry.attribute:
            return Host("ndarray", varies=value.varies)
        return MethodV(value, name, node)
    if value.kind in ("str", "bytes", "int", "float", "bool", "complex"):
        return MethodV(value, name, node)
    if value.ragged is not None and (name in OF_BATCHES or knowledge.method("ndarray", name)):
        return TupleV(None, Host("int")) if name == "shape" else MethodV(value, name, node)
    return UNKNOWN


# what batches of loaders have besides the methods of NumPy arrays: torch's tensors keep their rows in all of these
TENSOR_METHODS = frozenset(
    {"numpy", "cpu", "cuda", "detach", "to", "float", "double", "half", "long", "int", "bool", "contiguous", "clone"}
)
OF_BATCHES = TENSOR_METHODS | {"shape", "astype", "reshape", "T", "copy"}


def const_attribute(m: Machine, value: Const, name: str, node: ast.AST) -> Value:
    """Methods of str, int, float constants."""
    if value.value is None:
        return UNKNOWN
    if isinstance(value.value, (int, float)) and name in ("real", "imag", "numerator", "denominator"):
        return Const(getattr(value.value, name))
    return MethodV(value, name, node)


def method_attribute(m: Machine, value: Value, name: str, node: ast.AST) -> Value:
    """Methods of containers and iterators."""
    return MethodV(value, name, node)


def mro(cls: ClassV) -> tuple[list[Value], bool]:
    """The classes of `cls` in look-up order (depth first), and whether all bases are known project classes."""
    line: list[Value] = [cls]
    complete = True
    for base in cls.bases:
        if isinstance(base, ClassV):
            more, whole = mro(base)
            line.extend(c for c in more if c not in line)
            complete = complete and whole
        elif isinstance(base, ExternV):
            if not any(isinstance(c, ExternV) and c.name == base.name for c in line):
                line.append(base)
            complete = complete and base.name in HARMLESS_BASES
        else:
            complete = False
    return line, complete


HARMLESS_BASES = frozenset(
    {
        "builtins.object",
        "typing.NamedTuple",
        "typing.Protocol",
        "typing.Generic",
        "abc.ABC",
        "enum.Enum",
        "enum.IntEnum",
        "flax.struct.PyTreeNode",
        "equinox.Module",
    }
)


def class_attribute(cls: ClassV, name: str, skip: ClassV | None = None) -> Value | None:
    """The raw class attribute `name`, looked up in the bases; `skip`: start after that class (super)."""
    found_skip = skip is None
    for base in mro(cls)[0]:
        if not isinstance(base, ClassV):
            continue
        if not found_skip:
            found_skip = base is skip
            continue
        value = base.namespace.get(name, MISSING)
        if value is not MISSING:
            return value  # type: ignore[no-any-return]
    return None


def bind(m: Machine, raw: Value, receiver: InstanceV, node: ast.AST, name: str) -> Value:
    """What reading class attribute `raw` through an instance gives (methods bind, properties run)."""
    if isinstance(raw, FunctionV):
        if "property" in raw.tags:
            from jaxlint.interpreter.calls import Args, call

            return call(m, raw, Args([receiver], nodes=[None]), node)
        if "staticmethod" in raw.tags:
            return raw
        if "classmethod" in raw.tags:
            return BoundV(raw, receiver.cls) if receiver.cls is not None else UNKNOWN
        return BoundV(raw, receiver)
    if isinstance(raw, TransformedV):
        target = raw.func
        if isinstance(target, FunctionV) and "staticmethod" in target.tags:
            return raw
        return BoundV(raw, receiver)
    if isinstance(raw, InstanceV) and raw.cls is not None and class_attribute(raw.cls, "__get__") is not None:
        from jaxlint.interpreter.calls import call_method_named

        return call_method_named(m, raw, "__get__", node, receiver, receiver.cls or UNKNOWN)
    return raw


def instance_attribute(m: Machine, value: InstanceV, name: str, node: ast.AST) -> Value:
    """`instance.name`."""
    from jaxlint.interpreter.expressions import note_read
    from jaxlint.interpreter.libraries import library_attribute

    found = value.attrs.get(name, MISSING)
    if found is not MISSING:
        if not value.generic:
            note_read(m, value.attrs, name, found, node)
        return found  # type: ignore[no-any-return]
    if value.cls is not None:
        raw = class_attribute(value.cls, name)
        if raw is not None:
            return bind(m, raw, value, node, name)
    special = library_attribute(m, value, name, node)
    if special is not None:
        return special
    if name == "__class__" and value.cls is not None:
        return value.cls
    if name == "__dict__":
        items = {k: v for k, v in value.attrs.items() if v is not MISSING}
        return DictV(items, UNKNOWN if value.generic else None, len(m.traces))
    if value.cls is not None and not value.generic:
        getter = class_attribute(value.cls, "__getattr__")
        if isinstance(getter, FunctionV):
            from jaxlint.interpreter.calls import Args, call

            return call(m, getter, Args([value, Const(name)], nodes=[None, None]), node)
    return Unknown(Poly.atom("attr", id(value), name))


def class_read(m: Machine, value: ClassV, name: str, node: ast.AST) -> Value:
    """`Class.name`."""
    from jaxlint.interpreter.libraries import library_class_attribute

    raw = class_attribute(value, name)
    if raw is not None:
        if isinstance(raw, FunctionV) and "classmethod" in raw.tags:
            return BoundV(raw, value)
        return raw
    if name in ("__name__", "__qualname__", "__module__"):
        return Const(value.name) if name == "__name__" else Host("str")
    special = library_class_attribute(m, value, name, node)
    return special if special is not None else UNKNOWN


def module_read(m: Machine, value: ModuleV, name: str, node: ast.AST) -> Value:
    """`module.name` of a project module."""
    from jaxlint.interpreter.expressions import note_read
    from jaxlint.interpreter.imports import submodule

    found = value.namespace.get(name, MISSING)
    if found is not MISSING:
        note_read(m, value.namespace, name, found, node)
        return found  # type: ignore[no-any-return]
    inner = submodule(m, value, name)
    return inner if inner is not None else UNKNOWN


def extern_read(m: Machine, value: ExternV, name: str, node: ast.AST) -> Value:
    """`library.name`."""
    return extern(m, f"{value.name}.{name}")


def extern(m: Machine, dotted: str) -> Value:
    """The value of an outside dotted name: a known constant, or the name itself."""
    text = knowledge.canonical(dotted)
    found = knowledge.constant(text)
    if found is not None:
        if found.known:
            value = found.value
            if value is None:
                return NONE
            return Const(value) if isinstance(value, (int, float, str, bool)) else ExternV(text)
        if found.result in ("int", "float", "bool", "str"):
            return Host(found.result)
        if found.result == "host":
            return Host("ndarray")
    return ExternV(text)


def union_read(m: Machine, value: UnionV, name: str, node: ast.AST) -> Value:
    """An attribute of alternatives: None is left out, the others are joined silently."""
    from jaxlint.interpreter.operators import strip_none

    stripped = strip_none(value)
    if not isinstance(stripped, UnionV):
        return get_attribute(m, stripped, name, node)
    result: Any = MISSING
    m.muted += 1
    try:
        for option in stripped.options:
            result = join(result, get_attribute(m, option, name, node))
    finally:
        m.muted -= 1
    return result  # type: ignore[no-any-return]


def function_read(m: Machine, value: Value, name: str, node: ast.AST) -> Value:
    """Attributes of functions: names, and what JAX adds (`defjvp`, `lower`, `__wrapped__`)."""
    if name in ("__name__", "__qualname__", "__doc__", "__module__"):
        return Const(value.name) if isinstance(value, FunctionV) and name == "__name__" else Host("str")
    if isinstance(value, TransformedV) and name in ("__wrapped__", "fun", "func"):
        return value.func
    if isinstance(value, PartialV):
        if name == "func":
            return value.func
        if name == "args":
            return TupleV(value.args)
        if name == "keywords":
            return DictV(dict(value.kwargs))
    if isinstance(value, BoundV) and name == "__self__":
        return value.receiver
    if isinstance(value, BoundV) and name == "__func__":
        return value.func
    return MethodV(value, name, node)


def super_read(m: Machine, value: SuperV, name: str, node: ast.AST) -> Value:
    """`super().name`."""
    receiver = value.receiver
    cls = receiver.cls if isinstance(receiver, InstanceV) else receiver if isinstance(receiver, ClassV) else None
    if cls is not None:
        raw = class_attribute(cls, name, skip=value.cls)
        if raw is not None and isinstance(receiver, InstanceV):
            return bind(m, raw, receiver, node, name)
        if raw is not None:
            return raw
    return MethodV(value, name, node)


def set_attribute(m: Machine, value: Value, name: str, new: Value, node: ast.AST) -> None:
    """`value.name = new`."""
    from jaxlint.interpreter.leaks import check_attribute
    from jaxlint.interpreter.nnx_attributes import check_container
    from jaxlint.interpreter.saving import escape

    if isinstance(value, UnionV):
        from jaxlint.interpreter.operators import strip_none

        stripped = strip_none(value)
        if isinstance(stripped, UnionV):
            return
        value = stripped
    if m.savers and m.unprompted:
        escape(m, [new])
    if isinstance(value, InstanceV):
        check_attribute(m, value, name, new, node)
        if value.cls is not None and value.cls.family == "nnx":
            check_container(m, value, name, new)
        if value.cls is not None:
            raw = class_attribute(value.cls, name)
            if isinstance(raw, FunctionV) and "property" in raw.tags:
                return
        old = value.attrs.get(name, MISSING)
        if isinstance(old, InstanceV) and not isinstance(new, InstanceV):
            from jaxlint.interpreter.operators import is_variable

            if is_variable(old):
                m.write(old.attrs, "value", new)
                return
        m.write(value.attrs, name, new)
    elif isinstance(value, FunctionV):
        from jaxlint.interpreter.leaks import check_store

        check_store(m, value.depth, new, node, "attribute", node)
    elif isinstance(value, ClassV):
        from jaxlint.interpreter.leaks import check_store

        check_store(m, value.depth, new, node, "attribute", node)
        m.write(value.namespace, name, new)
    elif isinstance(value, ModuleV):
        from jaxlint.interpreter.leaks import check_store

        check_store(m, 0, new, node, "global", node)
        m.write(value.namespace, name, new)
    elif isinstance(value, (BoundV, FunctionV)) and kind_of(new) == "":
        return


READERS: dict[type, Any] = {
    Array: array_attribute,
    Tree: tree_attribute,
    Host: host_attribute,
    Const: const_attribute,
    ListV: method_attribute,
    DictV: method_attribute,
    TupleV: method_attribute,
    IterV: method_attribute,
    GeneratorV: method_attribute,
    AtV: method_attribute,
    InstanceV: instance_attribute,
    ClassV: class_read,
    ModuleV: module_read,
    ExternV: extern_read,
    UnionV: union_read,
    FunctionV: function_read,
    BoundV: function_read,
    PartialV: function_read,
    TransformedV: function_read,
    SuperV: super_read,
}
