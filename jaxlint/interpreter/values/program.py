"""What a program is made of: functions, classes, instances, modules, and what transforms make of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame
    from jaxlint.source import Source
from jaxlint.interpreter.values.base import Store, Value
from jaxlint.interpreter.values.data import Array


class FunctionV(Value):
    """A Python function or lambda of the project, with its closure."""

    __slots__ = (
        "cached",
        "calls",
        "closure",
        "defaults",
        "depth",
        "kwdefaults",
        "module",
        "node",
        "owner",
        "qualname",
        "static",
        "tags",
        "uid",
    )

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        module: ModuleV,
        closure: Frame | None,
        qualname: str,
        defaults: tuple[Value, ...] = (),
        kwdefaults: Mapping[str, Value] | None = None,
        uid: int = 0,
        depth: int = 0,
    ) -> None:
        self.node = node
        self.module = module
        self.closure = closure
        self.qualname = qualname
        self.defaults = defaults
        self.kwdefaults = kwdefaults or {}
        self.uid = uid
        self.depth = depth
        self.calls = 0
        # memoised by functools.lru_cache / cache: the node of the decorator
        self.cached: ast.AST | None = None
        # marks left by decorators: contextmanager, property, classmethod, compact, ...
        self.tags: frozenset[str] = frozenset()
        self.owner: ClassV | None = None
        self.static: Any = None

    @property
    def name(self) -> str:
        """The bare name; '<lambda>' for a lambda."""
        return self.qualname.rpartition(".")[2]


class ClassV(Value):
    """A class of the project. `family` says how JAX sees its instances, see `interpreter/classes.py`."""

    __slots__ = (
        "bases",
        "depth",
        "family",
        "fields",
        "generic",
        "meta",
        "module",
        "name",
        "namespace",
        "node",
        "qualname",
    )

    def __init__(self, node: ast.ClassDef, module: ModuleV, qualname: str, bases: tuple[Value, ...]) -> None:
        self.node = node
        self.module = module
        self.qualname = qualname
        self.name = node.name
        self.bases = bases
        self.namespace: dict[Any, Any] = Store()
        self.family = ""
        self.fields: dict[str, FieldSpec] = {}
        self.meta: dict[str, Any] = {}
        self.generic: Any = None
        self.depth = 0


@dataclass(slots=True)
class FieldSpec:
    """A declared field: its annotation, default and whether it is static metadata of a pytree."""

    name: str
    annotation: ast.expr | None
    default: Value | None
    static: bool = False
    init: bool = True
    kw_only: bool = False


class InstanceV(Value):
    """An instance of a project class (`cls`) or of an outside one (`extern` names it)."""

    __slots__ = ("attrs", "cls", "depth", "extern", "generic", "trace")

    def __init__(self, cls: ClassV | None, extern: str = "", depth: int = 0, generic: bool = False) -> None:
        self.cls = cls
        self.extern = extern
        self.attrs: dict[Any, Any] = Store()
        self.depth = depth
        # made to stand for any instance, when no construction was seen
        self.generic = generic
        # set on copies that a traced function received: attributes not known are tracers' trees
        self.trace: Array | None = None


class BoundV(Value):
    """A callable with its first argument bound (a method)."""

    __slots__ = ("func", "receiver")

    def __init__(self, func: Value, receiver: Value) -> None:
        self.func = func
        self.receiver = receiver


class PartialV(Value):
    """functools.partial."""

    __slots__ = ("args", "func", "kwargs", "made")

    def __init__(self, func: Value, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs
        self.made = 0


class ExternV(Value):
    """A name of an outside library, by its canonical dotted name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class MethodV(Value):
    """A method of a value that the interpreter models itself: `x.sum`, `xs.append`, `d.items`, `"".join`."""

    __slots__ = ("name", "node", "receiver")

    def __init__(self, receiver: Value, name: str, node: ast.AST | None = None) -> None:
        self.receiver = receiver
        self.name = name
        self.node = node


class ModuleV(Value):
    """A module of the project and its namespace."""

    __slots__ = ("done", "frame", "name", "namespace", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.name = source.module
        self.namespace: dict[Any, Any] = Store()
        self.done = False
        self.frame: Frame | None = None


@dataclass(eq=False, slots=True)
class TransformSpec:
    """What a transform needs to know: which arguments are static or mapped, and how it stages."""

    kind: str
    family: str = "jax"
    static_nums: tuple[int, ...] = ()
    static_names: tuple[str, ...] = ()
    static_known: bool = True
    donate_nums: tuple[int, ...] = ()
    donate_names: tuple[str, ...] = ()
    in_axes: Value | None = None
    argnums: tuple[int, ...] | None = None
    has_aux: bool = False
    value: bool = False
    options: Mapping[str, Value] = field(default_factory=dict)
    # the axis names that collectives inside may use; None when they are not known
    axes: frozenset[str] | None = frozenset()


class TransformedV(Value):
    """A callable wrapped by a transform: `jit(f)`, `vmap(f)`, `grad(f)`, ... Its calls are remembered."""

    __slots__ = ("calls", "func", "keys", "memo", "node", "source", "spec", "uid")

    def __init__(self, func: Value, spec: TransformSpec, node: ast.AST, source: Source, uid: int = 0) -> None:
        self.func = func
        self.spec = spec
        self.node = node
        self.source = source
        self.uid = uid
        self.calls = 0
        # signatures traced so far, with what they returned
        self.memo: dict[Any, Any] = {}
        self.keys: list[Any] = []


class GeneratorV(Value):
    """A generator that has been made but not run: its function and arguments."""

    __slots__ = ("args", "func", "kwargs", "made_depth", "state")

    def __init__(self, func: FunctionV, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs
        self.state: dict[Any, Any] = {}
        # number of traces open when it was made
        self.made_depth = 1 << 30


class SuperV(Value):
    """super(): attribute look-up that starts after `cls`."""

    __slots__ = ("cls", "receiver")

    def __init__(self, cls: ClassV, receiver: Value) -> None:
        self.cls = cls
        self.receiver = receiver
