"""Ignore comments: finding them, matching them with findings, and reporting those that silence nothing.

    x = float(loss)  # jaxlint: ignore[sync-in-loop] logged once an epoch
    # jaxlint: ignore[JAX101, traced-to-python] on a line of its own: the statement below
    # jaxlint: ignore-file[JAX3] the whole file
    x = float(loss)  # noqa: JAX201

A comment counts for the statements that have a part of their own (for a compound statement: its header, decorators
included) on its line. That a `#` starts a comment, and isn't part of a string, is settled without tokenizing the
file: outside statements and behind the end of one it always does; inside, only that statement is tokenized.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from jaxlint.findings import Applicability, Confidence, Edit, Finding, Fix, Severity, Span
from jaxlint.rules import TABLE, Info
from jaxlint.selection import did_you_mean, matches, similar_rule
from jaxlint.source import Source

CODE = "JAX001"
NAME = "unused-suppression"

_OURS = r"#\s*jaxlint\s*:\s*(?P<verb>[\w-]*)\s*(?:\[(?P<items>[^\]#]*)\])?[^#]*"
_NOQA = r"(?i)#\s*noqa\b(?P<colon>\s*:\s*(?P<items>[A-Za-z]+[0-9]+(?:[,\s]+[A-Za-z]+[0-9]+)*)?)?"
_HINTS = ("jaxlint", "noqa")


@dataclass(slots=True)
class Item:
    """One rule named by a comment. `rules` are those it means; none: there is no such rule."""

    text: str
    rules: tuple[Info, ...]
    used: bool = False


@dataclass(slots=True)
class Comment:
    """One ignore comment. `items` None: a bare `# noqa`, which silences everything on its line."""

    row: int
    start: int
    end: int
    verb: str
    items: list[Item] | None
    own_line: bool
    problem: str = ""

    @property
    def whole_file(self) -> bool:
        return self.verb == "ignore-file"

    @property
    def is_noqa(self) -> bool:
        return self.verb == "noqa"

    def silences(self, info: Info) -> bool:
        """Whether it silences the rule; it then counts as used."""
        if self.problem:
            return False
        if self.items is None:
            return True
        hit = False
        for item in self.items:
            if info in item.rules:
                item.used = hit = True
        return hit


@dataclass(slots=True)
class Suppressions:
    """The ignore comments of one file."""

    source: Source
    comments: list[Comment] = field(default_factory=list)
    _statements: Statements | None = None

    @classmethod
    def of(cls, source: Source) -> Suppressions:
        """The comments of `source`, which parses. Nearly free when the text has none."""
        found = cls(source)
        text = source.text.lower()
        if any(hint in text for hint in _HINTS):
            found.comments = list(_comments(source, found._index))
        return found

    def _index(self) -> Statements:
        if self._statements is None:
            self._statements = Statements(self.source)
        return self._statements

    def silences(self, info: Info, row: int) -> bool:
        """Whether a comment silences findings of the rule in the statement on `row`. Those that do become used."""
        if not self.comments:
            return False
        hit = self.silences_in_file(info)
        first, last = self._index().rows_at(row)
        above = self._rows_above(first)
        for comment in self.comments:
            if comment.whole_file:
                continue
            inside = first <= comment.row <= last
            if (inside or (comment.own_line and not comment.is_noqa and comment.row in above)) and comment.silences(
                info
            ):
                hit = True
        return hit

    def silences_in_file(self, info: Info) -> bool:
        """Whether an `ignore-file` comment silences the rule."""
        hits = [comment.silences(info) for comment in self.comments if comment.whole_file]
        return any(hits)

    def _rows_above(self, first: int) -> range:
        """The rows right above a statement that hold nothing but comments and blanks."""
        row = first
        while row > 1 and _is_blank(self.source.lines[row - 2]):
            row -= 1
        return range(row, first)

    def problems(self) -> Iterator[tuple[Comment, str]]:
        """The comments that cannot do what they say."""
        for comment in self.comments:
            if comment.problem:
                yield comment, comment.problem
            elif not comment.is_noqa:
                for item in comment.items or ():
                    if not item.rules:
                        yield comment, f"there is no rule `{item.text}`{similar_rule(item.text)}"

    def unused(self, ran: frozenset[str]) -> Iterator[Finding]:
        """JAX001 for the comments that silenced nothing, as far as the rules that they name ran."""
        for comment, problem in self.problems():
            yield self._finding(comment, f"this comment silences nothing: {problem}", None)
        for comment in self.comments:
            if comment.problem or not comment.items:
                continue
            idle = [
                item
                for item in comment.items
                if item.rules and not item.used and all(rule.code in ran for rule in item.rules)
            ]
            if idle:
                names = ", ".join(f"`{item.text}`" for item in idle)
                message = f"nothing here to ignore for {names}: remove {'it' if len(idle) == 1 else 'them'}"
                yield self._finding(comment, message, self._removal(comment, idle))

    def _finding(self, comment: Comment, message: str, fix: Fix | None) -> Finding:
        return Finding(
            code=CODE,
            name=NAME,
            message=message,
            severity=Severity.WARNING,
            confidence=Confidence.PROVEN,
            filename=self.source.filename,
            span=Span(comment.row, comment.start + 1, comment.row, comment.end + 1),
            statement=self.source.lines[comment.row - 1].strip(),
            fix=fix,
        )

    def _removal(self, comment: Comment, idle: list[Item]) -> Fix:
        line = self.source.lines[comment.row - 1]
        kept = [item.text for item in comment.items or () if item not in idle]
        text = line[comment.start : comment.end]
        if kept:
            opening = "[" if "[" in text else ":"
            head, _, tail = text.partition(opening)
            tail = tail[tail.index("]") :] if opening == "[" else ""
            space = " " if opening == ":" else ""
            edit = Edit(
                _span(comment.row, comment.start, comment.end), f"{head}{opening}{space}{', '.join(kept)}{tail}"
            )
        elif line[comment.end :].strip():
            edit = Edit(_span(comment.row, comment.start, comment.end), "")  # another comment follows
        elif line[: comment.start].strip():
            code_end = len(line[: comment.start].rstrip())
            edit = Edit(_span(comment.row, code_end, len(line)), "")
        elif comment.row < len(self.source.lines):
            edit = Edit(Span(comment.row, 1, comment.row + 1, 1), "")
        else:
            edit = Edit(_span(comment.row, 0, len(line)), "")
        return Fix(Applicability.SAFE, "Remove the unused suppression", (edit,))


def _span(row: int, start: int, end: int) -> Span:
    return Span(row, start + 1, row, end + 1)


def _is_blank(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith("#")


# ---- finding the comments ------------------------------------------------------------------------------


def _comments(source: Source, index: Callable[[], Statements]) -> Iterator[Comment]:
    for row, line in enumerate(source.lines, 1):
        if "#" not in line or not any(hint in line.lower() for hint in _HINTS):
            continue
        if not re.search(_OURS, line) and not re.search(_NOQA, line):
            continue
        begin = index().comment_start(row)
        if begin is None:
            continue
        for match in re.compile(_OURS).finditer(line, begin):
            yield _ours(row, line, begin, match)
        for match in re.compile(_NOQA).finditer(line, begin):
            comment = _noqa(row, line, begin, match)
            if comment is not None:
                yield comment


def _ours(row: int, line: str, begin: int, match: re.Match[str]) -> Comment:
    verb = match.group("verb")
    items = [_item(text) for text in re.split(r"[,\s]+", match.group("items") or "") if text]
    problem = ""
    if verb not in ("ignore", "ignore-file"):
        problem = f"`{verb}` is not a directive{did_you_mean(verb, ('ignore', 'ignore-file'))}"
    elif not items:
        problem = f"name the rules that it is for: `# jaxlint: {verb}[traced-branch]`"
    elif any(item.text.upper() in ("ALL", "JAX") for item in items):
        problem = "`ALL` is too broad: name the rules that it is for"
    return Comment(
        row=row,
        start=match.start(),
        end=match.start() + len(match.group().rstrip()),
        verb=verb,
        items=items,
        own_line=not line[:begin].strip(),
        problem=problem,
    )


def _item(text: str) -> Item:
    return Item(text, tuple(info for info in TABLE if matches((text,), info)))


def _noqa(row: int, line: str, begin: int, match: re.Match[str]) -> Comment | None:
    """A `# noqa`. None when it names only other linters' codes, or none at all after its colon."""
    items: list[Item] | None = None
    if match.group("colon") is not None:
        words = re.split(r"[,\s]+", match.group("items") or "")
        items = [item for item in map(_item, words) if item.rules and item.text.upper() != "ALL"]
        if not items:
            return None
    return Comment(
        row=row,
        start=match.start(),
        end=match.end(),
        verb="noqa",
        items=items,
        own_line=not line[:begin].strip(),
    )


