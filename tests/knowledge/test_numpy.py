"""What NumPy, math, SciPy and statistics do with a tracer: the lists of the table are exact."""

from __future__ import annotations

import importlib
import inspect
import math
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")
import jax.numpy as jnp  # noqa: E402

from jaxlint import knowledge  # noqa: E402

from .installed import every_name, find, why_not_checked  # noqa: E402

pytestmark = pytest.mark.skipif(bool(why_not_checked("numpy")), reason=why_not_checked("numpy") or "measured here")

# Second arguments to try: the first that the function accepts decides.
FURTHER: tuple[tuple[object, ...], ...] = ((), (0,), (1,), (2,), ("tracer",), ((16,),), (0, 1), ("tracer", "tracer"))
QUIET = {"test", "info", "show_config", "show_runtime", "bmat"}


def outcome(function: Any) -> set[str]:
    """What comes back for a tracer over the calls in FURTHER: 'tracer', 'static', 'refused' (conversion), 'error'."""
    seen: set[str] = set()

    def program(x: Any) -> Any:
        for further in FURTHER:
            try:
                result = function(x, *[x if argument == "tracer" else argument for argument in further])
            except jax.errors.TracerArrayConversionError:
                seen.add("refused")
            except Exception:
                seen.add("error")
            else:
                leaves = jax.tree.leaves(result)
                traced = any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
                seen.add("tracer" if traced else "static")
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jax.make_jaxpr(program)(jnp.ones((4, 4)))
    return seen


def numpy_functions() -> Iterator[tuple[str, str]]:
    for module in ("numpy", "numpy.linalg", "numpy.fft"):
        public = importlib.import_module(module)
        for name in sorted(vars(public)):
            value = vars(public)[name]
            public_function = callable(value) and not isinstance(value, type) and not name.startswith("_")
            if public_function and not inspect.ismodule(value) and name not in QUIET:
                yield module, name


FUNCTIONS = list(numpy_functions())


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=[".".join(pair) for pair in FUNCTIONS])
def test_numpy_function_on_a_tracer(module: str, name: str) -> None:
    entry = knowledge.lookup(f"{module}.{name}")
    assert entry is not None
    seen = outcome(getattr(importlib.import_module(module), name))
    assert knowledge.numpy_delegates(f"{module}.{name}") == ("tracer" in seen)
    if "tracer" in seen:
        assert entry.result == "host" and entry.reads == ""
    if "refused" in seen and "tracer" not in seen:
        assert entry.reads == "numpy"
    if "static" in seen and "refused" not in seen and "tracer" not in seen:
        assert entry.reads == "" or entry.options.get("swallows")


def test_swallowed_errors() -> None:
    """`np.array_equal` answers False for a tracer instead of raising: the worst kind."""
    seen: list[object] = []
    jax.make_jaxpr(lambda x: seen.append(np.array_equal(x, x)) or x)(jnp.ones(3))
    assert seen == [False]
    entry = knowledge.lookup("numpy.array_equal")
    assert entry is not None and entry.options["swallows"] and entry.reads == "numpy"


def test_the_jax_name_exists_and_takes_tracers() -> None:
    wrong: list[str] = []
    for library in ("numpy", "math", "scipy", "statistics", "cmath"):
        for module, name, entry in every_name(library):
            if not entry.jnp:
                continue
            home, _, last = entry.jnp.rpartition(".")
            try:
                find(home, last)
            except AttributeError:
                wrong.append(f"{module}.{name} -> {entry.jnp}")
            if knowledge.lookup(entry.jnp) is None:
                wrong.append(f"{module}.{name} -> {entry.jnp} is not in the tables")
    assert wrong == []


@pytest.mark.parametrize(
    "name", [n for m, n, e in every_name("math") if not e.attribute and not e.options.get("since")]
)
def test_math_refuses_tracers(name: str) -> None:
    entry = knowledge.lookup(f"math.{name}")
    assert entry is not None and entry.model == "math"
    function = getattr(math, name)
    count = max(1, len(entry.params)) if not entry.varargs else 1
    seen: list[str] = []

    def program(x: Any) -> Any:
        argument = [x, x] if entry.params[:1] in (("seq",), ("p",), ("iterable",)) else x
        for number in range(1, count + 1):
            try:
                function(*[argument] * number)
            except TypeError as error:
                seen.append(type(error).__name__)
            except Exception as error:
                seen.append(type(error).__name__)
            else:
                seen.append("passed")
        return x

    jax.make_jaxpr(program)(jnp.float32(1.0))
    assert ("passed" in seen) == bool(entry.options.get("accepts_tracers"))


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "int32", "int64", "uint8", "bool", "complex64"]
)
def test_scalar_types_convert(dtype: str) -> None:
    entry = knowledge.lookup(f"numpy.{dtype}")
    assert entry is not None and entry.options["dtype"] == dtype
    with pytest.raises(TypeError):  # TracerArrayConversionError is one
        jax.make_jaxpr(getattr(np, dtype))(jnp.float32(1.0))
