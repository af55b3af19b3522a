"""Project functions: making them, binding arguments, running their bodies, and remembering what they returned."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import arrays_in
from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.donation import dead, share
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.machine import MAX_CALL_DEPTH
from jaxlint.interpreter.signatures import fingerprint
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    BoundV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    GeneratorV,
    Host,
    InstanceV,
    IterV,
    ListV,
    PartialV,
    Store,
    TransformedV,
    TupleV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# How often one function is run with different arguments: bookkeeping code that calls itself with everything would
# take all the time. Calls that hand over arrays say more, and may be more.
MAX_RUNS = 8
MAX_ARRAY_RUNS = 120
# runs that each script gets of a function of another module, whatever the others used
OWN_RUNS = 2
NO_NAMES: frozenset[str] = frozenset()


def make_function(m: Machine, f: Frame, node: FunctionNode) -> FunctionV:
    """The function object that a `def` or `lambda` makes."""
    from jaxlint.interpreter.expressions import evaluate

    arguments = node.args
    defaults = tuple(evaluate(m, f, d) for d in arguments.defaults)
    kwdefaults = {
        a.arg: evaluate(m, f, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None
    }
    short = node.name if not isinstance(node, ast.Lambda) else "<lambda>"
    qualname = f"{f.qualname}.{short}" if f.qualname else short
    closure = f if f.function is not None or f.is_class or f.outer is not None else None
    if closure is not None and closure.is_class and closure.outer is None:
        closure = None
    function = FunctionV(node, f.module, closure, qualname, defaults, kwdefaults, m.fresh(), len(m.traces))
    if not isinstance(node, ast.Lambda):
        m.functions.append(function)
    return function


def is_generator(function: FunctionV) -> bool:
    """Whether the body yields (nested functions do not count). Cached on the node; most texts don't hold the word."""
    node = function.node
    found: bool | None = getattr(node, "_jaxlint_yields", None)
    if found is None:
        found = False
        if not isinstance(node, ast.Lambda):
            source = function.module.source
            lines = source.lines[node.lineno - 1 : node.end_lineno] if "yield" in source.words else []
            found = any("yield" in line for line in lines) and any(has_yield(s) for s in node.body)
        node._jaxlint_yields = found  # type: ignore[union-attr]
    return found


def has_yield(node: ast.AST) -> bool:
    """Whether a statement yields in its own function."""
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        return True
    if isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.expr_context, ast.operator)
    ):
        return False
    return any(has_yield(child) for child in ast.iter_child_nodes(node))


def call_function(m: Machine, function: FunctionV, args: Args, node: ast.AST) -> Value:
    """Call a project function."""
    function.calls += 1
    if function.cached is not None:
        return call_cached(m, function, args, node)
    if is_generator(function) and "contextmanager" not in function.tags:
        generator = GeneratorV(function, tuple(args.pos), dict(args.kw))
        generator.made_depth = len(m.traces)
        return generator
    if "contextmanager" in function.tags:
        return GeneratorV(function, tuple(args.pos), dict(args.kw))
    return run_function(m, function, args, node)


def call_cached(m: Machine, function: FunctionV, args: Args, node: ast.AST) -> Value:
    """A memoised function: one run for equal arguments; what it returns outlives the trace it ran in."""
    from jaxlint.events import Kind
    from jaxlint.interpreter.leaks import escaping

    key = (
        "cached",
        id(function.node),
        id(function.closure),
        *(fingerprint(v) for v in args.pos),
        *((k, fingerprint(v)) for k, v in args.kw.items()),
    )
    stored = m.memo.get(key)
    if stored is not None:
        return stored[0]  # type: ignore[no-any-return]
    saved = (m.loops, m.gates)
    m.loops, m.gates = [], []
    try:
        result = run_function(m, function, args, node)
    finally:
        m.loops, m.gates = saved
    if m.traces and not any(a.trace is not None for v in args.all() for a in arrays_in(v)):
        tracer = escaping(result, 0)
        if tracer is not None and function.cached is not None:
            m.emit(
                Kind.TRACER_LEAK,
                function.cached,
                "memoised",
                value=tracer,
                source=function.module.source,
                scope=function.qualname,
                target=function.name,
            )
    m.memo[key] = (result, function, args)
    return result


