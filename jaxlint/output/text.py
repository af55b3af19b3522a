"""The default format: message, code frame, what to do, and the chain that explains the value."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.findings import Applicability, Finding, Span, TraceStep
from jaxlint.output import View
from jaxlint.output.terminal import Paint, clean, clean_line, width

MAX_WIDTH = 140
MAX_ROWS = 6


def render(findings: Sequence[Finding], view: View) -> str:
    """All findings, a blank line after each."""
    paint = Paint(view.color)
    return "".join(_one(finding, view, paint) + "\n" for finding in findings)


def place(finding: Finding) -> str:
    """`file:row:col`, with the cell where there is one."""
    return position(finding.filename, finding.span)


def position(filename: str, at: Span | TraceStep) -> str:
    """`file:row:col` of a span or of a step of a trace, with the cell where there is one."""
    cell = f"cell {at.cell}:" if at.cell is not None else ""
    return f"{clean(filename)}:{cell}{at.row}:{at.column}"


def in_cell(at: Span | TraceStep) -> str:
    """`cell 3, line 2: ` for formats whose places are lines of the file; '' outside notebooks."""
    return f"cell {at.cell}, line {at.row}: " if at.cell is not None else ""


def _one(finding: Finding, view: View, paint: Paint) -> str:
    rule = paint(finding.severity.value, finding.code)
    lines = [f"{paint('bold', place(finding))}: {rule} [{finding.name}] {clean(finding.message)}"]
    source = view.lines(finding.filename, finding.span.cell)
    if source is not None and finding.span.row <= len(source) and any(line.strip() for line in source):
        lines += _frame(finding, source, paint)
    gutter = paint("frame", "=")
    if finding.help:
        lines.append(f"  {gutter} {paint('bold', 'help')}: {clean(finding.help)}")
    if finding.fix is not None:
        how = {
            Applicability.SAFE: "fix",
            Applicability.UNSAFE: "unsafe fix",
            Applicability.DISPLAY: "suggestion",
        }[finding.fix.applicability]
        lines.append(f"  {gutter} {paint('bold', how)}: {clean(finding.fix.message)}")
    if finding.trace:
        lines.append(f"  {gutter} {paint('bold', 'why')}:")
        for step in finding.trace:
            lines.append(f"      {paint('dim', position(step.filename, step))} {clean(step.note)}")
    return "\n".join(lines) + "\n"


def _frame(finding: Finding, source: list[str], paint: Paint) -> list[str]:
    """The reported lines with a caret below what is meant."""
    span = finding.span
    last = min(span.end_row, len(source))
    # the line before gives the eye a hold, unless it is blank
    first = span.row - 1 if span.row > 1 and source[span.row - 2].strip() else span.row
    rows = list(range(first, last + 1))
    cut = len(rows) > MAX_ROWS
    if cut:
        rows = rows[:MAX_ROWS]
    gutter = len(str(rows[-1]))
    bar = paint("frame", "|")
    out = [f"{' ' * gutter} {bar}"]
    for row in rows:
        line = source[row - 1]
        start = span.column - 1 if row == span.row else len(line) - len(line.lstrip())
        end = span.end_column - 1 if row == span.end_row else len(line.rstrip())
        shown, before, under = _fit(line, start, max(end, start + 1))
        out.append(f"{paint('frame', str(row).rjust(gutter))} {bar} {shown}".rstrip())
        if row >= span.row:
            carets = paint(finding.severity.value, "^" * under)
            out.append(f"{' ' * gutter} {bar} {' ' * before}{carets}")
    if cut:
        out.append(f"{' ' * gutter} {bar} ... ({last - rows[-1]} more)")
    out.append(f"{' ' * gutter} {bar}")
    return out


def _fit(line: str, start: int, end: int) -> tuple[str, int, int]:
    """The line as shown, how many columns stand before the carets, and how many carets there are."""
    line = clean_line(line.rstrip())
    start = min(start, len(line))
    head, marked, tail = line[:start], line[start:end], line[end:]
    head, marked, tail = (part.replace("\t", "    ") for part in (head, marked, tail))
    if len(head) + len(marked) + len(tail) > MAX_WIDTH:
        # a very long line: the marked part with a little around it
        if len(head) > MAX_WIDTH // 3:
            head = "..." + head[-(MAX_WIDTH // 3) :]
        room = max(MAX_WIDTH - len(head), 20)
        if len(marked) > room:
            marked, tail = marked[:room], "..."
        elif len(marked) + len(tail) > room:
            tail = tail[: room - len(marked)] + "..."
    return head + marked + tail, width(head), max(width(marked), 1)
