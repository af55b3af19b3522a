"""What gates let pass: `--baseline`, `--since`, `--add-ignores`, with the command as a user runs it."""

from __future__ import annotations

import ast
import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.ignoring import commented
from jaxlint.rules import find_info
from jaxlint.source import Source
from jaxlint.suppressions import Suppressions
from tests.shell.conftest import Box

TWO = "import jax\n\ndef f(x):\n    float(x)\n    return float(x + 1)\n"


def places(box: Box, *options: str, env: dict[str, str] | None = None) -> list[str]:
    ran = box.run("check", "--output-format", "json", *options, env=env)
    assert ran.code == (1 if ran.json else 0), ran.err
    return ran.places


# ---- baseline ------------------------------------------------------------------------------------------


def test_a_baseline_lets_old_findings_pass_and_no_new_one(box: Box) -> None:
    box.write("a.py", TWO)
    ran = box.run("check", "--baseline", "b.json", "--update-baseline")
    assert ran.code == 0 and "b.json: 2 findings written." in ran.err
    assert places(box, "--baseline", "b.json") == []
    box.write("a.py", "import os\n" + TWO + "float(y)\n")
    box.write("new.py", "import jax\nfloat(z)\n")
    assert places(box, "--baseline", "b.json") == ["a.py:7 JAX201", "new.py:2 JAX201"]


def test_a_baseline_only_shrinks(box: Box) -> None:
    box.write("a.py", TWO)
    box.write("b.py", TWO)
    box.run("check", "--baseline", "base.json", "--update-baseline")
    before = (box.root / "base.json").read_text()
    box.write("a.py", TWO.replace("    float(x)\n", ""))
    assert "dropped" not in box.run("check", "--baseline", "base.json", "b.py").err  # a.py was not looked at
    ran = box.run("check", "--baseline", "base.json", env={"CI": "true"})
    assert "1 finding in it no longer there" in ran.err and (box.root / "base.json").read_text() == before
    ran = box.run("check", "--baseline", "base.json", env={"CI": ""})
    assert ran.code == 0 and "base.json: 1 finding dropped" in ran.err
    document = json.loads((box.root / "base.json").read_text())
    assert {path: len(rows) for path, rows in document["findings"].items()} == {"a.py": 1, "b.py": 2}
    box.write("a.py", TWO)
    assert len(places(box, "--baseline", "base.json")) == 1  # it came back, and is new
    (box.root / "b.py").unlink()
    box.run("check", "--baseline", "base.json", env={"CI": ""})
    assert "b.py" not in json.loads((box.root / "base.json").read_text())["findings"]


def test_a_baseline_is_seen_from_any_folder(box: Box) -> None:
    box.write("src/a.py", TWO)
    box.run("check", "--baseline", "b.json", "--update-baseline", "src")
    ran = box.run("check", "--baseline", "../b.json", "a.py", cwd="src")
    assert ran.code == 0, ran.out
    assert box.run("check", "--baseline", str(box.root / "b.json"), str(box.root / "src")).code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file or directory (make it with --update-baseline)"),
        (b"", "is not JSON"),
        (b"\xff\x00", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "is no baseline of jaxlint"),
        (b'{"version": 2, "findings": {}}', "is no baseline of jaxlint"),
        (b'{"version": 1, "findings": {"a.py": [{"rule": 1, "scope": "", "fingerprint": ""}]}}', "is no baseline"),
        (b'{"version": 1, "findings": {"../../etc/passwd": 3}}', "is no baseline of jaxlint"),
    ],
)
def test_a_file_that_is_no_baseline(box: Box, content: bytes | None, said: str) -> None:
    box.write("a.py", TWO)
    if content is not None:
        box.write("b.json", content)
    ran = box.run("check", "--baseline", "b.json")
    assert ran.code == 2 and not ran.out
    assert ran.err.startswith("jaxlint: error: --baseline: b.json") and said in ran.err and ran.err.count("\n") == 1


def test_a_broken_run_does_not_replace_the_baseline(box: Box) -> None:
    box.write("a.py", TWO)
    box.run("check", "--baseline", "b.json", "--update-baseline", "a.py")
    before = (box.root / "b.json").read_text()
    assert box.run("check", "--baseline", "b.json", "--update-baseline", "gone.py").code == 2
    assert (box.root / "b.json").read_text() == before


def test_options_that_do_not_go_together(box: Box) -> None:
    for options in (
        ["--update-baseline"],
        ["--baseline", "b", "--since", "HEAD"],
        ["--add-ignores", "--fix"],
        ["--baseline", "b", "-"],
        ["--since", "HEAD", "-"],
        ["--add-ignores=a\nb"],
    ):
        ran = box.run("check", *options)
        assert ran.code == 2 and ran.err.startswith("jaxlint: error: "), options


# ---- since ---------------------------------------------------------------------------------------------


def git(box: Box, *arguments: str) -> None:
    config = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *config, *arguments], cwd=box.root, check=True, capture_output=True)


@pytest.fixture
def repository(box: Box) -> Box:
    box.write("lib/a.py", TWO)
    box.write("b.py", TWO)
    git(box, "init", "-q")
    git(box, "add", "-A")
    git(box, "commit", "-qm", "first")
    return box


