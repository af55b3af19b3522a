"""Device memory: live and peak bytes, where the backend tells; on CPU the bytes of live arrays."""

from __future__ import annotations

from types import FrameType
from typing import Any

from runtime_checks.hub import Hub, now
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import MEMORY, NOWHERE, Probe, active, degraded, off

# seconds between two samples; one costs up to 0.6 ms with a thousand live arrays
PAUSE = 1.0


class Memory:
    """Samples memory after compilations and at the end. One event: its `bytes` add up to the peak that was seen."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._jax: Internals | None = None
        self._last = 0.0
        self._state = off("memory", "jax was not imported")
        self.peak = 0
        self.live = 0

    def start(self) -> None:
        """Nothing to do before jax is there."""

    def attach(self, jax: Internals) -> None:
        """Remember jax; nothing is patched."""
        self._jax = jax
        self._state = active("memory")

    def stop(self) -> None:
        """Take the last sample."""
        self.sample(force=True)
        self._jax = None

    def probes(self) -> list[Probe]:
        """The state of "memory"."""
        return [self._state]

    def on_compile(self, frame: FrameType | None, seconds: float, subject: str, owned: bool) -> None:
        """A good moment: something was just compiled, the wait is long anyway."""
        self.sample()

    def sample(self, force: bool = False) -> None:
        """Read the backend's counters (bytes) and emit them."""
        jax = self._jax
        if jax is None or not jax.backends_ready() or jax.tracing() or (not force and now() - self._last < PAUSE):
            return
        self._last = now()
        try:
            devices = jax.jax.local_devices()
            stats = [device.memory_stats() for device in devices]
        except Exception as error:
            self._state = off("memory", f"{type(error).__name__}: {error}")
            return
        details: dict[str, Any]
        before = self.peak
        if any(stats):
            live = sum(int(s.get("bytes_in_use", 0)) for s in stats if s)
            self.peak = max(self.peak, sum(int(s.get("peak_bytes_in_use", 0)) for s in stats if s))
            details = {"source": "backend"}
        else:
            live = sum(int(getattr(array, "nbytes", 0)) for array in jax.jax.live_arrays())
            self.peak = max(self.peak, live)
            details = {"source": "live arrays"}
            self._state = degraded(
                "memory", "this backend has no counters: bytes of live arrays, sampled at compilations"
            )
        self.live = live
        details.update(live=live, peak=self.peak)
        if self.peak > before or force:
            rise = self.peak - before
            self._hub.emit(MEMORY, "sample", site=NOWHERE, bytes=rise, details=details, traced=False)
