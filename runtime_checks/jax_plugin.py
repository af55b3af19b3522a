"""The module behind the entry point `jax_plugins`: jax calls `initialize()` when it starts its first backend.

Without `JAXLINT_RUNTIME` in the environment this does nothing and imports nothing.
"""

from __future__ import annotations

import os


def initialize() -> None:
    """Start watching if the environment asks for it. Called by jax, once per process; must never raise."""
    if os.environ.get("JAXLINT_RUNTIME", "") in ("", "0", "false", "no"):
        return
    try:
        from runtime_checks.activate import start_from_environment

        start_from_environment()
    except Exception as error:  # a watch that cannot start must not keep the program from running
        import warnings

        warnings.warn(f"jaxlint's runtime watch could not start: {error}", RuntimeWarning, stacklevel=2)