def run_function(m: Machine, function: FunctionV, args: Args, node: ast.AST) -> Value:
    """Run the body once for these arguments, or recall an earlier run that is certainly the same."""
    if len(m.frames) > MAX_CALL_DEPTH or m.steps > m.budget:
        m.given_up += 1
        m.not_followed.add(id(function.node))
        return UNKNOWN
    if sum(1 for frame in m.frames if frame.function is not None and frame.function.node is function.node) >= 2:
        return UNKNOWN
    key = memo_key(m, function, args)
    if key is not None:
        stored = m.memo.get(key)
        if stored is not None and not (m.donations and gone(m, stored[0])):
            share(m, stored[0])
            return stored[0] if key[0] != "blind" else anonymous(stored[0])
    place = (id(function.node), id(m.frames[0].module))
    runs, own = m.runs.get(id(function.node), 0), m.own_runs.get(place, 0)
    spent = runs >= MAX_RUNS and (m.unprompted or own >= OWN_RUNS or function.module is m.frames[0].module)
    if spent and (runs >= MAX_ARRAY_RUNS or not any(holds_array(v) for v in args.all())):
        m.given_up += 1
        m.not_followed.add(id(function.node))
        return UNKNOWN
    m.runs[id(function.node)] = runs + 1
    m.own_runs[place] = own + 1
    effects, seq, given_up, oldest = m.effects, m.seq, m.given_up, m.oldest
    frame = new_frame(m, function, node)
    m.oldest = 1 << 62
    bind_arguments(m, function, frame, args)
    result = run_body(m, function, frame)
    inside = m.oldest >= frame.stamp
    m.oldest = min(m.oldest, oldest)
    if key is not None and inside and m.effects == effects and m.seq == seq and m.given_up == given_up:
        m.memo[key] = (result, args, function)
    return result


def gone(m: Machine, value: Value) -> bool:
    """Whether a remembered result holds an array that was donated since: another run makes another one."""
    return any(dead(m, array) is not None for array in arrays_in(value))


def memo_key(m: Machine, function: FunctionV, args: Args) -> Any:
    """What decides the result of a run without side effects: function, arguments, context and heap version."""
    if args.star is not None or args.double_star is not None or m.probe is not None or m.read_log:
        return None
    staging = m.traces[-1] if m.traces else None
    if (
        staging is None
        and args.pos
        and all(map(uninformative, args.all()))
        and any(isinstance(v, Unknown) for v in args.all())
    ):
        return ("blind", id(function.node), id(function.closure), bool(m.loops), m.muted > 0, len(args.pos), *args.kw)
    parts = [fingerprint(v) for v in args.pos]
    parts.extend((name, fingerprint(v)) for name, v in sorted(args.kw.items()))
    # what a call may read besides its arguments: its closure, and what mutable arguments hold
    version = m.version if function.closure is not None or any(map(mutable, args.all())) else 0
    around = (tuple(m.axes), tuple(id(mesh) for mesh, _ in m.meshes), id(m.state.get("mesh")), m.initialising)
    return (id(function.node), id(function.closure), id(staging), bool(m.loops), version, m.muted > 0, around, *parts)


def holds_array(value: Value) -> bool:
    """Whether an argument is, or holds, an array."""
    return next(iter(arrays_in(value, 2)), None) is not None


def uninformative(value: Value) -> bool:
    """Whether an argument says next to nothing: a call with only such arguments teaches no more than the first one."""
    if isinstance(value, InstanceV):
        return value.generic
    return isinstance(value, (Unknown, ExternV)) or (isinstance(value, Const) and value.value is None)


def anonymous(value: Value) -> Value:
    """A remembered result for another call: numbers named after the first call's parameters lose their names."""
    if isinstance(value, Unknown):
        return UNKNOWN if value.sym is not None else value
    if isinstance(value, Host) and value.sym is not None:
        return Host(value.kind, None, value.shape, value.varies, value.ragged, value.index, value.dtype, value.grows)
    if isinstance(value, TupleV) and value.items is not None:
        return TupleV(tuple(map(anonymous, value.items)))
    return value


def mutable(value: Value) -> bool:
    """Whether a value may hold something else later."""
    if isinstance(value, InstanceV):
        return not value.generic
    if isinstance(value, TupleV):
        return any(map(mutable, value.items or ()))
    return isinstance(value, (ListV, DictV, BoundV, PartialV, TransformedV, IterV, GeneratorV))


