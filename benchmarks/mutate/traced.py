"""Faults in traced code (JAX1): after a statement that binds a tracer, something asks for its value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.mutate.mutation import Mutation, planted
from benchmarks.mutate.sites import Site, Sites

# fault, rule, lines after the statement ({x}: the name, {s}: one number of it), lines at the top of the module
FORMS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("if", "JAX101", ("if {s} > 0:", "    {x} = {x} * 2"), ()),
    ("while", "JAX101", ("while {s} > 0:", "    {x} = {x} / 2"), ()),
    ("assert", "JAX101", ("assert {s} == {s}",), ()),
    ("ternary", "JAX101", ("{x} = {x} if {s} > 0 else -{x}",), ()),
    ("not", "JAX101", ("planted = not {s}",), ()),
    ("and", "JAX101", ("planted = {s} > 0 and {s} < 1",), ()),
    ("max of numbers", "JAX101", ("planted = max({s}, 0)",), ()),
    ("helper with if", "JAX101", ("{x} = {x} * planted_sign({s})",), ()),
    ("float", "JAX102", ("planted = float({s})",), ()),
    (".item()", "JAX102", ("planted = {s}.item()",), ()),
    ("int as a count", "JAX102", ("for _ in range(int({s})):", "    pass"), ()),
    ("list index", "JAX102", ("planted = [1, 2, 3][{s}.astype(int)]",), ()),
    ("np.asarray", "JAX103", ("planted = planted_np.asarray({x})",), ("import numpy as planted_np",)),
    ("np.linalg.norm", "JAX103", ("planted = planted_np.linalg.norm({x})",), ("import numpy as planted_np",)),
    ("np.where", "JAX103", ("planted = planted_np.where({x} > 0, 1, 0)",), ("import numpy as planted_np",)),
    ("math", "JAX103", ("planted = planted_math.sqrt({s})",), ("import math as planted_math",)),
    ("nonzero", "JAX104", ("planted = planted_jnp.nonzero({x})",), ("import jax.numpy as planted_jnp",)),
    ("one-argument where", "JAX104", ("planted = planted_jnp.where({x} > 0)",), ("import jax.numpy as planted_jnp",)),
    ("unique", "JAX104", ("planted = planted_jnp.unique({x})",), ("import jax.numpy as planted_jnp",)),
    (
        "zeros of a traced size",
        "JAX104",
        ("planted = planted_jnp.zeros({s}.astype(int))",),
        ("import jax.numpy as planted_jnp",),
    ),
    ("outer list", "JAX106", ("PLANTED.append({x})",), ("PLANTED = []",)),
    ("global", "JAX106", ("globals_of_planted({x})",), ()),
    ("print", "JAX107", ("print({x})",), ()),
    ("clock", "JAX107", ("planted = planted_time.time()",), ("import time as planted_time",)),
    ("np.random", "JAX107", ("{x} = {x} + planted_np.random.normal()",), ("import numpy as planted_np",)),
)
# a test for a Python number says something only where the value may have been one
ON_NUMBERS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("isinstance", "JAX109", ("if isinstance({x}, (int, float)):", "    {x} = {x} * 1.0"), ()),
)
# these need an array with at least one axis
WITH_AXES: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("boolean mask", "JAX104", ("planted = {x}[{x} > 0]",), ()),
    ("traced slice", "JAX104", ("planted = {x}[: {s}.astype(int)]",), ()),
    ("item assignment", "JAX108", ("{x}[0] = 0",), ()),
    ("augmented item", "JAX108", ("{x}[0] += 1",), ()),
    ("discarded .at", "JAX108", ("{x}.at[0].set(0)",), ()),
    ("loop over rows", "JAX105", ("for planted in {x}:", "    pass"), ()),
)
# NumPy calls the array's own method for sum, mean, clip, ...: those work on tracers
UFUNCS = ("exp", "log", "sqrt", "tanh", "maximum", "minimum", "where", "square", "sin", "cos")
# helpers in which the fault stands, one line each
HELPERS = {
    "planted_sign": ("def planted_sign(value):", "    return 1 if value > 0 else -1"),
    "globals_of_planted": ("def globals_of_planted(value):", "    global PLANTED_LAST", "    PLANTED_LAST = value"),
}


def number_of(site: Site) -> str:
    """An expression with one number of the site's array."""
    return site.name if site.scalar else f"{site.name}.mean()"


