"""What a rule is. A rule is one file: its docstring is its page, `judge` turns one event into a finding."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import ClassVar

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence, Finding, Severity


class Rule(ABC):
    """One rule. Subclasses set the class variables and write `judge`; their module docstring is the page.

    The docstring has the headings `## Why`, `## Bad`, `## Good`, `## How it is fixed`, `## Known limits`.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    severity: ClassVar[Severity]
    default: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]]
    evidence: ClassVar[Kind | None] = None

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
        place = event.node if node is None else node
        span = source.span(place)
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
