"""End to end: the command as people and hooks run it. The interpreter is the stand-in of `stand_in.py`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
STAND_IN = Path(__file__).with_name("stand_in.py")
HOT = "import jax\nfor x in y:\n    float(x)\n"


# ---- findings and exit codes ---------------------------------------------------------------------------


def test_clean(box: Any) -> None:
    box.write("a.py", "import jax\n")
    ran = box.run("check")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "All checks passed (1 file, 1 traced function, 0 places given up).\n"


def test_a_finding(box: Any) -> None:
    box.write("a.py", HOT)
    ran = box.run("check", "a.py")
    assert ran.code == 1
    assert "a.py:3:5: JAX201 [sync-in-loop] `float(x)` waits for the device" in ran.out
    assert "3 |     float(x)\n  |     ^^^^^^^^\n" in ran.out
    assert ran.out.endswith("Found 1 warning in 1 of 1 file (1 traced function, 0 places given up).\n")


def test_equal_findings_are_one_and_all_are_in_order(box: Any) -> None:
    box.write("b.py", "import jax\nfloat(1); int(2)\n\n\nfloat(3)")
    box.write("a.py", HOT)
    ran = box.run("check", "b.py", "a.py", "--output-format", "json")
    assert ran.places == ["a.py:3 JAX201", "b.py:2 JAX201", "b.py:2 JAX102", "b.py:5 JAX201"]


def test_json_is_pure_and_the_summary_is_elsewhere(box: Any) -> None:
    box.write("a.py", HOT)
    ran = box.run("check", "--output-format", "json")
    assert [item["name"] for item in ran.json] == ["sync-in-loop"]
    assert "Found 1 warning" in ran.err
    assert box.run("check", "--output-format", "json", "--select", "JAX3").json == []


def test_file_names_are_as_given(box: Any) -> None:
    box.write("d/a.py", HOT)
    for argument, shown in (("d", "d/a.py"), ("./d/a.py", "d/a.py"), (".", "d/a.py")):
        assert box.run("check", argument, "--output-format", "json").json[0]["filename"] == shown
    absolute = str(box.root / "d")
    assert box.run("check", absolute, "--output-format", "json").json[0]["filename"] == f"{absolute}/a.py"
    assert box.run("check", "..", "--output-format", "json", cwd="d").json[0]["filename"] == "../d/a.py"


def test_every_bad_file_is_one_line_and_the_rest_goes_on(box: Any) -> None:
    box.write("good.py", HOT)
    box.write("syntax.py", "x = (\n")
    box.write("binary.py", b"\x00\x01\xff")
    box.write("latin.py", b"x = '\xe9'\n")
    box.write("unknown.py", "# coding: klingon\n")
    box.write("deep.py", "x = " + "(" * 1000 + ")" * 1000)
    box.write("empty.py", "")
    os.symlink("nowhere", box.root / "broken.py")
    ran = box.run("check", "--output-format", "json")
    assert ran.code == 1
    assert sorted(ran.places) == [
        "binary.py:1 JAX000", "broken.py:1 JAX000", "deep.py:1 JAX000", "good.py:3 JAX201", "latin.py:1 JAX000",
        "syntax.py:1 JAX000", "unknown.py:1 JAX000",
    ]  # fmt: skip
    assert not [item for item in ran.json if "\n" in item["message"]]


def test_a_missing_path_is_told_and_the_rest_goes_on(box: Any) -> None:
    box.write("a.py", HOT)
    ran = box.run("check", "nope.py", "a.py", "--output-format", "concise")
    assert ran.code == 2
    assert ran.err == "jaxlint: error: nope.py: no such file or folder\n"
    assert "a.py:3:5: JAX201" in ran.out
    assert "All checks passed" not in box.run("check", "nope.py").out


def test_no_files(box: Any) -> None:
    (box.root / "empty").mkdir()
    ran = box.run("check", "empty")
    assert ran.code == 0 and "warning: no Python file to check in: empty" in ran.err
    assert box.run("check", "empty", "--require-files").code == 2
    box.write("jaxlint.toml", "require-files = true")
    assert box.run("check", "empty").code == 2


def test_severity_confidence_and_exit_codes(box: Any) -> None:
    box.write("a.py", HOT)
    box.write("g.py", "import jax\nguess()")
    assert box.run("check", "a.py", "--exit-zero").code == 0
    assert box.run("check", "a.py", "--fail-on", "error").code == 0
    assert box.run("check", "a.py", "--fail-on", "warning").code == 1
    assert box.run("check", "g.py").code == 0
    assert box.run("check", "g.py", "--confidence", "guess").code == 1
    box.write("jaxlint.toml", "severity = { sync-in-loop = 'advice' }\nfail-on = 'warning'")
    assert box.run("check", "a.py").code == 0
    assert box.run("check", "a.py", "--output-format", "json").json[0]["severity"] == "advice"
    box.write("jaxlint.toml", "severity = { sync-in-loop = 'off' }")
    assert box.run("check", "a.py", "--output-format", "json").json == []
    assert box.run("check", "nope", "--exit-zero").code == 2


# ---- usage errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--select", "JAX999"], "--select: unknown rule `JAX999`"),
        (["check", "--ignore", "traced-brunch"], "did you mean `traced-branch`"),
        (["check", "--per-file-ignores", "a.py"], "GLOB:RULE"),
        (["check", "--output-format", "xml"], "xml"),
        (["check", "--nonsense"], "--nonsense"),
        (["check", "--config", "gone.toml"], "gone.toml"),
        (["check", "--isolated", "--config", "x"], "--config"),
        (["chekc"], "did you mean `check`"),
        (["a.py"], "jaxlint check a.py"),
        (["rule", "JAX999"], "unknown rule"),
        (["rule"], "CODE|NAME"),
        (["why", "a.py"], "FILE:LINE"),
        (["why", "gone.py:1"], "gone.py: no such file"),
        (["why", "a.py:99"], "a.py has 4 lines"),
        (["why", ".:1"], "not a file"),
        (["check", ""], "a path is empty"),
        (["check", "--select", ","], "--select: no rule is named"),
        (["rule", "JAX5"], "`JAX5` means"),
        (["check", "a.py", "--output-file", "no/such/folder"], "no/such/folder"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(box: Any, arguments: list[str], words: str) -> None:
    box.write("a.py", HOT)
    ran = box.run(*arguments)
    assert ran.code == 2
    assert ran.err.startswith("jaxlint: error: ") and ran.err.count("\n") == 1
    assert words in ran.err
    assert "Traceback" not in ran.err + ran.out


def test_a_broken_configuration(box: Any) -> None:
    box.write("sub/a.py", HOT)
    box.write("sub/pyproject.toml", "[tool.jaxlint]\nselct = []")
    ran = box.run("check")
    assert ran.code == 2 and ran.err.count("\n") == 1
    assert "sub/pyproject.toml: unknown key `selct`; did you mean `select`?" in ran.err
    assert box.run("check", "--isolated").code == 1


def test_without_a_command_the_help(box: Any) -> None:
    ran = box.run()
    assert ran.code == 2 and "check" in ran.err


# ---- internal errors -----------------------------------------------------------------------------------


def test_a_rule_that_fails_costs_one_finding(box: Any) -> None:
    box.write("a.py", "import jax\ncrash_rule()\nfloat(1)\n")
    ran = box.run("check", "--output-format", "json")
    assert ran.code == 2
    assert ran.places == ["a.py:3 JAX201"]
    assert "internal error: a.py:2: rule JAX201 (sync-in-loop) failed: ZeroDivisionError" in ran.err


def test_a_file_that_the_interpreter_gives_up_costs_only_itself(box: Any) -> None:
    box.write("a.py", "import jax\ncrash_analysis\n")
    box.write("b.py", HOT)
    ran = box.run("check", "--output-format", "json", "--exit-zero")
    assert ran.code == 2
    assert ran.places == ["b.py:3 JAX201"]
    assert "internal error: a.py: the interpreter failed: KeyError" in ran.err


# ---- selection, configuration, exclusion ---------------------------------------------------------------


def test_selection(box: Any) -> None:
    box.write("a.py", "import jax\nfloat(1)\nint(2)\n")

    def codes(*arguments: str) -> list[str]:
        return [item["code"] for item in box.run("check", "--output-format", "json", *arguments).json]

    assert codes() == ["JAX201", "JAX102"]
    assert codes("--select", "JAX1,JAX3") == ["JAX102"]
    assert codes("--select", "JAX1", "--select", "sync-in-loop") == ["JAX201", "JAX102"]
    assert codes("--ignore", "JAX1") == ["JAX201"]
    assert codes("--select", "JAX1", "--extend-select", "JAX201", "--extend-ignore", "JAX102") == ["JAX201"]
    assert codes("--per-file-ignores", "*.py:JAX1,JAX3") == ["JAX201"]
    box.write("jaxlint.toml", "select = ['JAX1']")
    assert codes() == ["JAX102"]
    assert codes("--isolated") == ["JAX201", "JAX102"]
    assert codes("--select", "JAX201") == ["JAX201"]


def test_each_file_has_the_configuration_nearest_to_it(box: Any) -> None:
    box.write("a.py", HOT)
    box.write("sub/b.py", HOT)
    box.write("sub/pyproject.toml", "[tool.jaxlint]\nignore = ['JAX201']")
    assert box.run("check", "--output-format", "json").places == ["a.py:3 JAX201"]
    box.write("jaxlint.toml", "per-file-ignores = { '!sub/**' = ['JAX2'] }")
    assert box.run("check", "--output-format", "json").places == []


def test_exclusion(box: Any) -> None:
    for name in ("a.py", "old/b.py", "gen/c_pb2.py", "build/d.py"):
        box.write(name, HOT)

    def names(*arguments: str) -> list[str]:
        return [item["filename"] for item in box.run("check", "--output-format", "json", *arguments).json]

    assert names() == ["a.py", "gen/c_pb2.py", "old/b.py"]
    assert names("--extend-exclude", "old,*_pb2.py") == ["a.py"]
    assert names("--exclude", "old") == ["a.py", "build/d.py", "gen/c_pb2.py"]
    assert names("old/b.py", "--extend-exclude", "old") == ["old/b.py"]
    assert names("old/b.py", "a.py", "--extend-exclude", "old", "--force-exclude") == ["a.py"]
    assert names("build/d.py", "--force-exclude") == []


def test_functions_of_the_user_reach_the_interpreter_and_count_as_words(box: Any) -> None:
    box.write("a.py", "import mylib\nfloat(1)")
    assert "0 traced functions" in box.run("check").out
    box.write("jaxlint.toml", "[functions]\n'mylib.jit' = { like = 'jax.jit' }")
    assert "1 traced function, 1 place given up" in box.run("check").out


# ---- across files --------------------------------------------------------------------------------------


def test_findings_only_in_files_that_were_asked_for(box: Any) -> None:
    box.write("pyproject.toml", "")
    box.write("train.py", "import jax\nfrom utils import f\nfloat(1)")
    box.write("utils.py", "int(3)")
    assert box.run("check", "train.py", "--output-format", "json").places == ["train.py:3 JAX201"]
    assert box.run("check", "--output-format", "json").places == ["train.py:3 JAX201", "utils.py:1 JAX102"]


# ---- suppressions --------------------------------------------------------------------------------------


def test_ignore_comments(box: Any) -> None:
    box.write(
        "a.py", "import jax\nfloat(1)  # jaxlint: ignore[sync-in-loop] once\nfloat(2)\nfloat(3)  # noqa: JAX201\n"
    )
    assert box.run("check", "--output-format", "json").places == ["a.py:3 JAX201"]


def test_an_ignore_comment_at_the_jit_of_the_trace(box: Any) -> None:
    text = "import jax\n{}@jit\ndef f(x):\n    float(x)\n"
    box.write("a.py", text.format(""))
    assert len(box.run("check", "--output-format", "json").json) == 1
    box.write("a.py", text.format("# jaxlint: ignore[JAX201] eager by design\n"))
    assert box.run("check", "--select", "ALL", "--output-format", "json").json == []


def test_a_blanket_ignore_is_refused_with_a_word(box: Any) -> None:
    box.write("a.py", "import jax\nfloat(1)  # jaxlint: ignore\n")
    ran = box.run("check", "--output-format", "json")
    assert ran.places == ["a.py:2 JAX201"]
    assert "a.py:2: this comment silences nothing: name the rules" in ran.err


def test_unused_suppressions_when_asked_for(box: Any) -> None:
    box.write("a.py", "import jax\nx = 1  # jaxlint: ignore[JAX201]\nfloat(1)  # jaxlint: ignore[JAX201]\n")
    assert box.run("check").code == 0
    ran = box.run("check", "--extend-select", "JAX001", "--output-format", "json")
    assert ran.places == ["a.py:2 JAX001"]
    assert ran.json[0]["fix"]["applicability"] == "safe"
    assert box.run("check", "--select", "JAX001", "--output-format", "json").json == []
    box.write("a.py", "import jax\nx = 1  # jaxlint: ignore[JAX201]\n# jaxlint: ignore-file[JAX001]\n")
    assert box.run("check", "--extend-select", "JAX001", "--output-format", "json").json == []


def test_a_comment_for_a_finding_below_the_confidence_is_not_unused(box: Any) -> None:
    box.write("a.py", "import jax\nguess()  # jaxlint: ignore[JAX201]\n")
    assert box.run("check", "--select", "ALL", "--output-format", "json").json == []


# ---- standard input and output -------------------------------------------------------------------------


def test_standard_input(box: Any) -> None:
    ran = box.run("check", "-", "--output-format", "json", stdin=HOT.encode())
    assert ran.places == ["<stdin>:3 JAX201"]
    ran = box.run(
        "check", "--stdin-filename", "pkg/a.py", "--output-format", "json", stdin=b"\xef\xbb\xbf" + HOT.encode()
    )
    assert ran.places == ["pkg/a.py:3 JAX201"]
    ran = box.run("check", "-", "--stdin-filename", "build/a.py", "--force-exclude", stdin=HOT.encode())
    assert ran.code == 0
    assert box.run("check", "-", stdin=b"x = (").code == 1


def test_standard_input_resolves_imports_by_its_name(box: Any) -> None:
    box.write("pyproject.toml", "")
    box.write("pkg/step.py", "import jax")
    text = b"from step import f\nfloat(f())"
    assert box.run("check", "-", "--stdin-filename", "pkg/a.py", stdin=text).code == 1
    assert box.run("check", "-", "--stdin-filename", "other/a.py", stdin=text).code == 0


def test_output_file(box: Any) -> None:
    box.write("a.py", HOT)
    ran = box.run("check", "--output-format", "json", "--output-file", "out.json")
    assert (ran.code, ran.out) == (1, "")
    assert json.loads((box.root / "out.json").read_text())[0]["code"] == "JAX201"


def test_statistics(box: Any) -> None:
    box.write("a.py", "import jax\nfloat(1)\nint(2)\nfloat(3)\n")
    assert box.run("check", "--statistics").out == "2  JAX201  sync-in-loop\n1  JAX102  traced-to-python\n"
    counts = box.run("check", "--statistics", "--output-format", "json").json
    assert counts[0] == {"code": "JAX201", "name": "sync-in-loop", "count": 2}


def test_github_format_leaves_stdout_to_the_commands(box: Any) -> None:
    box.write("a.py", HOT)
    ran = box.run("check", "--output-format", "github")
    assert ran.out.startswith("::warning ") and ran.out.count("\n") == 1
    assert "Found 1 warning" in ran.err


def test_colour(box: Any) -> None:
    box.write("a.py", HOT)
    assert "\x1b[" not in box.run("check").out
    assert "\x1b[" in box.run("check", env={"FORCE_COLOR": "1"}).out
    assert "\x1b[" not in box.run("check", env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).out
    assert "\x1b[" not in box.run("check", "--output-format", "json", env={"FORCE_COLOR": "1"}).out


def test_quiet_and_verbose(box: Any) -> None:
    box.write("a.py", HOT)
    quiet = box.run("check", "-q", "--output-format", "concise")
    assert quiet.out.count("\n") == 1 and quiet.err == ""
    assert "configuration: none found" in box.run("check", "-v").err


def test_odd_file_names_and_a_narrow_encoding(box: Any) -> None:
    box.write("new\nline\x1b[2J.py", HOT)
    box.write("ünï.py", HOT)
    (Path(os.fsdecode(os.fsencode(str(box.root)) + b"/\xff.py"))).write_text(HOT)
    ran = box.run("check", env={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 1 and "Traceback" not in ran.err
    assert "\x1b" not in ran.out
    assert len(box.run("check", "--output-format", "json").json) == 3


@pytest.mark.parametrize(
    ("redirect", "code", "words"),
    [
        (">&-", 1, ""),
        ("2>&-", 1, ""),
        (">&- 2>&- <&-", 1, ""),
        (">/dev/full", 2, "jaxlint: error: the output: No space left on device"),
    ],
)
def test_streams_that_take_nothing(box: Any, redirect: str, code: int, words: str) -> None:
    """A closed or full stream is no reason for a traceback, nor for another exit status."""
    if "full" in redirect and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    box.write("a.py", HOT)
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} {STAND_IN} check a.py {redirect}"],
        cwd=box.root,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert (done.returncode, done.stderr.strip()) == (code, words)


def test_a_working_directory_that_is_gone(box: Any) -> None:
    done = subprocess.run(
        ["sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m jaxlint check {box.root}"],
        cwd=box.root,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert done.returncode == 2
    assert done.stderr.startswith("jaxlint: error: the working directory no longer exists")


def test_standard_input_that_is_closed(box: Any) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m jaxlint check - <&-"],
        cwd=box.root,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert done.returncode == 2 and done.stderr.startswith("jaxlint: error: standard input is closed")


def test_a_reader_that_leaves_early(box: Any) -> None:
    for i in range(300):
        box.write(f"a{i}.py", HOT)
    command = [sys.executable, str(Path(__file__).with_name("stand_in.py")), "check"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = subprocess.Popen(command, cwd=box.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert running.stdout is not None and running.stderr is not None
    running.stdout.readline()
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait(timeout=30) == 1, "what was found is found, whoever reads it"


def test_ctrl_c_is_quiet(box: Any) -> None:
    pipe = subprocess.Popen(
        [sys.executable, "-m", "jaxlint", "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=box.root,
    )
    time.sleep(2.0)  # until it waits for its input
    pipe.send_signal(signal.SIGINT)
    out, err = pipe.communicate(timeout=30)
    assert (pipe.returncode, out, err) == (130, b"", b"")


# ---- the other commands --------------------------------------------------------------------------------


def test_version(box: Any) -> None:
    assert re.fullmatch(r"jaxlint \d+\.\d+\.\d+\S*\n", box.run("--version", fake=False).out)


def test_rule(box: Any) -> None:
    by_code, by_name = box.run("rule", "JAX101"), box.run("rule", "traced-branch")
    assert by_code.code == 0 and by_code.out == by_name.out
    assert by_code.out.startswith("# traced-branch (JAX101)\n")
    assert "## Why" in by_code.out and "# error: [" not in by_code.out and "run=" not in by_code.out
    known = box.run("rule", "JAX101", "--output-format", "json").json
    assert (known["code"], known["severity"], known["default"]) == ("JAX101", "error", True)


def test_rules(box: Any) -> None:
    listed = box.run("rules").out.splitlines()
    known = box.run("rules", "--output-format", "json").json
    assert [line.split()[0] for line in listed] == [item["code"] for item in known]
    assert listed[0].split()[:4] == ["JAX000", "syntax-error", "on", "error"]
    assert all(item["explanation"].count("## ") >= 4 for item in known)


def test_why(box: Any) -> None:
    box.write("a.py", "x = 1\n")
    assert box.run("why", "a.py:1:1").out == "a.py:1:1 \\x1b[2J\n"
    assert box.run("why", "a.py:1").out.startswith("a.py:1:None")
    box.write("b.py", "x = (")
    ran = box.run("why", "b.py:1")
    assert ran.code == 2 and "b.py:1: '(' was never closed" in ran.err


# ---- start-up ------------------------------------------------------------------------------------------


def test_a_run_without_jax_imports_nothing_heavy(box: Any) -> None:
    box.write("a.py", "x = 1\n")
    program = (
        "import sys; from jaxlint.cli import main; main(['check', 'a.py', '-q']); print(' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=box.root,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=True,
    )
    loaded = set(done.stdout.split())
    heavy = {"jax", "numpy", "libcst", "tomllib", "difflib", "json", "jaxlint.interpreter"}
    assert "jaxlint.engine" in loaded
    assert loaded & heavy == set()
    assert not [name for name in loaded if name.startswith("jaxlint.rules.") and name != "jaxlint.rules.base"]


@pytest.mark.slow
def test_a_file_of_50_000_lines(box: Any) -> None:
    box.write("a.py", "import jax\n" + "x = f(1, 2)  # noqa: E501\n" * 50_000 + "float(1)\n")
    ran = box.run("check", "--output-format", "json")
    assert ran.places == ["a.py:50002 JAX201"]


# ---- with the real interpreter and rules ---------------------------------------------------------------


def test_two_files_for_real(box: Any) -> None:
    box.write("pyproject.toml", "")
    box.write(
        "train.py",
        "import jax\nfrom utils import clip\n\n\n"
        "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return clip(-x)\n",
    )
    box.write("utils.py", "def clip(y):\n    if y > 1:  # noqa: E501\n        return 1\n    return y\n")
    ran = box.run("check", "--output-format", "json", fake=False)
    assert ran.code == 1
    assert ran.places == ["train.py:7 JAX101", "utils.py:2 JAX101"]
    assert "train.py" in {step["filename"] for step in ran.json[1]["trace"]}
    assert box.run("check", "train.py", "--output-format", "json", fake=False).places == ["train.py:7 JAX101"]
    box.write(
        "utils.py",
        "def clip(y):\n    if y > 1:  # jaxlint: ignore[traced-branch] a test\n        return 1\n    return y\n",
    )
    assert box.run("check", "--select", "ALL", "--output-format", "json", fake=False).places == ["train.py:7 JAX101"]


def test_why_for_real(box: Any) -> None:
    box.write("a.py", "import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n")
    ran = box.run("why", "a.py:6:12", fake=False)
    assert ran.code == 0 and "a.py:4" in ran.out
    assert "nothing is evaluated here" in box.run("why", "a.py:2", fake=False).out
