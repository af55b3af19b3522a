"""What iterating over a value gives: exact items where they are known, else one that stands for all."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.findings import Confidence
from jaxlint.interpreter.donation import share
from jaxlint.interpreter.joining import element, join, kind_of
from jaxlint.interpreter.keys import row_key
from jaxlint.interpreter.operators import unwrap_variable
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    BatchIndex,
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
    PartialV,
    Ragged,
    TransformedV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.source import Source

# sequences up to this length are run item by item
EXACT = 4
EXACT_TRACED = 8
# a device array of so few rows (a pair, the four corners) may be taken apart in Python
FEW_ROWS = 4
# a range of so many steps is long for code that JAX unrolls
LONG_RANGE = 32


@dataclass(eq=False, slots=True)
class Steps:
    """How a loop over a value goes: `items` one by one, or `elem` again and again (`first` in round 1).

    `generator` is set when the values come from a generator of the project, whose body drives the loop.
    """

    items: tuple[Value, ...] | None = None
    first: Value | None = None
    elem: Value = UNKNOWN
    generator: GeneratorV | None = None
    empty: bool = False
    # how an item is made from a driven value (enumerate, zip, map around a generator)
    shape: Any = None
    count: int | None = None
    # each iteration gets a value not seen before (a counter), rather than one of a few
    counting: bool = False
    # the items are names, numbers, functions or settings: a sweep that compares them
    choices: bool = False


def known_items(m: Machine, value: Value) -> tuple[Value, ...] | None:
    """The items of a value when all are known, None otherwise. Reports nothing."""
    if isinstance(value, (TupleV, ListV)):
        return value.items
    if isinstance(value, InstanceV) and value.cls is not None and value.cls.family == "namedtuple":
        names = value.cls.fields
        return tuple(value.attrs.get(n, UNKNOWN) for n in names)
    if isinstance(value, DictV) and value.rest is None:
        return tuple(Const(k) for k, v in value.items.items() if v is not MISSING)
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) <= EXACT_TRACED:
        return tuple(Const(c) for c in value.value)
    if isinstance(value, ClassV) and value.family == "enum":
        members = tuple(v for v in value.namespace.values() if isinstance(v, InstanceV) and v.cls is value)
        return members or None
    if isinstance(value, Array) and value.shape and isinstance(value.shape[0], int) and value.shape[0] <= 16:
        row = value.but(shape=value.shape[1:], ragged=None)
        return tuple(row.but(key=row_key(m, value.key, place)) for place in range(value.shape[0]))
    if isinstance(value, IterV):
        return lazy_items(m, value)
    if isinstance(value, UnionV):
        return None
    return None


def lazy_items(m: Machine, value: IterV) -> tuple[Value, ...] | None:
    """The items of range, enumerate, zip and dict views, when known."""
    kind, parts = value.kind, value.parts
    if kind == "range":
        bounds = range_bounds(parts)
        if bounds is not None and len(bounds) <= 64:
            return tuple(Const(i) for i in bounds)
        return None
    if kind in ("items", "values", "keys"):
        return view_items(kind, parts[0])
    inner = [known_items(m, part) for part in parts]
    if any(items is None for items in inner) or not inner:
        return None
    if kind == "zip":
        return tuple(TupleV(row) for row in zip(*(i for i in inner if i is not None)))
    if kind == "enumerate" and inner[0] is not None:
        start = value.options.get("start", 0)
        if isinstance(start, int):
            return tuple(TupleV((Const(i), item)) for i, item in enumerate(inner[0], start))
    if kind == "reversed" and inner[0] is not None:
        return inner[0][::-1]
    if kind in ("iter", "sorted") and inner:
        return inner[0]
    return None


def view_items(kind: str, value: Value) -> tuple[Value, ...] | None:
    """The items of `d.items()`, `d.values()`, `d.keys()`."""
    if not isinstance(value, DictV) or value.rest is not None:
        return None
    pairs = [(Const(k), v) for k, v in value.items.items() if v is not MISSING]
    if kind == "items":
        return tuple(TupleV(pair) for pair in pairs)
    return tuple(v for _, v in pairs) if kind == "values" else tuple(k for k, _ in pairs)


def range_bounds(parts: tuple[Value, ...]) -> range | None:
    """The Python range when all bounds are constants."""
    numbers = [p.value for p in parts if isinstance(p, Const) and isinstance(p.value, int)]
    if len(numbers) != len(parts) or not 0 < len(numbers) <= 3 or (len(numbers) == 3 and numbers[2] == 0):
        return None
    # longer ones have no len() in CPython, and are never run out
    return range(*numbers) if all(abs(n) < 1 << 60 for n in numbers) else None


def one_item(m: Machine, value: Value) -> Value:
    """A value that stands for any item, without reports."""
    m.muted += 1
    try:
        steps = steps_of(m, value, None, "unpack")
    finally:
        m.muted -= 1
    if steps.items:
        result: Any = MISSING
        for item in steps.items:
            result = join(result, item)
        return result  # type: ignore[no-any-return]
    share(m, steps.elem)
    return steps.elem


def row_of(m: Machine, value: Array, node: ast.AST | None) -> Array:
    """One row of an array, as iteration gives it."""
    shape = value.shape[1:] if value.shape else None
    return value.but(shape=shape, ragged=None, piece=value.trace is None, key=row_key(m, value.key))


def steps_of(m: Machine, value: Value, node: ast.AST | None, how: str) -> Steps:
    """How a loop over `value` goes; reports a loop over a device array."""
    value = unwrap_variable(value)
    if isinstance(value, UnionV):
        from jaxlint.interpreter.operators import strip_none

        value = strip_none(value)
    if isinstance(value, Array):
        return array_steps(m, value, node, how)
    if isinstance(value, Tree):
        return Steps(elem=Tree(value.leaf.but(key=row_key(m, value.leaf.key))))
    if isinstance(value, IterV):
        return lazy_steps(m, value, node, how)
    if isinstance(value, GeneratorV):
        return Steps(generator=value)
    if isinstance(value, InstanceV):
        return instance_steps(m, value, node, how)
    if isinstance(value, DictV) and value.rest is not None:
        return Steps(elem=Host("str"))
    if isinstance(value, ListV) and value.state.get("ragged") is not None:
        return Steps(elem=value.elem)
    items = known_items(m, value)
    if items is not None:
        if (
            how == "for"
            and not m.traces
            and len(items) > 1
            and isinstance(items[0], ListV)
            and isinstance(node, ast.For)
        ):
            items = uneven_rows(m, items, node)
        return item_steps(items)
    if isinstance(value, (TupleV, ListV)):
        found = element(value)
        return Steps(elem=UNKNOWN if found is MISSING else found)
    if isinstance(value, Host):
        return Steps(elem=host_element(m, value))
    return Steps(elem=Unknown(name="element"))


def uneven_rows(m: Machine, items: tuple[Value, ...], node: ast.For) -> tuple[Value, ...]:
    """Lists of numbers of different lengths: an array of one has another shape than an array of the next."""
    rows = [item.items for item in items if isinstance(item, ListV)]
    if len(rows) != len(items) or len({len(row) if row is not None else -1 for row in rows}) < 2:
        return items
    if not all(isinstance(part, Const) and isinstance(part.value, (int, float)) for row in rows for part in row or ()):
        return items
    source = m.frames[-1].module.source
    mark = Ragged(f"the sequences of `{source.segment(node.iter, 40)}` differ in length", node.iter, source)
    made = []
    for item in items:
        assert isinstance(item, ListV)
        copy = ListV(item.items, item.elem, item.kind, item.depth)
        copy.state["ragged"] = mark
        made.append(copy)
    return tuple(made)


def item_steps(items: tuple[Value, ...]) -> Steps:
    """A loop over known items: one by one when they are few, else the first and what all others look like."""
    if not items:
        return Steps(items=(), empty=True, count=0)
    choices = all(map(is_choice, items))
    if len(items) <= EXACT_TRACED:
        return Steps(items=items, count=len(items), choices=choices)
    rest: Any = MISSING
    for item in items[1:]:
        rest = join(rest, item)
    return Steps(first=items[0], elem=rest, count=len(items), choices=choices)


def is_choice(value: Value, depth: int = 2) -> bool:
    """Whether a value is a name, a number, a function or a setting, or a tuple that holds nothing else."""
    if depth and isinstance(value, TupleV):
        return all(is_choice(item, depth - 1) for item in value.items or ())
    if isinstance(value, InstanceV):
        return value.cls is None or value.cls.family in ("", "enum", "dataclass", "linen")
    return isinstance(value, (Const, Host, FunctionV, BoundV, PartialV, TransformedV, ExternV, ClassV, DictV))


def host_element(m: Machine, value: Host) -> Value:
    """An element of a host value: rows of NumPy arrays, characters of strings."""
    varies = frozenset({-1})
    if value.kind == "ndarray":
        shape = value.shape[1:] if value.shape else None
        return Host("npnumber" if shape == () else "ndarray", shape=shape, varies=varies)
    if value.kind in ("str", "bytes"):
        return Host("str", varies=varies)
    return Host("object", varies=varies, ragged=value.ragged)


def array_steps(m: Machine, value: Array, node: ast.AST | None, how: str) -> Steps:
    """A loop over a jax array: unrolled in traced code, one slice an element outside."""
    length = value.shape[0] if value.shape else None
    row = row_of(m, value, node)
    if node is not None and how != "unpack" and not keys_like(value):
        if value.is_tracer:
            m.emit(Kind.TRACE_UNROLL, node, "array", value=value, count=length if isinstance(length, int) else None)
        elif value.trace is None and not (isinstance(length, int) and length <= FEW_ROWS):
            m.emit(Kind.DEVICE_ITERATE, node, how, value=value, confidence=certainty(m, value))
            # the loop itself is at fault: what it does with the rows is not a fault of its own
            row = row.but(piece=how in ("list", "tuple", "set"))
    if isinstance(length, int) and length <= EXACT_TRACED:
        rows = tuple(row.but(key=row_key(m, value.key, place)) for place in range(length))
        return Steps(items=rows, count=length)
    return Steps(elem=row, count=length if isinstance(length, int) else None)


def certainty(m: Machine, value: Array) -> Confidence:
    """How sure it is that an array is concrete: nobody in sight calls the function, and a caller may trace it."""
    if not m.unprompted or any(d.compiled for d in m.dispatches if d.seq == value.born):
        return Confidence.PROVEN
    return Confidence.GUESS


def keys_like(value: Array) -> bool:
    """Whether an array holds PRNG keys: `for k in split(key, n)` is the idiom."""
    return value.dtype == "key"


def lazy_steps(m: Machine, value: IterV, node: ast.AST | None, how: str) -> Steps:
    """A loop over range, enumerate, zip, map, filter, dict views, loaders."""
    kind, parts = value.kind, value.parts
    if kind == "range":
        return range_steps(m, value, node)
    if kind in ("items", "values", "keys"):
        return view_steps(kind, parts[0])
    if kind == "loader":
        return Steps(elem=value.options["elem"])
    if kind in ("iter", "reversed", "sorted", "progress") and parts:
        return steps_of(m, parts[0], node, how if kind != "reversed" else "for")
    if kind == "enumerate" and parts:
        return enumerate_steps(m, value, node)
    if kind == "zip":
        return zip_steps(m, parts, node)
    if kind == "map":
        return map_steps(m, parts, node)
    return Steps(elem=UNKNOWN)


def range_steps(m: Machine, value: IterV, node: ast.AST | None) -> Steps:
    """`range(...)`: constants in traced code and for the first round; afterwards a counter."""
    bounds = range_bounds(value.parts)
    if bounds is not None:
        if len(bounds) == 0:
            return Steps(items=(), empty=True, count=0)
        if m.abstract and node is not None and (len(bounds) >= LONG_RANGE or value.options.get("rows")):
            m.emit(Kind.TRACE_UNROLL, node, "range", count=len(bounds), rows=bool(value.options.get("rows")))
        if m.traces and len(bounds) <= EXACT_TRACED:
            return Steps(items=tuple(Const(i) for i in bounds), count=len(bounds))
    elif value.options.get("rows") and m.abstract and node is not None:
        m.emit(Kind.TRACE_UNROLL, node, "range", count=None, rows=True)
    index = batch_index(m, value)
    varying = Host("int", varies=frozenset(run.uid for run in m.loops) | {-1}, index=index)
    first: Value = varying
    if bounds is not None and index is None:
        first = Const(bounds[0])
        if len(bounds) == 1:
            return Steps(items=(first,), count=1)
    return Steps(first=first, elem=varying, count=None if bounds is None else len(bounds), counting=True)


def batch_index(m: Machine, value: IterV) -> BatchIndex | None:
    """The batch walk of `range(0, n, step)` or `range(ceil(n / step))`."""
    parts = value.parts
    node = value.node
    if node is None:
        return None
    source = m.frames[-1].module.source
    if len(parts) == 3 and isinstance(parts[0], Const) and parts[0].value == 0:
        if isinstance(parts[2], Const) and parts[2].value == 1:
            return None
        total, step = parts[1], parts[2]
        if stops_early(node, source):
            return None
        if isinstance(total, Const) and isinstance(step, Const):
            try:
                if total.value % step.value == 0:
                    return None
            except Exception:
                return None
        return BatchIndex("start", total, step, node, source)
    if len(parts) in (1, 2):
        count = parts[-1]
        if isinstance(count, Host) and count.index is not None and count.index.role == "count":
            return BatchIndex("number", count.index.total, count.index.step, node, source)
    return None


def stops_early(node: ast.AST, source: Source) -> bool:
    """`range(0, n - step + 1, step)` stops before an incomplete batch."""
    if not isinstance(node, ast.Call) or len(node.args) != 3:
        return False
    step = source.segment(node.args[2], 80)
    for part in ast.walk(node.args[1]):
        if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Sub, ast.Mult, ast.Mod)):
            if source.segment(part.right, 80) == step and isinstance(part.op, ast.Sub):
                return True
    return False


def view_steps(kind: str, value: Value) -> Steps:
    """Dict views."""
    items = view_items(kind, value)
    if items is not None:
        return item_steps(items)
    if isinstance(value, Tree):
        return Steps(elem={"items": TupleV((Host("str"), value)), "values": value}.get(kind, Host("str")))
    if isinstance(value, DictV):
        rest: Any = value.rest if value.rest is not None else MISSING
        for item in value.items.values():
            if item is not MISSING:
                rest = join(rest, item)
        return Steps(elem={"items": TupleV((Host("str"), rest)), "values": rest}.get(kind, Host("str")))
    return Steps(elem=TupleV((Unknown(), Unknown())) if kind == "items" else UNKNOWN)


def enumerate_steps(m: Machine, value: IterV, node: ast.AST | None) -> Steps:
    """`enumerate(xs)`."""
    inner = steps_of(m, value.parts[0], node, "enumerate")
    start = value.options.get("start", 0)
    varying = Host("int", varies=frozenset({-1}))
    counts = isinstance(node, ast.For) and not m.traces

    def pair(number: Value, item: Value) -> Value:
        return TupleV((number, item))

    if inner.items is not None and isinstance(start, int):
        numbers = [Const(i) if i == start or not counts else varying for i in range(start, start + len(inner.items))]
        return Steps(items=tuple(pair(n, v) for n, v in zip(numbers, inner.items)), count=inner.count)
    made = Steps(elem=pair(varying, inner.elem), count=inner.count, generator=inner.generator, counting=True)
    if inner.first is not None:
        made.first = pair(Const(start) if isinstance(start, int) else varying, inner.first)
    if inner.generator is not None:
        shape = inner.shape
        made.shape = lambda item: pair(varying, shape(item) if shape else item)
    return made


def zip_steps(m: Machine, parts: tuple[Value, ...], node: ast.AST | None) -> Steps:
    """`zip(a, b)`."""
    inner = [steps_of(m, part, node, "zip") for part in parts]
    exact = [s.items for s in inner]
    if exact and all(items is not None for items in exact):
        rows = tuple(TupleV(row) for row in zip(*(i for i in exact if i is not None)))
        return item_steps(rows)
    elems = [average(s) for s in inner]
    driver = next((i for i, s in enumerate(inner) if s.generator is not None), None)
    made = Steps(elem=TupleV(tuple(elems)), counting=any(s.counting for s in inner))
    if any(s.first is not None or s.items for s in inner) and driver is None:
        made.first = TupleV(tuple(s.items[0] if s.items else s.first or e for s, e in zip(inner, elems)))
    if driver is not None:
        made.generator = inner[driver].generator
        place, shape = driver, inner[driver].shape
        made.shape = lambda item: TupleV((*elems[:place], shape(item) if shape else item, *elems[place + 1 :]))
    return made


def average(steps: Steps) -> Value:
    """One value that stands for every item of a loop."""
    if steps.items:
        result: Any = MISSING
        for item in steps.items:
            result = join(result, item)
        return result  # type: ignore[no-any-return]
    return steps.elem


def map_steps(m: Machine, parts: tuple[Value, ...], node: ast.AST | None) -> Steps:
    """`map(f, xs, ...)`."""
    from jaxlint.interpreter.calls import call_values

    if len(parts) < 2 or node is None:
        return Steps()
    inner = [steps_of(m, part, node, "map") for part in parts[1:]]
    if inner[0].items is not None and all(s.items is not None for s in inner):
        rows = list(zip(*(s.items for s in inner if s.items is not None)))
        return item_steps(tuple(call_values(m, parts[0], row, node) for row in rows))
    return Steps(elem=call_values(m, parts[0], [average(s) for s in inner], node))


def instance_steps(m: Machine, value: InstanceV, node: ast.AST | None, how: str) -> Steps:
    """An object with `__iter__`, `__next__` or `__getitem__`."""
    from jaxlint.interpreter.attributes import class_attribute
    from jaxlint.interpreter.calls import call_method_named

    items = known_items(m, value)
    if items is not None:
        return item_steps(items)
    wrapped = value.attrs.get("items()")
    if isinstance(wrapped, Value) and wrapped is not MISSING:
        return steps_of(m, wrapped, node, how)
    place = node if node is not None else ast.Pass()
    if value.cls is not None and node is not None:
        if class_attribute(value.cls, "__iter__") is not None:
            made = call_method_named(m, value, "__iter__", place)
            if made is not value:
                return steps_of(m, made, node, how)
        if class_attribute(value.cls, "__next__") is not None:
            return Steps(elem=Unknown(name="next"), shape=("next", value))
        if class_attribute(value.cls, "__getitem__") is not None:
            return Steps(elem=call_method_named(m, value, "__getitem__", place, Host("int", varies=frozenset({-1}))))
    return Steps(elem=Unknown(name="element"))


def is_number(value: Value) -> bool:
    """Whether a value is a Python number."""
    return kind_of(value) in ("int", "float", "bool")


__all__ = ["MethodV", "Steps", "known_items", "one_item", "steps_of"]
