"""Attention: scores written out by hand, types that cuDNN refuses, self-attention that sees the future.

Events: ATTENTION_SCORES, ATTENTION_TYPE, ATTENTION_FUTURE.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.arrays import definite_array
from jaxlint.interpreter.dataflow import SKETCHES, Flow, flow_of
from jaxlint.interpreter.layers import given
from jaxlint.interpreter.values import Array, Const, InstanceV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.calls import Args
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

FUSED = "jax.nn.dot_product_attention"
FUNCTIONS = frozenset({FUSED, "flax.linen.dot_product_attention", "flax.nnx.dot_product_attention"})
LAYERS = frozenset(
    {
        "flax.linen.MultiHeadDotProductAttention",
        "flax.linen.MultiHeadAttention",
        "flax.linen.SelfAttention",
        "flax.nnx.MultiHeadAttention",
        "equinox.nn.MultiheadAttention",
    }
)
SOFTMAX = "jax.nn.softmax"
CHECKED = FUNCTIONS | {SOFTMAX}
# what cuDNN takes; in float32 it raises NotImplementedError (DEPLOY_FACTS.md)
HALF = re.compile(r"bfloat16|float16|float8")
WIDE = frozenset({"float32", "float64"})
PRODUCTS = frozenset({"einsum", "matmul", "dot", "dot_general", "tensordot"})
# element by element, or the same array: what scores pass through on the way to the softmax
ELEMENTWISE = frozenset(
    {"where", "select", "add", "subtract", "multiply", "divide", "true_divide", "asarray", "float32", "bfloat16"}
)
UNCHANGED = frozenset({"asarray", "with_sharding_constraint", "with_logical_constraint", "checkpoint_name"})
DEPTH = 8

# ---- what a call shows ---------------------------------------------------------------------------------


def check_function(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> None:
    """A call of an outside function."""
    if not isinstance(node, ast.Call):
        return
    if name == SOFTMAX:
        check_softmax(m, args, node)
        return
    if name == FUSED:
        check_type(m, entry, args, node)
    limits = [args.named(entry.params, limit) for limit in ("mask", "bias", "is_causal", "local_window_size")]
    query, key = (args.node_named(entry.params, part) for part in ("query", "key"))
    flow = flow_here(m)
    if flow is None or query is None or key is None or args.star is not None or args.double_star is not None:
        return
    if flow.sources(query) == flow.sources(key) and flow.sources(query):
        check_future(m, limits, args.node_named(entry.params, "mask"), node, flow)


def check_layer(m: Machine, layer: InstanceV, args: Args, node: ast.AST) -> None:
    """A call of an attention layer of a library."""
    flow = flow_here(m)
    if flow is None or args.star is not None or args.double_star is not None or not isinstance(node, ast.Call):
        return
    inputs = [part for part in args.nodes[:3] if part is not None]
    inputs += [part for name, part in args.kw_nodes.items() if name.startswith("inputs") and part is not None]
    decode = [given(layer, "decode"), args.kw.get("decode")]
    if not inputs or len({ast.dump(part) for part in inputs}) > 1 or len(args.pos) > 3:
        return
    limits = [args.kw.get(name) for name in ("mask", "bias", "attention_bias")]
    check_future(m, [*limits, *decode], args.kw_nodes.get("mask"), node, flow)


def flow_here(m: Machine) -> Flow | None:
    """The flow of the function that is being run."""
    function = m.frames[-1].function
    return None if function is None or m.muted else flow_of(function.node)


# ---- cuDNN ---------------------------------------------------------------------------------------------


def check_type(m: Machine, entry: Entry, args: Args, node: ast.Call) -> None:
    """`implementation="cudnn"` with numbers of a type that it does not take."""
    wanted = args.named(entry.params, "implementation") or args.kw.get("implementation")
    if not isinstance(wanted, Const) or wanted.value != "cudnn":
        return
    for part in ("query", "key", "value"):
        array = definite_array(args.named(entry.params, part) or Const(None))
        if array is not None and array.dtype in WIDE:
            m.emit(Kind.ATTENTION_TYPE, node, "cudnn", value=array, argument=part, dtype=array.dtype)
            return


# ---- scores by hand ------------------------------------------------------------------------------------


def check_softmax(m: Machine, args: Args, node: ast.Call) -> None:
    """The softmax between the product of queries and keys and the product with the values."""
    flow = flow_here(m)
    array = definite_array(args.pos[0]) if args.pos else None
    axis = args.pos[1] if len(args.pos) > 1 else args.kw.get("axis")
    if flow is None or array is None or not (axis is None or (isinstance(axis, Const) and axis.value == -1)):
        return
    known: ast.AST | None = getattr(node, "_jaxlint_attention", None)
    if known is None:
        known = node._jaxlint_attention = written_out(flow, node, array) or node  # type: ignore[attr-defined]
    if known is not node:
        m.emit(Kind.ATTENTION_SCORES, known, "softmax", subject=node, trace=())


def written_out(flow: Flow, softmax: ast.Call, array: Array) -> ast.AST | None:
    """What stands for the fused call: from the softmax to the product with the values. None when it cannot serve."""
    if not softmax.args or (array.shape is not None and len(array.shape) < 3):
        return None
    scores = made_by_product(flow, softmax.args[0])
    mixed = product_with_values(flow, softmax)
    if scores is None or mixed is None or not attends(flow, scores, array):
        return None
    places = [(n.lineno, n.col_offset) for n in (softmax, mixed)]
    ends = [(n.end_lineno or n.lineno, n.end_col_offset or 0) for n in (softmax, mixed)]
    region = ast.Tuple([softmax, mixed], ast.Load())
    (region.lineno, region.col_offset), (region.end_lineno, region.end_col_offset) = min(places), max(ends)
    return region


def made_by_product(flow: Flow, node: ast.expr, depth: int = DEPTH) -> ast.expr | None:
    """The product that scores come from, through scaling, masking and casts; None when there is none or something
    else happens to them on the way."""
    if not depth:
        return None
    if is_product(node):
        return node
    if isinstance(node, ast.Name):
        statement, made = flow.binding(node), flow.origin(node)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            return made_by_product(flow, earlier(statement), depth - 1)
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or made is None or unpacks(statement):
            return None
        return made_by_product(flow, made, depth - 1)
    for part in passed_on(node):
        found = made_by_product(flow, part, depth - 1)
        if found is not None:
            return found
    return None


def earlier(statement: ast.AugAssign) -> ast.Name:
    """The value that `x *= y` starts from, as a use of `x` in front of it."""
    return ast.copy_location(ast.Name(ast.unparse(statement.target), ast.Load()), statement)


def unpacks(statement: ast.Assign | ast.AnnAssign) -> bool:
    """Whether an assignment has other targets than one name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return len(targets) != 1 or not isinstance(targets[0], ast.Name)


