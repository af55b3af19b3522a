"""jax.tree: functions over pytrees, exact where the structure is known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import result_array
from jaxlint.interpreter.calls import Args, call_values
from jaxlint.interpreter.classes import is_leaf_field, is_pytree
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.tracing import map_leaves
from jaxlint.interpreter.values import (
    MISSING,
    UNKNOWN,
    Array,
    BoundV,
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
    from jaxlint.knowledge import Entry

MAX_LEAVES = 64


def tree_map(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.tree.map(f, tree, *rest)`."""
    func = args.get(0, "f")
    trees = args.pos[1:] or [v for k, v in args.kw.items() if k == "tree"]
    if func is None or not (trees or args.star is not None):
        return UNKNOWN
    if is_leaf_given(args) or args.star is not None:
        return opaque_map(m, func, [*trees, *([args.star] if args.star is not None else [])], node)
    return map_trees(m, func, trees, node, 8)


def is_leaf_given(args: Args) -> bool:
    """Whether `is_leaf` is passed: then the structure says nothing."""
    return "is_leaf" in args.kw


def opaque_map(m: Machine, func: Value, trees: list[Value], node: ast.AST) -> Value:
    """A map over a structure that is not known: the function runs once, on any leaf."""
    result = call_values(m, func, [any_leaf(m, t, node) for t in trees], node)
    return Tree(result) if isinstance(result, Array) else result if isinstance(result, Tree) else UNKNOWN


def any_leaf(m: Machine, value: Value, node: ast.AST) -> Value:
    """A value that stands for any leaf."""
    found = leaves_of(value)
    result: Any = MISSING
    for leaf in found or ():
        result = join(result, leaf)
    if isinstance(result, Tree):
        return result.leaf
    return UNKNOWN if result is MISSING else result


def map_trees(m: Machine, func: Value, trees: list[Value], node: ast.AST, depth: int) -> Value:
    """Map over trees of one structure, led by the first."""
    first = trees[0]
    if isinstance(first, (TupleV, ListV)) and first.items is not None and depth:
        rows = [sub_items(t, len(first.items)) for t in trees]
        items = tuple(map_trees(m, func, list(row), node, depth - 1) for row in zip(*rows))
        return TupleV(items) if isinstance(first, TupleV) else ListV(items, UNKNOWN, first.kind, len(m.traces))
    if isinstance(first, DictV) and first.rest is None and depth:
        mapped = {}
        for key, item in first.items.items():
            if item is not MISSING:
                mapped[key] = map_trees(m, func, [item, *(sub_key(t, key) for t in trees[1:])], node, depth - 1)
        return DictV(mapped, None, len(m.traces))
    if isinstance(first, InstanceV) and is_pytree(first) and depth:
        return map_fields(m, func, trees, node, depth)
    if isinstance(first, Const) and first.value is None:
        return first
    if isinstance(first, UnionV) and any(
        isinstance(o, (ListV, TupleV, DictV, InstanceV, Unknown)) for o in first.options
    ):
        # one of several structures
        return opaque_map(m, func, [UNKNOWN for _ in trees], node)
    if isinstance(first, (ListV, TupleV, DictV, InstanceV)) or (isinstance(first, Host) and first.kind == "object"):
        return opaque_map(m, func, trees, node)
    if isinstance(first, Tree):
        result = call_values(m, func, [t.leaf if isinstance(t, Tree) else UNKNOWN for t in trees], node)
        return Tree(result) if isinstance(result, Array) else result if isinstance(result, Tree) else UNKNOWN
    if isinstance(first, Unknown):
        call_values(m, func, [UNKNOWN for _ in trees], node)
        return UNKNOWN
    return call_values(m, func, trees, node)


def sub_items(value: Value, count: int) -> list[Value]:
    """The parallel items of another tree."""
    if isinstance(value, (TupleV, ListV)) and value.items is not None and len(value.items) == count:
        return list(value.items)
    if isinstance(value, Tree):
        return [value] * count
    return [UNKNOWN] * count


def sub_key(value: Value, key: Any) -> Value:
    """The parallel entry of another tree."""
    if isinstance(value, DictV):
        found = value.items.get(key, MISSING)
        return found if found is not MISSING else value.rest or UNKNOWN
    return value if isinstance(value, Tree) else UNKNOWN


def map_fields(m: Machine, func: Value, trees: list[Value], node: ast.AST, depth: int) -> Value:
    """Map over the leaf fields of a pytree instance."""
    first = trees[0]
    assert isinstance(first, InstanceV)
    made = InstanceV(first.cls, first.extern, len(m.traces), first.generic)
    for name, item in first.attrs.items():
        if item is MISSING or not isinstance(item, Value):
            continue
        if first.cls is None or is_leaf_field(first.cls, name) or first.cls.family == "nnx_variable":
            others = [t.attrs.get(name, UNKNOWN) if isinstance(t, InstanceV) else UNKNOWN for t in trees[1:]]
            made.attrs[name] = map_trees(m, func, [item, *others], node, depth - 1)
        else:
            made.attrs[name] = item
    return made


