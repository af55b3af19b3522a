"""The runtime companion of jaxlint: watch a JAX program, guard it, confirm what the analyser found.

Importing this package imports neither jax nor anything else; the names below are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime_checks.guards import RecompileError as RecompileError
    from runtime_checks.guards import Report as Report
    from runtime_checks.guards import RuntimeCheckError as RuntimeCheckError
    from runtime_checks.guards import TooManyCompilesError as TooManyCompilesError
    from runtime_checks.guards import TransferError as TransferError
    from runtime_checks.guards import UnblockedTimingError as UnblockedTimingError
    from runtime_checks.guards import allow_transfers as allow_transfers
    from runtime_checks.guards import assert_blocked_timing as assert_blocked_timing
    from runtime_checks.guards import max_compiles as max_compiles
    from runtime_checks.guards import no_recompiles as no_recompiles
    from runtime_checks.guards import no_transfers as no_transfers
    from runtime_checks.guards import watch as watch

__all__ = [
    "RecompileError",
    "Report",
    "RuntimeCheckError",
    "TooManyCompilesError",
    "TransferError",
    "UnblockedTimingError",
    "allow_transfers",
    "assert_blocked_timing",
    "max_compiles",
    "no_recompiles",
    "no_transfers",
    "watch",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from runtime_checks import guards

        return getattr(guards, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
