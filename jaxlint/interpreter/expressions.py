"""Expressions: one function for each kind of node, found by its class."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter import comparisons, operators
from jaxlint.interpreter.attributes import get_attribute
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.capturing import note_captured
from jaxlint.interpreter.divisibility import rounded_up
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.gates import is_gate
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.narrowing import narrow
from jaxlint.interpreter.paths import start_of
from jaxlint.interpreter.reading import render
from jaxlint.interpreter.subscripts import get_item
from jaxlint.interpreter.truth import host_bool, truth
from jaxlint.interpreter.values import (
    FALSE,
    MISSING,
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    ListV,
    SliceV,
    Tree,
    TupleV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

BUILTIN_NAMES = frozenset(dir(builtins))


def evaluate(m: Machine, f: Frame, node: ast.expr) -> Value:
    """The value of an expression."""
    work = EXPRESSIONS.get(node.__class__)
    value = work(m, f, node) if work is not None else UNKNOWN
    if m.probe is not None:
        m.probe(m, f, node, value)
    return value


def constant(m: Machine, f: Frame, node: ast.Constant) -> Value:
    """A literal."""
    value = node.value
    if value is None:
        return NONE
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    return Const(value)


def name(m: Machine, f: Frame, node: ast.Name) -> Value:
    """A variable: own, then of the enclosing functions, the module, the builtins."""
    return look_up(m, f, node.id, node)


def look_up(m: Machine, f: Frame, text: str, node: ast.AST | None = None) -> Value:
    """The value of a name seen from frame `f`."""
    found = f.names.get(text, MISSING)
    if found is not MISSING:
        return found  # type: ignore[no-any-return]
    frame = f.outer
    while frame is not None:
        if not frame.is_class:
            found = frame.names.get(text, MISSING)
            if found is not MISSING:
                note_read(m, frame.names, text, found, node)
                return found  # type: ignore[no-any-return]
        frame = frame.outer
    namespace = f.module.namespace
    found = namespace.get(text, MISSING)
    if found is not MISSING:
        note_read(m, namespace, text, found, node)
        return found  # type: ignore[no-any-return]
    if text in BUILTIN_NAMES:
        return ExternV("builtins." + text)
    if text == "__name__":
        return Const("__main__")
    if text == "__file__":
        return Host("str")
    return UNKNOWN


def note_read(m: Machine, container: dict[Any, Any], key: Any, value: Value, node: ast.AST | None) -> None:
    """Remember that traced code read outer Python state, to tell later whether it has changed since."""
    if m.read_log and node is not None:
        note_captured(m, container, value, node)
        m.read_log[-1].setdefault((id(container), key), (container, key, value, node, m.frames[-1].module.source))


def attribute(m: Machine, f: Frame, node: ast.Attribute) -> Value:
    """`value.attr`."""
    value = evaluate(m, f, node.value)
    if isinstance(value, Tree) and node.attr in ARRAY_ONLY and isinstance(node.value, ast.Name):
        # only arrays have these: from here on the variable is known to be one
        if f.names.get(node.value.id) is value:
            m.write(f.names, node.value.id, value.leaf)
    return get_attribute(m, value, node.attr, node)


ARRAY_ONLY = frozenset(
    {"shape", "ndim", "dtype", "at", "T", "astype", "reshape", "ravel", "flatten", "block_until_ready", "item"}
)


def subscript(m: Machine, f: Frame, node: ast.Subscript) -> Value:
    """`value[index]`."""
    value = evaluate(m, f, node.value)
    return get_item(m, value, evaluate(m, f, node.slice), node)


def slice_value(m: Machine, f: Frame, node: ast.Slice) -> Value:
    """`a:b:c` inside brackets."""
    parts = [evaluate(m, f, part) if part is not None else NONE for part in (node.lower, node.upper, node.step)]
    return SliceV(parts[0], parts[1], parts[2])


def bin_op(m: Machine, f: Frame, node: ast.BinOp) -> Value:
    """`a + b`."""
    left = evaluate(m, f, node.left)
    right = evaluate(m, f, node.right)
    if isinstance(node.op, ast.FloorDiv) and isinstance(node.left, ast.BinOp):
        count = rounded_up(m, f, node)
        if count is not None:
            return count
    return operators.binary(m, node, node.op, left, right, node.left, node.right)


def unary_op(m: Machine, f: Frame, node: ast.UnaryOp) -> Value:
    """`-a`, `not a`."""
    if isinstance(node.op, ast.Not):
        as_condition(node.operand, "not")
    value = evaluate(m, f, node.operand)
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.BinOp):
        count = rounded_up(m, f, node)
        if count is not None:
            return count
    if isinstance(node.op, ast.Not):
        known = truth(m, value, node.operand, "not", node)
        return host_bool(None if known is None else not known, value)
    return operators.unary(m, node, value)


def bool_op(m: Machine, f: Frame, node: ast.BoolOp) -> Value:
    """`a and b`: the later operands are evaluated only where the earlier ones allow, with what they imply."""
    wanted = isinstance(node.op, ast.And)
    how = "and" if wanted else "or"
    return bool_rest(m, f, node, node.values, wanted, how)


def bool_rest(m: Machine, f: Frame, node: ast.BoolOp, operands: list[ast.expr], wanted: bool, how: str) -> Value:
    """The value of the remaining operands of `and`/`or`."""
    value = evaluate(m, f, operands[0])
    if len(operands) == 1:
        return last_operand(m, node, value, operands[0])
    known = truth(m, value, operands[0], how)
    if known is not None:
        return bool_rest(m, f, node, operands[1:], wanted, how) if known == wanted else value
    result: list[Value] = []
    gate = bool(m.loops) and is_gate(m, f, operands[0], value)

    def go_on() -> End:
        narrow(m, f, operands[0], wanted)
        if gate:
            m.gates.append(len(m.loops))
        result.append(bool_rest(m, f, node, operands[1:], wanted, how))
        if gate:
            m.gates.pop()
        return End.NORMAL

    m.fork([go_on, lambda: End.NORMAL])
    if (
        isinstance(result[0], Const)
        and bool(result[0].value) != wanted
        and isinstance(value, (Host, ListV, DictV, TupleV))
    ):
        return result[0]
    kept = falsy(value) if wanted else truthy(value)
    return join(kept, result[0]) if kept is not MISSING else result[0]


def as_condition(node: ast.expr, how: str) -> None:
    """Mark the `and`/`or` of a condition: there the last operand is asked for its truth, too."""
    if isinstance(node, ast.BoolOp):
        node._jaxlint_condition = how  # type: ignore[attr-defined]
        for part in node.values:
            as_condition(part, how)


def last_operand(m: Machine, node: ast.BoolOp, value: Value, operand: ast.expr) -> Value:
    """The last operand of `and`/`or`: the result, or in a condition its truth."""
    how = getattr(node, "_jaxlint_condition", "")
    if not how or isinstance(operand, ast.BoolOp):
        return value
    known = truth(m, value, operand, how)
    return value if known is not None else host_bool(None, value)


def truthy(value: Value) -> Value:
    """What `value` is, given that it is true: alternatives that are certainly false are left out."""
    from jaxlint.interpreter.joining import join_options, options

    kept = tuple(v for v in options(value) if not (isinstance(v, Const) and not v.value))
    return join_options(kept) if kept else MISSING


def falsy(value: Value) -> Value:
    """What `value` is, given that it is false."""
    from jaxlint.interpreter.joining import join_options, options

    kept = tuple(v for v in options(value) if not (isinstance(v, Const) and v.value))
    return join_options(kept) if kept else MISSING


def if_exp(m: Machine, f: Frame, node: ast.IfExp) -> Value:
    """`a if test else b`."""
    as_condition(node.test, "ternary")
    test = evaluate(m, f, node.test)
    known = truth(m, test, node.test, "ternary", node)
    if known is not None:
        narrow(m, f, node.test, known)
        return evaluate(m, f, node.body if known else node.orelse)
    results: list[Value] = []

    def arm(branch: ast.expr, outcome: bool) -> Callable[[], End]:
        def run() -> End:
            narrow(m, f, node.test, outcome)
            results.append(evaluate(m, f, branch))
            return End.NORMAL

        return run

    m.fork([arm(node.body, True), arm(node.orelse, False)])
    return join(results[0], results[1])  # type: ignore[no-any-return]


def compare(m: Machine, f: Frame, node: ast.Compare) -> Value:
    """`a < b <= c`."""
    values = [evaluate(m, f, node.left), *(evaluate(m, f, other) for other in node.comparators)]
    return comparisons.compare(m, node, values)


def call_expr(m: Machine, f: Frame, node: ast.Call) -> Value:
    """`f(a, *b, c=d, **e)`."""
    callee = evaluate(m, f, node.func)
    return call(m, callee, arguments(m, f, node), node)


def arguments(m: Machine, f: Frame, node: ast.Call) -> Args:
    """The evaluated arguments of a call, with their nodes."""
    args = Args()
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            value = evaluate(m, f, arg.value)
            args.add_star(m, value, arg.value)
        else:
            args.add(evaluate(m, f, arg), arg)
    for keyword in node.keywords:
        value = evaluate(m, f, keyword.value)
        if keyword.arg is None:
            args.add_double_star(value)
        else:
            args.kw[keyword.arg] = value
            args.kw_nodes[keyword.arg] = keyword.value
    return args


def tuple_expr(m: Machine, f: Frame, node: ast.Tuple) -> Value:
    """`(a, b)`."""
    items = sequence_items(m, f, node.elts)
    return TupleV(tuple(items)) if items is not None else TupleV(None)


def sequence_items(m: Machine, f: Frame, nodes: list[ast.expr]) -> list[Value] | None:
    """The items of a display; None when a starred part has an unknown length."""
    from jaxlint.interpreter.iteration import known_items

    items: list[Value] | None = []
    for part in nodes:
        if isinstance(part, ast.Starred):
            inner = known_items(m, evaluate(m, f, part.value))
            if inner is None:
                items = None
            elif items is not None:
                items.extend(inner)
        else:
            value = evaluate(m, f, part)
            if items is not None:
                items.append(value)
    return items


def list_expr(m: Machine, f: Frame, node: ast.List) -> Value:
    """`[a, b]`."""
    items = sequence_items(m, f, node.elts)
    made = ListV(tuple(items) if items is not None else None, UNKNOWN, "list", len(m.traces))
    made.made = m.fresh()
    return made


def set_expr(m: Machine, f: Frame, node: ast.Set) -> Value:
    """`{a, b}`."""
    items = sequence_items(m, f, node.elts)
    return ListV(tuple(items) if items is not None else None, UNKNOWN, "set", len(m.traces))


def dict_expr(m: Machine, f: Frame, node: ast.Dict) -> Value:
    """`{"a": b, **c}`."""
    from jaxlint.interpreter.containers import set_key

    made = DictV(depth=len(m.traces))
    for key, value_node in zip(node.keys, node.values):
        value = evaluate(m, f, value_node)
        if key is None:
            update_dict(made, value)
        else:
            set_key(made, evaluate(m, f, key), value)
    return made


def update_dict(made: DictV, value: Value) -> None:
    """`**value` inside a dict display."""
    if isinstance(value, DictV):
        for key, item in value.items.items():
            if item is not MISSING:
                made.items[key] = item
        if value.rest is not None:
            made.meta["rest"] = value.rest if made.rest is None else join(made.rest, value.rest)
    else:
        rest: Value = Tree(value.leaf) if isinstance(value, Tree) else UNKNOWN
        made.meta["rest"] = rest if made.rest is None else join(made.rest, rest)


def lambda_expr(m: Machine, f: Frame, node: ast.Lambda) -> Value:
    """`lambda x: ...`."""
    from jaxlint.interpreter.functions import make_function

    return make_function(m, f, node)


def joined_str(m: Machine, f: Frame, node: ast.JoinedStr) -> Value:
    """An f-string renders its parts."""
    varies: frozenset[int] = frozenset()
    parts: list[str] | None = []
    # the known beginning, once a part is not known
    prefix = ""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = evaluate(m, f, part.value)
            render(m, value, node, part.value, "f-string", spec=part.format_spec is not None)
            if isinstance(value, Host):
                varies |= value.varies
            if isinstance(value, Const) and isinstance(value.value, (str, int)) and part.format_spec is None:
                if parts is not None:
                    parts.append(str(value.value))
            elif parts is not None:
                prefix, parts = "".join(parts) + (start_of(value) if part.format_spec is None else ""), None
        elif isinstance(part, ast.Constant) and parts is not None:
            parts.append(str(part.value))
    return Const("".join(parts)) if parts is not None else Host("str", varies=varies, prefix=prefix)


def named_expr(m: Machine, f: Frame, node: ast.NamedExpr) -> Value:
    """`(name := value)`."""
    from jaxlint.interpreter.assignment import assign

    value = evaluate(m, f, node.value)
    target_frame = f
    while target_frame.qualname.endswith("<comprehension>") and target_frame.outer is not None:
        target_frame = target_frame.outer
    assign(m, target_frame, node.target, value, node.value)
    return value


def starred(m: Machine, f: Frame, node: ast.Starred) -> Value:
    """`*x` where it is not part of a display or call (subscripts)."""
    evaluate(m, f, node.value)
    return UNKNOWN


def await_expr(m: Machine, f: Frame, node: ast.Await) -> Value:
    """`await x` gives what the coroutine returns."""
    return evaluate(m, f, node.value)


def yield_expr(m: Machine, f: Frame, node: ast.Yield) -> Value:
    """`yield x`: hand the value to the consumer."""
    from jaxlint.interpreter.generators import yield_value

    value = evaluate(m, f, node.value) if node.value is not None else NONE
    return yield_value(m, f, value)


def yield_from(m: Machine, f: Frame, node: ast.YieldFrom) -> Value:
    """`yield from xs`."""
    from jaxlint.interpreter.generators import yield_all

    return yield_all(m, f, evaluate(m, f, node.value), node)


def comprehension(m: Machine, f: Frame, node: Any) -> Value:
    """List, set, dict comprehensions and generator expressions."""
    from jaxlint.interpreter.comprehensions import run_comprehension

    return run_comprehension(m, f, node)


def is_function(value: Value) -> bool:
    """Whether a value is a project function (used by callers that only want those)."""
    return isinstance(value, FunctionV)


EXPRESSIONS: dict[type[ast.AST], Callable[[Any, Any, Any], Value]] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Subscript: subscript,
    ast.Slice: slice_value,
    ast.BinOp: bin_op,
    ast.UnaryOp: unary_op,
    ast.BoolOp: bool_op,
    ast.IfExp: if_exp,
    ast.Compare: compare,
    ast.Call: call_expr,
    ast.Tuple: tuple_expr,
    ast.List: list_expr,
    ast.Set: set_expr,
    ast.Dict: dict_expr,
    ast.Lambda: lambda_expr,
    ast.JoinedStr: joined_str,
    ast.NamedExpr: named_expr,
    ast.Starred: starred,
    ast.Await: await_expr,
    ast.Yield: yield_expr,
    ast.YieldFrom: yield_from,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: comprehension,
    ast.GeneratorExp: comprehension,
}
