"""Globs: `*` and `?` stay inside a path component, `**` crosses them."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jaxlint.globs import Glob, compiled

PATHS = st.lists(st.text("ab.", min_size=1, max_size=3), min_size=1, max_size=4).map("/".join)


def by_hand(glob: str, path: str) -> bool:
    """The meaning of `*`, `?`, `**` and a `**/` component, by recursion."""
    if not glob:
        return not path
    if glob.startswith("**/"):
        if by_hand(glob[3:], path):
            return True
        head, slash, rest = path.partition("/")
        return bool(head and slash) and by_hand(glob, rest)
    if glob[0] == "*":
        return by_hand(glob[1:], path) or bool(path and path[0] != "/" and by_hand(glob, path[1:]))
    if not path:
        return False
    if glob[0] == "?":
        return path[0] != "/" and by_hand(glob[1:], path[1:])
    return glob[0] == path[0] and by_hand(glob[1:], path[1:])


@given(
    st.lists(st.sampled_from(["a", "b", "*", "?", "a*", "*.b", "**"]), min_size=1, max_size=4)
    .filter(lambda parts: parts[-1] != "**")
    .map("/".join),
    PATHS,
)
@settings(max_examples=300, deadline=None)
def test_agrees_with_the_meaning_spelled_out(glob: str, path: str) -> None:
    assert bool(compiled(glob).fullmatch(path)) == by_hand(glob, path)


COMPONENTS = st.text("ab*?", min_size=1, max_size=6).filter(lambda part: "**" not in part)


@given(st.lists(COMPONENTS | st.just("**"), max_size=5), COMPONENTS, PATHS)
@settings(max_examples=500, deadline=None)
def test_many_stars_mean_the_same(folders: list[str], last: str, path: str) -> None:
    glob = "/".join([*folders, last])
    assert bool(compiled(glob).fullmatch(path)) == by_hand(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a*a*a*a*a*a*a*a*a*a*b", "a" * 250),
        ("**/a/**/a/**/a/**/a/**/a/**/a/**/b", "a/" * 500 + "c"),
        ("**/*a*a*a*b/**/*a*a*a*b/**/c", "aaaaaa/" * 100 + "d"),
        ("{*a,*b}*a*a*a*a*a*a*a*a*c", "a" * 250),
        ("a**a**a**a**a**a**a**b", "a" * 250),
    ],
)
def test_a_hostile_glob_takes_no_time(glob: str, path: str) -> None:
    """A `.gitignore` of one line must not keep a check from ending."""
    before = time.process_time()
    assert not compiled(glob).fullmatch(path)
    assert time.process_time() - before < 2


@given(PATHS)
@settings(max_examples=100, deadline=None)
def test_a_path_names_itself_only(path: str) -> None:
    assert compiled(path).fullmatch(path)
    assert not compiled(path).fullmatch(path + "a")
    assert not compiled(path).fullmatch("x" + path)


@example("{[}]")
@given(st.text("*?[]!^-\\\\ab{},/:é", max_size=12) | st.text(max_size=12))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_it(glob: str) -> None:
    compiled(glob).fullmatch("a/b.py")


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("tests/*.py", ["tests/a.py"], ["tests/x/a.py", "a.py"]),
        ("tests/**", ["tests/a.py", "tests/x/a.py"], ["tests", "src/tests/a.py"]),
        ("**/gen.py", ["gen.py", "a/gen.py", "a/b/gen.py"], ["xgen.py", "a/xgen.py"]),
        ("a/**/b.py", ["a/b.py", "a/x/y/b.py"], ["a/xb.py", "ab.py"]),
        ("{a,b}/[!c]*.py", ["a/x.py", "b/y.py"], ["a/c.py", "c/x.py"]),
        ("a[", ["a["], ["a"]),
        ("{a", ["{a"], ["a"]),
        (r"\*", ["*"], ["a"]),
        ("[]]", ["]"], ["["]),
        ("a.py", ["a.py"], ["axpy"]),
        ("[a-c]", ["b"], ["d", "-"]),
        ("[b-a-c]", ["b", "-", "c"], ["a", "d"]),
        ("[[:digit:]_]", ["7", "_"], ["a", ":"]),
        ("x[!a]y", ["xby"], ["x/y"]),
    ],
)
def test_examples(glob: str, yes: list[str], no: list[str]) -> None:
    assert [path for path in yes if not compiled(glob).fullmatch(path)] == []
    assert [path for path in no if compiled(glob).fullmatch(path)] == []


def test_without_a_slash_it_names_a_file_anywhere() -> None:
    assert Glob("/p", "gen.py").matches("/p/a/gen.py")
    assert Glob("/p", "*_pb2.py").matches("/elsewhere/x_pb2.py")
    assert not Glob("/p", "gen.py").matches("/p/a/notgen.py")


def test_with_a_slash_it_is_relative_to_its_file() -> None:
    assert Glob("/p", "a/x.py").matches("/p/a/x.py")
    assert Glob("/p", "./a/x.py").matches("/p/a/x.py")
    assert not Glob("/p", "a/x.py").matches("/q/a/x.py")
    assert not Glob("/p", "a/x.py").matches("/p/b/a/x.py")


def test_a_trailing_slash_covers_the_folder() -> None:
    assert Glob("/p", "a/").covers("/p/a/b/c.py")
    assert Glob("/p", "x/a/").covers("/p/x/a/c.py")
    assert not Glob("/p", "a/").covers("/p/b/c.py")
    assert not Glob("/p", "a").covers("/p/a/c.py")
