"""jaxlint: a static analyser for JAX code. It never imports jax, nor the code that it reads.

From Python: `jaxlint.check_paths(...)` and `jaxlint.check_source(...)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.api import Result, check_paths, check_source
    from jaxlint.config import ConfigError
    from jaxlint.findings import Applicability, Confidence, Edit, Finding, Fix, Severity, Span, TraceStep

__version__ = "0.1.0"

__all__ = [
    "Applicability",
    "Confidence",
    "ConfigError",
    "Edit",
    "Finding",
    "Fix",
    "Result",
    "Severity",
    "Span",
    "TraceStep",
    "__version__",
    "check_paths",
    "check_source",
]

_HOMES = {"Result": "api", "check_paths": "api", "check_source": "api", "ConfigError": "config"}


def __getattr__(name: str) -> Any:
    """What `__all__` names is imported when it is asked for: the command starts faster without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"jaxlint.{_HOMES.get(name, 'findings')}"), name)
