"""What the linter reports: places, findings and fixes, free of any syntax tree."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class Severity(enum.Enum):
    """How bad a finding is: it raises or lies, it costs, or it could be better."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class Confidence(enum.IntEnum):
    """How sure the analyser is. The default report holds `PROVEN` and `LIKELY`."""

    GUESS = 0
    LIKELY = 1
    PROVEN = 2


class Applicability(enum.Enum):
    """Whether a fix may be applied without a look (`SAFE`), with one, or only be shown."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file. Rows and columns are 1-based; columns count characters; the end is exclusive.

    `cell` is the 1-based index of the notebook cell, or None outside notebooks (rows then count in the file).
    """

    row: int
    column: int
    end_row: int
    end_column: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One link of the chain that explains a finding: where, and what happens there. `cell` as in a `Span`."""

    filename: str
    row: int
    column: int
    note: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `content`."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the source that removes the finding."""

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One report about one place.

    `scope` is the qualified name of the enclosing function ('' at module level) and `statement` the text
    of the reported statement; together with the rule they make a fingerprint that survives moves.
    `evidence` is the kind of runtime event that confirms the finding (see `jaxlint.events.Kind`).
    """

    code: str
    name: str
    message: str
    severity: Severity
    confidence: Confidence
    filename: str
    span: Span
    help: str = ""
    scope: str = ""
    statement: str = ""
    evidence: str | None = None
    trace: tuple[TraceStep, ...] = ()
    fix: Fix | None = None
    # rows on which an ignore comment also silences this finding, by file: the `jit` named in its trace
    also_ignored_at: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    # filled on demand (`jaxlint.fingerprint.stamp`)
    fingerprint: str = field(default="", compare=False)

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        """Order of the report: file, cell, row, column, code."""
        return (self.filename, self.span.cell or 0, self.span.row, self.span.column, self.code)
