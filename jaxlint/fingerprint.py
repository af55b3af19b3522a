"""What identifies a finding while the code around it changes.

A fingerprint is made of the rule, the file, the enclosing function or class, the text of the statement without layout
and comments, and the ordinal among findings that agree in all of these. Lines and columns are not in it, so it stays
when code moves up or down, is indented or reformatted, or when the analyser words its message in another way.
"""

from __future__ import annotations

import ast
import hashlib
import io
import os
import re
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from jaxlint.findings import Finding
from jaxlint.source import Source

SourceOf = Callable[[str], "Source | None"]
LENGTH = 32
"""Hexadecimal digits of a fingerprint: 128 bits."""


def stamp(
    findings: Iterable[Finding], source_of: SourceOf, base: str, renamed: Mapping[str, str] | None = None
) -> list[Finding]:
    """The findings in report order, each with its fingerprint. Paths in it are relative to the folder `base`.

    `renamed`: the names (relative to `base`) under which files are to be known instead.
    """
    equal: Counter[tuple[str, str, str, str]] = Counter()
    places: dict[str, Places] = {}
    stamped: list[Finding] = []
    for finding in sorted(findings, key=lambda finding: finding.sort_key):
        known = places.get(finding.filename)
        if known is None:
            known = places[finding.filename] = Places(source_of(finding.filename))
        scope, statement = known.of(finding)
        path = relative(finding.filename, base)
        identity = (finding.name, (renamed or {}).get(path, path), scope, statement)
        stamped.append(replace(finding, fingerprint=digest(*identity, str(equal[identity]))))
        equal[identity] += 1
    return stamped


def digest(*parts: str) -> str:
    """A hash of texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def relative(filename: str, base: str) -> str:
    """A reported name as seen from a folder, with `/` between its parts."""
    try:
        path = os.path.relpath(filename, base)
    except ValueError:  # another drive
        path = os.path.abspath(filename)
    return path.replace(os.sep, "/")


class Places:
    """The scopes and statements of one file. `source` is None, or does not parse, where only lines can tell."""

    def __init__(self, source: Source | None) -> None:
        self.source = source
        self.lines: Sequence[str] = source.lines if source is not None else ()
        self.tree: ast.Module | None = None
        if source is not None:
            try:
                self.tree = source.parse()
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.tree = None

    def of(self, finding: Finding) -> tuple[str, str]:
        """The qualified name around a finding, and the bare text of its statement."""
        row = (self.source.joined(finding.span) if self.source is not None else finding.span).row
        if self.tree is None:
            return "", bare("".join(self.lines[row - 1 : row]))
        scope: list[str] = []
        statement: ast.AST | None = None
        inside: list[ast.AST] = [self.tree]
        while inside:
            node = next((part for part in inside if begins(part) <= row <= ends(part)), None)
            if node is None:
                break
            if not isinstance(node, ast.Module):
                if statement is not None and isinstance(statement, SCOPES):
                    scope.append(statement.name)
                statement = node
            inside = blocks(node)
        if statement is None:
            return "", bare("".join(self.lines[row - 1 : row]))
        return ".".join(scope), bare("\n".join(self.text(statement)))

    def text(self, statement: ast.AST) -> Sequence[str]:
        """The lines of a statement, of a compound one those of its header."""
        inner = blocks(statement)
        last = begins(inner[0]) - 1 if inner else ends(statement)
        return self.lines[begins(statement) - 1 : max(last, begins(statement))]


SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def begins(node: ast.AST) -> int:
    """The first row of a statement, decorators included."""
    rows = [part.lineno for part in getattr(node, "decorator_list", ())]
    if isinstance(node, ast.match_case):
        rows.append(node.pattern.lineno)
    return min([*rows, *([node.lineno] if hasattr(node, "lineno") else [])], default=0)


def ends(node: ast.AST) -> int:
    """The last row of a statement."""
    if isinstance(node, ast.Module):
        return 1 << 60
    if isinstance(node, ast.match_case):
        return ends(node.body[-1])
    return getattr(node, "end_lineno", None) or begins(node)


def blocks(node: ast.AST) -> list[ast.AST]:
    """The statements and clauses directly inside a statement, in the order of the text."""
    found: list[ast.AST] = []
    for name in ("body", "cases", "handlers", "orelse", "finalbody"):
        value = getattr(node, name, None)
        found += value if isinstance(value, list) else []
    return found


def bare(text: str) -> str:
    """Code without comments, blanks, line ends, and what formatters put in and take out (commas, kinds of quotes)."""
    text = re.sub(r"\s+", "", without_comments(text))
    return re.sub(r",+([)\]}])", r"\1", text).replace("'", '"')


def without_comments(text: str) -> str:
    """Code without its comments; where it does not tokenize, as it is."""
    lines = text.split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column]
    except (tokenize.TokenError, SyntaxError):
        pass  # the header of a compound statement ends early; the comments until there are gone
    return "\n".join(lines)
