"""What a rule is. A rule is one file: its docstring is its page, `judge` turns one event into a finding."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import ClassVar

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence, Finding, Severity, Span
from jaxlint.source import Source


def headline(source: Source, node: ast.AST) -> Span:
    """The span of `node`; of a compound statement only its header (`for x in xs`, `if x > 0`, `def f`)."""
    match node:
        case ast.If() | ast.While():
            end: ast.AST = node.test
        case ast.For() | ast.AsyncFor():
            end = node.iter
        case ast.With() | ast.AsyncWith():
            end = node.items[-1].optional_vars or node.items[-1].context_expr
        case ast.Match():
            end = node.subject
        case ast.match_case():
            return source.span(node.pattern)
        case ast.comprehension():
            return source.span(node.iter)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            span = source.span(node)
            line = source.lines[span.row - 1] if span.row <= len(source.lines) else ""
            return Span(span.row, span.column, span.row, len(line.rstrip()) + 1)
        case _:
            return source.span(node)
    start, stop = source.span(node), source.span(end)
    return Span(start.row, start.column, stop.end_row, stop.end_column)


class Rule(ABC):
    """One rule. Subclasses set the class variables and write `judge`; their module docstring is the page.

    The docstring has the headings `## Why`, `## Bad`, `## Good`, `## How it is fixed`, `## Known limits`, and
    `## At run time` where a runtime event confirms the finding. `docs.py` makes the page of it.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    severity: ClassVar[Severity]
    default: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]]
    evidence: ClassVar[Kind | None] = None
    # whether it is also reported in test files; None: if it is an error
    in_tests: ClassVar[bool | None] = None

    @abstractmethod
    def judge(self, event: Event) -> Finding | None:
        """The finding that `event` deserves, or None when it is right code for this rule."""

    def finding(
        self,
        event: Event,
        message: str,
        *,
        help: str = "",
        node: ast.AST | None = None,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
    ) -> Finding:
        """A finding at `node` (the event's own by default) that carries the event's explanation."""
        source = event.source
        span = headline(source, event.node if node is None else node)
        return Finding(
            code=self.code,
            name=self.name,
            message=message,
            severity=severity or self.severity,
            confidence=event.confidence if confidence is None else confidence,
            filename=source.filename,
            span=span,
            help=help,
            scope=event.scope,
            statement=" ".join(line.strip() for line in source.lines[span.row - 1 : span.end_row]),
            evidence=self.evidence.value if self.evidence else None,
            trace=event.trace,
            also_ignored_at=tuple((step.filename, step.row) for step in event.trace),
        )
