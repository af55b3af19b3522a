"""Ignore comments: where they count, what they name, and which are unused."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.findings import Edit
from jaxlint.rules import CODES
from jaxlint.source import Source
from jaxlint.suppressions import Suppressions

EVERY = frozenset(CODES)


def of(text: str) -> Suppressions:
    return Suppressions.of(Source("a.py", text))


def silenced(text: str, code: str = "JAX101") -> list[int]:
    """The rows on which findings of the rule are silenced."""
    return [row for row in range(1, text.count("\n") + 2) if of(text).silences(CODES[code], row)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("x = 1  # jaxlint: ignore[traced-branch]\ny = 2", [1]),
        ("x = 1  # jaxlint:ignore[JAX101] for a reason\n", [1]),
        ("x = 1  # type: ignore  # jaxlint: ignore[jax101, sync-in-loop]  # more\n", [1]),
        ("x = 1  #   jaxlint :  ignore [ JAX1 ]", [1]),
        ("x = 1  # jaxlint: ignore[JAX201]", []),
        ("x = 1  # jaxlint: ignore", []),
        ("x = 1  # jaxlint: ignore[]", []),
        ("x = 1  # jaxlint: ignore[ALL]", []),
        ("x = 1  # jaxlint: disable[JAX101]", []),
        ("x = 1  # see jaxlint: ignore[JAX101]", []),
        ("x = 1; y = 2  # jaxlint: ignore[JAX101]\nz = 3", [1]),
        # any line of the statement
        ("x = f(\n    a,  # jaxlint: ignore[JAX101]\n    b,\n)\ny = 1", [1, 2, 3, 4]),
        ("x = f(\n    a,\n    b,\n)  # jaxlint: ignore[JAX101]\ny = 1", [1, 2, 3, 4]),
        ("x = '''\n# jaxlint: ignore[JAX101]\n'''\n", []),
        ("x = '# jaxlint: ignore[JAX101]'\n", []),
        ("x = '#'  # jaxlint: ignore[JAX101]\n", [1]),
        ("x = f('# noqa',\n  b)  # jaxlint: ignore[JAX101]\n", [1, 2]),
        ("x = '''a\n'''; y = 2  # jaxlint: ignore[JAX101]\n", [1, 2]),
        # a line of its own: the statement below
        ("# jaxlint: ignore[JAX101]\nx = f(\n  a)\ny = 1", [1, 2, 3]),
        ("# jaxlint: ignore[JAX101] why\n\n# more\nx = 1\ny = 1", [1, 2, 3, 4]),
        ("x = 1\n# jaxlint: ignore[JAX101]\n", [2, 3]),
        # of a compound statement, the header
        ("if a:  # jaxlint: ignore[JAX101]\n    b\nelse:\n    c", [1]),
        ("if (\n    a\n):  # jaxlint: ignore[JAX101]\n    b", [1, 2, 3]),
        ("if a:\n    b\nelif c:  # jaxlint: ignore[JAX101]\n    d", [3]),
        ("if a:\n    # jaxlint: ignore[JAX101]\n    b\n    c", [2, 3]),
        ("while a:  # jaxlint: ignore[JAX101]\n\n    # comment\n    b", [1]),
        ("if a: b  # jaxlint: ignore[JAX101]\nc", [1]),
        ("for x in (\n    1, 2  # jaxlint: ignore[JAX101]\n): pass\ny", [1, 2, 3]),
        ("with a as b, \\\n        c:  # jaxlint: ignore[JAX101]\n    d", [1, 2]),
        ("try:\n    a\nexcept E:  # jaxlint: ignore[JAX101]\n    b", [3]),
        ("match a:\n    case 1 if b:  # jaxlint: ignore[JAX101]\n        c\n    case 2:\n        d", [2]),
        ("class A:  # jaxlint: ignore[JAX101]\n    x = 1", [1]),
        # decorators belong to the header
        ("# jaxlint: ignore[JAX101]\n@a\n@b(\n  1)\ndef f(x):\n    pass", [1, 2, 3, 4, 5]),
        ("@a  # jaxlint: ignore[JAX101]\ndef f(\n    x,\n):\n    pass", [1, 2, 3, 4]),
        ("@a\n# jaxlint: ignore[JAX101]\ndef f(x):\n    pass", [1, 2, 3]),
        ("@a\ndef f(x):\n    '''# jaxlint: ignore[JAX101]'''\n", []),
        ("def f():\n    pass\n    # jaxlint: ignore[JAX101]\nx = 1\n", [3, 4]),
        # the whole file
        ("a\n\nb  # jaxlint: ignore-file[JAX101]\n", [1, 2, 3, 4]),
        ("# jaxlint: ignore-file[JAX2]\na", []),
        # the comments of flake8
        ("x = 1  # noqa: JAX101\ny", [1]),
        ("x = 1  # NOQA:E501,JAX101 because\ny", [1]),
        ("x = 1  # noqa\ny", [1]),
        ("x = 1  # noqa: E501\ny", []),
        ("x = 1  # noqa: traced\ny", []),
        ("x = 1  # noqa: JAX1\ny", [1]),
        ("x = 1  # flake8: noqa\ny", []),
        ("# noqa: JAX101\nx", [1]),
        # line ends
        ("x = 1\r\ny = 2  # jaxlint: ignore[JAX101]\r\nz = 3", [2]),
        ("é = 'ü'  # jaxlint: ignore[JAX101]\nz = 3", [1]),
        ("x = 'a\\\n# noqa'\ny = 1", []),
    ],
)
def test_where_a_comment_counts(text: str, rows: list[int]) -> None:
    assert silenced(text) == rows


def test_problems_are_told() -> None:
    text = (
        "a  # jaxlint: ignore\n"
        "b  # jaxlint: ignroe[JAX101]\n"
        "c  # jaxlint: ignore[traced-brunch, JAX101]\n"
        "d  # jaxlint: ignore[ALL]\n"
        "e  # jaxlint: ignore[JAX101]\n"
        "f = '# jaxlint: ignore'\n"
    )
    told = [(comment.row, problem) for comment, problem in of(text).problems()]
    assert [row for row, _ in told] == [1, 2, 3, 4]
    assert "name the rules" in told[0][1]
    assert "did you mean `ignore`" in told[1][1]
    assert "did you mean `traced-branch`" in told[2][1]
    assert "too broad" in told[3][1]


def unused(text: str, used: dict[int, str], ran: frozenset[str] = EVERY) -> list[tuple[int, str]]:
    comments = of(text)
    for row, code in used.items():
        comments.silences(CODES[code], row)
    return [(finding.span.row, finding.message) for finding in comments.unused(ran)]


def test_unused_comments() -> None:
    text = (
        "a  # jaxlint: ignore[JAX101, JAX201]\n"
        "b  # jaxlint: ignore[JAX101]\n"
        "c  # noqa: JAX101\n"
        "d  # noqa\n"
        "e  # noqa: E501\n"
        "# jaxlint: ignore-file[JAX3]\n"
    )
    found = unused(text, {1: "JAX101", 3: "JAX101"})
    assert [row for row, _ in found] == [1, 2, 6]
    assert "`JAX201`" in found[0][1] and "JAX101" not in found[0][1]


def test_only_rules_that_ran_are_unused() -> None:
    text = "a  # jaxlint: ignore[JAX101]\nb  # jaxlint: ignore[JAX1]\n"
    assert unused(text, {}, frozenset({"JAX101"})) != []
    assert [row for row, _ in unused(text, {}, frozenset({"JAX101"}))] == [1]
    assert unused(text, {}, frozenset({"JAX201"})) == []


def _apply(text: str, edit: Edit) -> str:
    lines = text.split("\n")
    offset = [0]
    for line in lines:
        offset.append(offset[-1] + len(line) + 1)
    start = offset[edit.span.row - 1] + edit.span.column - 1
    end = offset[edit.span.end_row - 1] + edit.span.end_column - 1
    return text[:start] + edit.content + text[end:]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1  # jaxlint: ignore[JAX101] why\nb\n", "a = 1\nb\n"),
        ("if a:\n    # jaxlint: ignore[JAX101]\n    b\n", "if a:\n    b\n"),
        ("a  # jaxlint: ignore[JAX201, JAX101] why\n", "a  # jaxlint: ignore[JAX201] why\n"),
        ("a  # noqa: JAX201,JAX101\n", "a  # noqa: JAX201\n"),
        ("a  # jaxlint: ignore[JAX101]  # type: ignore\n", "a  # type: ignore\n"),
        ("# jaxlint: ignore[JAX101]", ""),
    ],
)
def test_the_fix_removes_what_is_unused(before: str, after: str) -> None:
    comments = of(before)
    comments.silences(CODES["JAX201"], 1)
    [finding] = comments.unused(EVERY)
    assert finding.fix is not None
    [edit] = finding.fix.edits
    assert re.sub(" +", " ", _apply(before, edit)) == re.sub(" +", " ", after)


# ---- against the tokenizer -----------------------------------------------------------------------------

PIECES = [
    "x = 1",
    "x = '# noqa: JAX101'",
    'x = "a" + f"{a[1]} # jaxlint: ignore[JAX101]"',
    "f(a,\n  b)",
    "f(a,  # noqa: JAX101\n  b)",
    "x = '''\n# jaxlint: ignore[JAX101]\n'''",
    "x = ('#',\n  '# noqa: JAX101',\n  1)",
    "# jaxlint: ignore[JAX101]",
    "",
    "x = '''a''' '# noqa: JAX101'",
    "x = '''\n''' # noqa: JAX101",
    "x = 1; y = '# noqa: JAX101'",
    "x = \\\n  1",
    "x = r'\\' # noqa: JAX101'",
    "if a: b = '#'",
    "if (a,\n  # noqa: JAX101\n  b): pass",
    "@a\ndef f(x='# noqa: JAX101'): pass",
    "x = 'é' 'ü' # noqa: JAX101",
    "class A: x = '''\n# noqa: JAX101\n'''",
    "x = [\n\n# jaxlint: ignore[JAX101]\n]",
    "for i in a:\n    '# noqa: JAX101'\n    i\nelse:  # noqa: JAX101\n    pass",
    "try:\n    x = '''\n    # noqa: JAX101\n    '''\nfinally:\n    pass",
]
TAILS = ["", "  # noqa: JAX101", "  # jaxlint: ignore[JAX101]", "  # other", "  # '# noqa: JAX101"]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(TAILS)), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None)
def test_finds_the_comments_that_the_tokenizer_finds(parts: list[tuple[str, str]]) -> None:
    text = "\n".join(piece + ("" if piece.endswith("\\") else tail) for piece, tail in parts) + "\n"
    ast.parse(text)
    pattern = re.compile(r"#\s*(noqa: JAX101|jaxlint: ignore\[JAX101\])")
    want = [
        (token.start[0], token.start[1] + match.start())
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
        for match in pattern.finditer(token.string)
    ]
    assert sorted((comment.row, comment.start) for comment in of(text).comments) == sorted(want)


@given(st.text("# jaxlint:ignore[]JAX101,noqa-file", max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_comment_breaks_it(comment: str) -> None:
    comments = of(f"x = 1  # {comment}\ny = 2\n")
    list(comments.problems())
    list(comments.unused(EVERY))
    assert not comments.silences(CODES["JAX101"], 2) or "ignore-file" in comment


def test_a_long_elif_chain_and_deep_blocks() -> None:
    text = "if a:\n    b\n" + "elif a:\n    b\n" * 900 + "elif c:  # noqa: JAX101\n    d\n"
    assert silenced("x = 1\n" * 50 + "y  # noqa: JAX101\n") == [51]
    assert of(text).silences(CODES["JAX101"], text.count("\n") - 1)
