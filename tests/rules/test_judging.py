"""What rules make of events: gates (hot loops, steps, time stamps), and messages that read well for every `how`."""

from __future__ import annotations

import ast
import re

import pytest

from jaxlint.events import Event, Kind, Loop
from jaxlint.findings import Confidence, Finding, Severity, TraceStep
from jaxlint.rules import by_kind, find
from jaxlint.source import Source

TEXT = """\
for x, y in loader:
    state, loss = step(state, x)
    total += float(loss)
if loss > best and patience:
    best = loss
cache[i] = v
cache.at[i].set(v)
for row in table[0]: pass
def update(state,
           batch): return state
print("traces", count)
print(x.shape)
print("loss", loss)
for t in range(xs.shape[0]): pass
value = f"{loss:.3f}"
"""

HOWS: dict[Kind, str] = {
    Kind.TRACER_BOOL: "if elif while ternary assert and or not in chained-comparison match comprehension any all "
    "min max sorted bool filter index-method",
    Kind.TRACER_CONVERT: "float int complex bool .item .tolist operator.index range list-index tuple-index dict-key "
    "format round math",
    Kind.TRACER_ARRAY: "call index assign",
    Kind.TRACER_SHAPE: "argument slice mask size range-like",
    Kind.TRACER_LEAK: "attribute global nonlocal container memoised default closure-module nondiff",
    Kind.TRACER_TYPE_TEST: "isinstance type",
    Kind.TRACE_UNROLL: "array range",
    Kind.TRACE_EFFECT: "print logging clock random file network mutation stale-read input",
    Kind.ARRAY_WRITE: "item augmented delete discarded",
    Kind.HOST_READ: "float int bool complex .item .tolist numpy print branch iterate",
    Kind.HOST_BLOCK: "method",
    Kind.HOST_TO_DEVICE: "argument constant",
    Kind.DEVICE_ITERATE: "for comprehension list tuple zip enumerate map unpack sum sorted set",
    Kind.CLOCK_STOP: "read timeit context",
    Kind.TIMED_COMPILE: "call",
    Kind.COMPILED_CALL: "ragged-batch static-varies static-unhashable signature",
    Kind.ARRAY_GROW: "concatenate append stack slice",
    Kind.COMPILE_WRAP: "lambda nested-def partial bound-method transform",
    Kind.STATIC_SPEC: "unknown-name out-of-range overlap positional-only missing",
    Kind.UNDONATED_CALL: "update",
    Kind.USE_AFTER_DONATE: "read again twice",
    Kind.CAPTURED_CONSTANT: "array tree",
    Kind.DTYPE_TRUNCATED: "off late",
    Kind.KEY_REUSE: "again carry lanes loop",
}

FULL = {
    "function": "numpy.append",
    "jnp": "jax.numpy.append",
    "parameter": "shape",
    "target": "self.loss",
    "count": 100,
    "types": "float",
    "method": "set",
    "callee": "step",
    "work": "step(state, x)",
    "argument": "batch",
    "source": "the last batch of `range(0, n, 4)` may be smaller",
    "what": "the string 'a'",
    "value_text": "a new int",
    "type": "list",
    "before": "a float",
    "now": "f32[]",
    "transform": "jax.jit",
    "name": "trainning",
    "close": "training",
    "first": 3,
    "dtype": "float64",
    "bytes": 8_000_000,
    "parameters": ("state",),
    "names": ("normal(key)", "uniform(key)"),
}


@pytest.fixture
def source() -> Source:
    return Source("src/train.py", TEXT)


def node_at(source: Source, row: int, kind: type[ast.AST] = ast.AST) -> ast.AST:
    """The first node of `kind` on a line."""
    for node in ast.walk(source.parse()):
        if isinstance(node, kind) and getattr(node, "lineno", 0) == row:
            return node
    raise LookupError(row)