def leaves_of(value: Value, depth: int = 8) -> list[Value] | None:
    """The leaves of a tree, None when its structure is not known."""
    if isinstance(value, (TupleV, ListV)):
        if value.items is None or not depth:
            return None
        return flat(value.items, depth)
    if isinstance(value, DictV):
        if value.rest is not None or not depth:
            return None
        return flat(tuple(v for v in value.items.values() if v is not MISSING), depth)
    if isinstance(value, InstanceV) and is_pytree(value) and depth and not value.generic:
        cls = value.cls
        assert cls is not None
        return flat(tuple(v for k, v in value.attrs.items() if isinstance(v, Value) and is_leaf_field(cls, k)), depth)
    if isinstance(value, Const) and value.value is None:
        return []
    if isinstance(value, (Unknown, UnionV, InstanceV)):
        return None
    return [value]


def flat(items: tuple[Value, ...], depth: int) -> list[Value] | None:
    """Leaves of several trees."""
    found: list[Value] = []
    for item in items:
        inner = leaves_of(item, depth - 1)
        if inner is None:
            return None
        found.extend(inner)
    return found if len(found) <= MAX_LEAVES else None


def tree_leaves(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.tree.leaves(tree)`."""
    tree = args.pos[0] if args.pos else UNKNOWN
    if entry.options.get("with_path"):
        return UNKNOWN
    found = None if is_leaf_given(args) else leaves_of(tree)
    if found is not None and not any(isinstance(v, Tree) for v in found):
        return ListV(tuple(found), UNKNOWN, "list", len(m.traces))
    leaf = any_leaf(m, tree, node) if found is not None else UNKNOWN
    return ListV(None, leaf, "list", len(m.traces))


def tree_flatten(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.tree.flatten(tree)`."""
    return TupleV((tree_leaves(m, name, entry, args, node), UNKNOWN))


def tree_unflatten(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.tree.unflatten(treedef, leaves)`."""
    leaves = args.get(1, "leaves")
    if isinstance(leaves, (TupleV, ListV)):
        from jaxlint.interpreter.joining import element

        leaf = element(leaves)
        return Tree(leaf) if isinstance(leaf, Array) else UNKNOWN
    return UNKNOWN


def tree_reduce(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.tree.reduce(f, tree, initializer)`; `jax.tree.all` asks each leaf for its truth."""
    if entry.options.get("all"):
        from jaxlint.interpreter.truth import truth

        for leaf in leaves_of(args.pos[0]) or [] if args.pos else []:
            truth(m, leaf, node, "all", node)
        return UNKNOWN
    func, tree = args.get(0, "function"), args.get(1, "tree") or UNKNOWN
    start = args.get(2, "initializer")
    if func is None:
        return UNKNOWN
    found = leaves_of(tree)
    if found is None:
        leaf = any_leaf(m, tree, node)
        if isinstance(tree, Tree):
            leaf = tree.leaf
        return call_values(m, func, [start if start is not None else leaf, leaf], node)
    result = start
    for item in found[:8]:
        value = item.leaf if isinstance(item, Tree) else item
        result = value if result is None else call_values(m, func, [result, value], node)
    return result if result is not None else UNKNOWN


def with_path(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.tree_util.tree_map_with_path(f, tree)`."""
    func = args.get(0, "f")
    trees = args.pos[1:]
    if func is None or not trees:
        return UNKNOWN
    leaf = any_leaf(m, trees[0], node)
    if isinstance(trees[0], Tree):
        leaf = trees[0].leaf
    result = call_values(m, func, [UNKNOWN, leaf, *(UNKNOWN for _ in trees[1:])], node)
    return Tree(result) if isinstance(result, Array) else UNKNOWN


def ravel_pytree(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`jax.flatten_util.ravel_pytree(tree)`."""
    return TupleV((result_array(m, node, args.pos), UNKNOWN))


def tree_at(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`equinox.tree_at(where, pytree, replace)`: the same structure."""
    tree = args.get(1, "pytree") or UNKNOWN
    return map_leaves(tree, lambda leaf: leaf)


def is_function(value: Value) -> bool:
    """Whether a value can be called as a project function."""
    return isinstance(value, (FunctionV, BoundV))


MODELS = {
    "tree_map": tree_map,
    "tree_leaves": tree_leaves,
    "tree_flatten": tree_flatten,
    "tree_unflatten": tree_unflatten,
    "tree_structure": lambda m, name, entry, args, node: UNKNOWN,
    "tree_reduce": tree_reduce,
    "tree_map_with_path": with_path,
    "ravel_pytree": ravel_pytree,
    "eqx_tree_at": tree_at,
}
