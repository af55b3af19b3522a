"""Methods of lists, deques, sets and dicts; strings render their arguments."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.calls import Args
from jaxlint.interpreter.effects import mutation, undone
from jaxlint.interpreter.iteration import known_items, one_item
from jaxlint.interpreter.joining import element, join
from jaxlint.interpreter.leaks import check_store, escaping
from jaxlint.interpreter.nnx_attributes import filled
from jaxlint.interpreter.reading import render
from jaxlint.interpreter.subscripts import dict_get
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Const,
    DictV,
    Host,
    IterV,
    ListV,
    Ragged,
    TupleV,
    UnionV,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def set_key(made: DictV, key: Value, value: Value) -> None:
    """Put an entry into a dict that is being built (not journaled)."""
    if isinstance(key, Const):
        try:
            made.items[key.value] = value
        except TypeError:
            return
    elif isinstance(key, UnionV) and all(isinstance(o, Const) for o in key.options):
        for option in key.options:
            made.items[option.value] = value  # type: ignore[attr-defined]
    else:
        made.meta["rest"] = value if made.rest is None else join(made.rest, value)


def list_method(m: Machine, value: ListV, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a list, deque or set."""
    first = args.pos[0] if args.pos else None
    if name in ("append", "appendleft", "add", "insert", "put", "push") and args.pos:
        new = args.pos[-1]
        stored(m, value, new, node)
        if m.watched:
            filled(m, value, new)
        m.write(value.state, "newest", new)
        items = value.items
        if items is not None:
            front = name == "appendleft" or (name == "insert" and isinstance(first, Const) and first.value == 0)
            m.write(value.state, "items", (new, *items) if front else (*items, new))
        else:
            known = value.state.get("elem", MISSING)
            m.write(value.state, "elem", new if known is UNKNOWN and not value.state.get("grown") else join(known, new))
        return NONE
    if name in ("extend", "update", "extendleft") and first is not None:
        extend(m, value, first, node)
        return NONE
    if name in ("pop", "popleft", "get", "get_nowait"):
        return pop(m, value, name, first)
    if name == "clear":
        m.write(value.state, "items", ())
        m.write(value.state, "grown", None)
        return NONE
    if name in ("copy",):
        made = ListV(value.items, value.elem, value.kind, len(m.traces))
        return made
    if name in ("index", "count", "remove"):
        search(m, value, first, node, name)
        return Host("int") if name != "remove" else NONE
    if name == "reverse":
        m.write(value.state, "items", value.items[::-1] if value.items is not None else None)
        return NONE
    if name == "sort":
        from jaxlint.interpreter.models.reductions import compare_all

        compare_all(m, value, args, node, "sorted")
        return NONE
    if name in ("union", "intersection", "difference"):
        return ListV(None, UNKNOWN, "set", len(m.traces))
    return UNKNOWN


def stored(m: Machine, value: ListV, new: Value, node: ast.AST) -> None:
    """An outer list receives a value: a leak if it is a tracer, an effect in traced code otherwise."""
    target = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    if m.traces and value.depth < len(m.traces):
        if escaping(new, value.depth) is not None:
            if not undone(m, m.frames[-1].module.source.segment(target, 40)):
                check_store(m, value.depth, new, node, "container", target)
        elif value.depth < stage_level(m):
            mutation(m, node, m.frames[-1].module.source.segment(target, 40))


def stage_level(m: Machine) -> int:
    """The level of the staging trace, 0 outside."""
    staging = m.staging
    return staging.level if staging is not None else 0


def extend(m: Machine, value: ListV, more: Value, node: ast.AST) -> None:
    """`xs.extend(ys)`, `xs += ys`."""
    items = known_items(m, more)
    for item in items or ():
        stored(m, value, item, node)
        if m.watched:
            filled(m, value, item)
    if value.items is not None and items is not None:
        m.write(value.state, "items", value.items + items)
        return
    if items is None:
        stored(m, value, one_item(m, more), node)
    elem = join(element(value), one_item(m, more) if items is None else element(TupleV(items)))
    m.write(value.state, "items", None)
    m.write(value.state, "elem", UNKNOWN if elem is MISSING else elem)


def pop(m: Machine, value: ListV, name: str, index: Value | None) -> Value:
    """`xs.pop()`."""
    items = value.items
    m.write(value.state, "grown", None)
    if items:
        place = 0 if name in ("popleft", "get", "get_nowait") else -1
        if isinstance(index, Const) and isinstance(index.value, int) and -len(items) <= index.value < len(items):
            place = index.value
        rest = list(items)
        taken = rest.pop(place)
        m.write(value.state, "items", tuple(rest))
        return taken
    found = element(value)
    return UNKNOWN if found is MISSING else found