def event(
    source: Source, kind: Kind, how: str = "", row: int = 3, node: type[ast.AST] = ast.Call, **options: object
) -> Event:
    loop = Loop(
        node_at(source, 1, ast.For),
        source,
        hot=True,
        work="step(state, x)",
        work_node=node_at(source, 2),
        work_source=source,
    )
    fields: dict[str, object] = {"loop": loop, "steady": True, "data": {}, **options}
    place = node_at(source, row, node)
    subject = place.args[0] if isinstance(place, ast.Call) and place.args else None
    return Event(kind, place, source, how, subject, **fields)  # type: ignore[arg-type]


def judged(one: Event) -> list[Finding]:
    return [finding for rule in by_kind(one.kind) if (finding := rule.judge(one))]


# those of JAX8 and JAX9 carry facts (versions, rows of a table) that a made-up event lacks: their pages judge real ones
@pytest.mark.parametrize("kind", HOWS, ids=lambda kind: kind.value)
def test_every_how_gets_one_finding_that_reads_well(source: Source, kind: Kind) -> None:
    for how in HOWS[kind].split():
        for data in ({}, FULL):
            one = event(source, kind, how, data=data)
            if how == "range" and kind is Kind.TRACE_UNROLL and not data:
                continue
            findings = judged(one)
            assert len(findings) == 1, (how, [finding.name for finding in findings])
            (finding,) = findings
            for text in (finding.message, finding.help):
                assert text.endswith((".", "?")), text
                assert text.count("`") % 2 == 0 and "``" not in text, text
                assert "  " not in text, text
                assert text[0] == "`" or text[0].isupper(), text
            assert "None" not in finding.message and "()" not in finding.message, finding.message
            assert finding.span.row == 3


def test_messages_name_the_expression_and_the_loop(source: Source) -> None:
    (finding,) = judged(event(source, Kind.HOST_READ, "float"))
    assert finding.message == "`float(loss)` waits for the GPU on every step (loop at train.py:1)."
    assert finding.help == "Keep `loss` on the device, and read it every N steps or after the loop."
    assert finding.statement == "total += float(loss)"
    assert finding.evidence == "host-read"


@pytest.mark.parametrize("kind", [Kind.HOST_READ, Kind.HOST_BLOCK, Kind.HOST_TO_DEVICE], ids=lambda kind: kind.value)
def test_only_hot_loops_and_every_step(source: Source, kind: Kind) -> None:
    how = HOWS[kind].split()[0]
    cold = Loop(node_at(source, 1, ast.For), source, hot=False)
    assert judged(event(source, kind, how))
    assert not judged(event(source, kind, how, loop=None))
    assert not judged(event(source, kind, how, loop=cold))
    assert not judged(event(source, kind, how, steady=False))


def test_timed_waits_are_the_point(source: Source) -> None:
    assert not judged(event(source, Kind.HOST_BLOCK, data={"timed": True}))


def test_growth_behind_a_gate_is_rare(source: Source) -> None:
    assert not judged(event(source, Kind.ARRAY_GROW, "append", steady=False))
    assert judged(event(source, Kind.ARRAY_GROW, "append", loop=None, steady=False))


def test_a_program_for_each_round_may_be_meant(source: Source) -> None:
    assert judged(event(source, Kind.COMPILE_WRAP, "lambda"))
    assert not judged(event(source, Kind.COMPILE_WRAP, "partial", data={"captures": "program"}))
    assert not judged(event(source, Kind.COMPILE_WRAP, "lambda", loop=None))


def test_unpacking_once_is_cheap(source: Source) -> None:
    assert not judged(event(source, Kind.DEVICE_ITERATE, "unpack", loop=None))
    assert judged(event(source, Kind.DEVICE_ITERATE, "list", loop=None))


