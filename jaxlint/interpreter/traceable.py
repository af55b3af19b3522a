"""What JAX cannot trace: strings, callables, enum members, objects that are no pytrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.callables import Bound, callable_name, signature
from jaxlint.interpreter.values import (
    MISSING,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    ModuleV,
    PartialV,
    TransformedV,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


UNTRACEABLE = (FunctionV, BoundV, PartialV, ClassV, ModuleV, TransformedV)


def check_traceable(m: Machine, value: TransformedV, item: Bound) -> None:
    """A string, a callable, a class or a plain object cannot be traced."""
    bad = untraceable(item.value)
    known = signature(value.func)
    if bad is None or (known is not None and value.spec.static_names and item.name == known.vararg):
        # behind `functools.wraps`, JAX finds the names of the static arguments in the signature of the wrapped function
        return
    function = callable_name(value.func)
    m.emit(
        Kind.STATIC_SPEC,
        value.node,
        "missing",
        subject=item.node,
        source=value.source,
        scope="",
        trace=(),
        parameter=item.name or str(item.place),
        what=bad,
        function=function,
        name=item.name,
        close=None,
    )


def untraceable(value: Value, depth: int = 3) -> str | None:
    """What kind of value that JAX cannot trace a leaf is, None when all are fine (or not known)."""
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return f"the string {value.value!r}"[:60]
    if isinstance(value, Host) and value.kind in ("str", "bytes"):
        return "a string"
    if isinstance(value, BoundV) and isinstance(value.func, FunctionV) and "decorated" in value.func.tags:
        # what an unknown decorator makes of a method may be a property
        return None
    if isinstance(value, UNTRACEABLE):
        return (
            "a function"
            if not isinstance(value, (ClassV, ModuleV))
            else "a class"
            if isinstance(value, ClassV)
            else "a module"
        )
    if isinstance(value, ExternV):
        return f"`{value.name}`" if traceable_extern(value.name) else None
    if isinstance(value, InstanceV):
        return instance_untraceable(value)
    if isinstance(value, UnionV):
        found = [untraceable(v, depth) for v in value.options]
        return found[0] if found and all(found) else None
    if depth and isinstance(value, (TupleV, ListV)) and not (isinstance(value, ListV) and value.kind in ("deque",)):
        if isinstance(value, ListV) and value.kind == "set":
            return "a set"
        for item in value.items or ():
            found_item = untraceable(item, depth - 1)
            if found_item is not None:
                return found_item
    if depth and isinstance(value, DictV):
        for item in value.items.values():
            if isinstance(item, Value) and item is not MISSING:
                found_item = untraceable(item, depth - 1)
                if found_item is not None:
                    return found_item
    return None


def traceable_extern(name: str) -> bool:
    """Whether an outside name is a function or class that JAX certainly cannot trace."""
    from jaxlint import knowledge

    entry = knowledge.lookup(name)
    return entry is not None and not getattr(entry, "attribute", False) and not name.startswith("numpy.dtype")


def instance_untraceable(value: InstanceV) -> str | None:
    """Instances of classes that are not pytrees."""
    cls = value.cls
    if value.extern == "optax.GradientTransformation":
        return "an optax transformation (a pair of functions)"
    if cls is None or value.generic:
        return None
    if cls.family == "enum":
        ints = any(isinstance(b, ExternV) and b.name in ("enum.IntEnum", "enum.IntFlag") for b in cls.bases)
        return None if ints else f"the enum member `{cls.name}.{enum_text(value)}`"
    if cls.family in ("", "dataclass", "linen"):
        from jaxlint.interpreter.attributes import class_attribute, mro

        if not mro(cls)[1] and cls.family != "linen":
            return None
        if (
            cls.meta.get("open")
            or class_attribute(cls, "tree_flatten") is not None
            or class_attribute(cls, "__jax_array__") is not None
        ):
            return None
        return f"an instance of `{cls.name}`, which is not a pytree"
    return None


def enum_text(value: InstanceV) -> str:
    """The name of an enum member."""
    name = value.attrs.get("name")
    return str(name.value) if isinstance(name, Const) else "?"
