"""Where each finding stands in its file: its statement, its loop, its function; and which lines to count for it."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxlint.events import Kind
from jaxlint.findings import Finding, Span
from runtime_checks.evidence import LineCount
from runtime_checks.reach import Way, way_to
from runtime_checks.statements import Rows, first_row, header_rows, whole_rows

PLAN_VARIABLE = "JAXLINT_RUNTIME_PLAN"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(slots=True)
class Target:
    """A finding with its surroundings. All rows are 1-based and inclusive; None where there is no such thing.

    `rows`: the statement (of a compound one the header, with decorators). `loop`: the innermost loop around it
    in the same function, `beat`: the first statement of that loop's body, whose runs are the iterations.
    `function`: the function around it. `defines`: the function that the statement defines. `calls`: names that
    the statement passes to a call (for `jit(f)`: f). `local_functions`: rows by name of the file's functions.
    `optional`: the place is a part of an expression that need not be evaluated when the statement runs (behind `and`,
    `or`, in a branch of a conditional expression). `lost_update`: the statement is `x.at[...]...` and no one keeps the
    result. `way`: what must run before the statement does.
    """

    finding: Finding
    file: str
    rows: Rows
    loop: Rows | None = None
    beat: Rows | None = None
    function: Rows | None = None
    defines: Rows | None = None
    names: tuple[str, ...] = ()
    functions: Mapping[str, Rows] = field(default_factory=dict)
    optional: bool = False
    lost_update: bool = False
    way: Way = field(default_factory=Way)


@dataclass(slots=True)
class Plan:
    """What the child should count: statements by file; `puts`: statements around which host-to-device copies are
    counted; `names`: local names to be looked at for tracers, by file and row; `beats`: first rows of loop bodies,
    whose runs are steps, by file."""

    statements: dict[str, list[Rows]] = field(default_factory=dict)
    puts: dict[str, list[Rows]] = field(default_factory=dict)
    names: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    beats: dict[str, list[int]] = field(default_factory=dict)

    def write(self, path: str | Path) -> None:
        """Write the plan as JSON."""
        data = {"statements": self.statements, "puts": self.puts, "names": self.names, "beats": self.beats}
        Path(path).write_text(json.dumps(data), encoding="utf-8")

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """The inverse of `write`."""
        data: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
        return cls(
            {name: [(rows[0], rows[1]) for rows in found] for name, found in data["statements"].items()},
            {name: [(rows[0], rows[1]) for rows in found] for name, found in data["puts"].items()},
            {name: {int(row): found for row, found in table.items()} for name, table in data["names"].items()},
            {name: list(rows) for name, rows in data.get("beats", {}).items()},
        )


class _Finder(ast.NodeVisitor):
    """Finds the innermost statement that holds a row, with the loop and function around it."""

    def __init__(self, row: int) -> None:
        self.row = row
        self.found: ast.stmt | None = None
        self.loop: ast.stmt | None = None
        self.function: ast.stmt | None = None

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            first, last = whole_rows(node)
            if not first <= self.row <= last:
                return
            self.found = node
            body = getattr(node, "body", None)
            inside = isinstance(body, list) and body and self.row >= first_row(body[0])
            if isinstance(node, _FUNCTIONS) and inside:
                self.function, self.loop = node, None
            elif isinstance(node, _LOOPS):
                self.loop = node
        self.generic_visit(node)


def make_targets(findings: Iterable[Finding], cwd: str | None = None) -> list[Target]:
    """A target for each finding. A file that cannot be read or parsed gives targets with the finding's own rows."""
    trees: dict[str, ast.Module | None] = {}
    targets: list[Target] = []
    for finding in findings:
        file = os.path.abspath(os.path.join(cwd or os.getcwd(), finding.filename))
        if file not in trees:
            try:
                trees[file] = ast.parse(Path(file).read_bytes(), file)
            except (OSError, SyntaxError, ValueError, RecursionError):
                trees[file] = None
        targets.append(_target(finding, file, trees[file]))
    return targets


