"""What a Python expression may stand for. Rules fire on definite values only; `Unknown` is silent."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.symbolic import Poly

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.identity import Key
    from jaxlint.source import Source

Dims = tuple["int | Poly | None", ...]


class Store(dict[Any, Any]):
    """The bindings of a frame, an instance or a container. `stamp` tells when it was made, for memoising calls."""

    __slots__ = ("stamp",)
    _made = 0

    def __init__(self, items: Mapping[Any, Any] = {}) -> None:
        super().__init__(items)
        Store._made = self.stamp = Store._made + 1

    @classmethod
    def now(cls) -> int:
        """The stamp of the newest store."""
        return cls._made


class Value:
    """Base of all abstract values. Values are compared by identity unless a function below says more."""

    __slots__ = ()


class Unknown(Value):
    """Nothing is known. `sym` names it as an integer, in case it is one (a parameter `batch_size`)."""

    __slots__ = ("name", "sym")

    def __init__(self, sym: Poly | None = None, name: str = "") -> None:
        self.sym = sym
        self.name = name


UNKNOWN = Unknown()
# an argument that may be left out: passed, it would be traced; left out, it is the plain default
OPEN = Unknown()


class Missing(Value):
    """Not a value: the mark of a name that is not bound, in journals."""

    __slots__ = ()


MISSING = Missing()


class Const(Value):
    """A Python constant: int, float, complex, str, bytes, bool, None or Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """One step of an explanation: what happened at `node` of `source`."""

    note: str
    node: ast.AST
    source: Source


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One trace that JAX makes. `abstract` traces have no values (jit, vmap, scan, ...); eager autodiff has.

    `level` orders traces: a tracer of a higher level belongs to a trace that started later, inside the others.
    """

    transform: str
    level: int
    abstract: bool
    link: Link
    # the function being traced, for messages
    function: str = ""
    parent: Trace | None = None
    # the newest store when the trace began
    stamp: int = 0


@dataclass(slots=True, eq=False)
class Ragged:
    """The leading dimension is not the same in every iteration; `why` words the reason.

    `handled` is set when the program turns out to deal with it (it tests or subtracts the length).
    """

    why: str
    node: ast.AST
    source: Source
    handled: bool = False


class Array(Value):
    """A jax array: a tracer where `trace` is set, else a concrete array on the device.

    `born` counts the device dispatches before it existed; `round` is the loop round it was made in, `stack` the
    interpreter frames at that time (to find the frame that a dispatch and a read have in common).
    """

    __slots__ = (
        "born",
        "cause",
        "dtype",
        "grows",
        "key",
        "origin",
        "parts",
        "piece",
        "ragged",
        "ready",
        "rounds",
        "shape",
        "stack",
        "trace",
        "weak",
        "weight",
    )

    def __init__(
        self,
        trace: Trace | None = None,
        shape: Dims | None = None,
        dtype: str | None = None,
        cause: Link | None = None,
        weak: bool | None = None,
        born: int = 0,
        ragged: Ragged | None = None,
        rounds: tuple[tuple[int, int], ...] = (),
        stack: tuple[int, ...] = (),
        origin: Value | None = None,
        piece: bool = False,
        grows: object = None,
        ready: bool = False,
        key: Key | None = None,
        parts: tuple[Array, ...] = (),
        weight: int = 0,
    ) -> None:
        self.trace = trace
        self.shape = shape
        self.dtype = dtype
        self.cause = cause
        self.weak = weak
        self.born = born
        self.ragged = ragged
        self.rounds = rounds
        self.stack = stack
        self.origin = origin
        self.piece = piece
        self.grows = grows
        # the call that made it has waited for it
        self.ready = ready
        # which PRNG key (or array of keys) it is
        self.key = key
        # the arrays of which it is one, where paths have met
        self.parts = parts
        # bytes that the tree it stands for has at least
        self.weight = weight

    def but(self, **changes: Any) -> Array:
        """A copy with some fields changed."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields.update(changes)
        return Array(**fields)

    @property
    def is_tracer(self) -> bool:
        """Whether it has no value: it belongs to an abstract trace."""
        return self.trace is not None and self.trace.abstract


class Tree(Value):
    """A pytree of arrays whose structure is not known; `leaf` stands for each of them."""

    __slots__ = ("leaf",)

    def __init__(self, leaf: Array) -> None:
        self.leaf = leaf


