"""Fixes: edits of text, files that are rewritten whole or not at all, and the commands that do it."""

from __future__ import annotations

import ast
import codecs
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint import fixing
from jaxlint.findings import Applicability, Confidence, Edit, Finding, Fix, Severity, Span
from tests.shell.conftest import Box

RENAME = "import jax\n\n# why\nx = jax.tree_map(abs, [1])  # here\n"
RENAMED = RENAME.replace("jax.tree_map", "jax.tree.map")


def finding(*edits: Edit, row: int = 1, applicability: Applicability = Applicability.SAFE) -> Finding:
    fix = Fix(applicability, "change it", edits)
    place = Span(row, 1, row, 2)
    return Finding("JAX906", "removed-api", "m", Severity.ERROR, Confidence.PROVEN, "a.py", place, fix=fix)


def replaced(row: int, column: int, end: int, content: str) -> Edit:
    return Edit(Span(row, column, row, end), content)


# ---- text ----------------------------------------------------------------------------------------------


def test_edits_keep_what_they_do_not_name() -> None:
    result = fixing.apply("a = 1  # one\nb = 2\n", [finding(replaced(1, 5, 6, "10")), finding(replaced(2, 5, 6, "20"))])
    assert result.text == "a = 10  # one\nb = 20\n"
    assert len(result.applied) == 2


def test_overlapping_fixes_wait_for_the_next_round() -> None:
    result = fixing.apply("a = 1 + 2\n", [finding(replaced(1, 5, 10, "3")), finding(replaced(1, 5, 6, "9"))])
    assert result.text == "a = 3\n" and len(result.applied) == 1


def test_the_same_edit_asked_for_twice_is_made_once() -> None:
    same = replaced(1, 1, 1, "import jax\n")
    result = fixing.apply("a = 1\n", [finding(same), finding(same, replaced(1, 5, 6, "2"))])
    assert result.text == "import jax\na = 2\n" and len(result.applied) == 2


def test_a_fix_that_breaks_the_file_is_left_out() -> None:
    result = fixing.apply("a = 1\nb = 2\n", [finding(replaced(1, 1, 2, "1 1")), finding(replaced(2, 5, 6, "3"))])
    assert result.text == "a = 1\nb = 3\n" and len(result.applied) == 1


def test_line_ends_of_the_file() -> None:
    result = fixing.apply("a = 1\r\nb = 2\r\n", [finding(replaced(2, 1, 1, "c = 3\n"))])
    assert result.text == "a = 1\r\nc = 3\r\nb = 2\r\n"


def test_unsafe_fixes_are_asked_for() -> None:
    unsafe = finding(replaced(1, 1, 2, "b"), applicability=Applicability.UNSAFE)
    shown = finding(replaced(1, 1, 2, "b"), applicability=Applicability.DISPLAY)
    assert fixing.wanted([unsafe, shown], unsafe=False) == {}
    assert fixing.wanted([unsafe, shown], unsafe=True) == {"a.py": [unsafe]}


@given(
    st.lists(st.sampled_from(["a = 1", "b = [2, 3]", "c = 'é'", "# note", ""]), min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.data(),
)
def test_any_edits_give_a_file_that_parses(lines: list[str], newline: str, data: st.DataObject) -> None:
    text = newline.join(lines) + newline
    edits = []
    for _ in range(data.draw(st.integers(0, 5))):
        row = data.draw(st.integers(1, len(lines)))
        column = data.draw(st.integers(1, len(lines[row - 1]) + 1))
        end = data.draw(st.integers(column, len(lines[row - 1]) + 1))
        edits.append(finding(replaced(row, column, end, data.draw(st.sampled_from(["", "x", "1", "(", "\n", "# c"])))))
    result = fixing.apply(text, edits)
    ast.parse(result.text)
    if not result.applied:
        assert result.text == text


# ---- files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"x = 'a'\n",
        b"x = 'a'",
        codecs.BOM_UTF8 + "x = 'é'\r\n".encode(),
        "# coding: latin-1\nx = 'é'\n".encode("latin-1"),
    ],
)
def test_encoding_mark_and_ends_stay(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    path.chmod(0o755)
    text = fixing.decode(data)
    fixing.rewrite(str(path), text, text.replace("x =", "y ="))
    assert path.read_bytes() == data.replace(b"x =", b"y =")
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_file_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("new = 1\n")
    with pytest.raises(fixing.FixError, match="changed while"):
        fixing.rewrite(str(path), "old = 1\n", "fixed = 1\n")
    assert path.read_text() == "new = 1\n"


def test_a_character_that_the_encoding_lacks(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: latin-1\nx = 1\n")
    with pytest.raises(fixing.FixError, match="encoding has no"):
        fixing.rewrite(str(path), "# coding: latin-1\nx = 1\n", "# coding: latin-1\nx = '∂'\n")
    assert path.read_bytes() == b"# coding: latin-1\nx = 1\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("a = 1\n")
    (tmp_path / "link.py").symlink_to("real.py")
    fixing.rewrite(str(tmp_path / "link.py"), "a = 1\n", "a = 2\n")
    assert (tmp_path / "link.py").is_symlink() and (tmp_path / "real.py").read_text() == "a = 2\n"


# ---- the command ---------------------------------------------------------------------------------------


def test_fix_rewrites_and_reports_the_rest(box: Box) -> None:
    path = box.write("a.py", RENAME)
    ran = box.run("check", "--isolated", "--fix", ".", fake=False)
    assert (ran.code, path.read_text()) == (0, RENAMED)
    assert "Fixed 1 finding in 1 file." in ran.err


def test_diff_changes_nothing(box: Box) -> None:
    path = box.write("a.py", RENAME)
    ran = box.run("check", "--isolated", "--diff", ".", fake=False)
    assert ran.code == 1 and path.read_text() == RENAME
    assert "-x = jax.tree_map(abs, [1])  # here" in ran.out and "+x = jax.tree.map(abs, [1])  # here" in ran.out
    box.write("a.py", RENAMED)
    assert box.run("check", "--isolated", "--diff", ".", fake=False).code == 0


def test_a_form_feed_ends_no_line_of_a_diff(box: Box) -> None:
    box.write("a.py", "import jax\n\x0c\nx = jax.tree_map(abs, [1])\n")
    ran = box.run("check", "--isolated", "--diff", ".", fake=False)
    assert "@@ -1,3 +1,3 @@\n import jax\n \x0c\n-x = " in ran.out and "No newline" not in ran.out


def test_a_file_and_a_link_to_it_are_fixed_once(box: Box) -> None:
    path = box.write("b/real.py", RENAME)
    (path.parent.parent / "a.py").symlink_to("b/real.py")
    ran = box.run("check", "--isolated", "--fix", ".", fake=False)
    assert (ran.code, path.read_text()) == (0, RENAMED)
    assert ran.err == "Fixed 1 finding in 1 file.\n"


def test_a_check_says_what_can_be_fixed(box: Box) -> None:
    box.write("a.py", RENAME)
    assert "1 fixable with `--fix`." in box.run("check", "--isolated", ".", fake=False).out


def test_fixed_standard_input_goes_to_standard_output(box: Box) -> None:
    ran = box.run("check", "--isolated", "--fix", "-", stdin=RENAME.encode(), fake=False)
    assert ran.out == RENAMED


@pytest.mark.parametrize(
    "data",
    [
        b"# coding: latin-1\r\nimport jax\r\nx = jax.tree_map(abs, [1])  # \xe9\r\n",
        codecs.BOM_UTF8 + b"import jax\nx = jax.tree_map(abs, [1])",
        b"import jax\nx = jax.tree_map(abs, [1])  # \xff\n",  # not UTF-8: it comes back as it was
    ],
)
def test_standard_input_keeps_its_encoding_and_line_ends(box: Box, data: bytes) -> None:
    ran = box.run("check", "--isolated", "--fix", "-", stdin=data, fake=False)
    fixed = data if data.endswith(b"\xff\n") else data.replace(b"tree_map", b"tree.map")
    assert ran.data == fixed


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
def test_a_diff_can_be_applied(box: Box) -> None:
    text = "import jax\n\x0c\ndef f():\n\treturn jax.tree_map(abs, [1])  # tabs\n"
    path = box.write("a.py", text)
    patch = box.run("check", "--isolated", "--diff", "a.py", fake=False).data
    subprocess.run(["patch", "-p0"], cwd=path.parent, input=patch, check=True, capture_output=True)
    assert path.read_text() == text.replace("tree_map", "tree.map")
