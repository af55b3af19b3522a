"""What becomes of IPython's own syntax."""

from __future__ import annotations

import ast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.notebook.magics import translate


@pytest.mark.parametrize(
    ("written", "python"),
    [
        ("x = 1", "x = 1"),
        ("%matplotlib inline", "pass"),
        ("    !ls *.py", "    pass"),
        ("files = !ls", "files = get_ipython()"),
        ("a, b = %sql select 1", "a, b = get_ipython()"),
        ("%time y = f(x)", "0    ;y = f(x)"),
        ("  %time y = f(x)", "  0    ;y = f(x)"),
        ("%timeit -n 10 -r3 f(x)", "0                ;f(x)"),
        ("%timeit -o -q f(x)", "0            ;f(x)"),
        ("%timeit", "pass"),
        ("%time for i in x: f(i)", "pass"),
        ("jnp.sum?", "pass"),
        ("?jnp.sum", "pass"),
        ("jnp.*exp*?", "pass"),
        ("%time?", "pass"),
        ("pip install -U jax", "pass"),
        ("cd /tmp", "pass"),
        ("cat in x", "cat in x"),
        ("x = y % 3", "x = y % 3"),
        ("x != y", "x != y"),
        ("s = 'really?'", "s = 'really?'"),
        ("x = {'a': 1}  # what?", "x = {'a': 1}  # what?"),
        ("!!date", "pass"),
    ],
)
def test_a_line(written: str, python: str) -> None:
    assert translate([written]).lines == [python]


@pytest.mark.parametrize(
    "lines",
    [
        ["x = (a", "  % b)"],
        ['"""', "%time f(x)", '"""'],
        ["x = 'a\\", "!b'"],
        ["x = a \\", "% b"],
        ["f(  # (", "!= 1 if y else", "%z)"],
        ["s = f'''", "!ls", "'''"],
    ],
)
def test_inside_a_statement_nothing_is_magic(lines: list[str]) -> None:
    assert translate(lines).lines == lines


def test_a_magic_takes_its_continuation_lines_along() -> None:
    assert translate(["!pip install \\", "   jax", "x = 1"]).lines == ["pass", "", "x = 1"]


def test_cell_magics() -> None:
    assert translate(["%%bash", "ls -l"]).foreign
    assert translate(["%%bash", "ls -l"]).lines == ["", ""]
    timed = translate(["", "%%time", "f(x)"])
    assert (timed.lines, timed.timed_cell) == (["", "#%time", "f(x)"], 2)
    with_setup = translate(["%%timeit -n 3 x = 1", "f(x)"])
    assert with_setup.lines == ["0            ;x = 1", "f(x)"]
    assert translate(["%%capture out", "!ls", "y = 1"]).lines == ["#%capture out", "pass", "y = 1"]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
@given(st.lists(st.text(st.sampled_from("ax1 =%!?()[]'\"\\#;.\tétime-n"), max_size=12), max_size=6))
def test_rows_stay_and_nothing_raises(lines: list[str]) -> None:
    """Whatever is written, each row stays a row, and a row that is not masked stays as it is."""
    out = translate(lines)
    assert len(out.lines) == len(lines)
    for row, (before, after) in enumerate(zip(lines, out.lines), 1):
        assert (
            before == after or row in out.masked or after.endswith("get_ipython()") or "pass" in after or ";" in after
        )


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
@given(st.sampled_from(["%time ", "%timeit ", "%timeit -n 5 ", "%prun "]), st.sampled_from(["é = f(x)", "g(1); h(2)"]))
def test_code_behind_a_magic_keeps_its_columns(magic: str, code: str) -> None:
    line = translate([magic + code]).lines[0]
    assert line[len(magic) :] == code and len(ast.parse(line).body) >= 2