class Host(Value):
    """A Python or NumPy value whose content is not known.

    kind: int float bool str bytes complex ndarray object. `varies` holds the loops (ids) in which it changes
    from one iteration to the next; `index` tells of a loop index that walks a range in batch steps.
    """

    __slots__ = ("dtype", "grows", "index", "kind", "prefix", "ragged", "shape", "sym", "varies")

    def __init__(
        self,
        kind: str,
        sym: Poly | None = None,
        shape: Dims | None = None,
        varies: frozenset[int] = frozenset(),
        ragged: Ragged | None = None,
        index: BatchIndex | None = None,
        dtype: str | None = None,
        grows: object = None,
        prefix: str = "",
    ) -> None:
        self.grows = grows
        # how a string begins, as far as it is known
        self.prefix = prefix
        self.kind = kind
        self.sym = sym
        self.shape = shape
        self.varies = varies
        self.ragged = ragged
        self.index = index
        self.dtype = dtype


@dataclass(frozen=True, slots=True, eq=False)
class BatchIndex:
    """An integer that walks over the batches of `total` rows in steps of `step`.

    role: start (`i` of range(0, n, step), or `k * step`), stop (start + step), number (`k` of range(ceil(n / step))),
    next (`k + 1`), count (the number of batches itself, rounded up).
    """

    role: str
    total: Value
    step: Value
    node: ast.AST
    source: Source


class TupleV(Value):
    """An immutable sequence: `items` when the length is known, else `elem` for every element."""

    __slots__ = ("elem", "items")

    def __init__(self, items: tuple[Value, ...] | None, elem: Value = UNKNOWN) -> None:
        self.items = items
        self.elem = elem


class ListV(Value):
    """A list, deque or set. `state` holds "items" (tuple of values or None) and "elem"; writes are journaled."""

    __slots__ = ("depth", "kind", "made", "state")

    def __init__(
        self, items: tuple[Value, ...] | None, elem: Value = UNKNOWN, kind: str = "list", depth: int = 0
    ) -> None:
        self.state: dict[Any, Any] = Store({"items": items, "elem": elem})
        self.kind = kind
        # number of traces open when it was made: a tracer of a later trace must not be stored in it
        self.depth = depth
        self.made = 0

    @property
    def items(self) -> tuple[Value, ...] | None:
        """The elements, or None when the length is not known."""
        result: tuple[Value, ...] | None = self.state.get("items")
        return result

    @property
    def elem(self) -> Value:
        """What every element looks like when the length is not known."""
        result: Value = self.state.get("elem", UNKNOWN)
        return UNKNOWN if result is MISSING else result


class DictV(Value):
    """A dict: values by constant key; `open` when there may be others, which look like `rest`."""

    __slots__ = ("depth", "items", "meta")

    def __init__(self, items: dict[Any, Value] | None = None, rest: Value | None = None, depth: int = 0) -> None:
        self.items: dict[Any, Any] = Store(items if items is not None else {})
        self.meta: dict[Any, Any] = Store({"rest": rest})
        self.depth = depth

    @property
    def rest(self) -> Value | None:
        """The value under keys that are not known, or None if there are none."""
        result: Value | None = self.meta["rest"]
        return result


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


class AtV(Value):
    """`x.at` and `x.at[index]`."""

    __slots__ = ("array", "indexed")

    def __init__(self, array: Value, indexed: bool = False) -> None:
        self.array = array
        self.indexed = indexed


class ModuleV(Value):
    """A module of the project and its namespace."""

    __slots__ = ("done", "frame", "name", "namespace", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.name = source.module
        self.namespace: dict[Any, Any] = Store()
        self.done = False
        self.frame: Frame | None = None


class UnionV(Value):
    """One of a few alternatives."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Value, ...]) -> None:
        self.options = options


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


class IterV(Value):
    """A lazy sequence: range, enumerate, zip, map, filter, dict views, loaders, iterators.

    kind: range enumerate zip map items keys values loader iter comprehension. `parts` are its arguments.
    """

    __slots__ = ("kind", "node", "options", "parts")

    def __init__(
        self, kind: str, parts: tuple[Value, ...], node: ast.AST | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        self.kind = kind
        self.parts = parts
        self.node = node
        self.options = options or {}


class SliceV(Value):
    """slice(lower, upper, step)."""

    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: Value, upper: Value, step: Value) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step


class SuperV(Value):
    """super(): attribute look-up that starts after `cls`."""

    __slots__ = ("cls", "receiver")

    def __init__(self, cls: ClassV, receiver: Value) -> None:
        self.cls = cls
        self.receiver = receiver