def value_asked(sites: Sites) -> Iterator[Mutation]:
    """The value of a tracer is asked for right after the statement that makes it."""
    for site in sites.traced:
        forms = FORMS + (ON_NUMBERS if site.scalar else ()) + (WITH_AXES if site.rank else ())
        for fault, code, lines, top in forms:
            if code == "JAX105" and site.few:
                continue
            yield insertion(sites, site, fault, code, lines, top)


def insertion(
    sites: Sites, site: Site, fault: str, code: str, lines: tuple[str, ...], top: tuple[str, ...]
) -> Mutation:
    """Lines put after a site; where a helper does the deed, it is the helper's lines that are reported."""
    words = [line.format(x=site.name, s=number_of(site)) for line in lines]
    edit = sites.text.after(site.node, words)
    helper = next((HELPERS[name] for name in HELPERS if name in lines[0]), ())
    edits = [edit, *([sites.text.on_top(helper or top)] if helper or top else [])]
    return planted(fault, code, edits, site.node.lineno, 1 if helper else 0)


def stored_on_self(sites: Sites) -> Iterator[Mutation]:
    """A method keeps a tracer."""
    owners = {
        id(part): node for node in ast.walk(sites.text.tree) if isinstance(node, ast.ClassDef) for part in node.body
    }
    for site in sites.traced:
        owner = owners.get(id(site.function))
        arguments = site.function.args.args if site.function is not None else []
        if owner is None or is_frozen(owner) or not arguments or arguments[0].arg != "self":
            continue
        edit = sites.text.after(site.node, [f"self.planted = {site.name}"])
        yield planted("attribute", "JAX106", [edit], site.node.lineno)


def is_frozen(owner: ast.ClassDef) -> bool:
    """Whether a class may refuse new attributes: it has a decorator, or a base that is no `nnx.Module`."""
    return bool(owner.decorator_list) or any(ast.unparse(base) != "nnx.Module" for base in owner.bases)


def update_forgotten(sites: Sites) -> Iterator[Mutation]:
    """`x = x.at[i].set(v)` becomes `x[i] = v`, or loses what it is assigned to."""
    for site in sites.traced:
        update = at_update(site.node)
        if update is None:
            continue
        text, (target, index, value) = sites.text, update
        written = f"{text.segment(target)}[{text.segment(index)}] = {text.segment(value)}"
        yield planted("x.at[i].set to x[i] =", "JAX108", [text.replace(site.node, written)], site.node.lineno)
        assert isinstance(site.node, ast.Assign)
        dropped = text.segment(site.node.value)
        yield planted("result of .at dropped", "JAX108", [text.replace(site.node, dropped)], site.node.lineno)


def at_update(node: ast.stmt) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """Array, index and value of `name = array.at[index].set(value)`."""
    call = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    method = call.func
    if not isinstance(method, ast.Attribute) or method.attr != "set" or not isinstance(method.value, ast.Subscript):
        return None
    at = method.value.value
    if not isinstance(at, ast.Attribute) or at.attr != "at" or not isinstance(at.value, ast.Name):
        return None
    return at.value, method.value.slice, call.args[0]


def numpy_for_jnp(sites: Sites) -> Iterator[Mutation]:
    """`jnp.f(x)` with a tracer becomes `np.f(x)`."""
    tracers = {site.name for site in sites.traced}
    for site in sites.traced:
        for call in ast.walk(site.node):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
                continue
            owner, first = call.func.value, call.args[0]
            if not isinstance(owner, ast.Name) or owner.id != "jnp" or not isinstance(first, ast.Name):
                continue
            if first.id in tracers and call.func.attr in UFUNCS:
                edits = [sites.text.replace(owner, "planted_np"), sites.text.on_top(["import numpy as planted_np"])]
                yield planted("np for jnp", "JAX103", edits, site.node.lineno)
