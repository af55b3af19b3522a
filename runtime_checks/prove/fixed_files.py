"""The fixes of a project as changed files: all of them together, and each alone. No file is touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.findings import Finding
from runtime_checks.prove.project_copy import Layout
from runtime_checks.static import static_report

if TYPE_CHECKING:
    from jaxlint.engine import Report


@dataclass(slots=True)
class Variant:
    """One version of the program: `fixes` are in it, `changed` is the new content of its files by path below the
    project's root. Without fixes it is the program as it is."""

    fixes: list[Finding] = field(default_factory=list)
    changed: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Fixes:
    """The versions to run: with all fixes, and with each alone; and why something could not be fixed."""

    together: Variant
    alone: list[Variant] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def fixes_of(paths: Sequence[str], select: Sequence[str], layout: Layout, *, unsafe: bool) -> Fixes:
    """The fixes of the files `paths`. Those that only another fix makes possible (`check --fix` goes on until nothing
    changes) are not among them; of two that overlap, the first is in the version with all."""
    from jaxlint import fixing

    report = static_report(paths, select)
    wanted = fixing.wanted(report.findings, unsafe=unsafe)
    found = Fixes(Variant(), problems=[*report.usage_errors, *report.internal_errors])
    for name, findings in wanted.items():
        relative = _relative(report, name, layout)
        if relative is None:
            found.problems.append(f"{name}: its fixes are not proved: the file is not in {layout.root}")
            continue
        together = _apply(report, name, findings, relative)
        found.together.fixes += together.fixes
        found.together.changed |= together.changed
        found.alone += [_apply(report, name, [finding], relative) for finding in findings]
    found.alone = [variant for variant in found.alone if variant.fixes]
    return found


def _relative(report: Report, name: str, layout: Layout) -> str | None:
    source = report.sources.get(name)
    if source is None or source.path is None:
        return None
    return layout.copied(str(source.path)) or None


def _apply(report: Report, name: str, findings: Sequence[Finding], relative: str) -> Variant:
    from jaxlint import fixing

    source = report.sources[name]
    assert source.path is not None
    result = fixing.apply(source.text, findings)
    with open(source.path, "rb") as stream:
        data = fixing.encoded(stream.read(), result.text)
    return Variant(list(result.applied), {relative: data})
