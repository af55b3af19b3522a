"""How many programs XLA compiled, through JAX's public monitoring events."""

from __future__ import annotations

import jax.monitoring

_EVENT = "/jax/core/compile/backend_compile_duration"
_seen: list[float] = []
_listening = False


def _listen(event: str, duration_secs: float, **_: str | int) -> None:
    if event == _EVENT:
        _seen.append(duration_secs)


class Compiles:
    """Count compilations from its creation on: `count`, and `seconds` for what they took."""

    def __init__(self) -> None:
        global _listening
        # One listener for the process: old JAX versions can't take one off again.
        if not _listening:
            jax.monitoring.register_event_duration_secs_listener(_listen)
            _listening = True
        self._begin = len(_seen)

    @property
    def count(self) -> int:
        return len(_seen) - self._begin

    @property
    def seconds(self) -> float:
        return sum(_seen[self._begin :])
