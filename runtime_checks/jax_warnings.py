"""What JAX warns of, counted each time and at the user's line: Python shows a warning once for a line, or never.

`warnings.warn` is wrapped; the warning itself goes its usual way, to the same place.
"""

from __future__ import annotations

import functools
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

from jaxlint.events import Kind
from runtime_checks.hub import Hub
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import DONATION_UNUSED, Probe, active, off

# the event that a warning of JAX is, by its text
KINDS: tuple[tuple[re.Pattern[str], str], ...] = (
    # older versions write the class: <class 'jax.numpy.float64'>
    (
        re.compile(r"requested dtype (?:<class '(?:\w+\.)*)?(\w+).* truncated to dtype (\w+)", re.DOTALL),
        Kind.DTYPE_TRUNCATED.value,
    ),
    (re.compile(r"Some donated buffers were not usable: *(.*)"), DONATION_UNUSED),
)


class JaxWarnings:
    """The wrapper around `warnings.warn`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._original: Callable[..., None] | None = None

    def start(self) -> None:
        """Nothing to do before jax is there."""

    def attach(self, jax: Internals) -> None:
        """Wrap the function."""
        self._original = warnings.warn
        setattr(warnings, "warn", self._wrapped(warnings.warn))  # noqa: B010 - typed as overloads

    def stop(self) -> None:
        """Put the original back, unless somebody has wrapped it since: that one goes on calling ours."""
        if self._original is not None and getattr(warnings.warn, "__wrapped__", None) is self._original:
            setattr(warnings, "warn", self._original)  # noqa: B010 - typed as overloads
        self._original = None

    def probes(self) -> list[Probe]:
        """The state of "warnings"."""
        return [active("warnings") if self._original is not None else off("warnings", "jax was not imported")]

    def _wrapped(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def warn(message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **kwargs: Any) -> None:
            if self._original is not None:
                self._note(message, sys._getframe(1))
            # one frame more than without this function
            original(message, category, stacklevel + 1, *args, **kwargs)

        return warn

    def _note(self, message: Any, frame: Any) -> None:
        local = self._hub.local
        if local.busy or "jax" not in frame.f_code.co_filename:
            return
        local.busy = 1
        try:
            text = str(message)
            for pattern, kind in KINDS:
                found = pattern.search(text)
                if found is not None:
                    how = " -> ".join(found.groups())[:80]
                    self._hub.emit(kind, how, frame, details={"warning": text.split(". ", 1)[0][:200]})
        finally:
            local.busy = 0
