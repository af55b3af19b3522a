# mypy: allow-untyped-calls, no-warn-return-any, allow-any-generics
"""How many devices there are to shard over."""

from __future__ import annotations

import os

import jax

VIRTUAL = 8


def split_cpu() -> None:
    """Make JAX see the CPU as `VIRTUAL` devices; does nothing once JAX has started, or on a GPU."""
    try:
        jax.config.update("jax_num_cpu_devices", VIRTUAL)
    except RuntimeError:  # started already
        pass
    except AttributeError:  # before JAX 0.5 the flag was XLA's, read when the backend starts
        flags = os.environ.get("XLA_FLAGS", "")
        if "xla_force_host_platform_device_count" not in flags:
            os.environ["XLA_FLAGS"] = f"{flags} --xla_force_host_platform_device_count={VIRTUAL}".strip()


def device_counts() -> list[int]:
    """Of 1, 2, 4, 8 those that this process has devices for."""
    return [count for count in (1, 2, 4, 8) if count <= len(jax.devices())]
