"""Names and arguments that a library removed or deprecated, as they are written in a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING

from jaxlint.events import Event, Kind
from jaxlint.interpreter.names import Mention, Reader
from jaxlint.knowledge import removed
from jaxlint.source import WORD

if TYPE_CHECKING:
    from jaxlint.project import Project
    from jaxlint.source import Source

LIBRARIES = frozenset({"jax", "flax", "optax", "orbax"})
SETTINGS = "jax.config."
LAST_WORD = re.compile(r"\w+$")
LONGEST = 80  # characters of a name that is looked for in front of an `as`
# ways to run on several devices that shardings have replaced
LEGACY = frozenset(
    {"jax.pmap", "jax.soft_pmap", "flax.nnx.pmap", "jax.experimental.maps.xmap", "jax.sharding.PositionalSharding"}
)
LEGACY_WORDS = ("pmap", "xmap", "PositionalSharding")


def retired_names(project: Project, source: Source) -> list[Event]:
    """One event for each removed or deprecated name of the table that `source` writes outside of a guard."""
    if not any(library in source.text for library in LIBRARIES):
        return []
    aliases = written_aliases(source.text)
    wanted = frozenset(plausible(source, aliases))
    legacy = [word for word in LEGACY_WORDS if word in source.words]
    own = {library for library in LIBRARIES if project.find(library, source) is not None}
    if not (wanted or legacy) or own == LIBRARIES:
        return []
    last = {name.rpartition(".")[2] for name in wanted}.union(legacy)
    finder = Finder(source, wanted)
    rows = rows_with(source, last.union(*(aliases.get(word, ()) for word in last)))
    Reader(source, LIBRARIES - own, finder.mention, rows).read(source.parse())
    return finder.events


def plausible(source: Source, aliases: Mapping[str, set[str]]) -> Iterator[str]:
    """The names of the table that a file can mean at all: a look at the text spares most files the walk."""
    text, words = source.text, source.words
    table = removed.table()
    for name in removed.candidates(words.keys()):
        rows = table.calls.get(name, ())
        if name not in table.names and all(row.keyword and row.keyword not in words for row in rows):
            continue
        parent, _, last = name.rpartition(".")
        short = parent.rpartition(".")[2]
        bases = (short, *aliases.get(short, ()))
        written = name.startswith(SETTINGS) and last in words
        if written or f"from {parent} import" in text or any(f"{base}.{last}" in text for base in bases):
            yield name


def written_aliases(text: str) -> dict[str, set[str]]:
    """What stands as `name as other` anywhere in a text, by name. (A search for the blank-`as`-blank is quick.)"""
    found: dict[str, set[str]] = {}
    place = text.find(" as ")
    while place >= 0:
        name, other = LAST_WORD.search(text[max(0, place - LONGEST) : place]), WORD.match(text, place + 4)
        if name is not None and other is not None:
            found.setdefault(name.group(), set()).add(other.group())
        place = text.find(" as ", place + 4)
    return found


def rows_with(source: Source, words: Set[str]) -> list[int]:
    """The lines, from 1, whose text has one of `words`."""
    return [row for row, line in enumerate(source.lines, 1) if any(word in line for word in words)]


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
    around: list[ast.AST] = [tree]
    while around:
        within = around.pop()
        if isinstance(within, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found = defaults_of(within.args).get(name, found)
        around = [part for part in ast.iter_child_nodes(within) if inside(row, part)]
    return found


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of a signature, by parameter."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip([a.arg for a in reversed(positional)], reversed(arguments.defaults)))
    return defaults | {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None}


def inside(row: int, node: ast.AST) -> bool:
    """Whether a line belongs to a statement."""
    return isinstance(node, (ast.stmt, ast.ExceptHandler)) and node.lineno <= row <= (node.end_lineno or 0)


def sub_expression(node: ast.AST, levels: int) -> ast.AST:
    """The expression inside an attribute chain, some attributes further in."""
    for _ in range(levels):
        if isinstance(node, ast.Attribute):
            node = node.value
    return node
