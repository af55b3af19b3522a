"""Names and arguments that a library removed or deprecated, as they are written in a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.events import Event, Kind
from jaxlint.interpreter.names import WORD, Mention, Reader
from jaxlint.knowledge import removed

if TYPE_CHECKING:
    from jaxlint.project import Project
    from jaxlint.source import Source

LIBRARIES = frozenset({"jax", "flax", "optax", "orbax"})
SETTINGS = "jax.config."
ALIAS = re.compile(r"\b(\w+)\s+as\s+(\w+)")
# ways to run on several devices that shardings have replaced
LEGACY = frozenset(
    {"jax.pmap", "jax.soft_pmap", "flax.nnx.pmap", "jax.experimental.maps.xmap", "jax.sharding.PositionalSharding"}
)
LEGACY_WORDS = ("pmap", "xmap", "PositionalSharding")


def retired_names(project: Project, source: Source) -> list[Event]:
    """One event for each removed or deprecated name of the table that `source` writes outside of a guard."""
    if not any(library in source.text for library in LIBRARIES):
        return []
    wanted = frozenset(plausible(source.text))
    own = {library for library in LIBRARIES if project.find(library, source) is not None}
    legacy = any(word in source.text for word in LEGACY_WORDS)
    if not (wanted or legacy) or own == LIBRARIES:
        return []
    finder = Finder(source, wanted)
    Reader(source, LIBRARIES - own, finder.mention).read(source.parse())
    return finder.events


def plausible(text: str) -> Iterator[str]:
    """The names of the table that a file can mean at all: a look at the text spares most files the walk."""
    words = frozenset(WORD.findall(text))
    aliases: dict[str, set[str]] = {}
    for original, alias in ALIAS.findall(text):
        aliases.setdefault(original, set()).add(alias)
    table = removed.table()
    for name in removed.candidates(words):
        rows = table.calls.get(name, ())
        if name not in table.names and all(row.keyword and row.keyword not in words for row in rows):
            continue
        parent, _, last = name.rpartition(".")
        short = parent.rpartition(".")[2]
        bases = (short, *aliases.get(short, ()))
        written = name.startswith(SETTINGS) and last in words
        if written or f"from {parent} import" in text or any(f"{base}.{last}" in text for base in bases):
            yield name


class Finder:
    """Compares what a file mentions with the table."""

    def __init__(self, source: Source, wanted: frozenset[str]) -> None:
        self.source = source
        self.wanted = wanted
        self.table = removed.table()
        self.events: list[Event] = []

    def mention(self, found: Mention) -> None:
        """Judge one mention."""
        if found.statement is None and found.dotted in LEGACY:
            data = {"name": found.dotted}
            self.events.append(
                Event(Kind.LEGACY_NAME, found.node, self.source, "name", found.node, found.scope, data=data)
            )
        row = self.row_of(found.dotted)
        is_import = found.statement is not None
        if row is not None and (is_import or len(row.name) > len(self.root(found))):
            further = found.dotted.count(".") - row.name.count(".")
            place = found.node if is_import else sub_expression(found.node, further)
            self.report(row, place, "import" if is_import else "name", found)
        if found.call is not None:
            for row in self.calls_of(found.dotted, found.call):
                self.report(row, found.call, "argument", found)

    def root(self, found: Mention) -> str:
        """The part of the dotted name that an import gave, so that it was judged there."""
        attributes = 0
        node: ast.AST = found.node
        while isinstance(node, ast.Attribute):
            attributes += 1
            node = node.value
        parts = found.dotted.split(".")
        return ".".join(parts[: len(parts) - attributes])

    def row_of(self, dotted: str) -> removed.Retired | None:
        """The row of the longest prefix of a dotted name that the table has."""
        while dotted:
            if dotted in self.wanted and dotted in self.table.names:
                return self.table.names[dotted]
            dotted = dotted.rpartition(".")[0]
        return None

    def calls_of(self, dotted: str, call: ast.Call) -> Iterator[removed.Retired]:
        """The rows about arguments that a call goes against."""
        if dotted == "jax.config.update" and call.args and isinstance(call.args[0], ast.Constant):
            row = self.table.names.get(f"{SETTINGS}{call.args[0].value!s}")
            if row is not None:
                yield row
        for row in self.table.calls.get(dotted, ()):
            if against(row, call) and not (row.keyword and not row.removed and self.is_none(row.keyword, call)):
                yield row

    def is_none(self, keyword: str, call: ast.Call) -> bool:
        """Whether a deprecated argument is None, as where a wrapper hands on its own default: that asks for nothing."""
        value = next(k.value for k in call.keywords if k.arg == keyword)
        if isinstance(value, ast.Name):
            value = default_of(value.id, call, self.source.parse()) or value
        return isinstance(value, ast.Constant) and value.value is None

    def report(self, row: removed.Retired, node: ast.AST, how: str, found: Mention) -> None:
        """Emit."""
        self.events.append(
            Event(
                Kind.RETIRED_NAME,
                node,
                self.source,
                how,
                node,
                found.scope,
                data={"row": row, "written": found.dotted, "bound": found.bound, "statement": found.statement},
            )
        )


def against(row: removed.Retired, call: ast.Call) -> bool:
    """Whether a call passes (or leaves out) the argument that a row is about."""
    keywords = {keyword.arg for keyword in call.keywords}
    open_ended = None in keywords or any(isinstance(argument, ast.Starred) for argument in call.args)
    if row.keyword:
        return row.keyword in keywords
    if row.positional is not None:
        given = [a for a in call.args if not isinstance(a, ast.Starred)]
        return len(given) > row.positional
    return not open_ended and row.missing not in keywords


def default_of(name: str, node: ast.AST, tree: ast.Module) -> ast.expr | None:
    """The default of the parameter `name` of the innermost function around `node` that has one of that name."""
    row, found = getattr(node, "lineno", 0), None
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and inside(row, function):
            arguments = function.args
            positional = [*arguments.posonlyargs, *arguments.args]
            defaults = dict(zip([a.arg for a in reversed(positional)], reversed(arguments.defaults)))
            defaults |= {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None}
            found = defaults.get(name, found)
    return found


def inside(row: int, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a line belongs to a function."""
    return function.lineno <= row <= (function.end_lineno or 0)


def sub_expression(node: ast.AST, levels: int) -> ast.AST:
    """The expression inside an attribute chain, some attributes further in."""
    for _ in range(levels):
        if isinstance(node, ast.Attribute):
            node = node.value
    return node
