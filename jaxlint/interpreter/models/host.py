"""The standard library and other host-side libraries: clocks, printing, logging, functools, dataclasses, itertools."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter import comparisons, operators
from jaxlint.interpreter.arrays import definite_array, result_array
from jaxlint.interpreter.calls import Args, call, call_values
from jaxlint.interpreter.divisibility import rounded_up
from jaxlint.interpreter.effects import call_effect
from jaxlint.interpreter.environment import environ_method, note_backend, written
from jaxlint.interpreter.iteration import known_items, one_item, steps_of
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.reading import convert, render
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.timers import interval, read_clock
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    IterV,
    ListV,
    PartialV,
    Ragged,
    Tree,
    TupleV,
    Unknown,
    Value,
)
from jaxlint.interpreter.widths import note_setting

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry


def environ(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """Writes to the environment."""
    environ_method(m, name, args, node)
    return generic_outcome(m, name, entry, args, node)


def setting(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.config.update(name, value)`."""
    written(m, args.named(entry.params, "name"), node, "setting")
    note_setting(m, args)
    return generic_outcome(m, name, entry, args, node)


def backend(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.devices()` and its kin make the client of the devices."""
    note_backend(m, node)
    return generic_outcome(m, name, entry, args, node)


# functions of which large arguments make very long numbers
HUGE = frozenset({"factorial", "comb", "perm", "lcm"})
MAX_COUNT = 256


def math_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`math.sqrt(x)`: needs a Python number."""
    import math

    short = name.rpartition(".")[2]
    if short == "ceil" and isinstance(node, ast.Call) and args.pos and isinstance(args.pos[0], (Const, Host, Unknown)):
        count = rounded_up(m, m.frames[-1], node)
        if count is not None:
            return count
    if args.pos and all(isinstance(v, Const) and isinstance(v.value, (int, float)) for v in args.pos):
        if short in HUGE and any(isinstance(v, Const) and v.value > MAX_COUNT for v in args.pos):
            return Host("int")
        try:
            return Const(getattr(math, short)(*(v.value for v in args.pos if isinstance(v, Const))))
        except Exception:
            return Host("float")
    if entry.options.get("accepts_tracers") or short == "prod":
        items = known_items(m, args.pos[0]) if args.pos else None
        if items is not None and any(definite_array(v) is not None for v in items):
            return result_array(m, node, items)
        return Host("int")
    kind = {"int": "int", "bool": "bool"}.get(entry.result, "float")
    for place, value in enumerate(args.pos):
        if isinstance(operators.unwrap_variable(value), (Array, Tree)):
            convert(m, value, node, "math", args.nodes[place], kind=kind, function=name, jnp=entry.jnp)
            return Host(kind)
    varies = frozenset().union(*(v.varies for v in args.pos if isinstance(v, Host))) if args.pos else frozenset()
    return Host(kind, varies=varies)


def clock(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A clock is read."""
    call_effect(m, node, "clock", name)
    return read_clock(m, node, name)


def timeit_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`timeit.timeit(f, number=n)`: the statement runs between two clock reads."""
    stmt = args.get(0, "stmt")
    short = name.rpartition(".")[2]
    if short == "Timer":
        made = InstanceV(None, name, depth=len(m.traces))
        made.attrs["stmt"] = stmt or UNKNOWN
        return made
    number = args.kw.get("number") or args.named(entry.params, "number")
    if isinstance(stmt, InstanceV):
        stmt = stmt.attrs.get("stmt", UNKNOWN)
        number = args.get(1, "number")
    if stmt is None or isinstance(stmt, Const):
        return Host("float")
    start = read_clock(m, node, name)
    call(m, stmt, Args(), node)
    stop = read_clock(m, node, name)
    once = isinstance(number, Const) and isinstance(number.value, int) and number.value <= 10
    pending = stop.blocked < stop.seq
    if pending or once:
        if not once:
            for dispatch in m.dispatches:
                if dispatch.seq > start.now:
                    dispatch.first = False
        interval(m, start, stop, node, how="timeit")
    return ListV(None, Host("float"), "list", len(m.traces)) if short == "repeat" else Host("float")


def show(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """print, logging, trackers: what is rendered is read."""
    if entry.effect:
        call_effect(m, node, entry.effect, name)
    values = [*args.pos, *args.kw.values()]
    if args.star is not None:
        values.append(args.star)
    short = name.rpartition(".")[2]
    for place, value in enumerate(values):
        subject = args.nodes[place] if place < len(args.nodes) else None
        render(m, value, node, subject, short if name.startswith("builtins.") else name)
    if short == "getLogger":
        return InstanceV(None, "logging.Logger", depth=len(m.traces))
    return NONE if entry.result == "none" else UNKNOWN


def progress(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """tqdm(iterable): goes through what it is given."""
    if name.rpartition(".")[2] == "trange":
        return IterV("progress", (IterV("range", tuple(args.pos[:1]), node),), node)
    iterable = args.get(0, "iterable")
    if iterable is None:
        return IterV("progress", (), node)
    if isinstance(iterable, IterV):
        return IterV("progress", (iterable,), node)
    return IterV("progress", (iterable,), node)


def reduce_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """functools.reduce(f, xs, start)."""
    if len(args.pos) < 2:
        return UNKNOWN
    items = known_items(m, args.pos[1])
    if items is not None and len(items) <= 8:
        values = list(items) if len(args.pos) < 3 else [args.pos[2], *items]
        if not values:
            return UNKNOWN
        result = values[0]
        for item in values[1:]:
            result = call_values(m, args.pos[0], [result, item], node)
        return result
    item = one_item(m, args.pos[1])
    return call_values(m, args.pos[0], [item, item], node)


def dataclass_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """dataclass(cls) or dataclass(frozen=True), called as a function."""
    from jaxlint.interpreter.classes import register

    if args.pos and isinstance(args.pos[0], ClassV):
        register(m, args.pos[0], name, dict(args.kw), node)
        return args.pos[0]
    return PartialV(ExternV(name), (), dict(args.kw))


def register_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """register_dataclass(cls, data_fields, meta_fields) and the other registrations."""
    from jaxlint.interpreter.classes import register

    if not args.pos and not args.kw:
        return ExternV(name)
    target = args.pos[0] if args.pos else args.kw.get("nodetype")
    if isinstance(target, ClassV):
        options = dict(args.kw)
        if len(args.pos) > 2:
            options["meta_fields"] = args.pos[2]
        flatten = args.get(1, "flatten_func")
        if isinstance(flatten, FunctionV) and entry.options.get("kind") == "node":
            target.meta["flatten"] = flatten
        register(m, target, name, options, node)
        return target
    return PartialV(ExternV(name), (), dict(args.kw)) if target is None else target


def field_marker(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """dataclasses.field(...), eqx.field(static=True), struct.field(pytree_node=False)."""
    made = InstanceV(None, "dataclasses.field")
    made.attrs.update(args.kw)
    if entry.options.get("static"):
        made.attrs["static"] = Const(True)
    if args.pos and name.endswith("struct.field"):
        made.attrs["pytree_node"] = args.pos[0]
    return made


def replace(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """dataclasses.replace(x, a=1), state.replace(a=1)."""
    value = args.pos[0] if args.pos else UNKNOWN
    if isinstance(value, InstanceV):
        made = InstanceV(value.cls, value.extern, len(m.traces), value.generic)
        made.attrs.update(dict(value.attrs.items()))
        if args.double_star is not None:
            # `replace(x, **changes)`: any field may be among them
            made.attrs.update({name: join(held, args.double_star) for name, held in value.attrs.items()})
        made.attrs.update(args.kw)
        return made
    return value if isinstance(value, Tree) else UNKNOWN


def asdict(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """dataclasses.asdict(x)."""
    value = args.pos[0] if args.pos else UNKNOWN
    if isinstance(value, InstanceV) and value.cls is not None and not value.generic:
        items = {n: value.attrs.get(n, UNKNOWN) for n in value.cls.fields}
        return DictV(items, None, len(m.traces))
    return UNKNOWN


def namedtuple(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """collections.namedtuple("Point", "x y")."""
    from jaxlint.interpreter.values import FieldSpec

    spec = args.get(1, "field_names")
    names: list[str] = []
    if isinstance(spec, Const) and isinstance(spec.value, str):
        names = spec.value.replace(",", " ").split()
    else:
        names = [str(v.value) for v in known_items(m, spec) or () if isinstance(v, Const)] if spec is not None else []
    if not names or not isinstance(node, ast.Call):
        return UNKNOWN
    title = args.pos[0].value if args.pos and isinstance(args.pos[0], Const) else "namedtuple"
    stub = ast.ClassDef(
        name=str(title),
        bases=[],
        keywords=[],
        body=[],
        decorator_list=[],
        lineno=node.lineno,
        col_offset=node.col_offset,
    )
    module = m.frames[-1].module
    cls = ClassV(stub, module, str(title), (ExternV("typing.NamedTuple"),))
    cls.family = "namedtuple"
    defaults = known_items(m, args.kw["defaults"]) if "defaults" in args.kw else None
    cls.fields = {n: FieldSpec(n, None, None) for n in names}
    for field_name, default in zip(reversed(names), reversed(defaults or ())):
        cls.fields[field_name].default = default
    return cls


def copied(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """copy.copy, copy.deepcopy: containers are new, leaves the same."""
    value = args.pos[0] if args.pos else UNKNOWN
    if isinstance(value, ListV):
        return ListV(value.items, value.elem, value.kind, len(m.traces))
    if isinstance(value, DictV):
        return DictV(dict(value.items), value.rest, len(m.traces))
    if isinstance(value, InstanceV):
        made = InstanceV(value.cls, value.extern, len(m.traces), value.generic)
        made.attrs.update(value.attrs)
        return made
    return value


OPERATORS: dict[str, type[ast.operator] | type[ast.cmpop]] = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "matmul": ast.MatMult,
    "and_": ast.BitAnd,
    "or_": ast.BitOr,
    "xor": ast.BitXor,
    "lt": ast.Lt,
    "le": ast.LtE,
    "gt": ast.Gt,
    "ge": ast.GtE,
    "eq": ast.Eq,
    "ne": ast.NotEq,
}


def operator_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """operator.add and the others."""
    short = (
        name.rpartition(".")[2].removeprefix("i")
        if name.rpartition(".")[2] in ("iadd", "imul", "isub")
        else name.rpartition(".")[2]
    )
    kind = OPERATORS.get(short)
    if kind is not None and len(args.pos) == 2:
        if issubclass(kind, ast.operator):
            return operators.binary(m, node, kind(), args.pos[0], args.pos[1], node, node)
        return comparisons.compare_two(m, node, kind(), args.pos[0], args.pos[1], node, node)
    if short in ("index", "__index__") and args.pos:
        return convert(m, args.pos[0], node, "operator.index", args.nodes[0], kind="int", function="operator.index")
    if short in ("not_", "truth") and args.pos:
        from jaxlint.interpreter.truth import host_bool, truth

        return host_bool(truth(m, args.pos[0], args.nodes[0] or node, "bool", node), args.pos[0])
    if short == "getitem" and len(args.pos) == 2:
        return UNKNOWN
    return generic_outcome(m, name, entry, args, node)


def cast(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """typing.cast(T, x)."""
    return args.pos[1] if len(args.pos) > 1 else UNKNOWN


def cycle(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """itertools.cycle(xs), islice(xs, n)."""
    value = args.pos[0] if args.pos else UNKNOWN
    item = one_item(m, value)
    if name.endswith("islice") and len(args.pos) == 2 and m.loops:
        source = m.frames[-1].module.source
        ragged = Ragged(f"the last chunk of `{source.segment(node, 50)}` is shorter", node, source)
        return IterV("loader", (value,), node, {"elem": item, "name": name, "ragged": ragged})
    if isinstance(value, IterV) and value.kind == "loader":
        return value
    if isinstance(item, Unknown) and not isinstance(value, Unknown):
        return value
    return IterV("loader", (value,), node, {"elem": item, "name": name})


def chain(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """itertools.chain(a, b)."""
    parts = [known_items(m, v) for v in args.pos]
    if all(p is not None for p in parts):
        return TupleV(tuple(v for p in parts if p is not None for v in p))
    return IterV("loader", tuple(args.pos), node, {"elem": UNKNOWN, "name": name})


def count(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """itertools.count()."""
    return IterV("loader", (), node, {"elem": Host("int", varies=frozenset({-1})), "name": name})


def array_split(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """np.array_split(x, n): parts that may differ in length by one."""
    source = m.frames[-1].module.source
    value, parts = args.pos[0] if args.pos else UNKNOWN, args.get(1, "indices_or_sections")
    shape = value.shape if isinstance(value, (Host, Array)) else None
    rows = shape[0] if shape else value.sym if isinstance(value, Host) else None
    total = Poly.of(rows) if isinstance(rows, int) else rows
    count = operators.sym_of(parts) if parts is not None else None
    if total is not None and count is not None and total.multiple_of(count):
        return generic_outcome(m, name, entry, args, node)
    ragged = Ragged(f"the parts of `{source.segment(node, 50)}` differ in length", node, source)
    if name.startswith("jax."):
        return ListV(None, result_array(m, node, [value]).but(ragged=ragged), "list", len(m.traces))
    return ListV(None, Host("ndarray", ragged=ragged), "list", len(m.traces))


def none(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A decorator without meaning here: gives back what it gets."""
    return args.pos[0] if args.pos else UNKNOWN


def nullcontext(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """contextlib.nullcontext(x)."""
    return UNKNOWN


MODELS = {
    "environ": environ,
    "setting": setting,
    "backend": backend,
    "math": math_call,
    "clock": clock,
    "timeit": timeit_call,
    "print": show,
    "log": show,
    "format": show,
    "tracker": show,
    "progress": progress,
    "reduce": reduce_call,
    "dataclass": dataclass_call,
    "register_pytree": register_call,
    "dataclass_field": field_marker,
    "dataclass_replace": replace,
    "dataclass_asdict": asdict,
    "namedtuple": namedtuple,
    "copy": copied,
    "operator": operator_call,
    "cast": cast,
    "cycle": cycle,
    "islice": cycle,
    "chain": chain,
    "count": count,
    "lru_cache": lambda m, name, entry, args, node: cached_call(m, name, args, node),
    "contextmanager": lambda m, name, entry, args, node: tag_call(args, "contextmanager"),
    "nullcontext": nullcontext,
    "compile_time_eval": lambda m, name, entry, args, node: ExternV("jax.ensure_compile_time_eval()"),
    "array_split": array_split,
}


def cached_call(m: Machine, name: str, args: Args, node: ast.AST) -> Value:
    """`lru_cache(maxsize=8)` gives a decorator, `cache(f)` a cached function."""
    func = args.pos[0] if args.pos else None
    if isinstance(func, FunctionV):
        func.cached = node
        if name.endswith("cached_property"):
            func.tags = func.tags | {"property"}
        return func
    return ExternV("functools.lru_cache") if func is None or isinstance(func, Const) else func


def tag_call(args: Args, tag: str) -> Value:
    """A decorator called as a function."""
    func = args.pos[0] if args.pos else UNKNOWN
    if isinstance(func, FunctionV):
        func.tags = func.tags | {tag}
    return func


_: tuple[Any, ...] = (MISSING, steps_of)
