"""Finding the installed object behind a name of the tables, so that the tables can be checked against it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType

from jaxlint.knowledge import Entry, lookup
from jaxlint.knowledge.facts import table_index
from jaxlint.knowledge.registry import TABLE_OF

# The versions the tables were measured with. An older one has other names and parameters, so it is not checked; what a
# newer one changes should fail, and be looked at.
MEASURED = {
    "jax": (0, 10),
    "numpy": (2, 4),
    "scipy": (1, 16),
    "flax": (0, 12),
    "optax": (0, 2, 8),
    "equinox": (0, 13),
    "chex": (0, 1, 92),
    "numpyro": (0, 22),
}
# Standard library: Python 3.11 (names of later versions carry `since`).
PYTHON = (3, 11)

# Facts the tables keep about names that belong to no importable object: classes of ours that stand for the kind of
# thing a library returns, and methods that a library makes at run time.
INVENTED = {
    "jax.nn.initializers.Initializer",
    "optax.Schedule",
    "optax.ConstantSchedule",
    "jaxopt.Solver",
    "jaxopt.HostSolver",
    "csv.Writer",
    "clu.metric_writers.MetricWriter",
}
# A table may hold what a library spreads over several modules.
ALSO_IN = {
    "optax": ("optax.losses", "optax.transforms", "optax.schedules"),
    "os": ("os.path",),
    "flax.nnx": ("flax.nnx.training",),
}


def every_name(library: str = "") -> Iterator[tuple[str, str, Entry]]:
    """(module, name in it, entry) for every line of the tables, or for those of one library."""
    for module, table in TABLE_OF.items():
        if library and module.partition(".")[0] != library:
            continue
        for name in table_index(table, module):
            entry = lookup(f"{module}.{name}")
            assert entry is not None, f"{module}.{name} is in the tables but lookup does not find it"
            yield module, name, entry


def module_of(name: str) -> ModuleType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            return None


def find(module: str, name: str) -> object:
    """The object, or raise AttributeError."""
    error: AttributeError | None = None
    for home in (module, *ALSO_IN.get(module, ())):
        value: object = module_of(home)
        if value is None:
            continue
        try:
            for position, part in enumerate(name.split(".")):
                value = _member(value, part, home if position == 0 else "")
            return value
        except AttributeError as failure:
            error = failure
    raise error or AttributeError(f"no module {module}")


def _member(value: object, part: str, module: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return getattr(value, part)
        except AttributeError:
            submodule = module_of(f"{module}.{part}") if module else None
            if submodule is not None:
                return submodule
            # Fields of dataclasses and named tuples without a default are not attributes of the class.
            if isinstance(value, type) and part in _annotations(value):
                return None
            raise


def _annotations(cls: type) -> set[str]:
    return {name for base in cls.__mro__ for name in getattr(base, "__annotations__", {})}


def signature_of(value: object) -> inspect.Signature | None:
    """The signature, None where there is none or where it says only (*args, **kwargs)."""
    target = value
    if isinstance(value, type):
        target = value.__init__ if value.__init__ is not object.__init__ else value
    try:
        found = inspect.signature(target)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        return None
    parameters = [p for p in found.parameters.values() if p.name not in ("self", "cls")]
    kinds = {p.kind for p in parameters}
    if kinds <= {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        return None
    return found.replace(parameters=parameters)


def release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdigit())


def installed_version(library: str) -> tuple[int, ...]:
    return release(getattr(importlib.import_module(library), "__version__", "0"))


def why_not_checked(library: str) -> str:
    """The reason to skip a library; '' when its lines can be checked here."""
    if library in sys.stdlib_module_names:
        return "" if sys.version_info[:2] == PYTHON else f"measured with Python {PYTHON}"
    if importlib.util.find_spec(library) is None:
        return f"{library} is not installed"
    if installed_version(library) < MEASURED.get(library, ()):
        return f"measured with {library} {MEASURED[library]}"
    return ""
