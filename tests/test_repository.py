"""The repository itself: nothing of the machine it was written on, and documents that say what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import jaxlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), ROOT / "examples" / "README.md", ROOT / "docs" / "decisions.md"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
IDENTIFIERS = [document.relative_to(ROOT).as_posix() for document in DOCUMENTS]

# Written so that this file does not find itself.
MACHINE_PATHS = re.compile("/(?:" + "|".join(["work", "farm", "root", "tmp"]) + r")/[\w.]")
REGISTRIES = re.compile(r"index-url|extra-index|find-links|files\.pythonhosted|/simple/")


def tracked() -> list[Path]:
    """The tracked text files."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def matches(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for row, line in enumerate(text.splitlines(), 1):
            if pattern.search(line) and path != Path(__file__):
                found.append(f"{path.relative_to(ROOT)}:{row}: {line.strip()[:80]}")
    return found


def jaxlint_help(*command: str) -> str:
    code = "import sys; from jaxlint.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "--help"], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    return done.stdout + done.stderr


def test_no_path_of_a_machine() -> None:
    assert matches(MACHINE_PATHS) == []


def test_no_registry_and_no_lock_file() -> None:
    assert matches(REGISTRIES) == []
    locks = {"uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock", "pylock.toml", "requirements.txt", "pip.conf"}
    assert [path.name for path in tracked() if path.name in locks] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDENTIFIERS)
def test_make_targets_exist(document: Path) -> None:
    named = set()
    for command in re.findall(r"(?:^|`)make ([a-z -]+)", document.read_text(encoding="utf-8"), re.MULTILINE):
        named |= set(command.split())
    assert named <= TARGETS


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDENTIFIERS)
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8")):
        assert (document.parent / link).exists(), link


def test_readme_names_commands_and_options_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    known = jaxlint_help()
    for command in set(re.findall(r"(?:^|`)jaxlint ([a-z]+)", text, re.MULTILINE)):
        assert re.search(rf"\b{command}\b", known), f"`jaxlint {command}` is not in the help"
    options = set()
    for line in re.findall(r"jaxlint check[^`\n]*", text):
        options |= set(re.findall(r"--[a-z-]+", line))
    assert [option for option in sorted(options) if option not in jaxlint_help("check")] == []


def test_readme_shows_what_is_printed() -> None:
    """The finding in the README, word for word, is in the output for the example it names."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(.*?)```", text, re.DOTALL)
    assert shown
    code = "import sys; from jaxlint.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "check", "--isolated", "--no-cache", shown[1].split(":")[0]]
    printed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, timeout=100).stdout
    assert shown[1] in printed


def test_readme_names_every_rule_of_its_families() -> None:
    from jaxlint.rules import TABLE

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [info.name for info in TABLE if info.code[:4] != "JAX0" and info.name not in text] == []


def test_every_package_and_script_exists() -> None:
    assert PROJECT["project"]["scripts"] == {"jaxlint": "jaxlint.cli:main"}
    for package in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert (ROOT / package / "__init__.py").is_file()
        assert (ROOT / package / "py.typed").is_file(), f"{package} ships types, so it must say so"


def test_the_base_install_stays_small() -> None:
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in PROJECT["project"]["dependencies"]}  # type: ignore[index]
    assert names == {"libcst", "tomli"}


def test_accelerator_extras_hold_the_rest_of_runtime() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    rest = {requirement for requirement in extras["runtime"] if not requirement.startswith("jax>")}
    for extra, plugin in (("cuda12", "jax[cuda12]"), ("cuda13", "jax[cuda13]")):
        assert rest == {requirement for requirement in extras[extra] if not requirement.startswith(plugin)}


def test_changelog_knows_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text or f"## [{jaxlint.__version__}]" in text


def test_hooks_for_users_call_a_command_that_exists() -> None:
    entry = re.search(r"entry: jaxlint (\w+) (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert entry
    help_text = jaxlint_help(entry[1])
    assert all(option in help_text for option in entry[2].split())


def test_ci_runs_targets_that_exist() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    named = set(re.findall(r"make --no-print-directory ([a-z-]+)", script))
    assert named
    assert named <= TARGETS