def search(m: Machine, value: ListV, item: Value | None, node: ast.AST, name: str) -> None:
    """`xs.index(x)` compares with `==` and needs the truth of each comparison."""
    from jaxlint.events import Kind
    from jaxlint.interpreter.arrays import is_tracer

    if item is not None and is_tracer(item) and value.items != ():
        m.emit(Kind.TRACER_BOOL, node, "index-method", subject=node, value=item, method=name)


def tuple_method(m: Machine, value: TupleV, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a tuple."""
    if name in ("index", "count"):
        return Host("int")
    return UNKNOWN


def dict_method(m: Machine, value: DictV, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a dict."""
    first = args.pos[0] if args.pos else None
    if name in ("items", "keys", "values"):
        return IterV(name, (value,), node)
    if name == "get" and first is not None:
        return get(m, value, first, args.pos[1] if len(args.pos) > 1 else args.kw.get("default", NONE))
    if name == "pop" and first is not None:
        found = get(m, value, first, args.pos[1] if len(args.pos) > 1 else UNKNOWN)
        if isinstance(first, Const):
            try:
                m.erase(value.items, first.value)
            except TypeError:
                pass
        return found
    if name == "setdefault" and first is not None:
        return setdefault(m, value, first, args.pos[1] if len(args.pos) > 1 else NONE, node)
    if name == "update":
        update(m, value, args, node)
        return NONE
    if name == "copy":
        return DictV({k: v for k, v in value.items.items() if v is not MISSING}, value.rest, len(m.traces))
    if name == "clear":
        for key in list(value.items):
            m.erase(value.items, key)
        return NONE
    if name in ("unfreeze", "freeze"):
        return value
    return UNKNOWN


def get(m: Machine, value: DictV, key: Value, default: Value) -> Value:
    """`d.get(key, default)`."""
    if isinstance(key, Const):
        try:
            found = value.items.get(key.value, MISSING)
        except TypeError:
            return UNKNOWN
        if found is not MISSING:
            return found  # type: ignore[no-any-return]
        return default if value.rest is None else join(default, value.rest)
    return join(dict_get(value, key), default)  # type: ignore[no-any-return]


def setdefault(m: Machine, value: DictV, key: Value, default: Value, node: ast.AST) -> Value:
    """`d.setdefault(key, default)`."""
    from jaxlint.interpreter.item_writes import key_write

    if isinstance(key, Const):
        found = value.items.get(key.value, MISSING)
        if found is not MISSING:
            return found  # type: ignore[no-any-return]
    check_store(m, value.depth, default, node, "container", node)
    key_write(m, value, key, default)
    return default


def update(m: Machine, value: DictV, args: Args, node: ast.AST) -> None:
    """`d.update(other, **more)`."""
    pairs: dict[Any, Value] = dict(args.kw)
    for other in args.pos:
        if isinstance(other, DictV):
            pairs.update({k: v for k, v in other.items.items() if v is not MISSING})
            if other.rest is not None:
                m.write(value.meta, "rest", other.rest if value.rest is None else join(value.rest, other.rest))
        else:
            m.write(value.meta, "rest", UNKNOWN)
    for key, item in pairs.items():
        check_store(m, value.depth, item, node, "container", node)
        m.write(value.items, key, item)


def string_method(m: Machine, value: Value, name: str, args: Args, node: ast.AST) -> Value:
    """A method of a string: `format` renders, `join` and `split` give strings."""
    if name == "format":
        for place, argument in enumerate(args.all()):
            render(m, argument, node, args.nodes[place] if place < len(args.nodes) else None, "str.format")
        known = value.value if isinstance(value, Const) and isinstance(value.value, str) else ""
        return Host("str", prefix=known.partition("{")[0])
    if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        made = ListV(None, Host("str"), "list", len(m.traces))
        if m.loops and not isinstance(value, Const) and name == "split" and not args.pos:
            source = m.frames[-1].module.source
            made.state["ragged"] = Ragged(
                f"`{source.segment(node, 50)}` has as many items as the text has words", node, source
            )
        return made
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "isspace"):
        if isinstance(value, Const) and args.pos and isinstance(args.pos[0], Const):
            try:
                return Const(bool(getattr(value.value, name)(args.pos[0].value)))
            except Exception:
                return Host("bool")
        return Host("bool")
    if name in ("find", "rfind", "index", "count", "__len__"):
        return Host("int")
    if name in ("encode",):
        return Host("bytes")
    if isinstance(value, Const) and name in ("lower", "upper", "strip", "title", "capitalize") and not args.pos:
        return Const(getattr(value.value, name)())
    return Host("str")
