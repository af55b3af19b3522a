"""Binary and unary operators."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter import symbolic
from jaxlint.interpreter.arrays import broadcast, dims_of, dtype_of, result_array
from jaxlint.interpreter.joining import HOST_KINDS, element, join, kind_of
from jaxlint.interpreter.running import ClockV
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    BatchIndex,
    Const,
    DictV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

ARITHMETIC: dict[type[ast.operator], tuple[Callable[[Any, Any], Any], str]] = {
    ast.Add: (operator.add, "__add__"),
    ast.Sub: (operator.sub, "__sub__"),
    ast.Mult: (operator.mul, "__mul__"),
    ast.Div: (operator.truediv, "__truediv__"),
    ast.FloorDiv: (operator.floordiv, "__floordiv__"),
    ast.Mod: (operator.mod, "__mod__"),
    ast.Pow: (operator.pow, "__pow__"),
    ast.MatMult: (operator.matmul, "__matmul__"),
    ast.BitAnd: (operator.and_, "__and__"),
    ast.BitOr: (operator.or_, "__or__"),
    ast.BitXor: (operator.xor, "__xor__"),
    ast.LShift: (operator.lshift, "__lshift__"),
    ast.RShift: (operator.rshift, "__rshift__"),
}
SYMBOLIC = {
    ast.Add: symbolic.add,
    ast.Sub: lambda a, b: symbolic.add(a, b, -1),
    ast.Mult: symbolic.multiply,
    ast.FloorDiv: symbolic.floor_divide,
    ast.Mod: symbolic.modulo,
}
NUMBERS = ("int", "float", "bool", "complex", "npnumber")
# larger results of constant arithmetic are not worth their memory
MAX_TEXT = 10_000
MAX_BITS = 4096


def binary(m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value, left: ast.AST, right: ast.AST) -> Value:
    """`a <op> b`."""
    if isinstance(a, UnionV) or isinstance(b, UnionV):
        return binary_options(m, node, op, a, b, left, right)
    if isinstance(a, (Array, Tree)) or isinstance(b, (Array, Tree)):
        return binary_array(m, node, op, a, b, left, right)
    if isinstance(a, InstanceV) or isinstance(b, InstanceV):
        return binary_instance(m, node, op, a, b)
    if isinstance(a, Const) and isinstance(b, Const):
        return binary_const(op, a, b)
    if isinstance(a, ClockV) or isinstance(b, ClockV):
        return binary_clock(m, node, op, a, b)
    if isinstance(op, ast.Add) and isinstance(a, (TupleV, ListV)) and isinstance(b, (TupleV, ListV)):
        return concatenate_sequences(m, a, b)
    if isinstance(op, ast.Mult):
        repeated = repeat_sequence(m, a, b) or repeat_sequence(m, b, a)
        if repeated is not None:
            return repeated
    if isinstance(op, ast.Mod) and kind_of(a) in ("str", "bytes"):
        return format_percent(m, node, b, right)
    if isinstance(op, ast.BitOr) and isinstance(a, DictV) and isinstance(b, DictV):
        return merge_dicts(m, a, b)
    return binary_host(m, node, op, a, b)


def strip_none(value: Value) -> Value:
    """A union without its None: using it in an operation would have raised."""
    if not isinstance(value, UnionV):
        return value
    kept = tuple(v for v in value.options if not (isinstance(v, Const) and v.value is None))
    return kept[0] if len(kept) == 1 else UnionV(kept)


def binary_options(
    m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value, left: ast.AST, right: ast.AST
) -> Value:
    """An operation on alternatives: silent, joined over them."""
    a, b = strip_none(a), strip_none(b)
    if not isinstance(a, UnionV) and not isinstance(b, UnionV):
        return binary(m, node, op, a, b, left, right)
    result: Value = MISSING
    m.muted += 1
    try:
        for x in a.options if isinstance(a, UnionV) else (a,):
            for y in b.options if isinstance(b, UnionV) else (b,):
                result = join(result, binary(m, node, op, x, y, left, right))
    finally:
        m.muted -= 1
    return result


def binary_array(
    m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value, left: ast.AST, right: ast.AST
) -> Value:
    """Arithmetic with a jax array on one side."""
    if isinstance(op, ast.Mod) and kind_of(a) in ("str", "bytes"):
        return format_percent(m, node, b, right)
    other = b if isinstance(a, (Array, Tree)) else a
    if isinstance(other, (TupleV, ListV, DictV, FunctionV)):
        return UNKNOWN
    if kind_of(other) == "str" or (isinstance(other, Const) and other.value is None):
        return UNKNOWN
    if isinstance(other, InstanceV):
        return binary_instance(m, node, op, a, b)
    shape = None
    if isinstance(op, ast.MatMult):
        shape = matmul_shape(dims_of(a), dims_of(b))
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    elif isinstance(a, Array) or isinstance(b, Array):
        shape = broadcast((dims_of(a), dims_of(b)))
    made = result_array(m, node, (a, b), shape=shape, dtype=promote(op, a, b), weak=weak_of(a, b))
    for part in (a, b):
        if isinstance(part, Array) and part.grows is not None:
            # arithmetic keeps the length, and with it the mark of an array that gets longer
            return made.but(grows=part.grows)
    return made


def promote(op: ast.operator, a: Value, b: Value) -> str | None:
    """The dtype of the result, where the rules are simple; None otherwise."""
    x, y = dtype_of(a), dtype_of(b)
    if x is None or y is None:
        return None
    if isinstance(op, ast.Div):
        return next((d for d in (x, y) if d.startswith(("float", "bfloat", "complex"))), "float32")
    if x == y:
        return x
    python = ("int", "bool", "float", "complex")
    if y in python and not (y == "float" and not x.startswith(("float", "bfloat", "complex"))):
        return x
    if y == "float" and x in ("int32", "int64", "uint32", "int8", "int16", "bool"):
        return "float32"
    if x == "float" and y in ("int32", "int64", "uint32", "int8", "int16", "bool"):
        return "float32"
    if x in python and not (x == "float" and not y.startswith(("float", "bfloat", "complex"))):
        return y
    return None


def weak_of(a: Value, b: Value) -> bool | None:
    """Whether the result is weakly typed: only if no operand is strongly typed."""
    weak = [v.weak if isinstance(v, Array) else True if kind_of(v) in NUMBERS else None for v in (a, b)]
    if False in weak:
        return False
    return None if None in weak else True


def matmul_shape(a: Any, b: Any) -> Any:
    """The shape of `a @ b`."""
    if a is None or b is None or not a or not b:
        return None
    if len(a) == 1 and len(b) == 1:
        return ()
    if len(b) == 1:
        return a[:-1]
    if len(a) == 1:
        return (*b[:-2], b[-1])
    batch = broadcast((a[:-2], b[:-2]))
    return None if batch is None else (*batch, a[-2], b[-1])


def binary_instance(m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
    """Operators that a project class defines; a flax Variable acts as the array it holds."""
    from jaxlint.interpreter.attributes import class_attribute
    from jaxlint.interpreter.calls import call_method_named

    x, y = unwrap_variable(a), unwrap_variable(b)
    if x is not a or y is not b:
        return binary(m, node, op, x, y, node, node)
    name = ARITHMETIC[type(op)][1]
    if isinstance(a, InstanceV) and a.cls is not None and class_attribute(a.cls, name) is not None:
        return call_method_named(m, a, name, node, b)
    reflected = "__r" + name[2:]
    if isinstance(b, InstanceV) and b.cls is not None and class_attribute(b.cls, reflected) is not None:
        return call_method_named(m, b, reflected, node, a)
    if isinstance(op, ast.Div) and isinstance(a, InstanceV) and a.extern == "pathlib.Path":
        from jaxlint.interpreter.paths import divide

        return divide(a, b)
    return UNKNOWN


def unwrap_variable(value: Value) -> Value:
    """The array inside a flax `Variable`."""
    if isinstance(value, InstanceV) and ("value" in value.attrs) and is_variable(value):
        inner = value.attrs["value"]
        return inner if isinstance(inner, Value) and inner is not MISSING else UNKNOWN
    return value


def is_variable(value: InstanceV) -> bool:
    """Whether an instance is a flax nnx Variable (Param, BatchStat, a user's subclass)."""
    return value.extern == "flax.nnx.Variable" or (value.cls is not None and value.cls.family == "nnx_variable")


def binary_const(op: ast.operator, a: Const, b: Const) -> Value:
    """Constant folding, with limits."""
    x, y = a.value, b.value
    if isinstance(op, ast.Mod) and isinstance(x, (str, bytes)):
        return Host("str", prefix=x.partition("%")[0] if isinstance(x, str) else "")
    if (
        isinstance(op, (ast.Pow, ast.LShift))
        and isinstance(x, int)
        and isinstance(y, int)
        and not small_power(op, x, y)
    ):
        return Host("int")
    if isinstance(op, ast.Mult):
        for text, count in ((x, y), (y, x)):
            if isinstance(text, (str, bytes)) and isinstance(count, int) and len(text) * count > MAX_TEXT:
                return Host("str")
        if isinstance(x, int) and isinstance(y, int) and x.bit_length() + y.bit_length() > MAX_BITS:
            return Host("int")
    try:
        result = ARITHMETIC[type(op)][0](x, y)
    except Exception:
        return UNKNOWN
    return Const(result) if type(result) in HOST_KINDS else UNKNOWN


def small_power(op: ast.operator, x: int, y: int) -> bool:
    """Whether `x ** y` or `x << y` stays small."""
    if y < 0:
        return isinstance(op, ast.Pow) and x != 0
    return (x.bit_length() * y if isinstance(op, ast.Pow) else x.bit_length() + y) <= MAX_BITS


def binary_clock(m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
    """`stop - start` of two clock readings is an interval."""
    if isinstance(op, ast.Sub) and isinstance(a, ClockV) and isinstance(b, ClockV):
        from jaxlint.interpreter.timers import interval

        interval(m, b, a, node)
    return Host("float", varies=frozenset(run.uid for run in m.loops))


def concatenate_sequences(m: Machine, a: TupleV | ListV, b: TupleV | ListV) -> Value:
    """`a + b` of lists or tuples."""
    items = a.items + b.items if a.items is not None and b.items is not None else None
    elem = join(element(a), element(b))
    if isinstance(a, ListV):
        made = ListV(items, elem, "list", len(m.traces))
        made.made = m.fresh()
        for part in (a, b):
            if isinstance(part, ListV) and part.state.get("ragged") is not None and items is None:
                made.state["ragged"] = part.state["ragged"]
        return made
    return TupleV(items, elem)


def repeat_sequence(m: Machine, sequence: Value, count: Value) -> Value | None:
    """`[x] * n`; None when this is not one."""
    if not isinstance(sequence, (TupleV, ListV)):
        return None
    items = None
    if isinstance(count, Const) and isinstance(count.value, int) and sequence.items is not None:
        if 0 <= count.value * len(sequence.items) <= 64:
            items = sequence.items * count.value
    elem = element(sequence)
    if isinstance(sequence, ListV):
        made = ListV(items, elem, "list", len(m.traces))
        if isinstance(count, Host) and count.ragged is not None:
            made.state["ragged"] = count.ragged
        return made
    return TupleV(items, elem)


def format_percent(m: Machine, node: ast.AST, argument: Value, right: ast.AST) -> Value:
    """`"..." % value` renders its arguments."""
    from jaxlint.interpreter.reading import render

    render(m, argument, node, right, "%")
    return Host("str")


def merge_dicts(m: Machine, a: DictV, b: DictV) -> Value:
    """`a | b` of dicts."""
    items = {k: v for k, v in a.items.items() if v is not MISSING}
    items.update({k: v for k, v in b.items.items() if v is not MISSING})
    rest = a.rest if b.rest is None else b.rest if a.rest is None else join(a.rest, b.rest)
    return DictV(items, rest, len(m.traces))


def binary_host(m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
    """Arithmetic of Python and NumPy values whose content is not (all) known."""
    x, y = kind_of(a), kind_of(b)
    varies: frozenset[int] = frozenset()
    ragged = None
    for value in (a, b):
        if isinstance(value, Host):
            varies |= value.varies
            ragged = value.ragged or ragged
    index = batch_arithmetic(m, node, op, a, b)
    if isinstance(op, ast.Sub) and x == "int" and y == "int" and ragged is not None:
        # `size - len(batch)`: how much is missing, so the author pads (or masks)
        if isinstance(b, Host) and b.ragged is not None and not (isinstance(a, Host) and a.ragged is not None):
            b.ragged.handled = True
    if x == "ndarray" or y == "ndarray":
        shape = (
            matmul_shape(dims_of(a), dims_of(b)) if isinstance(op, ast.MatMult) else broadcast((dims_of(a), dims_of(b)))
        )
        return Host("ndarray", shape=shape, varies=varies, ragged=ragged)
    if "object" in (x, y) and ragged is not None:
        return Host("object", varies=varies, ragged=ragged)
    sym = symbolic_result(op, a, b)
    if isinstance(op, ast.Mult) and x == y == "int" and any(isinstance(v, Const) and v.value == 0 for v in (a, b)):
        return Const(0)
    if x in NUMBERS and y in NUMBERS:
        kind = "float" if isinstance(op, ast.Div) or "float" in (x, y) or (isinstance(op, ast.Pow)) else "int"
        padded = ragged if ragged is not None and ragged.node.__class__ is ast.Call else None
        return Host(kind, sym=sym if kind == "int" else None, varies=varies, index=index, ragged=padded)
    if isinstance(op, ast.Add) and x == "str" and isinstance(a, Const) and a.value:
        return Host("str", varies=varies, prefix=a.value)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        if varies or index is not None:
            return Host("object" if not index else "int", sym=sym, varies=varies, index=index)
        return Unknown(sym) if sym is not None else UNKNOWN
    if x == "str" and y == "str":
        start = a.value if isinstance(a, Const) else a.prefix if isinstance(a, Host) else ""
        return Host("str", varies=varies, prefix=start)
    return Host("object", varies=varies) if varies else UNKNOWN


def sym_of(value: Value) -> Poly | None:
    """The symbolic integer of a value."""
    if isinstance(value, Const):
        return Poly.of(value.value) if type(value.value) is int else None
    if isinstance(value, (Host, Unknown)):
        return value.sym
    return None


def symbolic_result(op: ast.operator, a: Value, b: Value) -> Poly | None:
    """The symbolic integer of `a <op> b`."""
    work = SYMBOLIC.get(type(op))
    x, y = sym_of(a), sym_of(b)
    return work(x, y) if work is not None and x is not None and y is not None else None


def same_number(a: Value, b: Value) -> bool:
    """Whether two values are certainly the same integer."""
    if a is b:
        return not isinstance(a, Unknown) or a is not UNKNOWN
    x, y = sym_of(a), sym_of(b)
    return x is not None and x == y


def batch_arithmetic(m: Machine, node: ast.AST, op: ast.operator, a: Value, b: Value) -> BatchIndex | None:
    """Arithmetic on batch indices: `i + step`, `k * step`, `(k + 1) * step`, `ceil` written out."""
    if isinstance(a, Host) and a.index is not None:
        found = batch_step(op, a.index, b)
        if found is not None:
            return found
    if isinstance(b, Host) and b.index is not None and isinstance(op, (ast.Add, ast.Mult)):
        return batch_step(op, b.index, a)
    return None


def batch_step(op: ast.operator, index: BatchIndex, other: Value) -> BatchIndex | None:
    """The role that `index <op> other` plays in walking the batches."""
    role = index.role
    one = isinstance(other, Const) and other.value == 1
    new = ""
    if isinstance(op, ast.Add) and role == "start" and same_number(other, index.step):
        new = "stop"
    elif isinstance(op, ast.Add) and role == "number" and one:
        new = "next"
    elif isinstance(op, ast.Mult) and role == "number" and same_number(other, index.step):
        new = "start"
    elif isinstance(op, ast.Mult) and role == "next" and same_number(other, index.step):
        new = "stop"
    if not new:
        return None
    return BatchIndex(new, index.total, index.step, index.node, index.source)


def unary(m: Machine, node: ast.UnaryOp, value: Value) -> Value:
    """`-x`, `+x`, `~x`; `not` is in expressions."""
    value = unwrap_variable(strip_none(value))
    if isinstance(value, Const):
        try:
            work: dict[type[ast.unaryop], Callable[[Any], Any]] = {
                ast.USub: operator.neg,
                ast.UAdd: operator.pos,
                ast.Invert: operator.invert,
            }
            return Const(work[type(node.op)](value.value))
        except Exception:
            return UNKNOWN
    if isinstance(value, (Array, Tree)):
        operand = value if isinstance(value, Array) else value.leaf
        return result_array(m, node, (value,), shape=operand.shape, dtype=operand.dtype, weak=operand.weak)
    if isinstance(value, Host):
        sym = None
        if value.sym is not None and isinstance(node.op, ast.USub):
            sym = symbolic.multiply(value.sym, Poly.of(-1))
        return Host(value.kind, sym=sym, varies=value.varies, shape=value.shape, ragged=value.ragged)
    if isinstance(value, Unknown) and value.sym is not None and isinstance(node.op, ast.USub):
        return Unknown(symbolic.multiply(value.sym, Poly.of(-1)))
    return UNKNOWN
