"""Python's builtins, by name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter import operators
from jaxlint.interpreter.arrays import definite_array, dim_value, is_tracer
from jaxlint.interpreter.calls import Args, call_method_named, call_values
from jaxlint.interpreter.comprehensions import ragged_of
from jaxlint.interpreter.donation import share
from jaxlint.interpreter.effects import mutation
from jaxlint.interpreter.iteration import known_items, one_item, steps_of
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.models.objects import (
    NUMBER_TYPES,
    check_instance,
    get_attribute,
    has_attribute,
    is_callable,
    make_object,
    make_super,
    set_attribute,
    type_of,
)
from jaxlint.interpreter.models.reductions import extreme, numeric, quantified, sort, total
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.paths import start_of
from jaxlint.interpreter.reading import convert
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.truth import guarded, host_bool, truth
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    Const,
    DictV,
    FunctionV,
    GeneratorV,
    Host,
    InstanceV,
    IterV,
    ListV,
    PartialV,
    Ragged,
    SliceV,
    TransformedV,
    Tree,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def subject_of(args: Args, node: ast.AST) -> ast.AST:
    """The node of the first argument."""
    return args.nodes[0] if args.nodes and args.nodes[0] is not None else node


def number(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """float(), int(), complex()."""
    if not args.pos:
        return Const(NUMBER_TYPES[name]())
    value = args.pos[0]
    if isinstance(value, Const):
        try:
            return Const(NUMBER_TYPES[name](value.value))
        except Exception:
            return Host(name)
    if isinstance(value, Unknown) and name == "int" and value.sym is not None:
        return Host("int", sym=value.sym)
    return convert(m, value, node, name, subject_of(args, node), kind=name)


def boolean(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """bool(x)."""
    if not args.pos:
        return Const(False)
    value = args.pos[0]
    array = definite_array(value)
    if array is not None:
        if array.is_tracer:
            if not guarded(m):
                m.emit(Kind.TRACER_CONVERT, node, "bool", subject=subject_of(args, node), value=array, function="bool")
            return Host("bool")
        return convert(m, array, node, "bool", subject_of(args, node), kind="bool")
    return host_bool(truth(m, value, subject_of(args, node), "bool"), value)


def length(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """len(x): static, also on tracers and containers of tracers."""
    value = operators.unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    if isinstance(value, Array):
        if value.ragged is not None:
            return Host("int", ragged=value.ragged)
        return dim_value(value.shape[0]) if value.shape else named_length(m, args, node)
    items = known_items(m, value)
    if items is not None:
        return Const(len(items))
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Const(len(value.value))
    ragged = (
        value.ragged if isinstance(value, Host) else value.state.get("ragged") if isinstance(value, ListV) else None
    )
    if isinstance(ragged, Ragged):
        return Host("int", ragged=ragged)
    if isinstance(value, Host) and value.kind == "ndarray" and value.shape and isinstance(value.shape[0], int):
        return Const(value.shape[0])
    if isinstance(value, Host) and value.kind in ("ndarray", "object") and value.sym is not None:
        return Host("int", sym=value.sym)
    if isinstance(value, Host) and value.kind == "ndarray" and value.shape:
        first = value.shape[0]
        if first is not None:
            return dim_value(first)
    if isinstance(value, InstanceV):
        from jaxlint.interpreter.attributes import class_attribute

        if value.cls is not None and class_attribute(value.cls, "__len__") is not None:
            return call_method_named(m, value, "__len__", node)
    return named_length(m, args, node)


def named_length(m: Machine, args: Args, node: ast.AST) -> Value:
    """A length that is not known, named by its expression so that equal expressions are equal numbers."""
    frame = m.frames[-1]
    text = frame.module.source.segment(node, 200)
    promised = frame.names.get(("multiple", text), MISSING)
    if isinstance(promised, Host):
        return promised
    return Host("int", sym=Poly.atom("len", frame.uid, text))


def make_range(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """range(...): a traced bound is an error."""
    for place, value in enumerate(args.pos):
        if is_tracer(value):
            if not guarded(m):
                m.emit(
                    Kind.TRACER_CONVERT, node, "range", subject=args.nodes[place] or node, value=value, function="range"
                )
            return IterV("range", (Host("int"),), node)
        array = definite_array(value)
        if array is not None and array.trace is None:
            convert(m, array, node, "int", args.nodes[place], kind="int", function="range")
    return IterV("range", tuple(args.pos), node, {"rows": True} if m.abstract and counts_rows(m, node) else None)


def counts_rows(m: Machine, node: ast.AST) -> bool:
    """Whether a range counts the rows of a traced array: `range(x.shape[0])`, `range(1, len(x))`."""
    found: list[ast.expr] | None = getattr(node, "_jaxlint_measured", None)
    if found is None:
        found = []
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and part.attr in ("shape", "size"):
                found.append(part.value)
            elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "len" and part.args:
                found.append(part.args[0])
        node._jaxlint_measured = found  # type: ignore[attr-defined]
    if not found:
        return False
    from jaxlint.interpreter.expressions import evaluate

    m.muted += 1
    try:
        return any(
            is_tracer(evaluate(m, m.frames[-1], part)) for part in found if isinstance(part, (ast.Name, ast.Attribute))
        )
    finally:
        m.muted -= 1


def lazy(kind: str) -> Callable[[Machine, str, Args, ast.AST], Value]:
    """enumerate, zip, map, reversed, iter."""

    def make(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
        options: dict[str, Any] = {}
        if kind == "enumerate":
            start = args.get(1, "start")
            options["start"] = start.value if isinstance(start, Const) else 0 if start is None else None
            return IterV(kind, tuple(args.pos[:1]), node, options)
        if kind == "iter":
            return iterator(m, args, node)
        if kind == "zip" and args.star is not None:
            return columns(m, args)
        return IterV(kind, tuple(args.pos), node, options)

    return make


def columns(m: Machine, args: Args) -> Value:
    """`zip(*rows)`: the columns of a list of rows whose number is not known."""
    row = args.star
    if isinstance(row, TupleV) and row.items is not None and not args.pos:
        made = []
        for item in row.items:
            column = ListV(None, item, "list", len(m.traces))
            if args.star_ragged is not None:
                column.state["ragged"] = args.star_ragged
            made.append(column)
        return TupleV(tuple(made))
    return UNKNOWN


def iterator(m: Machine, args: Args, node: ast.AST) -> Value:
    """iter(x): generators and `__iter__` methods give their iterator."""
    value = args.pos[0] if args.pos else UNKNOWN
    if isinstance(value, InstanceV) and value.cls is not None:
        from jaxlint.interpreter.attributes import class_attribute

        if class_attribute(value.cls, "__iter__") is not None:
            return call_method_named(m, value, "__iter__", node)
    if isinstance(value, (IterV, Tree)) or not isinstance(value, Unknown):
        return value if not isinstance(value, (TupleV, ListV, Array)) else IterV("iter", (value,), node)
    return UNKNOWN


def filtered(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """filter(f, xs): each result is asked for its truth."""
    if len(args.pos) < 2:
        return UNKNOWN
    item = one_item(m, args.pos[1])
    test = item if isinstance(args.pos[0], Const) else call_values(m, args.pos[0], [item], node)
    truth(m, test, node, "filter", node)
    return ListV(None, item, "list", len(m.traces))


def gathered(m: Machine, generator: GeneratorV, kind: str, node: ast.AST) -> Value:
    """The values that a generator yields, as a sequence of unknown length."""
    from jaxlint.interpreter.generators import collect

    elem: Any = MISSING
    for item in collect(m, generator, node):
        elem = join(elem, item)
    if kind == "tuple":
        return TupleV(None, elem)
    return ListV(None, UNKNOWN if elem is MISSING else elem, kind, len(m.traces))


def sequence(kind: str) -> Callable[[Machine, str, Args, ast.AST], Value]:
    """list(x), tuple(x), set(x)."""

    def make(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
        if not args.pos:
            return TupleV(()) if kind == "tuple" else ListV((), UNKNOWN, kind, len(m.traces))
        value = args.pos[0]
        steps = steps_of(m, value, node, kind)
        if steps.generator is not None:
            return gathered(m, steps.generator, kind, node)
        items = steps.items
        if items is None:
            items = known_items(m, value)
        elem = steps.elem
        if kind == "tuple":
            return TupleV(items, elem)
        made = ListV(items, elem, kind, len(m.traces))
        made.made = m.fresh()
        ragged = ragged_of(value)
        if ragged is not None:
            made.state["ragged"] = ragged
        return made

    return make


def dictionary(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """dict(a=1), dict(pairs)."""
    made = DictV(dict(args.kw), None, len(m.traces))
    for value in args.pos:
        if isinstance(value, DictV):
            made.items.update({k: v for k, v in value.items.items() if v is not MISSING})
            if value.rest is not None:
                made.meta["rest"] = value.rest
            continue
        items = known_items(m, value)
        if isinstance(value, IterV):
            steps_of(m, value, node, "dict")
        pairs = [known_items(m, item) for item in items] if items is not None else None
        if pairs is not None and all(p is not None and len(p) == 2 and isinstance(p[0], Const) for p in pairs):
            for found in pairs:
                if found is not None and isinstance(found[0], Const):
                    made.items[found[0].value] = found[1]
        else:
            made.meta["rest"] = UNKNOWN
    if args.double_star is not None:
        made.meta["rest"] = args.double_star
    return made


def next_item(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """next(it)."""
    from jaxlint.interpreter.generators import next_value

    value = args.pos[0] if args.pos else UNKNOWN
    taken = m.staging is not None and isinstance(value, (InstanceV, GeneratorV, IterV)) and outer_iterator(m, value)
    before = len(m.events)
    if isinstance(value, InstanceV) and value.cls is not None:
        found = call_method_named(m, value, "__next__", node)
    else:
        found = next_value(m, value, node)
    share(m, found)
    if taken and not any(e.kind is Kind.TRACE_EFFECT for e in m.events[before:]):
        # traced code takes one item of an outer iterator, once
        mutation(m, node, m.frames[-1].module.source.segment(args.nodes[0] or node, 40))
    return join(found, args.pos[1]) if len(args.pos) > 1 and not isinstance(found, Unknown) else found


def outer_iterator(m: Machine, value: Value) -> bool:
    """Whether an iterator was made before the trace began."""
    staging = m.staging
    if staging is None or isinstance(value, IterV):
        return False
    made = value.depth if isinstance(value, InstanceV) else value.made_depth if isinstance(value, GeneratorV) else 0
    return made < staging.level


def text(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """str(x), repr(x), format(x)."""
    from jaxlint.interpreter.reading import render

    if args.pos:
        if isinstance(args.pos[0], Const) and name == "str":
            return Const(str(args.pos[0].value))
        render(m, args.pos[0], node, subject_of(args, node), name, spec=name == "format" and len(args.pos) > 1)
    start = start_of(args.pos[0]) if args.pos and name == "str" else ""
    varies = args.pos[0].varies if args.pos and isinstance(args.pos[0], Host) else frozenset[int]()
    return Host("str", varies=varies, prefix=start)


def make_slice(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """slice(a, b, c)."""
    parts = list(args.pos)
    if len(parts) == 1:
        return SliceV(NONE, parts[0], NONE)
    if len(parts) in (2, 3):
        return SliceV(parts[0], parts[1], parts[2] if len(parts) == 3 else NONE)
    return UNKNOWN


def mark(tag: str) -> Callable[[Machine, str, Args, ast.AST], Value]:
    """staticmethod(f), classmethod(f), property(f) called as functions."""

    def run(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
        value = args.pos[0] if args.pos else UNKNOWN
        target = value
        while isinstance(target, (TransformedV, PartialV)):
            target = target.func
        if isinstance(target, FunctionV):
            target.tags = target.tags | {tag}
        return value

    return run


BUILTINS: dict[str, Callable[[Machine, str, Args, ast.AST], Value]] = {
    "float": number,
    "int": number,
    "complex": number,
    "bool": boolean,
    "len": length,
    "range": make_range,
    "enumerate": lazy("enumerate"),
    "zip": lazy("zip"),
    "map": lazy("map"),
    "reversed": lazy("reversed"),
    "iter": lazy("iter"),
    "filter": filtered,
    "list": sequence("list"),
    "tuple": sequence("tuple"),
    "set": sequence("set"),
    "frozenset": sequence("frozenset"),
    "dict": dictionary,
    "sorted": sort,
    "min": extreme,
    "max": extreme,
    "any": quantified,
    "all": quantified,
    "sum": total,
    "abs": numeric,
    "divmod": numeric,
    "pow": numeric,
    "round": numeric,
    "isinstance": check_instance,
    "hasattr": has_attribute,
    "getattr": get_attribute,
    "setattr": set_attribute,
    "type": type_of,
    "super": make_super,
    "next": next_item,
    "str": text,
    "repr": text,
    "format": text,
    "slice": make_slice,
    "callable": is_callable,
    "object": make_object,
    "staticmethod": mark("staticmethod"),
    "classmethod": mark("classmethod"),
    "property": mark("property"),
}


# they take all values of their first argument at once
FOLDING = frozenset({"sum", "min", "max", "any", "all", "sorted"})


def builtin(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A builtin function, or a library's version of one (`nnx.List`)."""
    short = str(entry.options.get("like", "")) or name.rpartition(".")[2]
    work = BUILTINS.get(short)
    if work is not None:
        if short in FOLDING and args.pos and isinstance(args.pos[0], GeneratorV):
            args.pos[0] = gathered(m, args.pos[0], "list", node)
        made = work(m, short, args, node)
        if entry.options.get("nnx"):
            m.registered[id(made)] = made
        return made
    return generic_outcome(m, name, entry, args, node)


MODELS = {"builtin": builtin}
