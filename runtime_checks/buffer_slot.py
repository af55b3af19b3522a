"""The buffer protocol of the array class: how NumPy takes a CPU array's memory without any method call.

CPython 3.12 and newer have `__buffer__` in Python. Before that the C slot is replaced through ctypes by a
callback that records and calls the original; it is only done after the layout of type objects was verified on
built-in types of this very interpreter.
"""

from __future__ import annotations

import _thread
import ctypes
import struct
import sys
from collections.abc import Callable
from typing import Any

from runtime_checks.observed import Probe, active, degraded, off

_AS_BUFFER = 20  # pointer number of tp_as_buffer in PyTypeObject (CPython 3.8 to 3.11, 64 bit)
NAME = "transfers-numpy"

# (the array, a function that hands the memory over) -> what that function returned
Handler = Callable[[Any, Callable[[], Any]], Any]


class BufferSlot:
    """Sees `np.asarray(x)` and everything else that takes the memory of a CPU array."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._class: Any = None
        self._original: Any = None
        self._callback: Any = None
        self._address = 0
        self._slot: Any = None
        self._probe = off(NAME, "jax was not imported")

    def probe(self) -> Probe:
        """The state of this hook."""
        return self._probe

    def install(self, cls: type) -> None:
        """Hook `cls`; on any doubt leave it alone and say so."""
        self._class = cls
        if sys.implementation.name != "cpython":
            self._probe = off(NAME, "only CPython's buffer slot is known; NumPy reads of CPU arrays are not seen")
        elif sys.version_info >= (3, 12):
            self._install_method(cls)
        elif struct.calcsize("P") != 8:
            self._probe = off(NAME, "needs a 64-bit Python before 3.12; NumPy reads of CPU arrays are not seen")
        else:
            self._install_slot(cls)

    def remove(self) -> None:
        """Put the original back."""
        if self._slot is not None:
            self._slot[0] = self._address
            self._slot = None
            self._callback = None
        elif self._original is not None:
            self._class.__buffer__ = self._original
            self._original = None
        self._probe = off(NAME, "stopped")

    # -- 3.12 and newer -----------------------------------------------------------------------------------
    def _install_method(self, cls: Any) -> None:
        original = cls.__dict__.get("__buffer__")
        if original is None:
            self._probe = active(NAME, "the array class has no buffer protocol: NumPy calls __array__")
            return
        handler = self._handler

        def __buffer__(self: Any, flags: int) -> Any:
            return handler(self, lambda: original(self, flags))

        try:
            cls.__buffer__ = __buffer__
        except (AttributeError, TypeError) as error:
            self._probe = off(NAME, f"__buffer__ cannot be set: {error}")
            return
        self._original = original
        self._probe = active(NAME)

    # -- up to 3.11 ---------------------------------------------------------------------------------------
    def _install_slot(self, cls: type) -> None:
        if not _layout_verified():
            self._probe = off(NAME, "unexpected layout of type objects; NumPy reads of CPU arrays are not seen")
            return
        table = _pointers(cls)[_AS_BUFFER]
        if not table:
            self._probe = active(NAME, "the array class has no buffer protocol: NumPy calls __array__")
            return
        slot = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))
        address = slot[0]
        if not address:
            self._probe = active(NAME, "the array class has no buffer protocol: NumPy calls __array__")
            return
        prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
        original = prototype(address)
        handler = self._handler

        def getbuffer(array: Any, view: int, flags: int) -> int:
            def fetch() -> int:
                return int(original(array, view, flags))

            try:
                return int(handler(array, fetch))
            except KeyboardInterrupt:
                _thread.interrupt_main()  # it cannot pass through C; raise it again right after
                return -1
            except BaseException:
                # NumPy goes on with __array__, which raises the right error
                return -1

        self._callback = prototype(getbuffer)
        self._address = address
        self._slot = slot
        slot[0] = ctypes.cast(self._callback, ctypes.c_void_p).value
        self._probe = degraded(
            NAME, "before Python 3.12 memoryview() of a deleted or bfloat16 array raises SystemError, not BufferError"
        )


def _pointers(cls: type) -> Any:
    return (ctypes.c_void_p * 64).from_address(id(cls))


def _layout_verified() -> bool:
    """Whether pointer 20 is the buffer table on types of which it is known to exist or not to, and works."""
    try:
        for cls, has in (
            (bytes, True),
            (bytearray, True),
            (memoryview, True),
            (int, False),
            (str, False),
            (dict, False),
        ):
            table = _pointers(cls)[_AS_BUFFER]
            if bool(table) != has:
                return False
        table = _pointers(bytes)[_AS_BUFFER]
        assert table is not None
        address = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[0]
        assert address is not None
        view = (ctypes.c_char * 160)()
        prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
        if prototype(address)(b"jaxlint", ctypes.addressof(view), 0) != 0:
            return False
        start = ctypes.c_void_p.from_buffer(view).value
        ok = start is not None and ctypes.string_at(start, 7) == b"jaxlint"
        ctypes.pythonapi.PyBuffer_Release(ctypes.c_void_p(ctypes.addressof(view)))
        return ok
    except Exception:
        return False
