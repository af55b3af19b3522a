"""Finding the installed object behind a name of the tables, so that the tables can be checked against it."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Iterator
from types import ModuleType

from jaxlint.knowledge import Entry, lookup
from jaxlint.knowledge.facts import table_index
from jaxlint.knowledge.registry import TABLE_OF

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
