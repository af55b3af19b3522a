"""Faults in loops that keep the device busy (JAX2), and new programs made in them (JAX4)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.mutate.edits import Edit
from benchmarks.mutate.mutation import Mutation, planted
from benchmarks.mutate.sites import Site, Sites
from benchmarks.mutate.traced import number_of

# fault, rule, lines after the call of the compiled function ({x}: its result, {s}: one number of it), top lines
READS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("float", "JAX201", ("planted = float({s})",), ()),
    (".item()", "JAX201", ("planted = {s}.item()",), ()),
    ("running total", "JAX201", ("PLANTED['total'] = PLANTED.get('total', 0) + float({s})",), ("PLANTED = {{}}",)),
    ("list of floats", "JAX201", ("PLANTED.append(float({s}))",), ("PLANTED = []",)),
    (
        "helper with float",
        "JAX201",
        ("planted = planted_number({s})",),
        ("def planted_number(value):", "    return float(value)"),
    ),
    ("np.asarray", "JAX202", ("planted = planted_np.asarray({x})",), ("import numpy as planted_np",)),
    ("np.isnan", "JAX202", ("planted = planted_np.isnan({s})",), ("import numpy as planted_np",)),
    ("device_get", "JAX202", ("planted = planted_jax.device_get({x})",), ("import jax as planted_jax",)),
    ("print", "JAX203", ("print({s})",), ()),
    ("f-string", "JAX203", ("planted = f'{{{s}:.3f}}'",), ()),
    ("logging", "JAX203", ("planted_log.warning('loss %s', {s})",), ("import logging as planted_log",)),
    ("if", "JAX204", ("if {s} > 1e30:", "    print('diverged')"), ()),
    ("if with break", "JAX204", ("if {s} > 1e30:", "    break"), ()),
    ("iterated", "JAX207", ("planted = [v for v in {x}]",), ()),
    ("block_until_ready", "JAX205", ("planted_jax.block_until_ready({x})",), ("import jax as planted_jax",)),
    (".block_until_ready()", "JAX205", ("{x}.block_until_ready()",), ()),
)


def value_read(sites: Sites) -> Iterator[Mutation]:
    """The result of a compiled call is read in each iteration."""
    for site in sites.hot:
        for fault, code, lines, top in READS:
            if (code == "JAX205" and site.clocked) or (code == "JAX207" and (not site.rank or site.few)):
                continue
            words = [line.format(x=site.name, s=number_of(site)) for line in lines]
            edits = [sites.text.after(site.node, words)]
            if top:
                edits.append(sites.text.on_top([line.format() for line in top]))
            yield planted(fault, code, edits, site.node.lineno)


def gate_removed(sites: Sites) -> Iterator[Mutation]:
    """`if step % 100 == 0:` around a read becomes `if True:`."""
    for site in sites.hot:
        for node in site.loop.body if site.loop is not None else []:
            if isinstance(node, ast.If) and is_gate(node) and reads(node, site.name):
                edits = (sites.text.replace(node.test, "True"),)
                yield Mutation("gate removed", ("JAX201", "JAX203"), edits, None, node.lineno)


def is_gate(node: ast.If) -> bool:
    """A test on a remainder."""
    return any(isinstance(part, ast.Mod) for part in ast.walk(node.test)) and not node.orelse


def reads(node: ast.If, name: str) -> bool:
    """Whether the first lines of a branch hand `name` to `float` or `print`, also in an f-string."""
    for call in (part for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in ("float", "print"):
            shown = [
                v.value if isinstance(v, ast.FormattedValue) else v
                for a in call.args
                for v in getattr(a, "values", [a])
            ]
            if any(isinstance(value, ast.Name) and value.id == name for value in shown):
                return True
    return False


def program_made(sites: Sites) -> Iterator[Mutation]:
    """The call in the loop compiles a callable that is made in the same iteration."""
    for site in sites.hot:
        call = site.call
        if call is None or site.statics:
            continue
        function, row, text = sites.text.segment(call.func), site.node.lineno, sites.text
        made = {
            "lambda jitted": f"planted_jax.jit(lambda *a, **k: {function}(*a, **k))",
            "partial jitted": f"planted_jax.jit(planted_partial({function}))",
            "jit of jit of a lambda": f"planted_jax.jit(planted_jax.jit(lambda *a, **k: {function}(*a, **k)))",
        }
        top = text.on_top(["import jax as planted_jax", "from functools import partial as planted_partial"])
        for fault, words in made.items():
            yield planted(fault, "JAX403", [text.replace(call.func, words), top], row)
        nested = ["def planted_step(*a, **k):", f"    return {function}(*a, **k)"]
        edits = [text.replace(call.func, "planted_jax.jit(planted_step)"), text.before(site.node, nested), top]
        yield planted("nested function jitted", "JAX403", edits, row)


def array_grown(sites: Sites) -> Iterator[Mutation]:
    """An array becomes longer in each iteration."""
    for site in sites.hot:
        if site.loop is None or not sites.text.alone(site.node) or sites.text.indent(site.loop).strip():
            continue
        start = sites.text.before(site.loop, ["planted = planted_jnp.zeros((0,))"])
        top = sites.text.on_top(["import jax.numpy as planted_jnp"])
        for fault, words in (
            ("append", f"planted = planted_jnp.append(planted, {number_of(site)})"),
            ("concatenate", f"planted = planted_jnp.concatenate([planted, planted_jnp.ravel({site.name})])"),
        ):
            yield planted(fault, "JAX402", [sites.text.after(site.node, [words]), start, top], site.node.lineno)


def tagged(sites: Sites, site: Site, static: bool, tag: str, before: tuple[str, ...] = ()) -> list[Edit] | None:
    """The call gets a first argument `tag`, of a compiled function made before the loop that passes the rest on."""
    call = site.call
    if call is None or site.loop is None or site.statics or sites.text.indent(site.loop).strip():
        return None
    if not isinstance(call.func, ast.Name) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    function = call.func.id
    options = ", static_argnums=0" if static else ""
    made = f"planted_call = planted_jax.jit(lambda tag, *a, **k: {function}(*a, **k){options})"
    arguments = [sites.text.segment(a) for a in call.args]
    arguments += [
        sites.text.segment(k.value) if k.arg is None else f"{k.arg}={sites.text.segment(k.value)}"
        for k in call.keywords
    ]
    words = f"planted_call({', '.join([tag, *arguments])})"
    top = sites.text.on_top(["import jax as planted_jax", "import jax.numpy as planted_jnp"])
    return [sites.text.replace(call, words), sites.text.before(site.loop, [*before, made]), top]


def arguments_changed(sites: Sites) -> Iterator[Mutation]:
    """A static argument that varies or cannot be hashed, a text where an array belongs, a type that changes."""
    for site in sites.hot:
        row = site.node.lineno
        counter = (
            site.loop.target.id if isinstance(site.loop, ast.For) and isinstance(site.loop.target, ast.Name) else ""
        )
        if counter and is_range(site.loop) and (edits := tagged(sites, site, True, counter)):
            yield planted("loop counter as a static argument", "JAX404", edits, row)
        if edits := tagged(sites, site, True, "[1, 2]"):
            yield planted("list as a static argument", "JAX405", edits, row)
        if edits := tagged(sites, site, False, "'train'"):
            yield planted("text without static_argnames", "JAX406", edits, row, None)
        if counted := counter_handed_back(sites, site):
            yield planted("number that comes back as an array", "JAX408", counted, row, None)
        if counter and is_range(site.loop):
            growing = f"planted_jnp.zeros({counter} + 1)"
            if edits := tagged(sites, site, False, growing):
                yield Mutation("shape that grows with the counter", ("JAX402", "JAX401"), tuple(edits), None, row)


def counter_handed_back(sites: Sites, site: Site) -> list[Edit] | None:
    """The compiled function also takes a number and gives an array back, which it takes in the next iteration."""
    edits = tagged(sites, site, False, "planted", ("planted = 0.0",))
    if edits is None or site.call is None or not isinstance(site.node, ast.Assign):
        return None
    call, made, top = edits
    words = "(planted_jnp.float32(1) + tag, "
    made = Edit(
        made.start, made.end, made.text.replace("*a, **k: ", "*a, **k: " + words).replace("(*a, **k))", "(*a, **k)))")
    )
    target = sites.text.segment(site.node.targets[0])
    head = sites.text.replace(site.node.targets[0], f"planted, ({target})")
    return [call, made, top, head]


def is_range(loop: ast.For | ast.While | None) -> bool:
    """`for ... in range(...)`."""
    test = loop.iter if isinstance(loop, ast.For) else None
    return isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "range"