def test_since_shows_what_is_new(repository: Box) -> None:
    assert places(repository, "--since", "HEAD") == []
    repository.write("lib/a.py", "x = 1\n" + TWO + "float(x)\n")
    repository.write("untracked.py", "import jax\nfloat(1)\n")
    assert places(repository, "--since", "HEAD") == ["lib/a.py:7 JAX201", "untracked.py:2 JAX201"]
    assert places(repository, "--since", "HEAD", "lib") == ["lib/a.py:7 JAX201"]
    absolute = places(repository, "--since", "HEAD", str(repository.root / "lib"))
    assert absolute == [f"{repository.root / 'lib' / 'a.py'}:7 JAX201"]
    status = subprocess.run(["git", "status", "--short"], cwd=repository.root, capture_output=True, text=True)
    assert status.stdout == " M lib/a.py\n?? untracked.py\n"


def test_since_knows_renames_and_subfolders(repository: Box) -> None:
    git(repository, "mv", "lib/a.py", "lib/moved.py")
    assert places(repository, "--since", "HEAD") == []
    ran = repository.run("check", "--since", "HEAD", cwd="lib")
    assert ran.code == 0, ran.out


def test_since_checks_both_under_the_configuration_of_today(repository: Box) -> None:
    repository.write("pyproject.toml", '[tool.jaxlint]\nignore = ["sync-in-loop"]\n')
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "ignored")
    repository.write("pyproject.toml", "")
    assert places(repository, "--since", "HEAD") == []


def test_since_without_such_a_revision_or_repository(repository: Box, tmp_path_factory: pytest.TempPathFactory) -> None:
    ran = repository.run("check", "--since", "nope")
    assert ran.code == 2 and ran.err == "jaxlint: error: --since: `nope` is no commit of this repository\n"
    ran = repository.run("check", "--since", "--output=x")
    assert ran.code == 2 and not (repository.root / "x").exists()
    outside = Box(tmp_path_factory.mktemp("outside"))
    outside.write("a.py", TWO)
    ran = outside.run("check", "--since", "HEAD", env={"GIT_CEILING_DIRECTORIES": str(outside.root.parent)})
    assert ran.code == 2 and "not a git repository" in ran.err


# ---- add-ignores ---------------------------------------------------------------------------------------


def test_ignores_are_added_once(box: Box) -> None:
    path = box.write("a.py", b"import jax\r\nfloat(1)  # why\r\nx = (\r\n    float(2),\r\n)\r\n")
    os.chmod(path, 0o755)
    ran = box.run("check", "--add-ignores=old code", "a.py")
    assert ran.code == 0 and "Ignored 2 findings in 1 file." in ran.err
    text = path.read_bytes()
    assert text == (
        b"import jax\r\nfloat(1)  # why  # jaxlint: ignore[sync-in-loop] old code\r\nx = (\r\n"
        b"    float(2),  # jaxlint: ignore[sync-in-loop] old code\r\n)\r\n"
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    again = box.run("check", "--add-ignores", "a.py")
    assert again.code == 0 and "Ignored 0 findings in 0 files." in again.err and path.read_bytes() == text


def test_where_no_comment_can_stand_it_goes_above(box: Box) -> None:
    path = box.write(
        "a.py", 'import jax\nif True:\n    x = """\n""" + f"""{\n    float(1)}\n"""\n    y = 1 + \\\n  float(2)\n'
    )
    ran = box.run("check", "--add-ignores", "a.py")
    assert ran.code == 0, ran.out + ran.err
    assert path.read_text().count("    # jaxlint: ignore[sync-in-loop]\n") >= 1
    ast.parse(path.read_text())


def test_findings_that_no_comment_can_ignore(box: Box) -> None:
    box.write("a.py", "def f(:\n")
    ran = box.run("check", "--add-ignores", "a.py", fake=False)
    assert ran.code == 1 and (box.root / "a.py").read_text() == "def f(:\n"


STATEMENTS = [
    "x = float(1)",
    "x = (\n    1,\n    float(1),\n)",
    'x = """\n# jaxlint: ignore[a]\n"""; float(1)',
    "x = 1 + \\\n    float(1)",
    "def f():\n    return float(1)",
    "if float(1):\n    pass",
    "@deco(float(1))\ndef g(): pass",
    "x = float(1)  # note",
    "x = float(1)  # jaxlint: ignore[traced-branch] why",
    "for a in b: float(1)",
    "match float(1):\n    case 1:\n        pass",
    'x = f"{float(1)}#"',
]


@given(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_comment_silences_and_changes_no_program(parts: list[str], newline: str, ends: bool) -> None:
    text = newline.join("\n".join(parts).split("\n")) + (newline if ends else "")
    info = find_info("sync-in-loop")
    assert info is not None
    rows = [row for row, line in enumerate(Source("", text).lines, 1) if "float(" in line]
    for row in rows[:1]:
        changed = commented(text, row, ["sync-in-loop"], "why")
        assert ast.dump(ast.parse(changed)) == ast.dump(ast.parse(text))
        source = Source("", changed)
        moved = next(r for r, line in enumerate(source.lines, 1) if "float(" in line)
        assert Suppressions.of(source).silences(info, moved)


def test_output_file_keeps_the_old_report_until_the_new_one_is_whole(box: Box) -> None:
    box.write("a.py", TWO)
    target = box.write("out/report.json", "old")
    assert box.run("check", "--output-format", "json", "--output-file", "out/report.json").code == 1
    assert len(json.loads(target.read_text())) == 2 and list(Path(box.root, "out").iterdir()) == [target]
    ran = box.run("check", "--output-file", "none/report.json")
    assert ran.code == 2 and "--output-file: none/report.json cannot be written" in ran.err