def test_short_loops_may_be_unrolled(source: Source) -> None:
    loop = {"row": 14, "node": ast.For}
    assert not judged(event(source, Kind.TRACE_UNROLL, "range", data={"count": 4}, **loop))
    assert judged(event(source, Kind.TRACE_UNROLL, "range", data={"count": 64}, **loop))
    assert not judged(event(source, Kind.TRACE_UNROLL, "range", **loop))
    (finding,) = judged(event(source, Kind.TRACE_UNROLL, "range", data={"rows": True}, **loop))
    assert finding.confidence is Confidence.LIKELY
    assert not judged(event(source, Kind.TRACE_UNROLL, "range", row=8, node=ast.For))
    assert not judged(event(source, Kind.TRACE_UNROLL, "array", row=8, node=ast.For, data={"count": 3}))


def test_prints_that_are_meant_for_trace_time(source: Source) -> None:
    assert not judged(event(source, Kind.TRACE_EFFECT, "print", row=12))
    assert not judged(event(source, Kind.TRACE_EFFECT, "print", row=11, data={"traced": False}))
    assert judged(event(source, Kind.TRACE_EFFECT, "print", row=11))
    (finding,) = judged(event(source, Kind.TRACE_EFFECT, "print", row=13))
    assert finding.severity is Severity.WARNING
    assert not judged(event(source, Kind.TRACE_EFFECT, "logging", row=13, data={"traced": False}))
    assert not judged(event(source, Kind.TRACE_EFFECT, "mutation", data={"target": "n_traces"}))


def test_compound_statements_are_reported_at_their_header(source: Source) -> None:
    (finding,) = judged(event(source, Kind.DEVICE_ITERATE, "for", row=1, node=ast.For))
    assert (finding.span.row, finding.span.column, finding.span.end_row, finding.span.end_column) == (1, 1, 1, 19)
    (finding,) = judged(event(source, Kind.TRACER_BOOL, "if", row=4, node=ast.If))
    assert (finding.span.row, finding.span.end_row, finding.span.end_column) == (4, 4, 28)
    assert finding.message.startswith("`if loss > best and patience` tests a traced value:")
    (finding,) = judged(event(source, Kind.STATIC_SPEC, "missing", row=9, node=ast.FunctionDef, data=FULL))
    assert (finding.span.row, finding.span.end_row) == (9, 9)


def test_the_explanation_is_carried(source: Source) -> None:
    steps = (TraceStep("src/train.py", 9, 1, "compiled here"),)
    (finding,) = judged(event(source, Kind.TRACER_BOOL, "if", row=4, node=ast.If, trace=steps))
    assert finding.trace == steps
    assert finding.also_ignored_at == (("src/train.py", 9),)


def test_updates_show_the_right_method(source: Source) -> None:
    write = event(source, Kind.ARRAY_WRITE, "discarded", row=7, node=ast.Expr, data={"method": "set"})
    (finding,) = judged(write)
    assert "`cache` stays as it was" in finding.message
    assert finding.help == "Assign it: `cache = cache.at[...].set(...)`."


def test_a_format_is_quoted_as_written(source: Source) -> None:
    (finding,) = judged(event(source, Kind.TRACER_CONVERT, "format", row=15, node=ast.JoinedStr))
    assert re.match(r"`f\"\{loss:\.3f\}\"` needs", finding.message)


def test_numpy_help_names_the_twin(source: Source) -> None:
    rule = find("traced-to-numpy")
    assert rule is not None
    for jnp in ("jax.numpy.linalg.inv", "jnp.linalg.inv", "linalg.inv"):
        finding = rule.judge(
            event(source, Kind.TRACER_ARRAY, "call", data={"function": "numpy.linalg.inv", "jnp": jnp})
        )
        assert finding is not None and finding.help == "Use `jnp.linalg.inv`."
    finding = rule.judge(event(source, Kind.TRACER_CONVERT, "math", data={"function": "math.sqrt", "jnp": "sqrt"}))
    assert finding is not None and finding.help == "Use `jnp.sqrt`."
