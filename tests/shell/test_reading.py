"""Bytes to text: PEP 263, byte order marks, line ends, and what cannot be read."""

from __future__ import annotations

import ast
import io
import os
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.files import Candidate, Undecodable, declared_encoding, decode, from_bytes, read
from jaxlint.findings import Finding
from jaxlint.source import Source

PREFIXES = [
    b"",
    b"\n",
    b"#!/usr/bin/env python\n",
    b"\xef\xbb\xbf",
    b"x = 1\n",
    b"\n\n",
    b"# note\r\n",
    b" \x0c\n",
    b"# a\r",
]


@given(
    st.sampled_from(PREFIXES),
    st.sampled_from(
        [b"", b"# -*- coding: %s -*-\n", b"# vim: set fileencoding=%s :\n", b"#coding=%s\n", b"  # coding: %s\n"]
    ),
    st.sampled_from(
        ["utf-8", "latin-1", "iso-8859-15", "cp1252", "koi8-r", "UTF8", "ascii", "utf-8-sig", "nope", "hex"]
    ),
    st.sampled_from(["x = 'a'\n", "x = 'é'\r\n", "x = '…'", "# Ж\nx = 1\n"]),
)
@settings(max_examples=300, deadline=None)
def test_agrees_with_pythons_own_reader(prefix: bytes, cookie: bytes, encoding: str, body: str) -> None:
    header = prefix + (cookie % encoding.encode() if cookie else b"")
    try:
        data = header + body.encode(encoding if cookie else "utf-8")
    except (UnicodeEncodeError, LookupError):
        data = header + body.encode("utf-8")
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        want = data.removeprefix(b"\xef\xbb\xbf").decode(name)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        with pytest.raises(Undecodable):
            decode(data)
        return
    if name == "utf-8-sig":
        want = data.decode("utf-8-sig")
    assert decode(data) == want


@given(st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_bytes_break_it(data: bytes) -> None:
    outcome = from_bytes(data, "a.py", None)
    assert isinstance(outcome, Source | Finding)


@pytest.mark.parametrize(
    ("data", "word", "row"),
    [
        (b"x = 1\ny = '\xe9'\n", "0xe9", 2),
        (b"# coding: nope\n", "nope", 1),
        (b"# coding: hex\nx\n", "hex", 1),
        (b"a\r\nb\r\n\0", "null bytes", 3),
        (b"\xff\xfea\0", "UTF-16", 1),
        (b"\xef\xbb\xbf# coding: latin-1\n", "latin-1", 1),
    ],
)
def test_says_what_is_wrong_and_where(data: bytes, word: str, row: int) -> None:
    with pytest.raises(Undecodable, match=word) as caught:
        decode(data)
    assert caught.value.row == row


def test_a_mark_is_not_part_of_the_text() -> None:
    assert decode(b"\xef\xbb\xbfx = 1\n") == "x = 1\n"


def test_line_ends_are_kept_and_counted_as_python_does() -> None:
    source = from_bytes(b"a = 1\r\nb = 2\rc = 3\nd = '\x0c\xe2\x80\xa8'\n", "a.py", None)
    assert isinstance(source, Source)
    assert "\r\n" in source.text
    rows = [statement.lineno for statement in source.parse().body]
    assert rows == [1, 2, 3, 4]
    assert source.lines[3].startswith("d = ")


def test_a_declaration_on_the_third_line_is_none() -> None:
    assert declared_encoding(b"\n\n# coding: latin-1\n") is None
    assert declared_encoding(b"x = 1\n# coding: latin-1\n") is None
    assert declared_encoding(b"\n# coding: latin-1\n") == "latin-1"


def test_not_a_regular_file(tmp_path: os.PathLike[str]) -> None:
    pipe = os.path.join(tmp_path, "pipe.py")
    os.mkfifo(pipe)
    outcome = read(Candidate("pipe.py", pipe))  # must not wait for a writer
    assert isinstance(outcome, Finding)
    assert "not a regular file" in outcome.message


def test_links_to_nowhere_and_in_circles(tmp_path: os.PathLike[str]) -> None:
    for name, target in (("gone.py", "nowhere"), ("one.py", "two.py"), ("two.py", "one.py")):
        os.symlink(target, os.path.join(tmp_path, name))
    gone = read(Candidate("gone.py", os.path.join(tmp_path, "gone.py")))
    circle = read(Candidate("one.py", os.path.join(tmp_path, "one.py")))
    assert isinstance(gone, Finding) and "leads nowhere" in gone.message
    assert isinstance(circle, Finding) and "cannot be read" in circle.message


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_no_permission(tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "a.py")
    with open(path, "w"):
        pass
    os.chmod(path, 0)
    outcome = read(Candidate("a.py", path))
    assert isinstance(outcome, Finding) and "Permission denied" in outcome.message


def test_decoded_text_parses_although_it_declares_another_encoding() -> None:
    text = decode("# coding: latin-1\nx = 'é'\n".encode("latin-1"))
    assert ast.literal_eval(ast.parse(text).body[0].value) == "é"  # type: ignore[attr-defined]
