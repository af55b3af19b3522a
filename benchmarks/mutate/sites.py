"""Where a fault can be planted: statements of a program whose values the interpreter knows.

A *traced* site binds a name that is a tracer on every path on which the statement is interpreted. A *hot* site calls
a compiled function, once an iteration, in a loop that the interpreter takes for hot, and binds a device array.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.mutate.edits import Edit, Text, apply
from jaxlint.interpreter import analyse
from jaxlint.interpreter.values import Array, TransformedV, Value
from jaxlint.project import Project
from jaxlint.source import Source

if TYPE_CHECKING:
    from jaxlint.interpreter.frames import Frame

# rows, below which taking an array apart is no fault
FEW = 8
CLOCKS = ("perf_counter", "time", "monotonic", "perf_counter_ns", "time_ns")
COMPILES = ("jit", "pmap")
Loop = ast.For | ast.While
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Site:
    """A statement, the name it binds and what is known of it; for a hot site its loop and the compiled call in it.

    `few`: the array may have less than `FEW` rows. `clocked`: a clock is read in the loop, or around it.
    """

    node: ast.stmt
    name: str
    scalar: bool
    rank: int | None
    few: bool
    function: Function | None
    loop: Loop | None = None
    call: ast.Call | None = None
    clocked: bool = False
    statics: bool = False


@dataclass
class Sites:
    """The sites of one program."""

    text: Text
    traced: list[Site] = field(default_factory=list)
    hot: list[Site] = field(default_factory=list)


@dataclass
class Seen:
    """The probe: what the names bound on a line hold, which calls are compiled, and in which runs of loops."""

    filename: str
    values: dict[tuple[int, str], list[Value]] = field(default_factory=lambda: defaultdict(list))
    callees: dict[tuple[int, int], list[Value]] = field(default_factory=lambda: defaultdict(list))
    runs: dict[tuple[int, int], list[Any]] = field(default_factory=lambda: defaultdict(list))
    eager: set[tuple[int, int]] = field(default_factory=set)

    def __call__(self, m: Any, f: Frame, node: ast.expr, value: Value) -> None:
        """Called by the interpreter after each evaluated expression."""
        if f.module.source.filename != self.filename or not isinstance(node, ast.Name | ast.Attribute):
            return
        if isinstance(node, ast.Name):
            self.values[node.lineno, node.id].append(value)
        place = (node.lineno, node.col_offset)
        self.callees[place].append(value)
        if not m.traces:
            self.eager.add(place)
        if m.loops and m.loops[-1].frame == f.uid:
            self.runs[place].append(m.loops[-1])


def simple(text: Text) -> list[tuple[ast.stmt, tuple[str, ...], Function | None, Loop | None]]:
    """The assignments to plain names that are alone on their lines, with their function and the loop around."""
    found: list[tuple[ast.stmt, tuple[str, ...], Function | None, Loop | None]] = []

    def walk(body: list[ast.stmt], function: Function | None, loop: Loop | None) -> None:
        for node in body:
            if isinstance(node, Function):
                walk(node.body, node, None)
            elif isinstance(node, ast.ClassDef):
                walk(node.body, None, None)
            elif isinstance(node, Loop):
                walk(node.body, function, node)
            elif isinstance(node, ast.With):
                walk(node.body, function, loop)
            elif isinstance(node, ast.If):
                walk([*node.body, *node.orelse], function, None)
            elif names := bound(node):
                if text.alone(node):
                    found.append((node, names, function, loop))

    walk(text.tree.body, None, None)
    return found


def bound(node: ast.stmt) -> tuple[str, ...]:
    """The plain names that an assignment binds, `()` for any other statement."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign) and node.value is not None:
        target = node.target
    else:
        return ()
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return tuple(part.id for part in parts if isinstance(part, ast.Name) and part.id != "_")


def find_sites(filename: str, content: str, path: Path | None = None) -> Sites:
    """Interpret a program and list its sites. Raises SyntaxError where it is no Python.

    After each assignment the bound names are read once more, on the same line, so that the probe sees them.
    """
    text = Text(content)
    statements = simple(text)
    reads = [
        Edit(text.extent(node)[1], text.extent(node)[1], "; " + "; ".join(names)) for node, names, _, _ in statements
    ]
    watched, _ = apply(text, reads, -1)
    seen = Seen(filename)
    source = Source(filename, watched, path)
    analyse(Project([source]), sources=[source], probe=seen)
    sites = Sites(text)
    for node, names, function, loop in statements:
        row = node.end_lineno or node.lineno
        for name in names:
            values = seen.values.get((row, name), [])
            if function is not None and function.name != "__init__" and values and all(map(is_tracer, values)):
                sites.traced.append(described(node, name, values, function))
        hot = hot_site(text, seen, node, names, function, loop) if loop is not None else None
        if hot is not None:
            sites.hot.append(hot)
    return sites


def is_tracer(value: Value) -> bool:
    """An abstract tracer with numbers in it (no PRNG key)."""
    return isinstance(value, Array) and value.trace is not None and value.trace.abstract and is_number(value)


def is_number(value: Array) -> bool:
    """No PRNG key."""
    return value.key is None and "key" not in (value.dtype or "")


def described(node: ast.stmt, name: str, values: list[Value], function: Function | None) -> Site:
    """A site with what all of its values have in common."""
    ranks = {None if v.shape is None else len(v.shape) for v in values if isinstance(v, Array)}
    rank = ranks.pop() if len(ranks) == 1 else None
    few = any(isinstance(v, Array) and v.shape and isinstance(v.shape[0], int) and v.shape[0] < FEW for v in values)
    return Site(node, name, rank == 0, rank, few, function)


def hot_site(
    text: Text, seen: Seen, node: ast.stmt, names: tuple[str, ...], function: Function | None, loop: Loop
) -> Site | None:
    """The site of a statement that calls a compiled function in a hot loop, with its last array."""
    call = compiled_call(seen, node)
    if call is None:
        return None
    place = (call.func.lineno, call.func.col_offset)
    runs = [run for run in seen.runs[place] if run.node.lineno == loop.lineno]
    if (
        not runs
        or place not in seen.eager
        or not all(run.loop.hot and not run.short and not run.choices for run in runs)
    ):
        return None
    row = node.end_lineno or node.lineno
    for name in reversed(names):
        values = seen.values.get((row, name), [])
        if values and all(isinstance(v, Array) and v.trace is None and is_number(v) for v in values):
            site = described(node, name, values, function)
            specs = [v.spec for v in seen.callees[place] if isinstance(v, TransformedV)]
            statics = any(s.static_nums or s.static_names for s in specs)
            clocked = any(run.clocked for run in runs) or clock_in(function or text.tree)
            return replace(site, loop=loop, call=call, clocked=clocked, statics=statics)
    return None


def compiled_call(seen: Seen, node: ast.stmt) -> ast.Call | None:
    """The call of a compiled function that is all that a statement computes."""
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(value, ast.Call):
        return None
    found = seen.callees.get((value.func.lineno, value.func.col_offset), [])
    if found and all(isinstance(v, TransformedV) and v.spec.kind in COMPILES for v in found):
        return value
    return None


def clock_in(scope: ast.AST) -> bool:
    """Whether a clock is read in a function or module: then waiting in its loops may be the point."""
    return any(is_clock(node) for node in ast.walk(scope))


def is_clock(node: ast.AST) -> bool:
    """`time.perf_counter()` and its kin."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS
