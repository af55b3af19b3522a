"""Discovery: what is walked, what is left out, and what is always taken."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.config import default_config
from jaxlint.files import Found, discover


@pytest.fixture
def find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Discover in a folder with the files given."""
    monkeypatch.chdir(tmp_path)

    def run(files: dict[str, str], *paths: str, force_exclude: bool = False) -> list[str]:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        found = _discover(list(paths) or ["."], tmp_path, force_exclude=force_exclude)
        return [candidate.filename for candidate in found.files]

    return run


def _discover(paths: list[str], root: Path, *, force_exclude: bool = False) -> Found:
    return discover(paths, default_config(str(root)).excludes, force_exclude=force_exclude)


def test_names_are_as_given_and_sorted(find: Callable[..., list[str]]) -> None:
    files = dict.fromkeys(["b.py", "a/z.py", "a/b/c.py", "a.txt", "c.pyi", "n.ipynb"], "")
    assert find(files) == ["b.py", "n.ipynb", "a/z.py", "a/b/c.py"]
    assert find({}, "./a") == ["a/z.py", "a/b/c.py"]
    assert find({}, "a/b/../z.py") == ["a/b/../z.py"]


def test_a_file_is_taken_once(find: Callable[..., list[str]]) -> None:
    assert find({"a.py": ""}, "a.py", ".", "./a.py") == ["a.py"]


def test_a_named_file_is_taken_whatever_its_name(find: Callable[..., list[str]]) -> None:
    assert find({"script": "", "build/x.py": ""}, "script", "build/x.py") == ["script", "build/x.py"]
    assert find({}, "script", "build/x.py", force_exclude=True) == ["script"]


def test_default_excludes_and_virtual_environments(find: Callable[..., list[str]]) -> None:
    files = {
        ".venv/a.py": "",
        "node_modules/b/c.py": "",
        "build/d.py": "",
        "my-env/pyvenv.cfg": "",
        "my-env/x/e.py": "",
    }
    assert find({**files, "builder/f.py": ""}) == ["builder/f.py"]
    assert find({}, "build") == ["build/d.py"]
    assert find({}, "my-env") == ["my-env/x/e.py"]


def test_links_to_folders_are_not_followed(find: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.symlink(tmp_path, tmp_path / "a" / "loop")
    assert find({"a/x.py": ""}) == ["a/x.py"]
    assert find({}, "a/loop")[0].startswith("a/loop/")


def test_locks_of_editors_are_passed_over_but_broken_links_are_not(
    find: Callable[..., list[str]], tmp_path: Path
) -> None:
    os.symlink("user@host.123", tmp_path / ".#a.py")
    os.symlink("gone", tmp_path / "b.py")
    (tmp_path / "folder.py").mkdir()
    assert find({"folder.py/c.py": ""}) == ["b.py", "folder.py/c.py"]


def test_missing_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n.ipynb").write_text("{}")
    (tmp_path / "a.py").write_text("")
    found = _discover(["nope", "n.ipynb", "a.py", "nul\0.py"], tmp_path)
    assert found.missing == ["nope", "nul\0.py"]
    assert [candidate.filename for candidate in found.files] == ["n.ipynb", "a.py"]


# ---- .gitignore ----------------------------------------------------------------------------------------


def test_gitignore_nested_and_negated(find: Callable[..., list[str]]) -> None:
    files = {
        ".gitignore": "gen_*.py\n/out/\n!gen_keep.py\n",
        "gen_a.py": "",
        "gen_keep.py": "",
        "out/x.py": "",
        "sub/out/y.py": "",
        "sub/.gitignore": "!gen_b.py\nlocal.py\n",
        "sub/gen_b.py": "",
        "sub/gen_c.py": "",
        "sub/local.py": "",
        "local.py": "",
    }
    assert find(files) == ["gen_keep.py", "local.py", "sub/gen_b.py", "sub/out/y.py"]


def test_gitignore_of_the_folders_above_counts_in_a_repository(find: Callable[..., list[str]], tmp_path: Path) -> None:
    files = {".gitignore": "x.py\n", "a/x.py": "", "a/y.py": ""}
    assert find(files, "a") == ["a/x.py", "a/y.py"]
    (tmp_path / ".git" / "info").mkdir(parents=True)
    assert find({}, "a") == ["a/y.py"]
    (tmp_path / ".git" / "info" / "exclude").write_text("y.py\n")
    assert find({}, "a") == []
    assert find({}, "a/x.py") == ["a/x.py"]


def test_a_folder_that_is_ignored_is_walked_when_named(find: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert find({".gitignore": "out/\n", "out/x.py": ""}) == []
    assert find({}, "out") == ["out/x.py"]


def test_a_broken_gitignore_is_passed_over(find: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\n!\n[\nb.py\n")
    assert find({"a.py": "", "b.py": ""}) == ["a.py"]


NAMES = ["a.py", "b.py", "d/a.py", "d/b.py", "d/e/a.py", "d/e/c.py", "f/c.py"]
PATTERNS = [
    "a.py", "/a.py", "*.py", "!a.py", "!b.py", "d/", "/d/*", "!d/a.py", "d/**", "**/a.py", "e", "!e/", "f/*.py",
    "d/e/c.py", "[ab].py", "!*.py", "#a.py", "\\!x", "", "d/*/c.py", "!/d/e", "f", "*", "!*/", "!d", "**/e/**", "**",
    "d/**/c.py", "[!a].py", "?.py", "a.py ", "\\a.py", "[a-", "d**", "/**/e", "[[:alpha:]].py", "!**/c.py", "e/*",
    "**/", "*/a.py", "[b-a].py", "a.py\\", "/", "!",
]  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")
@given(
    st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=4),
    st.lists(st.sampled_from(PATTERNS), max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_agrees_with_git(top: list[str], inner: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in NAMES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("")
        subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
        (root / ".gitignore").write_text("\n".join(top) + "\n")
        (root / "d" / ".gitignore").write_text("\n".join(inner) + "\n")
        listed = subprocess.run(
            ["git", "-c", "core.excludesFile=/dev/null", "ls-files", "-co", "--exclude-standard"],
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        )
        want = sorted(name for name in listed.stdout.split() if name.endswith(".py"))
        got = sorted(os.path.relpath(candidate.path, root) for candidate in _discover([folder], root).files)
        assert got == want
