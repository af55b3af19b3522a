"""Python's builtins, by name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.interpreter import operators
from jaxlint.interpreter.arrays import definite_array, dim_value, is_tracer, result_array
from jaxlint.interpreter.calls import Args, call_method_named, call_values
from jaxlint.interpreter.comprehensions import ragged_of
from jaxlint.interpreter.iteration import known_items, one_item, steps_of
from jaxlint.interpreter.joining import element, join, kind_of
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
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.reading import convert, loop_ids
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.truth import guarded, host_bool, truth
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    BatchIndex,
    Const,
    DictV,
    FunctionV,
    Host,
    InstanceV,
    IterV,
    ListV,
    ModuleV,
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
    if isinstance(value, Const) and isinstance(value.value, str | bytes):
        return Const(len(value.value))
    ragged = value.ragged if isinstance(value, Host) else value.state.get("ragged") if isinstance(value, ListV) else None
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
                m.emit(Kind.TRACER_CONVERT, node, "range", subject=args.nodes[place] or node, value=value, function="range")
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
        return any(is_tracer(evaluate(m, m.frames[-1], part)) for part in found if isinstance(part, ast.Name | ast.Attribute))
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
    if isinstance(value, IterV | Tree) or not isinstance(value, Unknown):
        return value if not isinstance(value, TupleV | ListV | Array) else IterV("iter", (value,), node)
    return UNKNOWN


def filtered(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """filter(f, xs): each result is asked for its truth."""
    if len(args.pos) < 2:
        return UNKNOWN
    item = one_item(m, args.pos[1])
    test = item if isinstance(args.pos[0], Const) else call_values(m, args.pos[0], [item], node)
    truth(m, test, node, "filter", node)
    return ListV(None, item, "list", len(m.traces))


def sequence(kind: str) -> Callable[[Machine, str, Args, ast.AST], Value]:
    """list(x), tuple(x), set(x)."""

    def make(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
        if not args.pos:
            return TupleV(()) if kind == "tuple" else ListV((), UNKNOWN, kind, len(m.traces))
        value = args.pos[0]
        steps = steps_of(m, value, node, kind)
        if steps.generator is not None:
            from jaxlint.interpreter.generators import collect

            found = collect(m, steps.generator, node)
            elem: Any = MISSING
            for item in found:
                elem = join(elem, item)
            return TupleV(None, elem) if kind == "tuple" else ListV(None, UNKNOWN if elem is MISSING else elem, kind, len(m.traces))
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


def compare_all(m: Machine, value: Value, args: Args, node: ast.AST, how: str) -> Value:
    """sorted, min, max over a sequence: elements are compared, which needs truths."""
    key = args.kw.get("key")
    if isinstance(value, Array) and value.trace is None:
        steps_of(m, value, node, how)
    item = one_item(m, value)
    if item is MISSING:
        return UNKNOWN
    compared = call_values(m, key, [item], node) if key is not None and not isinstance(key, Const) else item
    count = known_items(m, value)
    if count is not None and len(count) < 2:
        return item
    if is_tracer(compared) and not guarded(m):
        m.emit(Kind.TRACER_BOOL, node, how, subject=node, value=compared)
    elif isinstance(compared, TupleV) and compared.items and is_tracer(compared.items[0]) and not guarded(m):
        m.emit(Kind.TRACER_BOOL, node, how, subject=node, value=compared.items[0])
    return item


def extreme(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """min(...), max(...)."""
    work = min if name == "min" else max
    if len(args.pos) == 1:
        value = args.pos[0]
        items = known_items(m, value)
        if items is not None and items and all(isinstance(v, Const) for v in items) and "key" not in args.kw:
            return constant_extreme(work, list(items))
        found = compare_all(m, value, args, node, name)
        if name == "max" and longest(args.nodes[0]) and isinstance(found, Host):
            source = m.frames[-1].module.source
            return Host("int", varies=found.varies, ragged=Ragged(f"`{source.segment(node, 50)}` pads to the longest of each batch", node, source))
        return found if not isinstance(found, Unknown) else UNKNOWN
    arrays = [v for v in args.pos if definite_array(v) is not None]
    if arrays:
        tracer = next((v for v in arrays if is_tracer(v)), None)
        if tracer is not None and not guarded(m):
            m.emit(Kind.TRACER_BOOL, node, name, subject=node, value=tracer)
        elif tracer is None:
            for array in arrays:
                truth(m, array, node, name, node)
        return result_array(m, node, arrays)
    if args.pos and all(isinstance(v, Const) for v in args.pos):
        return constant_extreme(work, args.pos)
    return host_extreme(args.pos, name)


def longest(node: ast.AST | None) -> bool:
    """`max(len(s) for s in batch)`, `max(map(len, batch))`."""
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return isinstance(node.elt, ast.Call) and isinstance(node.elt.func, ast.Name) and node.elt.func.id == "len"
    return isinstance(node, ast.Call) and bool(node.args) and isinstance(node.args[0], ast.Name) and node.args[0].id == "len"


def constant_extreme(work: Callable[..., Any], values: list[Value]) -> Value:
    """min or max of constants."""
    try:
        return Const(work(v.value for v in values if isinstance(v, Const)))
    except Exception:
        return UNKNOWN


def host_extreme(values: list[Value], name: str) -> Value:
    """min or max of Python numbers: `min(i + bs, n)` is still the end of a batch."""
    varies: frozenset[int] = frozenset()
    index: BatchIndex | None = None
    for value in values:
        if isinstance(value, Host):
            varies |= value.varies
            index = index or value.index
    kinds = {kind_of(v) for v in values}
    if index is not None or kinds <= {"int", "bool"}:
        return Host("int", varies=varies, index=index)
    if kinds <= {"int", "float", "bool"}:
        return Host("float", varies=varies)
    return Host("object", varies=varies) if varies else UNKNOWN


def quantified(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """any(...), all(...): every element is asked for its truth."""
    if not args.pos:
        return Host("bool")
    value = args.pos[0]
    array = definite_array(value)
    if array is not None:
        row = array.but(shape=array.shape[1:] if array.shape else None)
        truth(m, row, node, name, node)
        return Host("bool")
    items = known_items(m, value)
    if items is not None:
        known = [truth(m, item, node, name, node) for item in items]
        if name == "all":
            return Const(False) if False in known else Const(True) if None not in known else Host("bool")
        return Const(True) if True in known else Const(False) if None not in known else Host("bool")
    item = element(value) if isinstance(value, TupleV | ListV) else one_item(m, value)
    if item is not MISSING:
        truth(m, item, node, name, node)
    return Host("bool", varies=item.varies if isinstance(item, Host) else frozenset())


def total(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """sum(xs)."""
    if not args.pos:
        return UNKNOWN
    value = args.pos[0]
    start = args.get(1, "start")
    items = known_items(m, value) if not isinstance(value, Array) else None
    if items is not None and len(items) <= 16:
        result: Value = start if start is not None else Const(0)
        for item in items:
            result = operators.binary(m, node, ast.Add(), result, item, node, node)
        return result
    steps = steps_of(m, value, node, "sum")
    item = steps.elem
    if isinstance(item, Array | Tree):
        return result_array(m, node, [item], shape=item.shape if isinstance(item, Array) else None)
    if kind_of(item) in ("int", "float", "bool"):
        return Host(kind_of(item) if kind_of(item) != "bool" else "int", varies=item.varies if isinstance(item, Host) else frozenset())
    return UNKNOWN


def numeric(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """abs, divmod, pow, round."""
    value = operators.unwrap_variable(args.pos[0]) if args.pos else UNKNOWN
    if isinstance(value, Array | Tree):
        base = value if isinstance(value, Array) else value.leaf
        made = result_array(m, node, args.pos, shape=base.shape if name != "pow" else None, dtype=base.dtype)
        return TupleV((made, made)) if name == "divmod" else made
    if name == "pow" and len(args.pos) == 2 and isinstance(args.pos[0], Const) and isinstance(args.pos[1], Const):
        return operators.binary_const(ast.Pow(), args.pos[0], args.pos[1])
    if name != "pow" and all(isinstance(v, Const) for v in args.pos) and args.pos:
        try:
            work: Any = {"abs": abs, "divmod": divmod, "round": round}[name]
            result = work(*(v.value for v in args.pos if isinstance(v, Const)))
            return TupleV(tuple(Const(r) for r in result)) if isinstance(result, tuple) else Const(result)
        except Exception:
            return UNKNOWN
    if isinstance(value, Host):
        if name == "divmod":
            return TupleV((Host("int", varies=value.varies), Host("int", varies=value.varies)))
        return Host("int" if name == "round" and len(args.pos) == 1 else value.kind, varies=value.varies)
    return UNKNOWN


def next_item(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """next(it)."""
    from jaxlint.interpreter.generators import next_value

    value = args.pos[0] if args.pos else UNKNOWN
    if isinstance(value, InstanceV) and value.cls is not None:
        return call_method_named(m, value, "__next__", node)
    found = next_value(m, value, node)
    return join(found, args.pos[1]) if len(args.pos) > 1 and not isinstance(found, Unknown) else found


def sort(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """sorted(xs)."""
    if not args.pos:
        return UNKNOWN
    value = args.pos[0]
    items = known_items(m, value)
    array = definite_array(value)
    if array is not None:
        steps_of(m, array, node, "sorted")
    compare_all(m, value, args, node, "sorted")
    if items is not None and all(isinstance(v, Const) for v in items) and not args.kw:
        try:
            return ListV(tuple(Const(x) for x in sorted(v.value for v in items if isinstance(v, Const))), UNKNOWN, "list", len(m.traces))
        except TypeError:
            pass
    if items is not None:
        return ListV(items, UNKNOWN, "list", len(m.traces))
    return ListV(None, one_item(m, value), "list", len(m.traces))


def text(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """str(x), repr(x), format(x)."""
    from jaxlint.interpreter.reading import render

    if args.pos:
        if isinstance(args.pos[0], Const) and name == "str":
            return Const(str(args.pos[0].value))
        render(m, args.pos[0], node, subject_of(args, node), name, spec=name == "format" and len(args.pos) > 1)
    return Host("str", varies=args.pos[0].varies if args.pos and isinstance(args.pos[0], Host) else frozenset())


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
        while isinstance(target, TransformedV | PartialV):
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


def builtin(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A builtin function, or a library's version of one (`nnx.List`)."""
    short = str(entry.options.get("like", "")) or name.rpartition(".")[2]
    work = BUILTINS.get(short)
    if work is not None:
        return work(m, short, args, node)
    return generic_outcome(m, name, entry, args, node)


MODELS = {"builtin": builtin}
_ = (loop_ids, ModuleV)