def passed_on(node: ast.expr) -> list[ast.expr]:
    """The operands of an expression that works element by element."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.Add, ast.Sub)):
        return [node.left, node.right]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        return [node.func.value]
    return list(node.args) if isinstance(node, ast.Call) and called(node) in ELEMENTWISE else []


def called(node: ast.Call) -> str:
    """The last name of what a call calls."""
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def is_product(node: ast.AST) -> bool:
    """Whether an expression multiplies two arrays as matrices."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult)
    return isinstance(node, ast.Call) and called(node) in PRODUCTS and len(operands(node)) == 2


def operands(node: ast.AST) -> list[ast.expr]:
    """The two arrays of a product."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if not isinstance(node, ast.Call):
        return []
    if called(node) == "einsum":
        return node.args[1:] if len(node.args) == 3 else []
    return node.args[:2]


def attends(flow: Flow, product: ast.expr, scores: Array) -> bool:
    """Whether each query meets each key of its row: the rows are shared, and the scores have three dimensions."""
    if not isinstance(product, ast.Call) or called(product) != "einsum":
        return scores.shape is not None or swapped(flow, operands(product)[1])
    spec = product.args[0]
    if not isinstance(spec, ast.Constant) or not isinstance(spec.value, str):
        return False
    match = EINSUM.fullmatch(spec.value.replace(" ", ""))
    if match is None:
        return False
    query, key, out = match.groups()
    summed = (set(query) & set(key)) - set(out)
    shared = set(query) & set(key) & set(out)
    return len(summed) == 1 and bool(shared) and out[-1] in key and out[-1] not in query and out[-2] in query


def swapped(flow: Flow, node: ast.expr) -> bool:
    """Whether two of three or more dimensions of an array were swapped, as the keys' are for a matrix product."""
    if isinstance(node, ast.Name):
        made = flow.origin(node)
        return made is not None and not isinstance(made, ast.Name) and swapped(flow, made)
    if isinstance(node, ast.Attribute):
        return node.attr == "mT"
    if not isinstance(node, ast.Call):
        return False
    axes = [axis for part in node.args for axis in (part.elts if isinstance(part, (ast.Tuple, ast.List)) else [part])]
    return called(node) == "swapaxes" or (called(node) == "transpose" and len(axes) >= 3)


EINSUM = re.compile(r"([a-zA-Z.]+),([a-zA-Z.]+)->([a-zA-Z.]{3,})")


