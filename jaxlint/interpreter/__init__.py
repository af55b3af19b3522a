"""The abstract interpreter: which functions JAX traces, which values are tracers, which live on the device.

`analyse` runs it over a project and gives the events that it predicts; `why` explains one value.
"""

from __future__ import annotations

from jaxlint.interpreter.analysis import Analysis, analyse, why

__all__ = ["Analysis", "analyse", "why"]
