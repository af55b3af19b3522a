"""Static and donate specifications: names that no parameter has, numbers out of range, overlaps."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.callables import callable_name, signature
from jaxlint.interpreter.passing import CallRecord
from jaxlint.interpreter.values import TransformedV

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine


def check_spec(m: Machine, value: TransformedV) -> None:
    """Report static and donate specifications that name no parameter, are out of range, or overlap."""
    spec = value.spec
    known = signature(value.func)
    overlap = [n for n in spec.static_names if n in spec.donate_names] + [
        str(n) for n in spec.static_nums if n in spec.donate_nums
    ]
    if overlap:
        report_spec(m, value, "overlap", overlap[0], None)
    if known is None:
        return
    names = [*known.positional, *known.keyword_only]
    for name in (*spec.static_names, *spec.donate_names):
        if name in names and name not in known.positional_only:
            continue
        if name in known.positional_only:
            report_spec(m, value, "positional-only", name, None)
        elif known.kwarg is None:
            spec.static_known = False
            close = difflib.get_close_matches(name, names, 1)
            report_spec(m, value, "unknown-name", name, close[0] if close else None)
    count = len(known.positional)
    for number in (*spec.static_nums, *spec.donate_nums):
        if known.vararg is None and not -count <= number < count:
            spec.static_known = False
            report_spec(m, value, "out-of-range", str(number), None)
    covered = {known.positional[n] for n in spec.static_nums if -count <= n < count}
    given = {known.positional[n] for n in spec.donate_nums if -count <= n < count}
    both = (covered | set(spec.static_names)) & (given | set(spec.donate_names))
    if both and not overlap:
        report_spec(m, value, "overlap", sorted(both)[0], None)


def report_spec(m: Machine, value: TransformedV, how: str, name: str, close: str | None) -> None:
    """One wrong specification."""
    m.emit(
        Kind.STATIC_SPEC,
        value.node,
        how,
        subject=value.node,
        source=value.source,
        trace=(),
        name=name,
        function=callable_name(value.func),
        close=close,
        parameter=name,
    )


def late_spec_check(m: Machine, value: TransformedV) -> None:
    """A static name that no call passes, on a function with `**kwargs`, beside a nearly equal name that calls pass."""
    known = signature(value.func)
    if known is None or known.kwarg is None or not value.calls:
        return
    passed: set[str] = set()
    for record in value.keys[1:]:
        if isinstance(record, CallRecord):
            passed |= set(record.passing)
    keywords = value.memo.get(("keywords",), set())
    for name in value.spec.static_names:
        if name in known.positional or name in known.keyword_only or name in passed | keywords:
            continue
        close = difflib.get_close_matches(name, sorted((passed | keywords) - set(known.positional)), 1, 0.8)
        if close:
            report_spec(m, value, "unknown-name", name, close[0])