def product_with_values(flow: Flow, node: ast.expr, depth: int = DEPTH) -> ast.expr | None:
    """The one product that weights go into; None when they are used for anything else (returned, dropped out)."""
    parent = flow.parent(node)
    while isinstance(parent, ast.keyword):
        parent = flow.parent(parent)
    if parent is None or not depth:
        return None
    if isinstance(parent, (ast.Call, ast.BinOp)) and is_product(parent):
        return parent if any(part is node for part in operands(parent)) else None
    if isinstance(parent, ast.Attribute) and parent.attr == "astype":
        outer = flow.parent(parent)
        return product_with_values(flow, outer, depth - 1) if isinstance(outer, ast.Call) else None
    if isinstance(parent, ast.Call) and called(parent) in UNCHANGED and parent.args and parent.args[0] is node:
        return product_with_values(flow, parent, depth - 1)
    if not isinstance(parent, (ast.Assign, ast.AnnAssign)) or unpacks(parent):
        return None
    target = parent.targets[0] if isinstance(parent, ast.Assign) else parent.target
    assert isinstance(target, ast.Name)
    return only_product(flow, [use for use in flow.uses(target.id, parent) if not sketched(flow, use)], depth)


def only_product(flow: Flow, uses: list[ast.Name], depth: int) -> ast.expr | None:
    """The product that the only use of the weights leads to."""
    return product_with_values(flow, uses[0], depth - 1) if len(uses) == 1 else None


def sketched(flow: Flow, use: ast.Name) -> bool:
    """Whether a use asks for shape or type alone."""
    parent = flow.parent(use)
    return isinstance(parent, ast.Attribute) and parent.attr in SKETCHES


# ---- the future ----------------------------------------------------------------------------------------


def check_future(m: Machine, limits: list[Value | None], mask: ast.AST | None, node: ast.Call, flow: Flow) -> None:
    """Self-attention: whether each position sees the later ones, in a program that predicts the next token."""
    if any(limit is not None and not is_off(limit) for limit in limits[1:]):
        return
    masked = limits[0] is not None and not is_off(limits[0])
    if masked and not only_padding(flow, mask):
        return
    why = next_token(m)
    if why:
        m.emit(Kind.ATTENTION_FUTURE, node, "padding" if masked else "none", trace=(), why=why)


def is_off(value: Value) -> bool:
    """Whether an argument is None or False."""
    return isinstance(value, Const) and not value.value


def only_padding(flow: Flow, mask: ast.AST | None) -> bool:
    """Whether a mask was made of which tokens there are, and of nothing else."""
    if isinstance(mask, ast.Name):
        mask = flow.origin(mask)
    return isinstance(mask, ast.Call) and called(mask) == "make_attention_mask" and len(mask.args) == 2


def next_token(m: Machine) -> str:
    """What shows that the running program predicts the next token; '' when nothing does."""
    for frame in reversed(m.frames):
        shifted = shifted_pair(frame.module.source.text)
        if shifted:
            return f"`{shifted}` is compared with its own next tokens"
    words = {word for frame in m.frames for word in split(frame.qualname)}
    if words & OTHER_MODELS:
        return ""
    named = sorted(words & NEXT_TOKEN)
    if not named and words & {"decoder", "decode"} and parameters(m) & TOKENS:
        named = ["decoder"]
    return f"it is named `{named[0]}`" if named else ""


NEXT_TOKEN = frozenset({"causal", "gpt", "autoregressive", "lm", "llama", "gpt2"})
OTHER_MODELS = frozenset({"encoder", "encode", "bert", "vit", "mlm", "masked", "bidirectional", "cross", "diffusion"})
TOKENS = frozenset({"tokens", "token", "vocab", "token_ids", "input_ids", "ids"})
INPUTS = re.compile(r"\b(\w+)\[(?::|\.\.\.), ?:-1\]")


def shifted_pair(text: str) -> str:
    """The name of an array that is split into inputs `x[:, :-1]` and targets `x[:, 1:]`; '' when there is none."""
    for match in INPUTS.finditer(text):
        name = match.group(1)
        if re.search(rf"\b{name}\[(?::|\.\.\.), ?1:\]", text):
            return name
    return ""


def split(qualname: str) -> Iterator[str]:
    """The words of a qualified name: `CharLM.__call__` has char, lm and call."""
    for word in re.findall(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*", qualname):
        yield word.lower()


def parameters(m: Machine) -> set[str]:
    """The parameters of the functions that are running."""
    found: set[str] = set()
    for frame in m.frames:
        if frame.function is not None:
            arguments = frame.function.node.args
            found.update(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    return found
