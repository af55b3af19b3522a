"""Configuration: `[tool.jaxlint]` of the nearest pyproject.toml that has it, or jaxlint.toml; command line on top."""

from __future__ import annotations

import fnmatch
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from jaxlint.files import DEFAULT_EXCLUDE, reason
from jaxlint.findings import Confidence, Severity
from jaxlint.globs import Glob
from jaxlint.rules import CODES, Info
from jaxlint.selection import Layer, did_you_mean, is_known, matches, selected, specificity, unknown_selector

CONFIDENCES: dict[str, Confidence] = {
    "proven": Confidence.PROVEN,
    "likely": Confidence.LIKELY,
    "guess": Confidence.GUESS,
}
SEVERITIES: dict[str, Severity] = {severity.value: severity for severity in Severity}
OFF = "off"
FORMATS: tuple[str, ...] = ("text", "concise", "json", "github", "sarif", "gitlab", "junit")
KEYS: tuple[str, ...] = (
    "select",
    "ignore",
    "extend-select",
    "exclude",
    "extend-exclude",
    "per-file-ignores",
    "output-format",
    "functions",
    "severity",
    "fail-on",
    "confidence",
    "target-jax",
    "extend",
    "require-files",
    "test-files",
)

DEFAULT_TEST_FILES: tuple[str, ...] = ("test_*.py", "*_test.py", "conftest.py")
"""The files that pytest collects."""

Functions = Mapping[str, Mapping[str, object]]


class ConfigError(ValueError):
    """A configuration that cannot be used. The text is one line for the user and names the file."""


@dataclass(frozen=True, slots=True)
class PerFileIgnore:
    """Rules that are off in the files that a glob names or, negated, in all the others."""

    glob: Glob
    negated: bool
    selectors: tuple[str, ...]

    def applies(self, path: str) -> bool:
        return self.glob.covers(path) != self.negated


@dataclass(frozen=True, slots=True)
class Config:
    """The settings for the files of one folder, with what the command line says on top."""

    origin: str | None = None
    layers: tuple[Layer, ...] = ()
    exclude: tuple[Glob, ...] = ()
    extend_exclude: tuple[Glob, ...] = ()
    per_file_ignores: tuple[PerFileIgnore, ...] = ()
    output_format: str = "text"
    functions: Functions = field(default_factory=dict, hash=False)
    severity: tuple[tuple[str, str], ...] = ()
    fail_on: Severity = Severity.ADVICE
    confidence: Confidence = Confidence.LIKELY
    target_jax: str | None = None
    require_files: bool = False
    # names of files that pytest collects: what only costs time is not reported there
    test_files: tuple[str, ...] = DEFAULT_TEST_FILES

    def is_test(self, path: str) -> bool:
        """Whether a file holds tests: there a wait or a compilation is no loss that anyone minds."""
        name = os.path.basename(path)
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.test_files)

    def excludes(self, path: str) -> bool:
        """Whether the file or folder at the absolute `path` is left out."""
        return any(glob.matches(path) for glob in self.exclude) or any(
            glob.matches(path) for glob in self.extend_exclude
        )

    def rules_for(self, path: str) -> frozenset[str]:
        """The codes of the rules that report in the file at the absolute `path`."""
        codes = selected(self.layers)
        off = [entry.selectors for entry in self.per_file_ignores if entry.applies(path)]
        if not off:
            return codes
        return frozenset(code for code in codes if not any(matches(selectors, CODES[code]) for selectors in off))

    def severity_of(self, info: Info) -> Severity | None:
        """The severity that the configuration gives to a rule; None when it leaves it alone."""
        found = max(
            ((specificity(selector, info), i, word) for i, (selector, word) in enumerate(self.severity)),
            default=(-1, 0, OFF),
        )
        return None if found[0] < 0 or found[2] == OFF else SEVERITIES[found[2]]


def default_config(root: str) -> Config:
    """The settings without any file."""
    return Config(exclude=tuple(Glob(root, pattern) for pattern in DEFAULT_EXCLUDE))


# ---- reading one file ----------------------------------------------------------------------------------


def load(path: str, *, required: bool = True, _chain: tuple[str, ...] = ()) -> Config | None:
    """The settings of a configuration file, with those that it extends. None: a pyproject.toml without our table.

    `required`: that is an error too.
    """
    path = os.path.abspath(path)
    table = _table(path, required)
    if table is None:
        return None
    root = os.path.dirname(path)
    _check_keys(path, table)
    base = default_config(root)
    if "extend" in table:
        parent = os.path.join(root, os.path.expanduser(_text(path, "extend", table["extend"])))
        if os.path.abspath(parent) in (*_chain, path):
            raise ConfigError(f"{path}: `extend` leads back to this file, through {parent}")
        loaded = load(parent, _chain=(*_chain, path))
        assert loaded is not None
        base = loaded
    return _merge(base, table, path, root)


