"""Waiting for everything that was handed to the devices, whether or not anybody still holds its result."""

from __future__ import annotations

from typing import Any

from runtime_checks.hub import now

MAX_DEVICES = 8


class Drain:
    """A tiny program for each local device: it runs after all that was dispatched before it.

    `api` is the module jax; a backend must exist. Making one compiles (milliseconds) and raises what JAX raises.
    """

    def __init__(self, api: Any) -> None:
        self._programs: list[tuple[Any, Any]] = []
        with api.transfer_guard("allow"):
            for device in api.local_devices()[:MAX_DEVICES]:
                one = api.device_put(0, device)
                program = api.jit(_next).lower(one).compile()
                program(one).block_until_ready()
                self._programs.append((program, one))
        costs = []
        for _ in range(5):
            start = now()
            self.wait()
            costs.append(now() - start)
        self.idle = sorted(costs)[len(costs) // 2]
        """Seconds that a wait takes when nothing is pending."""

    def wait(self) -> bool:
        """Wait for all devices. True when the probe's result was not there at once."""
        results = [program(one) for program, one in self._programs]
        pending = not all(result.is_ready() for result in results)
        for result in results:
            result.block_until_ready()
        return pending


def _next(value: Any) -> Any:
    return value + 1
