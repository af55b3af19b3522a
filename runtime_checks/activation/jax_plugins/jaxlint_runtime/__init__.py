"""On PYTHONPATH of processes that a confirmed program starts: jax finds it in its namespace `jax_plugins`."""

from __future__ import annotations

import os
import sys


def initialize() -> None:
    """Start watching if the environment asks for it."""
    if os.environ.get("JAXLINT_RUNTIME", "") in ("", "0", "false", "no"):
        return
    here = os.path.abspath(__file__)
    for _ in range(5):
        here = os.path.dirname(here)
    if here not in sys.path:
        sys.path.append(here)
    from runtime_checks.jax_plugin import initialize as start

    start()
