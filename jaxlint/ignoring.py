"""`--add-ignores`: an ignore comment for each finding, in a place where Python reads it as a comment."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from jaxlint import fixing
from jaxlint.engine import Report
from jaxlint.findings import Finding
from jaxlint.fingerprint import begins, blocks, ends
from jaxlint.source import Source
from jaxlint.suppressions import Statements

OWN = re.compile(r"#\s*jaxlint\s*:\s*ignore\s*\[(?P<items>[^\]#]*)\]")
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


@dataclass(slots=True)
class Added:
    """How many findings got a comment, in how many files, and messages for those that did not."""

    findings: int = 0
    files: int = 0
    failures: list[str] = field(default_factory=list)


def add(report: Report, reason: str) -> Added:
    """Put a comment at each finding of the report; `reason` follows the rules' names."""
    done = Added()
    by_file: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_file.setdefault(finding.filename, []).append(finding)
    for name, findings in by_file.items():
        source = report.sources.get(name)
        if source is None or source.path is None:
            done.failures.append(f"{name}: its findings cannot be ignored by a comment")
            continue
        silent = [finding for finding in findings if finding.code in NOT_IGNORED]
        findings = [finding for finding in findings if finding.code not in NOT_IGNORED]
        done.failures += [f"{name}:{f.span.row}: {f.code} cannot be ignored by a comment" for f in silent]
        text = with_comments(source, findings, reason) if findings else source.text
        text = fixing.document(source, text)
        if text == source.document:
            continue
        try:
            fixing.rewrite(str(source.path), source.document, text)
        except fixing.FixError as error:
            done.failures.append(str(error))
            continue
        done.files += 1
        done.findings += len(findings)
    return done


NOT_IGNORED = frozenset({"JAX000", "JAX001"})


def with_comments(source: Source, findings: Sequence[Finding], reason: str) -> str:
    """The text with a comment for each finding: at the end of its first line, or on a line above the statement."""
    rules: dict[int, list[str]] = {}
    for finding in findings:
        names = rules.setdefault(source.joined(finding.span).row, [])
        if finding.name not in names:
            names.append(finding.name)
    text = source.text
    for row in sorted(rules, reverse=True):  # from below, so that the rows above stay
        text = commented(text, row, rules[row], reason)
    return text


def commented(text: str, row: int, names: Sequence[str], reason: str) -> str:
    """The text with one more comment. Of the forms that keep the program as it is, the first."""
    lines = LINE.findall(text)
    line = lines[row - 1]
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    known = OWN.search(body)
    said = f" {reason}" if reason else ""
    comment = f"# jaxlint: ignore[{', '.join(names)}]{said}"
    column = len(body.rstrip()) + 2 if known is None else known.start()
    if known is not None:
        items = [item.strip() for item in known["items"].split(",") if item.strip()]
        merged = ", ".join([*items, *(name for name in names if name not in items)])
        changed = body[: known.start("items")] + merged + body[known.end("items") :]
    else:
        changed = f"{body.rstrip()}  {comment}"
    candidate = "".join([*lines[: row - 1], changed + end, *lines[row:]])
    if same_program(text, candidate) and is_comment(candidate, row, column):
        return candidate
    first = statement_row(text, row)
    indent = re.match(r"[ \t\x0c]*", lines[first - 1])
    newline = end or "\n"
    above = f"{indent.group() if indent else ''}{comment}{newline}"
    return "".join([*lines[: first - 1], above, *lines[first - 1 :]])


def same_program(before: str, after: str) -> bool:
    """Whether two texts are the same program."""
    try:
        return ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def is_comment(text: str, row: int, column: int) -> bool:
    """Whether a `#` starts a comment or stands in one, and not in a string."""
    source = Source("", text)
    start = Statements(source).comment_start(row)
    return start is not None and start <= column


def statement_row(text: str, row: int) -> int:
    """The first row of the innermost statement on a row."""
    node: ast.AST | None = ast.parse(text)
    found = row
    inside: list[ast.AST] = blocks(node) if node is not None else []
    while inside:
        node = next((part for part in inside if begins(part) <= row <= ends(part)), None)
        if node is None:
            break
        found, inside = begins(node), blocks(node)
    return found
