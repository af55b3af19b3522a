"""Calls: what is called decides who interprets it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import arrays_in
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.saving import escape
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    GeneratorV,
    Host,
    InstanceV,
    ListV,
    MethodV,
    PartialV,
    SuperV,
    TransformedV,
    Tree,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


# methods that wait, of whatever object
WAITING = frozenset({"block_until_ready", "item", "tolist", "wait", "result"})


class Args:
    """The arguments of a call: positional and by keyword, with their nodes; `star`/`double_star` when open."""

    __slots__ = ("double_star", "kw", "kw_nodes", "nodes", "pos", "star", "star_ragged")

    def __init__(
        self,
        pos: Iterable[Value] = (),
        kw: Mapping[str, Value] | None = None,
        nodes: Iterable[ast.AST | None] | None = None,
    ) -> None:
        self.pos = list(pos)
        self.kw = dict(kw or {})
        self.nodes: list[ast.AST | None] = list(nodes) if nodes is not None else [None] * len(self.pos)
        self.kw_nodes: dict[str, ast.AST | None] = {}
        # an element of a starred argument whose length is not known: further positional arguments look like it
        self.star: Value | None = None
        self.double_star: Value | None = None
        # the length of the starred argument differs between iterations of a loop
        self.star_ragged: Any = None

    def add(self, value: Value, node: ast.AST | None) -> None:
        """One more positional argument."""
        self.pos.append(value)
        self.nodes.append(node)

    def add_star(self, m: Machine, value: Value, node: ast.AST | None) -> None:
        """`*value`."""
        from jaxlint.interpreter.iteration import known_items, one_item

        items = known_items(m, value)
        if items is None:
            self.star = one_item(m, value)
            self.star_ragged = value.state.get("ragged") if isinstance(value, ListV) else None
        else:
            for item in items:
                self.add(item, node)

    def add_double_star(self, value: Value) -> None:
        """`**value`."""
        if isinstance(value, DictV):
            for key, item in value.items.items():
                if isinstance(key, str) and item is not MISSING:
                    self.kw[key] = item
            if value.rest is not None:
                self.double_star = value.rest
        else:
            self.double_star = Tree(value.leaf) if isinstance(value, Tree) else UNKNOWN

    def get(self, place: int, name: str) -> Value | None:
        """The argument at a position or under a name, None when it is not given."""
        if place < len(self.pos):
            return self.pos[place]
        return self.kw.get(name)

    def named(self, params: tuple[str, ...], name: str) -> Value | None:
        """The argument for parameter `name` of a function with positional parameters `params`."""
        if name in self.kw:
            return self.kw[name]
        if name in params:
            place = params.index(name)
            if place < len(self.pos):
                return self.pos[place]
        return None

    def node_named(self, params: tuple[str, ...], name: str) -> ast.AST | None:
        """The node of the argument for parameter `name`."""
        if name in self.kw:
            return self.kw_nodes.get(name)
        if name in params and params.index(name) < len(self.nodes):
            return self.nodes[params.index(name)]
        return None

    def all(self) -> list[Value]:
        """Every argument value."""
        return [*self.pos, *self.kw.values()]

    def but_first(self, count: int = 1) -> Args:
        """The same call without its first positional arguments."""
        made = Args(self.pos[count:], self.kw, self.nodes[count:])
        made.kw_nodes, made.star, made.double_star = self.kw_nodes, self.star, self.double_star
        return made

    def with_first(self, value: Value) -> Args:
        """The same call with one more argument before the others."""
        made = Args([value, *self.pos], self.kw, [None, *self.nodes])
        made.kw_nodes, made.star, made.double_star = self.kw_nodes, self.star, self.double_star
        return made


def call(m: Machine, callee: Value, args: Args, node: ast.AST) -> Value:
    """The value of calling `callee`."""
    work = CALLERS.get(callee.__class__)
    if work is not None:
        return work(m, callee, args, node)  # type: ignore[no-any-return]
    return call_unknown(m, callee, args, node)


def call_values(m: Machine, callee: Value, values: Iterable[Value], node: ast.AST) -> Value:
    """Call with plain positional values."""
    return call(m, callee, Args(values), node)


def call_method_named(m: Machine, receiver: InstanceV, name: str, node: ast.AST, *values: Value) -> Value:
    """Call `receiver.name(*values)`."""
    from jaxlint.interpreter.attributes import get_attribute

    return call(m, get_attribute(m, receiver, name, node), Args(values), node)


def call_unknown(m: Machine, callee: Value, args: Args, node: ast.AST) -> Value:
    """Something unknown is called: it may wait for the arrays that it gets, and call the functions."""
    if m.savers:
        escape(m, args.all())
    for value in args.all():
        for array in arrays_in(value):
            if array.trace is None:
                m.block()
                return UNKNOWN
        if isinstance(value, (FunctionV, BoundV, TransformedV, PartialV)):
            m.block()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WAITING:
        m.block()
    return UNKNOWN


def call_function_value(m: Machine, callee: FunctionV, args: Args, node: ast.AST) -> Value:
    """A project function."""
    from jaxlint.interpreter.functions import call_function

    return call_function(m, callee, args, node)


def call_bound(m: Machine, callee: BoundV, args: Args, node: ast.AST) -> Value:
    """A bound method."""
    return call(m, callee.func, args.with_first(callee.receiver), node)


def call_partial(m: Machine, callee: PartialV, args: Args, node: ast.AST) -> Value:
    """functools.partial(f, ...)(...)."""
    made = Args([*callee.args, *args.pos], {**callee.kwargs, **args.kw}, [*([None] * len(callee.args)), *args.nodes])
    made.kw_nodes, made.star, made.double_star = args.kw_nodes, args.star, args.double_star
    m.partials.append([*callee.args, *callee.kwargs.values()])
    try:
        return call(m, callee.func, made, node)
    finally:
        m.partials.pop()


def call_class(m: Machine, callee: ClassV, args: Args, node: ast.AST) -> Value:
    """A project class makes an instance."""
    from jaxlint.interpreter.classes import instantiate

    return instantiate(m, callee, args, node)


def call_extern(m: Machine, callee: ExternV, args: Args, node: ast.AST) -> Value:
    """An outside name."""
    from jaxlint.interpreter.externs import call_outside

    return call_outside(m, callee.name, args, node)


def call_method(m: Machine, callee: MethodV, args: Args, node: ast.AST) -> Value:
    """A method of a value that the interpreter models."""
    from jaxlint.interpreter.methods import call_value_method

    return call_value_method(m, callee, args, node)


def call_transformed(m: Machine, callee: TransformedV, args: Args, node: ast.AST) -> Value:
    """`jit(f)(...)`."""
    from jaxlint.interpreter.transforms import call_transform

    return call_transform(m, callee, args, node)


def call_instance(m: Machine, callee: InstanceV, args: Args, node: ast.AST) -> Value:
    """`instance(...)`."""
    from jaxlint.interpreter.attributes import class_attribute
    from jaxlint.interpreter.libraries import call_library_instance

    if callee.cls is not None and class_attribute(callee.cls, "__call__") is not None:
        from jaxlint.interpreter.attributes import get_attribute

        method = get_attribute(m, callee, "__call__", node)
        # an instance as its class' own `__call__` would go round for ever
        return UNKNOWN if isinstance(method, InstanceV) else call(m, method, args, node)
    return call_library_instance(m, callee, args, node)


def call_union(m: Machine, callee: UnionV, args: Args, node: ast.AST) -> Value:
    """One of several callables: each is tried."""
    from jaxlint.interpreter.frames import End
    from jaxlint.interpreter.operators import strip_none

    stripped = strip_none(callee)
    if not isinstance(stripped, UnionV):
        return call(m, stripped, args, node)
    results: list[Value] = []

    def arm(option: Value) -> Any:
        def run() -> End:
            results.append(call(m, option, args, node))
            return End.NORMAL

        return run

    m.fork([arm(option) for option in stripped.options])
    result: Any = MISSING
    for value in results:
        result = join(result, value)
    return result  # type: ignore[no-any-return]


def call_generator(m: Machine, callee: GeneratorV, args: Args, node: ast.AST) -> Value:
    """A generator object is not callable; one made by `contextmanager` may decorate."""
    return args.pos[0] if args.pos else UNKNOWN


def call_plain(m: Machine, callee: Value, args: Args, node: ast.AST) -> Value:
    """Calling a value that cannot be called."""
    return UNKNOWN


CALLERS: dict[type, Any] = {
    FunctionV: call_function_value,
    BoundV: call_bound,
    PartialV: call_partial,
    ClassV: call_class,
    ExternV: call_extern,
    MethodV: call_method,
    TransformedV: call_transformed,
    InstanceV: call_instance,
    UnionV: call_union,
    GeneratorV: call_generator,
    Array: call_plain,
    Const: call_plain,
    Host: call_unknown,
    ListV: call_plain,
    TupleV: call_plain,
    SuperV: call_plain,
}