def _table(path: str, required: bool) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise ConfigError(f"{path}: this configuration file cannot be read: {reason(error)}") from None
    own = os.path.basename(path) != "pyproject.toml"
    if not own and b"jaxlint" not in data:
        if required:
            raise ConfigError(f"{path}: has no [tool.jaxlint] table")
        return None
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document: Any = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not valid TOML: not encoded in UTF-8") from None
    except (ValueError, RecursionError) as error:  # also an integer that is too long for Python
        raise ConfigError(f"{path}: not valid TOML: {' '.join(str(error).split())}") from None
    if own:
        return dict(document)
    tool = document.get("tool")
    table = tool.get("jaxlint") if isinstance(tool, dict) else None
    if table is None and required:
        raise ConfigError(f"{path}: has no [tool.jaxlint] table")
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: [tool.jaxlint] must be a table, not {_kind(table)}")
    return table


def _check_keys(path: str, table: dict[str, Any]) -> None:
    for key in table:
        if key not in KEYS:
            raise ConfigError(f"{path}: unknown key `{key}`{did_you_mean(key.replace('_', '-'), KEYS)}")


def _merge(base: Config, table: dict[str, Any], path: str, root: str) -> Config:
    """`base` with the keys of `table` over it."""
    changes: dict[str, Any] = {"origin": path}
    severity = _severity(path, table.get("severity", {}))
    off = tuple(selector for selector, word in severity if word == OFF)
    layer = Layer(
        select=_selectors(path, "select", table["select"]) if "select" in table else None,
        extend_select=_selectors(path, "extend-select", table.get("extend-select", [])),
        ignore=_selectors(path, "ignore", table.get("ignore", [])) + off,
    )
    changes["layers"] = (*base.layers, layer)
    changes["severity"] = (*base.severity, *severity)
    if "exclude" in table:
        changes["exclude"] = _globs(path, "exclude", table["exclude"], root)
    extra = _globs(path, "extend-exclude", table.get("extend-exclude", []), root)
    changes["extend_exclude"] = base.extend_exclude + extra
    changes["per_file_ignores"] = base.per_file_ignores + _per_file(path, table.get("per-file-ignores", {}), root)
    changes["functions"] = {**base.functions, **_functions(path, table.get("functions", {}))}
    if "output-format" in table:
        changes["output_format"] = _choice(path, "output-format", table["output-format"], FORMATS)
    if "fail-on" in table:
        changes["fail_on"] = SEVERITIES[_choice(path, "fail-on", table["fail-on"], SEVERITIES)]
    if "confidence" in table:
        changes["confidence"] = CONFIDENCES[_choice(path, "confidence", table["confidence"], CONFIDENCES)]
    if "target-jax" in table:
        changes["target_jax"] = _version(path, table["target-jax"])
    if "require-files" in table:
        if not isinstance(table["require-files"], bool):
            raise ConfigError(_wrong(path, "require-files", "true or false", table["require-files"]))
        changes["require_files"] = table["require-files"]
    if "test-files" in table:
        changes["test_files"] = _texts(path, "test-files", table["test-files"])
    return replace(base, **changes)


# ---- validating one value ------------------------------------------------------------------------------


def _kind(value: object) -> str:
    names: dict[type, str] = {bool: "a boolean", int: "an integer", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "a table" if isinstance(value, dict) else f"a {type(value).__name__}")


def _wrong(path: str, key: str, wanted: str, value: object) -> str:
    return f"{path}: `{key}` must be {wanted}, not {_kind(value)}"


