"""Random keys that are consumed twice: `jax.random` functions called with one and the same key object.

JAX's own check (`jax_debug_key_reuse`) is part of the jit key and raises, so it would change the program. Here the
public functions of `jax.random` are wrapped, and a key is known by its identity as an object: reuse through a
copy, or inside a function that was compiled before, is not seen.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from runtime_checks.hub import Hub
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import KEY_REUSE, Probe, active, off

# functions of jax.random whose first argument is a key that they consume
_CONSUMERS = (
    "ball",
    "bernoulli",
    "beta",
    "binomial",
    "bits",
    "categorical",
    "cauchy",
    "chisquare",
    "choice",
    "dirichlet",
    "double_sided_maxwell",
    "exponential",
    "f",
    "gamma",
    "generalized_normal",
    "geometric",
    "gumbel",
    "laplace",
    "loggamma",
    "logistic",
    "lognormal",
    "maxwell",
    "multivariate_normal",
    "normal",
    "orthogonal",
    "pareto",
    "permutation",
    "poisson",
    "rademacher",
    "randint",
    "rayleigh",
    "split",
    "t",
    "triangular",
    "truncated_normal",
    "uniform",
    "wald",
    "weibull_min",
)
MAX_KEYS = 65536


class Keys:
    """Remembers where each living key object was consumed first."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._saved: list[tuple[Any, str, Any]] = []
        self._used: dict[int, tuple[Any, str, str]] = {}

    def start(self) -> None:
        """Nothing to do before jax is there."""

    def attach(self, jax: Internals) -> None:
        """Wrap the consumers in the module `jax.random`."""
        random = jax.jax.random
        for name in _CONSUMERS:
            original = getattr(random, name, None)
            if callable(original):
                self._saved.append((random, name, original))
                setattr(random, name, self._consumer(name, original))

    def stop(self) -> None:
        """Put the functions back."""
        for owner, name, original in self._saved:
            setattr(owner, name, original)
        self._saved.clear()
        self._used.clear()

    def probes(self) -> list[Probe]:
        """The state of "keys"."""
        if not self._saved:
            return [off("keys", "jax was not imported")]
        return [active("keys", "the same key object passed twice to jax.random; copies are not followed")]

    def _consumer(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        local, note = self._hub.local, self._note

        def consumer(*args: Any, **kwargs: Any) -> Any:
            if local.busy:
                return original(*args, **kwargs)
            key = args[0] if args else kwargs.get("key")
            if key is not None:
                local.busy = 1
                try:
                    note(name, key, sys._getframe(1))
                except Exception:
                    pass  # a note is never worth an exception in the program
                finally:
                    local.busy = 0
            return original(*args, **kwargs)

        for attribute in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__"):
            try:
                setattr(consumer, attribute, getattr(original, attribute))
            except (AttributeError, TypeError):
                continue
        consumer.__wrapped__ = original  # type: ignore[attr-defined]
        return consumer

    def _note(self, name: str, key: Any, frame: Any) -> None:
        mine = self._hub.project.frame(frame)
        # calls by library code (initialisers) on keys that the user handed over count for the user's line
        if mine is None:
            return
        place = f"{mine.f_code.co_filename}:{mine.f_lineno}"
        number = id(key)
        used = self._used.get(number)
        if used is not None and used[0]() is key:
            self._hub.emit(KEY_REUSE, name, mine, details={"first": used[1], "function": used[2]})
            return
        table = self._used
        if len(table) >= MAX_KEYS:
            return
        try:
            reference = weakref.ref(key, lambda _: table.pop(number, None))
        except TypeError:
            return
        table[number] = (reference, place, name)
