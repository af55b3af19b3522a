"""The static findings to be confirmed: from the analyser, or from its JSON output."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxlint.events import Kind
from jaxlint.findings import Confidence, Finding, Severity, Span

if TYPE_CHECKING:
    from jaxlint.engine import Report

# what confirms a rule, for findings that do not say it themselves (JSON has no such field)
EVIDENCE: dict[str, Kind] = {
    "JAX101": Kind.TRACER_BOOL,
    "JAX102": Kind.TRACER_CONVERT,
    "JAX103": Kind.TRACER_ARRAY,
    "JAX104": Kind.TRACER_SHAPE,
    "JAX105": Kind.TRACE_UNROLL,
    "JAX106": Kind.TRACER_LEAK,
    "JAX107": Kind.TRACE_EFFECT,
    "JAX108": Kind.ARRAY_WRITE,
    "JAX109": Kind.TRACER_TYPE_TEST,
    "JAX201": Kind.HOST_READ,
    "JAX202": Kind.HOST_READ,
    "JAX203": Kind.HOST_READ,
    "JAX204": Kind.HOST_READ,
    "JAX205": Kind.HOST_BLOCK,
    "JAX206": Kind.HOST_TO_DEVICE,
    "JAX207": Kind.DEVICE_ITERATE,
    "JAX301": Kind.CLOCK_STOP,
    "JAX302": Kind.TIMED_COMPILE,
    "JAX401": Kind.COMPILED_CALL,
    "JAX402": Kind.ARRAY_GROW,
    "JAX403": Kind.COMPILE_WRAP,
    "JAX404": Kind.COMPILED_CALL,
    "JAX405": Kind.COMPILED_CALL,
    "JAX406": Kind.STATIC_SPEC,
    "JAX407": Kind.STATIC_SPEC,
    "JAX408": Kind.COMPILED_CALL,
    "JAX501": Kind.UNDONATED_CALL,
    "JAX503": Kind.CAPTURED_CONSTANT,
    "JAX703": Kind.DTYPE_TRUNCATED,
}


def static_report(paths: Sequence[str], select: Sequence[str] = ()) -> Report:
    """Check `paths` with the configuration of their folders.

    `select`: rule codes, names or prefixes on top of the configured ones.
    """
    from jaxlint.config import Overrides, Settings
    from jaxlint.engine import check
    from jaxlint.selection import Layer

    return check(list(paths), Settings(Overrides(layer=Layer(extend_select=tuple(select)))))


def static_findings(paths: Sequence[str], select: Sequence[str] = ()) -> tuple[list[Finding], list[str]]:
    """The findings of `static_report`, and what went wrong."""
    report = static_report(paths, select)
    return list(report.findings), [*report.usage_errors, *report.internal_errors]


def findings_from_json(path: str) -> list[Finding]:
    """Read the output of `jaxlint check --output-format json`."""
    return [_from_object(data) for data in json.loads(Path(path).read_text(encoding="utf-8"))]


def _from_object(data: dict[str, Any]) -> Finding:
    start, end = data["location"], data["end_location"]
    kind = EVIDENCE.get(data["code"])
    evidence = data.get("evidence") or (kind.value if kind else None)
    return Finding(
        code=data["code"],
        name=data.get("name", data["code"]),
        message=data["message"],
        severity=Severity(data.get("severity", "warning")),
        confidence=Confidence.PROVEN,
        filename=data["filename"],
        span=Span(start["row"], start["column"], end["row"], end["column"], data.get("cell")),
        evidence=evidence,
    )


def program_files(entry: str, extra: Iterable[str] = ()) -> list[str]:
    """The script or folder `entry` and the project's modules that it imports, directly or not, as paths.

    Found by reading import statements; modules are looked up beside the importing file, beside the script and
    in the current folder and its `src`. Nothing is imported.
    """
    if os.path.isdir(entry):
        return [entry, *extra]
    here = os.path.dirname(os.path.abspath(entry))
    folders = list(dict.fromkeys([here, os.getcwd(), os.path.join(os.getcwd(), "src")]))
    found: dict[str, None] = {os.path.abspath(entry): None}
    queue = [os.path.abspath(entry)]
    while queue and len(found) < 2000:
        path = queue.pop()
        try:
            tree = ast.parse(Path(path).read_bytes(), path)
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        for module, level in _imports(tree):
            for file in _files_of(module, level, path, folders):
                if file not in found and "site-packages" not in file:
                    found[file] = None
                    queue.append(file)
    return [os.path.relpath(path) if path.startswith(os.getcwd() + os.sep) else path for path in [*found, *extra]]


def _imports(tree: ast.Module) -> Iterable[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, 0
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield base, node.level
            for alias in node.names:
                yield f"{base}.{alias.name}" if base else alias.name, node.level


def _files_of(module: str, level: int, importer: str, folders: Sequence[str]) -> list[str]:
    parts = [part for part in module.split(".") if part]
    if level:
        base = os.path.dirname(importer)
        for _ in range(level - 1):
            base = os.path.dirname(base)
        places: Sequence[str] = [base]
    else:
        places = folders
    for place in places:
        files: list[str] = []
        path = place
        for part in parts:
            path = os.path.join(path, part)
            package = os.path.join(path, "__init__.py")
            if os.path.isfile(package):
                files.append(package)
        if os.path.isfile(path + ".py"):
            return [*files, path + ".py"]
        if files:
            return files
    return []