def new_frame(m: Machine, function: FunctionV, node: ast.AST | None) -> Frame:
    """A frame for one run of `function`."""
    own, global_names, nonlocal_names = scopes(function)
    names = Store()
    return Frame(
        module=function.module,
        names=names,
        stamp=names.stamp,
        uid=m.fresh(),
        qualname=function.qualname,
        function=function,
        outer=function.closure,
        owner=function.owner,
        call_node=node,
        caller=m.frames[-1] if m.frames else None,
        local_names=own,
        global_names=global_names,
        nonlocal_names=nonlocal_names,
        journal_depth=len(m.journals),
        depth=len(m.traces),
    )


def scopes(function: FunctionV) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Names declared `global` and `nonlocal` in a function. Cached on the node; most texts don't hold the words."""
    words, node = function.module.source.words, function.node
    if "global" not in words and "nonlocal" not in words:
        return NO_NAMES, NO_NAMES, NO_NAMES
    found: tuple[frozenset[str], frozenset[str], frozenset[str]] | None = getattr(node, "_jaxlint_scopes", None)
    if found is None:
        global_names: set[str] = set()
        nonlocal_names: set[str] = set()
        pending: list[ast.AST] = list(node.body) if not isinstance(node, ast.Lambda) else []
        while pending:
            part = pending.pop()
            if isinstance(part, ast.Global):
                global_names.update(part.names)
            elif isinstance(part, ast.Nonlocal):
                nonlocal_names.update(part.names)
            elif isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not isinstance(
                part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            ):
                pending.extend(
                    c
                    for c in ast.iter_child_nodes(part)
                    if isinstance(c, (ast.stmt, ast.ExceptHandler, ast.match_case))
                )
        found = (frozenset(), frozenset(global_names), frozenset(nonlocal_names))
        node._jaxlint_scopes = found  # type: ignore[union-attr]
    return found


def parameters(node: FunctionNode) -> tuple[str, ...]:
    """The names of the positional parameters."""
    return tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args))


def default_of(function: FunctionV, name: str) -> Value | None:
    """The default of a parameter, None when it has none."""
    names = parameters(function.node)
    if name in names:
        place = names.index(name) - (len(names) - len(function.defaults))
        return function.defaults[place] if 0 <= place < len(function.defaults) else None
    return function.kwdefaults.get(name)


def bind_arguments(m: Machine, function: FunctionV, frame: Frame, args: Args) -> None:
    """Write the parameters of a call into its frame."""
    node = function.node.args
    names = parameters(function.node)
    used: set[str] = set()
    for place, name in enumerate(names):
        if place < len(args.pos):
            frame.names[name] = args.pos[place]
        elif name in args.kw:
            frame.names[name] = args.kw[name]
            used.add(name)
        else:
            frame.names[name] = missing_argument(m, function, name, args, positional=True)
    if node.vararg is not None:
        extra = tuple(args.pos[len(names) :])
        frame.names[node.vararg.arg] = TupleV(extra) if args.star is None else TupleV(None, args.star)
    for parameter in node.kwonlyargs:
        name = parameter.arg
        if name in args.kw:
            frame.names[name] = args.kw[name]
            used.add(name)
        else:
            frame.names[name] = missing_argument(m, function, name, args, positional=False)
    if node.kwarg is not None:
        rest = {k: v for k, v in args.kw.items() if k not in used and k not in names}
        frame.names[node.kwarg.arg] = DictV(rest, args.double_star, len(m.traces))


def missing_argument(m: Machine, function: FunctionV, name: str, args: Args, *, positional: bool) -> Value:
    """A parameter that the call does not name: from a starred argument, its default, or unknown."""
    default = default_of(function, name)
    open_value = args.star if positional and args.star is not None else args.double_star
    if open_value is not None:
        return join(default, open_value) if default is not None else open_value
    if default is not None:
        return default
    return Unknown(Poly.atom("param", function.uid, name), name)


def run_body(m: Machine, function: FunctionV, frame: Frame) -> Value:
    """Run a function's body in its frame; what it returns."""
    from jaxlint.interpreter.expressions import evaluate
    from jaxlint.interpreter.statements import run_block

    node = function.node
    m.frames.append(frame)
    gates = len(m.gates)
    try:
        if isinstance(node, ast.Lambda):
            return evaluate(m, frame, node.body)
        end = run_block(m, frame, node.body)
        if frame.exits:
            m.join_in(frame.exits)
    finally:
        m.frames.pop()
        del m.gates[gates:]
    returns = frame.returns
    if end == End.NORMAL:
        returns = [*returns, NONE]
    result: Any = MISSING
    for value in returns:
        result = join(result, value)
    return NONE if result is MISSING and end != End.RAISE else UNKNOWN if result is MISSING else result