def _target(finding: Finding, file: str, tree: ast.Module | None) -> Target:
    span = finding.span
    target = Target(finding, file, (span.row, max(span.row, span.end_row)))
    if tree is None:
        return target
    finder = _Finder(span.row)
    finder.visit(tree)
    node = finder.found
    if node is None:
        return target
    target.rows = header_rows(node)
    if isinstance(node, _FUNCTIONS):
        target.defines = whole_rows(node)
        target.names = (node.name,)
    else:
        target.names = tuple(dict.fromkeys(n.id for n in ast.walk(_shallow(node)) if isinstance(n, ast.Name)))
    target.lost_update = isinstance(node, ast.Expr) and any(map(_is_update, ast.walk(node)))
    target.optional = not isinstance(node, _FUNCTIONS) and _is_optional(node, span)
    target.way = way_to(tree, span.row)
    loop = finder.loop
    if isinstance(loop, _LOOPS):
        target.loop = whole_rows(loop)
        target.beat = header_rows(loop.body[0])
    if finder.function is not None:
        target.function = whole_rows(finder.function)
    target.functions = {n.name: whole_rows(n) for n in ast.walk(tree) if isinstance(n, _FUNCTIONS)}
    return target


def _is_update(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "at"


def _is_optional(statement: ast.stmt, span: Span) -> bool:
    """Whether what stands at `span` is only evaluated for some outcomes of what stands before it."""
    for node in ast.walk(_shallow(statement)):
        parts: list[ast.expr] = []
        if isinstance(node, ast.BoolOp):
            # the whole `a and b`: its last operand decides, if it is evaluated
            parts = [*node.values[1:], node]
        elif isinstance(node, ast.IfExp):
            parts = [node.body, node.orelse]
        if any(_covers(part, span, exactly=part is node) for part in parts):
            return True
    return False


def _covers(node: ast.expr, span: Span, *, exactly: bool) -> bool:
    start, end = (node.lineno, node.col_offset + 1), (node.end_lineno or 0, (node.end_col_offset or 0) + 1)
    wanted = (span.row, span.column), (span.end_row, span.end_column)
    return (start, end) == wanted if exactly else start <= wanted[0] and wanted[1] <= end


def _shallow(node: ast.stmt) -> ast.AST:
    """The expression part of a compound statement's header; a simple statement itself."""
    for name in ("test", "iter", "subject"):
        expression = getattr(node, name, None)
        if isinstance(expression, ast.AST) and hasattr(node, "body"):
            return expression
    return node


def make_plan(targets: Iterable[Target]) -> Plan:
    """The lines that tell, for each target, whether and how often it was reached."""
    plan = Plan()
    for target in targets:
        wanted = [target.rows, *([target.beat] if target.beat else []), *target.way.rows()]
        for rows in wanted:
            known = plan.statements.setdefault(target.file, [])
            if rows not in known:
                known.append(rows)
        if target.beat and target.beat[0] not in plan.beats.setdefault(target.file, []):
            plan.beats[target.file].append(target.beat[0])
        evidence = target.finding.evidence
        if evidence == Kind.HOST_TO_DEVICE.value:
            plan.puts.setdefault(target.file, []).append(target.rows)
        if evidence == Kind.TRACER_TYPE_TEST.value and target.names:
            plan.names.setdefault(target.file, {})[target.rows[0]] = list(target.names)
    return plan


def runs(lines: Mapping[tuple[str, int], LineCount], file: str, rows: Rows | None) -> LineCount | None:
    """How often a statement ran: the smallest count over its lines that ran at all; None if none did.

    Line events come once for each change of line, so a statement over several lines shows its first line more
    than once per run, but each other line once.
    """
    if rows is None:
        return None
    found = [lines[file, row] for row in range(rows[0], rows[1] + 1) if (file, row) in lines]
    return min(found, key=lambda count: count.count, default=None)
