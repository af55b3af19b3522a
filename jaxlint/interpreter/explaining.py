"""`jaxlint why`: what is known of a value, and why."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.findings import Span
from jaxlint.interpreter.values import (
    Array,
    BoundV,
    ClassV,
    Const,
    DictV,
    ExternV,
    FunctionV,
    Host,
    InstanceV,
    ListV,
    ModuleV,
    PartialV,
    TransformedV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.findings import TraceStep
    from jaxlint.interpreter.frames import Frame
    from jaxlint.interpreter.machine import Machine
    from jaxlint.source import Source


class Probe:
    """Collects the values of expressions on one line (or at one place) while the program is interpreted."""

    def __init__(self, source: Source, line: int, column: int | None) -> None:
        self.source = source
        self.line = line
        self.column = column
        self.seen: dict[str, list[str]] = {}

    def __call__(self, m: Machine, f: Frame, node: ast.expr, value: Value) -> None:
        """Called after each evaluated expression."""
        if (
            f.module.source is not self.source
            or node.lineno > self.line
            or (node.end_lineno or node.lineno) < self.line
        ):
            return
        if isinstance(node, ast.Constant):
            return
        span = self.source.span(node)
        if self.column is not None and not (span.row == self.line and span.column <= self.column < span.end_column):
            return
        if self.column is None and span.row != self.line:
            return
        text = self.source.segment(node)
        line = describe(value)
        steps = [f"    {self.place(s)}  {s.note}" for s in m.explain(value)] if isinstance(value, (Array, Tree)) else []
        rows = self.seen.setdefault(text, [])
        entry = "\n".join([line, *steps])
        if entry not in rows:
            rows.append(entry)

    def place(self, step: TraceStep) -> str:
        """`file:row:column` of a step; in the notebook that is asked about, the cell's."""
        if step.filename != self.source.filename:
            return f"{step.filename}:{step.row}:{step.column}"
        at = self.source.located(Span(step.row, step.column, step.row, step.column))
        cell = f"cell {at.cell}:" if at.cell is not None else ""
        return f"{step.filename}:{cell}{at.row}:{at.column}"

    def report(self, m: Machine) -> list[str]:
        """Lines for the user, most specific expression first."""
        del m
        lines: list[str] = []
        for text, rows in sorted(self.seen.items(), key=lambda item: len(item[0])):
            for row in rows:
                first, *rest = row.split("\n")
                lines.append(f"`{text}`: {first}")
                lines.extend(rest)
        return lines


def describe(value: Any) -> str:
    """A value in words."""
    if isinstance(value, Unknown):
        return "not known"
    if isinstance(value, Const):
        huge = isinstance(value.value, int) and value.value.bit_length() > 256
        return "a huge Python integer" if huge else f"the Python constant {value.value!r}"[:80]
    if isinstance(value, Array):
        return describe_array(value)
    if isinstance(value, Tree):
        return "a pytree of unknown structure, its leaves: " + describe_array(value.leaf)
    if isinstance(value, Host):
        return {"ndarray": "a NumPy array", "object": "a host value"}.get(
            value.kind, f"a Python {value.kind}"
        ) + " (on the host)"
    if isinstance(value, FunctionV):
        return f"the function `{value.qualname}`"
    if isinstance(value, TransformedV):
        return f"a function transformed by `{value.spec.kind}` (line {getattr(value.node, 'lineno', '?')})"
    if isinstance(value, InstanceV):
        return f"an instance of `{value.cls.name if value.cls is not None else value.extern}`"
    if isinstance(value, ClassV):
        return f"the class `{value.name}`"
    if isinstance(value, ExternV):
        return f"`{value.name}`"
    if isinstance(value, (TupleV, ListV)):
        kind = "tuple" if isinstance(value, TupleV) else value.kind
        return f"a {kind} of {len(value.items)}" if value.items is not None else f"a {kind} of unknown length"
    if isinstance(value, DictV):
        return f"a dict with {len(value.items)} known keys"
    if isinstance(value, UnionV):
        return " or ".join(describe(v) for v in value.options)
    if isinstance(value, (BoundV, PartialV)):
        return "a callable with bound arguments"
    if isinstance(value, ModuleV):
        return f"the module `{value.name}`"
    return type(value).__name__


def describe_array(value: Array) -> str:
    """An array in words: tracer or device array, shape and dtype where known."""
    shape = (
        "unknown shape"
        if value.shape is None
        else "shape (" + ", ".join(str(d) if isinstance(d, int) else "?" for d in value.shape) + ")"
    )
    dtype = value.dtype or "unknown dtype"
    if value.trace is not None:
        what = "a tracer" if value.trace.abstract else "a concrete autodiff tracer"
        return f"{what} of `{value.trace.transform}`, {shape}, {dtype}"
    return f"an array on the device, {shape}, {dtype}"
