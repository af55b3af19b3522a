"""Configuration: which file counts, what it may say, and which rules then run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint import config as config_module
from jaxlint import output
from jaxlint.config import Config, ConfigError, Overrides, Settings, load
from jaxlint.findings import Confidence, Severity
from jaxlint.rules import CODES, TABLE
from jaxlint.selection import Layer, is_known, selected
from tests.shell.conftest import Box

DEFAULTS = frozenset(info.code for info in TABLE if info.default)


def written(tmp_path: Path, text: str, name: str = "jaxlint.toml") -> Config:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    loaded = load(str(path))
    assert loaded is not None
    return loaded


# ---- selection -----------------------------------------------------------------------------------------


def runs(*layers: Layer) -> frozenset[str]:
    return selected(layers)


def test_defaults() -> None:
    assert runs() == DEFAULTS
    assert runs(Layer()) == DEFAULTS
    assert "JAX001" not in DEFAULTS and "JAX101" in DEFAULTS


@pytest.mark.parametrize(
    ("layers", "on", "off"),
    [
        ([Layer(select=("ALL",))], ["JAX001", "JAX105", "JAX101"], []),
        ([Layer(select=("JAX1",))], ["JAX101", "JAX105", "JAX000"], ["JAX201", "JAX001"]),
        ([Layer(select=("JAX20",))], ["JAX201", "JAX206"], ["JAX101"]),
        ([Layer(select=("traced-branch", "jax201"))], ["JAX101", "JAX201"], ["JAX102"]),
        ([Layer(select=("JAX1",), ignore=("JAX101",))], ["JAX102"], ["JAX101"]),
        ([Layer(select=("JAX101",), ignore=("JAX1",))], ["JAX101"], ["JAX102"]),
        ([Layer(select=("JAX101",), ignore=("traced-branch",))], [], ["JAX101"]),
        ([Layer(select=("ALL",), ignore=("JAX1",), extend_select=("JAX10",))], ["JAX101"], []),
        ([Layer(extend_select=("JAX105",))], ["JAX105", "JAX101"], ["JAX206"]),
        ([Layer(select=())], ["JAX000"], ["JAX101"]),
        # the command line comes last
        ([Layer(select=("JAX1",)), Layer(select=("JAX2",))], ["JAX201"], ["JAX101"]),
        ([Layer(select=("JAX101",)), Layer(ignore=("JAX1",))], [], ["JAX101"]),
        ([Layer(ignore=("JAX101",)), Layer(select=("ALL",))], ["JAX102"], ["JAX101"]),
        ([Layer(ignore=("JAX101",)), Layer(select=("JAX101",))], ["JAX101"], []),
        ([Layer(ignore=("JAX1",)), Layer(select=("JAX101",))], ["JAX101"], ["JAX102"]),
        ([Layer(ignore=("JAX1",)), Layer(extend_select=("JAX101",))], ["JAX101", "JAX201"], ["JAX102"]),
        # a file that cannot be read is silenced by its own name only
        ([Layer(ignore=("ALL",))], ["JAX000"], ["JAX101"]),
        ([Layer(ignore=("syntax-error",))], ["JAX101"], ["JAX000"]),
    ],
)
def test_selectors(layers: list[Layer], on: list[str], off: list[str]) -> None:
    codes = runs(*layers)
    assert [code for code in on if code not in codes] == []
    assert [code for code in off if code in codes] == []


SELECTORS = st.lists(st.sampled_from(["ALL", "JAX1", "JAX10", "JAX101", "JAX2", "sync-in-loop", "JAX105"]), max_size=3)


@given(SELECTORS, SELECTORS)
@settings(max_examples=150, deadline=None)
def test_a_code_of_its_own_always_decides(select: list[str], ignore: list[str]) -> None:
    layer = Layer(select=tuple(select), ignore=tuple(ignore))
    assert ("JAX101" in runs(layer)) or "JAX101" not in select or "JAX101" in ignore
    assert "JAX101" not in runs(layer) or "JAX101" not in ignore
    assert runs(layer, Layer()) == runs(layer)


@pytest.mark.parametrize("selector", ["ALL", "JAX", "JAX1", "JAX10", "JAX101", "jax101", "traced-branch"])
def test_known_selectors(selector: str) -> None:
    assert is_known(selector)


@pytest.mark.parametrize("selector", ["", "J", "JAX9999", "JAX99", "traced", "E501", "*", "JAX1x"])
def test_unknown_selectors(selector: str) -> None:
    assert not is_known(selector)


# ---- one file ------------------------------------------------------------------------------------------


def test_every_key(tmp_path: Path) -> None:
    config = written(
        tmp_path,
        """
        select = ["JAX1"]
        ignore = ["JAX102"]
        extend-select = ["JAX201"]
        exclude = ["old"]
        extend-exclude = ["gen/*.py"]
        output-format = "json"
        fail-on = "error"
        confidence = "guess"
        target-jax = "0.4.35"
        require-files = true
        per-file-ignores = { "tests/**" = ["JAX1"], "!src/**" = ["sync-in-loop"] }
        severity = { JAX1 = "advice", traced-branch = "error", JAX103 = "off" }
        functions = { "my.jit" = { like = "jax.jit" }, "my.get" = { result = "host", blocks = true, params = ["x"] } }
        """,
    )
    root = str(tmp_path)
    assert config.rules_for(f"{root}/src/a.py") == frozenset({"JAX000", "JAX201"}) | {
        code for code in CODES if code.startswith("JAX1") and code not in ("JAX102", "JAX103")
    }
    assert config.rules_for(f"{root}/b.py") == config.rules_for(f"{root}/src/a.py") - {"JAX201"}
    assert not any(code.startswith("JAX1") for code in config.rules_for(f"{root}/tests/x/a.py"))
    assert config.excludes(f"{root}/x/old") and config.excludes(f"{root}/gen/a.py")
    assert not config.excludes(f"{root}/gen/x/a.py") and not config.excludes(f"{root}/.venv")
    assert (config.output_format, config.fail_on, config.confidence) == ("json", Severity.ERROR, Confidence.GUESS)
    assert (config.target_jax, config.require_files) == ("0.4.35", True)
    assert config.severity_of(CODES["JAX101"]) is Severity.ERROR
    assert config.severity_of(CODES["JAX102"]) is Severity.ADVICE
    assert config.severity_of(CODES["JAX201"]) is None
    assert config.functions["my.get"] == {"result": "host", "blocks": True, "params": ["x"]}


def test_every_key_is_covered_by_the_test_above() -> None:
    text = Path(__file__).read_text()
    assert [key for key in config_module.KEYS if f"{key} = " not in text] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("selct = []", ["unknown key `selct`", "did you mean `select`"]),
        ("per_file_ignores = {}", ["did you mean `per-file-ignores`"]),
        ("zzz = 1", ["unknown key `zzz`"]),
        ('select = ["JAX999"]', ["`select`", "unknown rule `JAX999` (`jaxlint rules` lists them)"]),
        ('ignore = ["traced-brunch"]', ["did you mean `traced-branch`"]),
        ('select = "JAX1"', ["`select` must be a list of strings, not a string"]),
        ("select = [1]", ["holds an integer"]),
        ("exclude = true", ["not a boolean"]),
        ("require-files = 1", ["true or false"]),
        ('output-format = "xml"', ["text", "`xml`"]),
        ('fail-on = "never"', ["error, warning, advice"]),
        ('confidence = "sure"', ["proven"]),
        ("target-jax = 0.4", ["a string, not a number"]),
        ('target-jax = "new"', ["0.4.35"]),
        ("severity = []", ["a table"]),
        ('severity = { JAX101 = "loud" }', ["severity.JAX101", "off"]),
        ('severity = { JAX999 = "off" }', ["unknown rule"]),
        ('per-file-ignores = { "a.py" = "JAX1" }', ['per-file-ignores."a.py"', "a list of strings"]),
        ('per-file-ignores = { "a.py" = ["x"] }', ["unknown rule `x`"]),
        ('functions = { "f" = 1 }', ["must be a table, not an integer"]),
        ('functions = { "f" = { lke = "jax.jit" } }', ["unknown key `lke`", "did you mean `like`"]),
        ('functions = { "f" = { blocks = "yes" } }', ["cannot be a string"]),
        ("extend = 3", ["`extend` must be a string"]),
        ('extend = "gone.toml"', ["gone.toml", "cannot be read"]),
        ('extend = "jaxlint.toml"', ["leads back"]),
        ("select = [", ["not valid TOML"]),
        ("a = 1\na = 2", ["not valid TOML"]),
    ],
)
def test_errors_are_one_line_with_file_and_key(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        written(tmp_path, text)
    message = str(caught.value)
    assert "\n" not in message
    assert "toml" in message.split(": ")[0]
    assert [word for word in words if word not in message] == []


def test_extend_is_the_weaker_layer_and_keeps_its_own_folder(tmp_path: Path) -> None:
    written(
        tmp_path,
        'select = ["JAX2"]\nignore = ["JAX201"]\nextend-exclude = ["gen/*"]\nfail-on = "error"\n'
        'per-file-ignores = { "a.py" = ["JAX202"] }',
        "base/pyproject-base.toml",
    )
    config = written(tmp_path, 'extend = "../base/pyproject-base.toml"\nextend-select = ["JAX101"]', "app/jaxlint.toml")
    assert config.rules_for(str(tmp_path / "app" / "x.py")) >= {"JAX101", "JAX202"}
    assert "JAX201" not in config.rules_for(str(tmp_path / "app" / "x.py"))
    assert "JAX202" not in config.rules_for(str(tmp_path / "app" / "a.py"))
    assert config.excludes(str(tmp_path / "base/gen/x")) and not config.excludes(str(tmp_path / "app/gen/x"))
    assert config.fail_on is Severity.ERROR


def test_extend_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('extend = "b.toml"')
    (tmp_path / "b.toml").write_text('extend = "a.toml"')
    with pytest.raises(ConfigError, match="leads back"):
        load(str(tmp_path / "a.toml"))


# ---- which file counts ---------------------------------------------------------------------------------


def test_the_nearest_file_that_has_the_table(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nselect = ["JAX2"]')
    (tmp_path / "a" / "pyproject.toml").write_text('[project]\nname = "jaxlint-user"\n[tool.ruff]\n')
    (inner / "pyproject.toml").write_text("this is not TOML and says nothing of us")
    settings = Settings()
    assert settings.for_file(str(inner / "x.py")).origin == str(tmp_path / "pyproject.toml")
    (inner / "jaxlint.toml").write_text("")
    assert Settings().for_file(str(inner / "x.py")).origin == str(inner / "jaxlint.toml")
    assert settings.for_file(str(tmp_path / "a" / "x.py")).rules_for("x") >= {"JAX201"}


def test_isolated_and_explicit(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text("select = 3")
    assert Settings(isolated=True).for_file(str(tmp_path / "x.py")).origin is None
    other = tmp_path / "other.toml"
    other.write_text('select = ["JAX3"]')
    assert "JAX301" in Settings(config_file=str(other)).for_file(str(tmp_path / "x.py")).rules_for("x")
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]")
    with pytest.raises(ConfigError, match=r"no \[tool.jaxlint\] table"):
        Settings(config_file=str(tmp_path / "pyproject.toml"))
    with pytest.raises(ConfigError, match="cannot be read"):
        Settings(config_file=str(tmp_path / "gone.toml"))


def test_the_command_line_wins(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text('select = ["JAX1"]\nconfidence = "guess"\nfail-on = "error"')
    given = Overrides(layer=Layer(select=("JAX2",)), confidence=Confidence.PROVEN, fail_on=Severity.ADVICE)
    config = Settings(given).for_file(str(tmp_path / "x.py"))
    assert "JAX101" not in config.rules_for("x") and "JAX201" in config.rules_for("x")
    assert (config.confidence, config.fail_on) == (Confidence.PROVEN, Severity.ADVICE)


def test_a_mark_at_the_start_of_the_file_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "jaxlint.toml"
    path.write_bytes(b"\xef\xbb\xbfselect = [\r\n'JAX2',\r\n]\r\n")
    loaded = load(str(path))
    assert loaded is not None and "JAX201" in loaded.rules_for("x")
    path.write_bytes(b"# \xff\n")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(str(path))


def test_formats_that_the_configuration_may_name_exist() -> None:
    assert set(config_module.FORMATS) == set(output.NAMES)


def test_what_only_costs_is_not_reported_in_tests(box: Box) -> None:
    program = "def test_it(losses):\n    for loss in losses:\n        print(float(loss))\n"
    program = "import jax\n" + program
    box.write("test_step.py", program)
    box.write("train.py", program)
    assert box.run("check", "--isolated", "--output-format", "json", ".").places == ["train.py:4 JAX201"]
    box.write("jaxlint.toml", "test-files = []\n")
    everywhere = box.run("check", "--output-format", "json", ".").places
    assert everywhere == ["test_step.py:4 JAX201", "train.py:4 JAX201"]


def test_what_a_test_does_is_not_reported_in_the_code_that_it_calls(box: Box) -> None:
    caller = (
        "import jax\nfrom sampler import State, advance\n\n\ndef main():\n    key = jax.random.key(0)\n"
        "    start = jax.random.uniform(key)\n    state = State(key, start)\n    return advance(state)\n\n\nmain()\n"
    )
    sampler = (
        "from typing import NamedTuple\n\nimport jax\n\n\nclass State(NamedTuple):\n    key: jax.Array\n"
        "    place: jax.Array\n\n\ndef advance(state):\n    key, sub = jax.random.split(state.key)\n"
        "    return State(key, state.place + jax.random.normal(sub))\n"
    )
    box.write("sampler.py", sampler)
    box.write("test_sampler.py", caller)
    assert box.run("check", "--isolated", "--output-format", "json", ".", fake=False).places == []
    (box.root / "test_sampler.py").rename(box.root / "main.py")
    assert box.run("check", "--isolated", "--output-format", "json", ".", fake=False).places == ["sampler.py:12 JAX601"]