# ---- statements ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Statement:
    first: int
    last: int
    """The rows of the statement; of a compound one, of its header."""
    end_row: int
    end_column: int
    """Where the text of a simple statement ends (0-based column, in characters); a header ends in `last`."""
    compound: bool


class Statements:
    """The statements of a file by row."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_row: dict[int, list[_Statement]] = {}
        for statement in self._collect(source.parse()):
            for row in range(statement.first, statement.last + 1):
                self._by_row.setdefault(row, []).append(statement)

    def rows_at(self, row: int) -> tuple[int, int]:
        """The first and last row of the statements on `row`; `row` itself outside statements."""
        statements = self._by_row.get(row)
        if not statements:
            return row, row
        return min(each.first for each in statements), max(each.last for each in statements)

    def comment_start(self, row: int) -> int | None:
        """The offset of the `#` that starts a comment on `row`, None when there is none."""
        line = self._source.lines[row - 1]
        statements = self._by_row.get(row)
        if not statements:
            # nothing but a comment can stand outside statements, save `else:` and its kin
            found = line.find("#")
            return found if found >= 0 else None
        last = statements[-1]
        if not last.compound and last.end_row == row:
            # several statements may share the row; what comes after the last of them is a comment
            found = line.find("#", last.end_column)
            return found if found >= 0 else None
        return _tokenized(self._source.lines, min(each.first for each in statements), last.last, row)

    def _collect(self, tree: ast.Module) -> Iterator[_Statement]:
        """All statements, without recursion: an `elif` chain nests as deep as it is long."""
        stack: list[ast.AST] = list(reversed(tree.body))
        while stack:
            node = stack.pop()
            inner = _children(node)
            yield self._measure(node, inner)
            stack.extend(reversed(inner))

    def _measure(self, node: ast.AST, inner: list[ast.AST]) -> _Statement:
        first = _first_row(node)
        end = self._source.span(node) if not isinstance(node, ast.match_case) else None
        end_row = end.end_row if end is not None else first
        end_column = end.end_column - 1 if end is not None else 0
        if not inner:
            return _Statement(first, end_row, end_row, end_column, compound=False)
        body = _first_row(inner[0])
        before = self._source.lines[body - 1].encode()[: getattr(inner[0], "col_offset", 0)]
        # `): pass`: the header ends on the line where the body starts
        last = body if before.strip() else max(body - 1, first)
        while last > first and _is_blank(self._source.lines[last - 1]):
            last -= 1
        return _Statement(first, last, end_row, end_column, compound=True)


def _children(node: ast.AST) -> list[ast.AST]:
    """The statements directly inside, in the order of the text; clauses count as statements."""
    inner: list[ast.AST] = []
    for name in ("body", "cases", "handlers", "orelse", "finalbody"):
        value = getattr(node, name, None)
        if isinstance(value, list):
            inner.extend(value)
    return inner


def _first_row(node: ast.AST) -> int:
    if isinstance(node, ast.match_case):
        return node.pattern.lineno
    decorators: Iterable[ast.expr] = getattr(node, "decorator_list", ())
    rows = [decorator.lineno for decorator in decorators]
    return min([node.lineno, *rows]) if isinstance(node, (ast.stmt, ast.excepthandler)) else 1


def _tokenized(lines: list[str], first: int, last: int, row: int) -> int | None:
    """Where a comment starts on `row`, by tokenizing the rows of one statement."""
    import tokenize  # only for comments inside a statement

    rest = iter([line + "\n" for line in lines[first - 1 : last]])
    try:
        for token in tokenize.generate_tokens(lambda: next(rest, "")):
            if token.start[0] > row - first + 1:
                return None
            if token.type == tokenize.COMMENT and token.start[0] == row - first + 1:
                return token.start[1]
    except (tokenize.TokenError, SyntaxError):
        pass  # a header without its body, and the comment was not met before it ended
    return None
