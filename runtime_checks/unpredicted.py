"""What the run showed at lines that no finding names."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from jaxlint.events import Kind
from runtime_checks.evidence import Evidence
from runtime_checks.join import CONCRETISATION, Judged, Verdict, real
from runtime_checks.observed import KEY_REUSE, ObservedEvent
from runtime_checks.plan import Target

# reads and waits: at least this many, and this share of the run avoidable
MANY = 10
SHARE = 0.01
# new functions compiled from one `jit(...)`: fewer may be a factory called for a few configurations
NEW = 4
# one more program for another static value or another kind of argument is often meant
TWICE = 2
_ALWAYS = CONCRETISATION | {Kind.TRACER_LEAK.value, KEY_REUSE}
_WAITS = frozenset((Kind.HOST_READ.value, Kind.HOST_BLOCK.value))
_AGAIN = frozenset(("ragged-batch", "static-varies", "signature", "context"))


def unpredicted(targets: Sequence[Target], judged: Sequence[Judged], evidence: Evidence) -> list[ObservedEvent]:
    """Events worth a look at lines without a finding, dearest first."""
    rows: set[tuple[str, int]] = set()
    for target in targets:
        rows.update((real(target.file), row) for row in range(target.rows[0], target.rows[1] + 1))
    used = {id(event) for item in judged if item.verdict is Verdict.CONFIRMED for event in item.events}
    found = [
        event
        for event in evidence.events
        if event.file
        and id(event) not in used
        and (real(event.file), event.line) not in rows
        and not any((real(place.file), place.line) in rows for place in event.chain[:3])
        and _worth(event, evidence.seconds)
    ]
    return sorted(found, key=lambda event: (-max(event.seconds, event.avoidable), event.file, event.line))


def _worth(event: ObservedEvent, seconds: float) -> bool:
    if event.kind in _ALWAYS:
        return True
    if event.kind in _WAITS:
        return event.how != "device_get" and event.count >= MANY and event.avoidable > SHARE * seconds
    if event.kind == Kind.COMPILED_CALL.value:
        if event.how == "new-function":
            return event.count >= NEW
        if event.how in ("static-varies", "signature") and event.count < TWICE:
            return False
        return event.how in _AGAIN or (event.how == "eager" and event.count >= MANY)
    return event.kind == Kind.CLOCK_STOP.value and event.how == "pending" and _stops(event.file, event.line)


def _stops(file: str, row: int) -> bool:
    """Whether the clock read in this statement ends an interval: something is subtracted from it, there or later.

    A run cannot tell a first read from a last one; a first read may well find earlier work pending.
    """
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= row <= (node.end_lineno or row) and not hasattr(node, "body"):
            if any(isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) for inner in ast.walk(node)):
                return True
            targets = node.targets if isinstance(node, ast.Assign) else []
            names.update(ast.unparse(target) for target in targets)
    return any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and ast.unparse(node.left) in names
        for node in ast.walk(tree)
    )
