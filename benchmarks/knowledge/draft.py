"""Draft table lines for names that the knowledge tables don't have yet.

    python -m benchmarks.knowledge.draft jax.numpy flax.nnx some.new.library

prints a line in the notation of `jaxlint/knowledge/tabletext.py` for every public callable of the modules that no line
covers: its positional parameters as the installed library has them, and `-> unknown` for the reader to replace, or what
a trace over small arrays shows where the function can be called on arrays alone.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp

from jaxlint import knowledge

MAX_SHOWN = 6


def parameters(function: Callable[..., Any]) -> list[str] | None:
    """Names as the notation has them; None when the signature is not told."""
    target = function.__init__ if isinstance(function, type) else function
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return None
    shown: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            if parameter.name != "self":
                shown.append(parameter.name)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            shown.append(f"*{parameter.name}")
    return shown[:MAX_SHOWN] + (["..."] if len(shown) > MAX_SHOWN else [])


def measured(function: Callable[..., Any]) -> str:
    """The result word for a function of one or two arrays, `unknown` for what can't be called so."""
    seen: list[Any] = []

    def program(square: jax.Array, vector: jax.Array) -> jax.Array:
        for arguments in ((square,), (square, vector)):
            try:
                seen.append((len(arguments), function(*arguments)))
                break
            except Exception:
                continue
        return square

    try:
        jax.make_jaxpr(program)(jnp.ones((4, 4)), jnp.ones(4))
    except Exception:
        return "unknown"
    return _word(*seen[0]) if seen else "unknown"


def _word(arity: int, result: Any) -> str:
    leaves = jax.tree.leaves(result)
    if not any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return type(result).__name__ if isinstance(result, (int, bool, str)) else "python"
    if isinstance(result, (tuple, list)):
        return f"arrays count={len(result)}"
    if not isinstance(result, jax.core.Tracer):
        return "tree"
    if result.shape != (4, 4):
        return "array"
    if result.dtype == bool:
        return "bool_like"
    return "like" if arity == 1 else "broadcast"


def lines(module_name: str) -> Iterator[str]:
    module = importlib.import_module(module_name)
    for name in getattr(module, "__all__", None) or sorted(vars(module)):
        value = getattr(module, name, None)
        if name.startswith("_") or isinstance(value, types.ModuleType) or not callable(value):
            continue
        if knowledge.lookup(f"{module_name}.{name}") is not None:
            continue
        known = parameters(value)
        result = "instance" if isinstance(value, type) else measured(value)
        yield f"{name}({'...' if known is None else ', '.join(known)}) -> {result}"


def main() -> None:
    warnings.simplefilter("ignore")
    for module_name in sys.argv[1:]:
        print(f"# {module_name}")
        for line in lines(module_name):
            print(line)


if __name__ == "__main__":
    main()
