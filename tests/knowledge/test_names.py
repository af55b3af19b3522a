"""Every line of the tables names something that is installed, with the parameters it really has."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import types
import warnings

import pytest

from jaxlint import knowledge
from jaxlint.knowledge import aliases

from .installed import (
    INVENTED,
    every_name,
    find,
    installed_version,
    module_of,
    release,
    signature_of,
    why_not_checked,
)

LIBRARIES = sorted({module.partition(".")[0] for module, _, _ in every_name()})
# Not needed to develop jaxlint: their lines are checked where they happen to be installed.
OPTIONAL_DEPENDENCY = {"flax.metrics.tensorboard": "tensorflow"}
# Signatures that say something else than what callers may write.
LOOSE_SIGNATURES = {
    "jax.numpy.array",  # the positional copy, order, ndmin are deprecated but accepted
    "numpy.arange",  # NumPy 2.4 names the first parameter start_or_stop
    "numpy.array",
    "flax.nnx.dataclass",
    "chex.dataclass",
    "dataclasses.dataclass",
    "builtins.issubclass",
}
# Spellings with a difference that doesn't matter here: defaults of keywords, protocols, a square before the root.
NEARLY_ALIASES = {
    "jax.experimental.pjit.pjit",
    "jax.remat",
    "flax.linen.initializers.Initializer",
    "flax.nnx.nn.initializers.Initializer",
    "flax.linen.partitioning.remat",
    "optax.tree_utils.tree_l2_norm",
    "optax.tree_utils.tree_add_scalar_mul",
    "optax.tree_utils.tree_scalar_mul",
}
# Test helpers that are no part of an API.
UNLISTED = {"numpy.test", "numpy.linalg.test", "numpy.fft.test"}


def installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def is_testable(module: str) -> bool:
    needed = OPTIONAL_DEPENDENCY.get(module)
    return needed is None or installed(needed)


def newer_python(since: object) -> bool:
    return isinstance(since, float) and sys.version_info < (3, int(str(since).partition(".")[2]))


def check_here(library: str) -> None:
    if reason := why_not_checked(library):
        pytest.skip(reason)


@pytest.mark.parametrize("library", LIBRARIES)
def test_names_exist_or_are_listed_as_removed(library: str) -> None:
    check_here(library)
    wrong: list[str] = []
    for module, name, entry in every_name(library):
        full = f"{module}.{name}"
        owner = full.rpartition(".")[0]
        if full in INVENTED or owner in INVENTED or newer_python(entry.options.get("since")) or not is_testable(module):
            continue
        removed = entry.options.get("removed")
        if removed is not None and installed_version(library) < release(str(removed)):
            continue
        try:
            find(module, name)
        except AttributeError:
            if removed is None:
                wrong.append(f"{full} does not exist")
        else:
            if removed is not None:
                wrong.append(f"{full} exists, yet the table says removed={removed}")
    assert wrong == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_parameters_agree_with_the_signatures(library: str) -> None:
    check_here(library)
    wrong: list[str] = []
    for module, name, entry in every_name(library):
        full = f"{module}.{name}"
        if entry.attribute or full in LOOSE_SIGNATURES or entry.options.get("deprecated"):
            continue
        try:
            signature = signature_of(find(module, name))
        except AttributeError:
            continue
        if signature is not None:
            wrong += [f"{full}: {problem}" for problem in _disagreements(entry, signature)]
    assert wrong == []


def _disagreements(entry: knowledge.Entry, signature: inspect.Signature) -> list[str]:
    of_kind: dict[inspect._ParameterKind, list[str]] = {}
    for parameter in signature.parameters.values():
        of_kind.setdefault(parameter.kind, []).append(parameter.name)
    positional = of_kind.get(inspect.Parameter.POSITIONAL_ONLY, []) + of_kind.get(
        inspect.Parameter.POSITIONAL_OR_KEYWORD, []
    )
    named = {*positional, *of_kind.get(inspect.Parameter.KEYWORD_ONLY, [])}
    any_name = inspect.Parameter.VAR_KEYWORD in of_kind
    any_position = inspect.Parameter.VAR_POSITIONAL in of_kind
    problems: list[str] = []
    if not any_position and list(entry.params) != positional[: len(entry.params)]:
        problems.append(f"positional parameters are {positional}")
    if entry.varargs and not any_position:
        problems.append(f"takes no *{entry.varargs}")
    marked = [*entry.shape_params, *entry.number_params, *([entry.size_param] if entry.size_param else [])]
    options = ("fn_name", "static_nums", "static_names", "donate_nums", "donate_names", "in_axes", "drop", "batch")
    marked += [str(entry.options[option]) for option in options if entry.options.get(option)]
    problems += [
        f"has no parameter {name}" for name in marked if name not in named and not any_name and not any_position
    ]
    return problems


def _same(left: object, right: object) -> bool:
    if left is right:
        return True
    # Some libraries wrap one function twice: deprecation shims, jitted twins.
    return getattr(left, "__name__", "l").removeprefix("tree_") == getattr(right, "__name__", "r").removeprefix("tree_")


def test_aliases_are_the_same_object() -> None:
    different: list[str] = []
    for alias, target in aliases.ALIASES.items():
        if alias in NEARLY_ALIASES or not installed(alias.partition(".")[0]) or not installed(target.partition(".")[0]):
            continue
        try:
            left = _resolve(alias)
        except AttributeError:
            continue  # an old spelling, which the installed version has dropped
        right = _resolve(target)
        if not _same(left, right) and not isinstance(left, types.ModuleType):
            different.append(f"{alias} is not {target}")
    assert different == []


def _resolve(name: str) -> object:
    found = module_of(name)
    if found is not None:
        return found
    module, _, last = name.rpartition(".")
    return find(module, last)


PUBLIC = [
    "jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.random", "jax.nn", "jax.tree", "jax.debug",
    "jax.scipy.special", "jax.scipy.linalg", "jax.ops", "jax.image", "jax.experimental.checkify", "flax.nnx",
    "flax.linen", "optax", "optax.losses", "optax.contrib", "equinox", "equinox.nn", "haiku", "chex",
    "orbax.checkpoint", "diffrax", "optimistix", "lineax",
]  # fmt: skip


@pytest.mark.parametrize("module", PUBLIC)
def test_private_homes_fold_to_the_public_name(module: str) -> None:
    """Code reached through the module that defines it is the code we know by its public name."""
    check_here(module.partition(".")[0])
    unfolded: list[str] = []
    public = importlib.import_module(module)
    for name in dir(public):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(public, name, None)
        home = getattr(value, "__module__", None)
        entry = knowledge.lookup(f"{module}.{name}")
        if entry is None or not isinstance(home, str) or home == module or getattr(value, "__qualname__", "") != name:
            continue
        if home.partition(".")[0] != module.partition(".")[0]:
            continue
        if knowledge.lookup(f"{home}.{name}") != entry:
            unfolded.append(f"{home}.{name} -> {knowledge.canonical(f'{home}.{name}')}, not {module}.{name}")
    assert unfolded == []


@pytest.mark.parametrize(
    "module",
    ["jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.random", "jax.tree", "jax.tree_util",
     "jax.nn", "jax.nn.initializers", "jax.ops", "jax.image", "jax.debug", "jax.scipy.special", "jax.scipy.linalg",
     "jax.scipy.signal", "jax.scipy.stats", "jax.sharding", "flax.nnx", "flax.linen", "flax.struct", "optax",
     "optax.contrib", "equinox", "equinox.nn", "haiku", "chex", "numpy", "numpy.linalg", "numpy.fft", "math",
     "functools", "itertools", "time", "operator"],
)  # fmt: skip
def test_the_tables_are_complete(module: str) -> None:
    """Every public function of the modules that matter most is in the tables."""
    check_here(module.partition(".")[0])
    public = importlib.import_module(module)
    missing: list[str] = []
    for name in getattr(public, "__all__", None) or dir(public):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(public, name, None)
        if name.startswith("_") or isinstance(value, types.ModuleType) or not callable(value):
            continue
        if f"{module}.{name}" in UNLISTED:
            continue
        if knowledge.lookup(f"{module}.{name}") is None and not _is_foreign(value, module):
            missing.append(name)
    assert missing == [], f"{len(missing)} names of {module} are not in the tables"


def _is_foreign(value: object, module: str) -> bool:
    """Imported into the namespace from elsewhere (`typing.Any` in flax.struct)."""
    home = getattr(value, "__module__", "") or ""
    return home.partition(".")[0] not in (module.partition(".")[0], "jaxlib", "_operator", "builtins")