def _text(path: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(_wrong(path, key, "a string", value))
    return value


def _texts(path: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigError(_wrong(path, key, "a list of strings", value))
    for item in value:
        if not isinstance(item, str):
            raise ConfigError(f"{path}: `{key}` must be a list of strings, and holds {_kind(item)}")
    return tuple(value)


def _selectors(path: str, key: str, value: object) -> tuple[str, ...]:
    selectors = _texts(path, key, value)
    for selector in selectors:
        if not is_known(selector):
            raise ConfigError(f"{path}: `{key}`: {unknown_selector(selector)}")
    return selectors


def _globs(path: str, key: str, value: object, root: str) -> tuple[Glob, ...]:
    return tuple(Glob(root, pattern) for pattern in _texts(path, key, value))


_Choice = TypeVar("_Choice")


def _choice(path: str, key: str, value: object, choices: Mapping[str, _Choice] | tuple[str, ...]) -> str:
    word = _text(path, key, value)
    if word not in choices:
        raise ConfigError(f"{path}: `{key}` must be one of {', '.join(choices)}; it is `{word}`")
    return word


def _version(path: str, value: object) -> str:
    word = _text(path, "target-jax", value)
    if not re.fullmatch(r"\d+(\.\d+){0,2}", word):
        raise ConfigError(f'{path}: `target-jax` must be a version such as "0.4.35"; it is `{word}`')
    return word


def _mapping(path: str, key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(_wrong(path, key, "a table", value))
    return value


def _severity(path: str, value: object) -> tuple[tuple[str, str], ...]:
    table = _mapping(path, "severity", value)
    _selectors(path, "severity", list(table))
    return tuple(
        (selector, _choice(path, f"severity.{selector}", word, (*SEVERITIES, OFF))) for selector, word in table.items()
    )


def _per_file(path: str, value: object, root: str) -> tuple[PerFileIgnore, ...]:
    return tuple(
        per_file_ignore(pattern, _selectors(path, f'per-file-ignores."{pattern}"', selectors), root)
        for pattern, selectors in _mapping(path, "per-file-ignores", value).items()
    )


def per_file_ignore(pattern: str, selectors: tuple[str, ...], root: str) -> PerFileIgnore:
    """One entry of `per-file-ignores`; a leading `!` turns the glob round."""
    return PerFileIgnore(Glob(root, pattern.removeprefix("!")), pattern.startswith("!"), selectors)


def _functions(path: str, value: object) -> Functions:
    table = _mapping(path, "functions", value)
    if not table:
        return {}
    from jaxlint.knowledge.entry import Entry

    # TOML type of each key of an entry; `like` names a known function to copy
    checks: dict[str, Callable[[object], bool]] = {"like": lambda item: isinstance(item, str)}
    for name, default in ((name, getattr(Entry(), name)) for name in Entry.__dataclass_fields__):
        checks[name.replace("_", "-")] = _check_like(default)
    for function, entry in table.items():
        where = f'functions."{function}"'
        for key, item in _mapping(path, where, entry).items():
            check = checks.get(key.replace("_", "-"))
            if check is None:
                raise ConfigError(f"{path}: `{where}`: unknown key `{key}`{did_you_mean(key, checks)}")
            if not check(item):
                raise ConfigError(f"{path}: `{where}.{key}` cannot be {_kind(item)}")
    return {function: {key.replace("-", "_"): item for key, item in entry.items()} for function, entry in table.items()}


def _check_like(default: object) -> Callable[[object], bool]:
    if isinstance(default, tuple):
        return lambda item: isinstance(item, list) and all(isinstance(part, str) for part in item)
    wanted: type = dict if isinstance(default, Mapping) else type(default)
    return lambda item: isinstance(item, wanted)


# ---- which file counts, and the command line on top ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says. None and () mean: not given."""

    layer: Layer = field(default_factory=Layer)
    exclude: tuple[Glob, ...] | None = None
    extend_exclude: tuple[Glob, ...] = ()
    per_file_ignores: tuple[PerFileIgnore, ...] = ()
    output_format: str | None = None
    fail_on: Severity | None = None
    confidence: Confidence | None = None
    require_files: bool = False


class Settings:
    """Gives each file its settings: the nearest configuration file above it, then the command line."""

    def __init__(
        self,
        overrides: Overrides | None = None,
        *,
        isolated: bool = False,
        config_file: str | None = None,
        force_exclude: bool = False,
    ) -> None:
        self.overrides = overrides or Overrides()
        self.force_exclude = force_exclude
        self.isolated = isolated
        self._by_folder: dict[str, Config] = {}
        self._fixed: Config | None = None
        if isolated:
            self._fixed = self._with_overrides(default_config(os.getcwd()))
        elif config_file is not None:
            loaded = load(config_file)
            assert loaded is not None
            self._fixed = self._with_overrides(loaded)

    def for_folder(self, folder: str) -> Config:
        """The settings for the files in the absolute `folder`."""
        if self._fixed is not None:
            return self._fixed
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._nearest(folder)
        return known

    def for_file(self, path: str) -> Config:
        """The settings for the file at the absolute `path`."""
        return self.for_folder(os.path.dirname(path))

    def excluded(self, path: str) -> bool:
        """Whether the file or folder at the absolute `path` is left out."""
        return self.for_file(path).excludes(path)

    @property
    def used(self) -> list[Config]:
        """The configurations that were asked for so far, each once."""
        configs = [self._fixed] if self._fixed is not None else list(self._by_folder.values())
        return list({config.origin: config for config in configs}.values())

    def _nearest(self, folder: str) -> Config:
        own = os.path.join(folder, "jaxlint.toml")
        if os.path.isfile(own):
            loaded = load(own)
        else:
            project = os.path.join(folder, "pyproject.toml")
            loaded = load(project, required=False) if os.path.isfile(project) else None
        if loaded is not None:
            return self._with_overrides(loaded)
        parent = os.path.dirname(folder)
        if parent == folder:
            return self._with_overrides(default_config(folder))
        return self.for_folder(parent)

    def _with_overrides(self, config: Config) -> Config:
        given = self.overrides
        return replace(
            config,
            layers=(*config.layers, given.layer),
            exclude=config.exclude if given.exclude is None else given.exclude,
            extend_exclude=config.extend_exclude + given.extend_exclude,
            per_file_ignores=config.per_file_ignores + given.per_file_ignores,
            output_format=given.output_format or config.output_format,
            fail_on=given.fail_on or config.fail_on,
            confidence=config.confidence if given.confidence is None else given.confidence,
            require_files=config.require_files or given.require_files,
        )
