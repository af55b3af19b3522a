"""Reads of device values on the host, waits for the device, and iteration: hooks on the array class.

On accelerators every read goes through a method of the array class. On CPU NumPy takes the array's memory by
the buffer protocol without calling any Python method, so the buffer slot is hooked too (`buffer_slot`).
Only the outermost hook of a thread counts; `is_ready()` before the call tells whether it will wait.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType
from typing import Any

from jaxlint.events import Kind
from runtime_checks.buffer_slot import BufferSlot
from runtime_checks.hub import Hub, now
from runtime_checks.jax_internals import Internals
from runtime_checks.observed import USE_AFTER_DONATE, Probe, active, degraded, off

READ, BLOCK, ITERATE = Kind.HOST_READ.value, Kind.HOST_BLOCK.value, Kind.DEVICE_ITERATE.value

METHODS: dict[str, tuple[str, str]] = {
    "__float__": (READ, "float"),
    "__int__": (READ, "int"),
    "__bool__": (READ, "bool"),
    "__complex__": (READ, "complex"),
    "__index__": (READ, "index"),
    "item": (READ, ".item"),
    "tolist": (READ, ".tolist"),
    "tobytes": (READ, "tobytes"),
    "__reduce__": (READ, "pickle"),
    "__str__": (READ, "print"),
    "__repr__": (READ, "print"),
    "__format__": (READ, "print"),
    "__array__": (READ, "numpy"),
    "__iter__": (ITERATE, "for"),
    "block_until_ready": (BLOCK, "method"),
}
_EXPLICIT = {"device_get": "device_get", "_device_get": "device_get"}


class Transfers:
    """The hooks. A `veto(kind, how, frame)` that raises stops the read before it happens (guards).

    `permit`, where a guard set JAX's own transfer guard as well, makes the context in which a read that no veto
    stopped is done.
    """

    vetoes: tuple[Callable[[str, str, FrameType], None], ...] = ()
    permit: Callable[[], AbstractContextManager[object]] | None = None

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._class: type | None = None
        self._saved: list[tuple[Any, str, Any, bool]] = []
        self._buffer = BufferSlot(self._on_buffer)
        self._missing: list[str] = []
        self._attached = False

    def start(self) -> None:
        """Nothing to do before jax is there."""

    def attach(self, jax: Internals) -> None:
        """Install the hooks on the array class and on the function that waits for several arrays."""
        cls = jax.array_class
        if cls is None:
            return
        self._class = cls
        for name, (kind, how) in METHODS.items():
            if hasattr(cls, name):
                self._patch(cls, name, self._method(getattr(cls, name), kind, how))
            else:
                self._missing.append(name)
        value = cls.__dict__.get("_value")
        if isinstance(value, property) and value.fget is not None:
            self._patch(cls, "_value", property(self._method(value.fget, READ, "value"), value.fset, value.fdel))
        if jax.block_holder is not None:
            original = jax.block_holder.batched_block_until_ready
            self._patch(jax.block_holder, "batched_block_until_ready", self._batched(original))
        self._buffer.install(cls)
        self._attached = True

    def stop(self) -> None:
        """Put every original back."""
        self._buffer.remove()
        for owner, name, original, own in reversed(self._saved):
            if own:
                setattr(owner, name, original)
            else:
                delattr(owner, name)
        self._saved.clear()
        self._attached = False

    def probes(self) -> list[Probe]:
        """States of "transfers" and "transfers-numpy"."""
        if not self._attached:
            return [off("transfers", "jax was not imported")]
        first = (
            degraded("transfers", "no such method: " + ", ".join(self._missing))
            if self._missing
            else active("transfers")
        )
        return [first, self._buffer.probe()]

    def _patch(self, owner: Any, name: str, hook: Any) -> None:
        own = name in vars(owner)
        self._saved.append((owner, name, vars(owner)[name] if own else None, own))
        setattr(owner, name, hook)

    # -- hooks --------------------------------------------------------------------------------------------
    def _method(self, original: Any, kind: str, how: str) -> Any:
        local, observe = self._hub.local, self._observe

        def hook(self: Any, *args: Any, **kwargs: Any) -> Any:
            if local.busy:
                return original(self, *args, **kwargs)
            local.busy = 1
            try:
                return observe(kind, how, self, sys._getframe(1), original, args, kwargs)
            finally:
                local.busy = 0

        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            try:
                setattr(hook, name, getattr(original, name))
            except (AttributeError, TypeError):
                continue
        return hook

    def _observe(
        self,
        kind: str,
        how: str,
        array: Any,
        frame: FrameType | None,
        original: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        for veto in self.vetoes:
            assert frame is not None
            veto(kind, _explicit(frame, how), frame)
        permit = type(self).permit
        if permit is not None:
            original = _permitted(permit, original)
        ready = _ready(array)
        local = self._hub.local
        before = local.last_sync + local.compiled
        start = now()
        try:
            result = original(array, *args, **kwargs)
        except RuntimeError as error:
            if "deleted" in str(error):
                self._hub.emit(USE_AFTER_DONATE, how, frame, details={"error": str(error)[:200]})
            raise
        end = now()
        blocked = end - start
        local.syncs += kind != ITERATE
        local.last_sync, local.compiled = end, 0.0
        self._hub.emit(
            kind,
            _explicit(frame, how) if how == "numpy" else how,
            frame,
            seconds=blocked,
            avoidable=min(blocked, max(start - before, 0.0)) if before and not ready else 0.0,
            bytes=_bytes(array) if kind == READ else 0,
            waited=not ready,
            details=lambda: _shape(array),
        )
        return result

    def _batched(self, original: Callable[..., Any]) -> Callable[..., Any]:
        hub, local = self._hub, self._hub.local

        def batched_block_until_ready(arrays: Any) -> Any:
            if local.busy:
                return original(arrays)
            local.busy = 1
            try:
                ready = all(map(_ready, arrays))
                before, start = local.last_sync + local.compiled, now()
                result = original(arrays)
                end = now()
                local.syncs += 1
                local.last_sync, local.compiled = end, 0.0
                hub.emit(
                    BLOCK,
                    "function",
                    sys._getframe(1),
                    seconds=end - start,
                    avoidable=min(end - start, max(start - before, 0.0)) if before and not ready else 0.0,
                    waited=not ready,
                )
                return result
            finally:
                local.busy = 0

        return batched_block_until_ready

    def _on_buffer(self, array: Any, fetch: Callable[[], Any]) -> Any:
        """The buffer protocol asks for `array`; `fetch` hands the memory over."""
        local = self._hub.local
        if local.busy:
            return fetch()
        local.busy = 1
        try:
            return self._observe(READ, "numpy", array, sys._getframe(2), lambda _: fetch(), (), {})
        finally:
            local.busy = 0


def _permitted(permit: Callable[[], AbstractContextManager[object]], original: Any) -> Any:
    """`original`, done where JAX's transfer guard lets it."""

    def read(*args: Any, **kwargs: Any) -> Any:
        with permit():
            return original(*args, **kwargs)

    return read


def _explicit(frame: FrameType | None, how: str) -> str:
    """`device_get` where the read was asked for by that function, else `how`."""
    depth = 0
    while frame is not None and depth < 8:
        name = _EXPLICIT.get(frame.f_code.co_name)
        if name and "jax" in frame.f_code.co_filename:
            return name
        frame = frame.f_back
        depth += 1
    return how


def _ready(array: Any) -> bool:
    """Whether reading will not wait. `is_ready` of a deleted array kills the process (JAX 0.10.2): ask first."""
    try:
        return bool(array.is_deleted() or array.is_ready())
    except Exception:  # not an array, or not fully addressable: the original says so
        return True


def _bytes(array: Any) -> int:
    try:
        return int(array.nbytes)
    except Exception:
        return 0


def _shape(array: Any) -> dict[str, str]:
    try:
        return {"value": f"{array.dtype}[{','.join(map(str, array.shape))}]"}
    except Exception:
        return {}
