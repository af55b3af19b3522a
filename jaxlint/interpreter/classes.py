"""Classes of the project: how they are made, how JAX sees their instances, and how instances are made.

A class belongs to a family: plain, dataclass (not a pytree), pytree (registered), struct (flax.struct, chex),
namedtuple, enum, nnx, nnx_variable, linen, eqx, hk.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.attributes import class_attribute, mro
from jaxlint.interpreter.calls import Args, call, call_method_named
from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.iteration import known_items
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FieldSpec,
    FunctionV,
    InstanceV,
    ListV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

FAMILIES = {
    "typing.NamedTuple": "namedtuple",
    "enum.Enum": "enum",
    "enum.IntEnum": "enum",
    "enum.StrEnum": "enum",
    "enum.Flag": "enum",
    "enum.IntFlag": "enum",
    "flax.nnx.Module": "nnx",
    "flax.nnx.Pytree": "nnx",
    "flax.nnx.Object": "nnx",
    "flax.linen.Module": "linen",
    "equinox.Module": "eqx",
    "flax.struct.PyTreeNode": "struct",
    "flax.training.train_state.TrainState": "struct",
    "haiku.Module": "hk",
    "flax.nnx.Variable": "nnx_variable",
    "flax.nnx.Param": "nnx_variable",
    "flax.nnx.BatchStat": "nnx_variable",
    "flax.nnx.Cache": "nnx_variable",
    "flax.nnx.Intermediate": "nnx_variable",
    "flax.nnx.VariableState": "nnx_variable",
}
DATACLASSES = {
    "dataclasses.dataclass": "dataclass",
    "flax.struct.dataclass": "struct",
    "chex.dataclass": "struct",
    "flax.nnx.dataclass": "",
    "jax_dataclasses.pytree_dataclass": "pytree",
    "tjax.dataclasses.dataclass": "pytree",
    "simple_pytree.dataclass": "pytree",
    "pydantic.dataclasses.dataclass": "dataclass",
    "attrs.define": "dataclass",
    "attrs.frozen": "dataclass",
    "attr.s": "dataclass",
}
REGISTER = frozenset(
    {
        "jax.tree_util.register_pytree_node_class",
        "jax.tree_util.register_dataclass",
        "jax.tree_util.register_pytree_with_keys_class",
        "jax.tree_util.register_pytree_node",
        "jax.tree_util.register_pytree_with_keys",
    }
)
FIELD_FUNCTIONS = frozenset(
    {"dataclasses.field", "equinox.field", "flax.struct.field", "chex.field", "flax.nnx.static", "flax.nnx.data"}
)
# families whose instances are made from their declared fields
FIELD_MADE = frozenset({"dataclass", "pytree", "struct", "namedtuple", "linen", "eqx"})
PYTREES = frozenset({"pytree", "struct", "namedtuple", "eqx", "nnx", "nnx_variable"})
TRAIN_STATE = (("step", False), ("apply_fn", True), ("params", False), ("tx", True), ("opt_state", False))


def make_class(m: Machine, f: Frame, node: ast.ClassDef) -> Value:
    """The class object that a `class` statement makes."""
    from jaxlint.interpreter.decorators import apply_to_class
    from jaxlint.interpreter.expressions import evaluate
    from jaxlint.interpreter.statements import run_block

    bases = tuple(evaluate(m, f, base) for base in node.bases if not isinstance(base, ast.Starred))
    qualname = f"{f.qualname}.{node.name}" if f.qualname else node.name
    cls = ClassV(node, f.module, qualname, bases)
    cls.depth = len(m.traces)
    cls.family = inherited_family(cls)
    frame = Frame(
        module=f.module,
        names=cls.namespace,
        uid=m.fresh(),
        qualname=qualname,
        outer=f if f.function is not None or f.is_class else None,
        owner=cls,
        caller=f,
        is_class=True,
        journal_depth=len(m.journals),
        depth=len(m.traces),
    )
    m.frames.append(frame)
    try:
        run_block(m, frame, node.body)
    finally:
        m.frames.pop()
    for keyword in node.keywords:
        if keyword.arg == "static" and isinstance(keyword.value, ast.Constant):
            cls.meta["static"] = keyword.value.value
    declare_fields(cls)
    if cls.family == "enum":
        make_members(m, cls)
    m.classes.append(cls)
    return apply_to_class(m, f, cls, node.decorator_list)


def inherited_family(cls: ClassV) -> str:
    """The family that the bases give."""
    for base in cls.bases:
        if isinstance(base, ClassV) and base.family:
            return base.family
        if isinstance(base, ExternV) and base.name in FAMILIES:
            return FAMILIES[base.name]
    return ""


def declare_fields(cls: ClassV) -> None:
    """Collect the annotated fields, inherited ones first."""
    for base in cls.bases:
        if isinstance(base, ClassV):
            cls.fields.update(base.fields)
        elif isinstance(base, ExternV) and base.name == "flax.training.train_state.TrainState":
            cls.fields.update({n: FieldSpec(n, None, None, static) for n, static in TRAIN_STATE})
    for statement in cls.node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        annotation = cls.module.source.segment(statement.annotation, 200)
        if "ClassVar" in annotation:
            continue
        name = statement.target.id
        default = cls.namespace.get(name, MISSING)
        spec = FieldSpec(name, statement.annotation, None if default is MISSING else default)
        read_field_marker(cls, spec, default)
        if "Static" in annotation:
            spec.static = True
        cls.fields[name] = spec


def read_field_marker(cls: ClassV, spec: FieldSpec, default: Any) -> None:
    """What `field(...)` says: static or not, default, factory."""
    if not isinstance(default, InstanceV) or default.extern not in FIELD_FUNCTIONS:
        return
    options = default.attrs
    static = options.get("static")
    metadata = options.get("metadata")
    node = options.get("pytree_node")
    if isinstance(static, Const):
        spec.static = bool(static.value)
    if isinstance(node, Const):
        spec.static = not node.value
    if isinstance(metadata, DictV):
        found = metadata.items.get("static", MISSING)
        if isinstance(found, Const):
            spec.static = bool(found.value)
        found = metadata.items.get("pytree_node", MISSING)
        if isinstance(found, Const):
            spec.static = not found.value
    if isinstance(options.get("init"), Const) and not options["init"].value:
        spec.init = False
    if default.extern == "flax.nnx.static":
        spec.static = True
    spec.default = options.get("default")
    factory = options.get("default_factory")
    if factory is not None:
        spec.default = InstanceV(None, "default_factory")
        spec.default.attrs["call"] = factory
    cls.namespace.pop(spec.name, None)


def make_members(m: Machine, cls: ClassV) -> None:
    """The members of an enum."""
    for name, value in list(cls.namespace.items()):
        if (
            not isinstance(name, str)
            or name.startswith("_")
            or isinstance(value, (FunctionV, ClassV))
            or value is MISSING
        ):
            continue
        member = InstanceV(cls)
        member.attrs["name"] = Const(name)
        member.attrs["value"] = value if isinstance(value, Value) else UNKNOWN
        cls.namespace[name] = member


def register(m: Machine, cls: ClassV, name: str, options: dict[str, Value], node: ast.AST) -> bool:
    """A class decorator or registration that the interpreter knows; True when it was one."""
    if name in DATACLASSES:
        family = DATACLASSES[name]
        if family and cls.family in ("", "dataclass"):
            cls.family = family
        frozen = options.get("frozen")
        cls.meta["dataclass"] = True
        cls.meta["frozen"] = family == "struct" or (isinstance(frozen, Const) and bool(frozen.value))
        eq = options.get("eq")
        cls.meta["eq"] = not (isinstance(eq, Const) and eq.value is False)
        unsafe = options.get("unsafe_hash")
        cls.meta["hashes"] = isinstance(unsafe, Const) and bool(unsafe.value)
        return True
    if name in REGISTER:
        cls.family = "pytree"
        meta = options.get("meta_fields")
        known = known_items(m, meta) if meta is not None else None
        for item in known or ():
            if isinstance(item, Const) and item.value in cls.fields:
                cls.fields[item.value].static = True
        if name in ("jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_node"):
            static_from_flatten(m, cls)
        return True
    if name == "jax.tree_util.register_static":
        cls.family = "static"
        return True
    return False


def static_from_flatten(m: Machine, cls: ClassV) -> None:
    """A hand-written `tree_flatten` decides which attributes are leaves: those of its first result."""
    flatten = cls.meta.get("flatten") or class_attribute(cls, "tree_flatten")
    leaves: set[str] | None = None
    if isinstance(flatten, FunctionV):
        leaves = leaves_of(flatten.node)
    cls.meta["leaves"] = leaves
    if leaves:
        for name, spec in cls.fields.items():
            spec.static = spec.static or name not in leaves


def leaves_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str] | None:
    """The attributes in the children that `tree_flatten` returns."""
    local: dict[str, ast.expr] = {}
    result: ast.expr | None = node.body if isinstance(node, ast.Lambda) else None
    for part in ast.walk(node):
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
            local[part.targets[0].id] = part.value
        if isinstance(part, ast.Return) and part.value is not None:
            result = part.value
    if not isinstance(result, ast.Tuple) or not result.elts:
        return None
    children: ast.expr = result.elts[0]
    if isinstance(children, ast.Name):
        children = local.get(children.id, children)
    return {a.attr for a in ast.walk(children) if isinstance(a, ast.Attribute)}


def instantiate(m: Machine, cls: ClassV, args: Args, node: ast.AST) -> Value:
    """`Class(...)`."""
    if cls.family == "enum":
        return enum_member(cls, args)
    instance = InstanceV(cls, depth=len(m.traces))
    m.effects += 1
    instance.attrs[("made",)] = m.rounds_now()
    initialise(m, instance, args, node)
    return instance


def enum_member(cls: ClassV, args: Args) -> Value:
    """`Enum(value)`."""
    wanted = args.pos[0] if args.pos else None
    if isinstance(wanted, Const):
        for member in cls.namespace.values():
            if isinstance(member, InstanceV):
                value = member.attrs.get("value")
                if isinstance(value, Const) and value.value == wanted.value:
                    return member
    return InstanceV(cls)


def initialise(m: Machine, instance: InstanceV, args: Args, node: ast.AST) -> None:
    """Run what makes an instance: `__init__`, or the declared fields and `__post_init__`."""
    cls = instance.cls
    assert cls is not None
    init = class_attribute(cls, "__init__")
    if init is not None and cls.family != "linen":
        call(m, BoundV(init, instance), args, node)
    elif cls.family == "nnx_variable":
        instance.attrs["value"] = args.pos[0] if args.pos else args.kw.get("value", UNKNOWN)
    elif cls.family in FIELD_MADE:
        fill_fields(m, instance, cls, args, node)
        if class_attribute(cls, "__post_init__") is not None:
            call_method_named(m, instance, "__post_init__", node)
    elif not mro(cls)[1] or cls.family == "hk":
        instance.attrs.update({k: v for k, v in args.kw.items() if cls.family not in ("hk",)} if cls.family else {})
        instance.generic = bool([b for b in cls.bases if not isinstance(b, ClassV)]) and cls.family not in ("hk", "nnx")
    if cls.family == "eqx" and class_attribute(cls, "__check_init__") is not None:
        call_method_named(m, instance, "__check_init__", node)
    if cls.family == "linen" and class_attribute(cls, "setup") is not None:
        m.muted += 1
        try:
            call_method_named(m, instance, "setup", node)
        finally:
            m.muted -= 1


def fill_fields(m: Machine, instance: InstanceV, cls: ClassV, args: Args, node: ast.AST) -> None:
    """Bind constructor arguments to declared fields."""
    names = [n for n, spec in cls.fields.items() if spec.init]
    for place, name in enumerate(names):
        value = args.pos[place] if place < len(args.pos) else args.kw.get(name)
        if value is None:
            if args.star is not None or args.double_star is not None:
                value = args.star or args.double_star or UNKNOWN
            else:
                value = default_value(m, cls.fields[name], node)
        instance.attrs[name] = value
    for name, spec in cls.fields.items():
        if not spec.init and spec.default is not None:
            instance.attrs[name] = default_value(m, spec, node)


def default_value(m: Machine, spec: FieldSpec, node: ast.AST) -> Value:
    """The default of a field."""
    default = spec.default
    if default is None:
        return UNKNOWN
    if isinstance(default, InstanceV) and default.extern == "default_factory":
        factory = default.attrs["call"]
        if isinstance(factory, ExternV) and factory.name in ("builtins.list", "builtins.dict", "builtins.set"):
            return (
                ListV((), UNKNOWN, "list", len(m.traces))
                if factory.name != "builtins.dict"
                else DictV({}, None, len(m.traces))
            )
        return call(m, factory, Args(), node)
    return default


def is_pytree(value: InstanceV) -> bool:
    """Whether JAX flattens instances of this class."""
    return value.cls is not None and value.cls.family in PYTREES


def is_leaf_field(cls: ClassV, name: str) -> bool:
    """Whether an attribute of a pytree is a child (traced), not static metadata."""
    spec = cls.fields.get(name)
    if spec is not None:
        return not spec.static
    leaves = cls.meta.get("leaves")
    if leaves is not None:
        return name in leaves
    return cls.family == "nnx" or (cls.family == "pytree" and "leaves" in cls.meta and leaves is None)
