"""Syntax errors: where, and which Python would read the file."""

from __future__ import annotations

import sys

import pytest

from jaxlint.source import Source
from jaxlint.syntax import check_syntax, needed_python


def needed(text: str, *, row: int = 1, message: str = "invalid syntax", running: tuple[int, int] = (3, 10)) -> str:
    newer = needed_python(text.split("\n"), row, message, running)
    return "" if newer is None else f"{newer.version[0]}.{newer.version[1]}"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("except* ValueError:", "3.11"),
        ("x = a[*b]", "3.11"),
        ("def f(*args: *Ts):", "3.11"),
        ("type X = int", "3.12"),
        ("type X[T] = list[T]", "3.12"),
        ("def f[T](x: T) -> T:", "3.12"),
        ("    async def f[T: int](x):", "3.12"),
        ("class A[T]:", "3.12"),
        ("class A[T = int]:", "3.13"),
        ("class A[T: Callable[[int], str] = None]:", "3.13"),
        ("class A[\n    T = int,\n]:", "3.13"),
        ('x = f"{a["b"]}"', "3.12"),
        ("x = f'{a['b']:>{w['x']}}'", "3.12"),
        ("x = f\"{'\\n'.join(a)}\"", "3.12"),
        ("x = f'{\n    a\n}'", "3.12"),
        ("x = f'''{a  # why\n}'''", "3.12"),
        ("x = f'{f'{a}'}'", "3.12"),
        ("except A, B:", "3.14"),
        ("    except a.A, b.B, C:", "3.14"),
        ("x = t'{a}'", "3.14"),
        ('x = rt"{a}"', "3.14"),
        ("lazy import numpy", "3.15"),
    ],
)
def test_newer_syntax_is_recognised(text: str, version: str) -> None:
    assert needed(text) == version


@pytest.mark.parametrize(
    "text",
    [
        "type = 3 3",
        "type(x) = 3",
        "x = a[2 * b",
        "x = a[b * c] )",
        "def f(x[T]):",
        "class A(B[T]):",
        "x = f'{a['",
        "x = f'{a",
        'x = f"{a:>{w}}" y',
        "x = f\"{a['b']}\" y",
        "x = f'{{a' 'b' y",
        "print 't'",
        "x = that't'",
        "except (A, B) as e, f:",
        "lazy = import",
        "except A as B, C:",
    ],
)
def test_plain_mistakes_are_not_blamed_on_the_version(text: str) -> None:
    assert needed(text) == ""


def test_what_the_running_python_knows_is_not_newer() -> None:
    assert needed("type X = int", running=(3, 12)) == ""
    assert needed("type X[T = int] = 3", running=(3, 12)) == "3.13"


def test_an_fstring_that_started_on_an_earlier_line() -> None:
    text = "x = f'''\n{a # why\n}'''"
    assert needed(text, row=2, message="f-string expression part cannot include '#'") == "3.12"
    assert needed(text, row=2) == ""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it")
def test_the_message_names_both_versions() -> None:
    finding = check_syntax(Source("a.py", "x = 1\n\ntype X = int\n"))
    assert finding is not None
    assert "3.12" in finding.message and f"{sys.version_info[0]}.{sys.version_info[1]}" in finding.message
    assert finding.span.row == 3
    assert "Python 3.12" in finding.help


def test_place_of_a_mistake_counts_characters() -> None:
    finding = check_syntax(Source("a.py", "é = 1\nü = ('ö', ]\n"))
    assert finding is not None
    assert (finding.code, finding.span.row, finding.span.column) == ("JAX000", 2, 11)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1000 + ")" * 1000,
        "x = " + "-" * 5000 + "1",
        "x = a" + ".b" * 100_000,
        "".join(" " * depth + "if x:\n" for depth in range(1000)) + " " * 1000 + "y\n",
        "[" * 1000 + "]" * 1000,
    ],
    ids=["brackets", "minus", "attributes", "blocks", "lists"],
)
def test_deep_nesting_is_one_clear_finding(text: str) -> None:
    finding = check_syntax(Source("a.py", text))
    assert finding is not None
    assert "nested too deeply" in finding.message


def test_a_place_beyond_the_text_is_brought_back_into_it() -> None:
    for text in ("x = '''", "if x:", "x = (", "\\", "def f():\n", "@a\n", "class"):
        finding = check_syntax(Source("a.py", text))
        assert finding is not None
        lines = text.split("\n")
        assert 1 <= finding.span.row <= len(lines)
        assert 1 <= finding.span.column <= finding.span.end_column <= len(lines[finding.span.row - 1]) + 2


def test_style_warnings_of_the_parser_are_not_raised(recwarn: pytest.WarningsRecorder) -> None:
    assert check_syntax(Source("a.py", "x = '\\d'\ny = x is 1\n")) is None
    assert not recwarn.list
