"""Code actions: the fixes of the findings under the cursor, "ignore here", and all safe fixes of a file."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from jaxlint.findings import Applicability, Finding
from jaxlint.server import checks
from jaxlint.server.checks import Checked
from jaxlint.server.convert import Converter

FIX_ALL = "source.fixAll.jaxlint"
KINDS: tuple[str, ...] = (lsp.CodeActionKind.QuickFix, FIX_ALL)


def actions(
    checked: Checked, convert: Converter, cell: int | None, at: lsp.Range, only: list[str] | None
) -> list[lsp.CodeAction]:
    """The actions for a range of a document, of the kinds asked for."""
    made: list[lsp.CodeAction] = []
    if _asked(lsp.CodeActionKind.QuickFix, only):
        for finding in checks.overlapping(checked.findings, cell, at.start.line + 1, at.end.line + 1):
            made += _quick_fixes(checked, convert, finding)
    if _asked(FIX_ALL, only) and (edits := checks.all_fixes(checked)):
        edit = convert.workspace_edit(edits)
        made.append(lsp.CodeAction(title="jaxlint: apply all safe fixes", kind=FIX_ALL, edit=edit))
    return made


def _asked(kind: str, only: list[str] | None) -> bool:
    """Whether a kind, or one above it (`source.fixAll`), is asked for."""
    return not only or any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in only)


def _quick_fixes(checked: Checked, convert: Converter, finding: Finding) -> Iterator[lsp.CodeAction]:
    diagnostics = [convert.diagnostic(finding)]
    edits = checks.fix_edits(checked, finding)
    if edits is not None and finding.fix is not None:
        safe = finding.fix.applicability is Applicability.SAFE
        yield lsp.CodeAction(
            title=f"{finding.fix.message} ({finding.name})" if safe else f"{finding.fix.message} (unsafe: look at it)",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=diagnostics,
            edit=convert.workspace_edit(edits),
            is_preferred=safe or None,
        )
    edits = checks.ignore_edits(checked, finding)
    if edits:
        yield lsp.CodeAction(
            title=f"Ignore {finding.name} here",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=diagnostics,
            edit=convert.workspace_edit(edits),
        )
