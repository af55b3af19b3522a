"""The only module that knows private names of JAX. Each is feature-tested; what is missing is said, not hidden.

Written for JAX 0.4.35 to 0.10 and newer. Nothing here imports jax by itself: `load()` is called once jax is
imported by the program that is watched.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any

from runtime_checks.observed import Probe, active, degraded, off

TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
LOWER_EVENT = "/jax/core/compile/jaxpr_to_mlir_module_duration"
COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"
CACHE_HIT_EVENT = "/jax/compilation_cache/cache_hits"

# the classes whose construction is a concretisation error, and the event kind that each confirms
CONCRETISATION = {
    "TracerBoolConversionError": "tracer-bool",
    "TracerIntegerConversionError": "tracer-convert",
    "TracerArrayConversionError": "tracer-array",
    "NonConcreteBooleanIndexError": "tracer-shape",
    "ConcretizationTypeError": "tracer-convert",
}
LEAK = "UnexpectedTracerError"


def jax_loaded() -> bool:
    """Whether `import jax` has finished in this process."""
    module = sys.modules.get("jax")
    if module is None or not hasattr(module, "jit") or not hasattr(module, "monitoring"):
        return False
    spec = getattr(module, "__spec__", None)
    return not getattr(spec, "_initializing", False)


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@dataclass(slots=True)
class JitCall:
    """What the stack says about the call that is being compiled. Holds live objects: use and drop at once."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    static_numbers: tuple[int, ...]
    static_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lowered:
    """What a program that is being compiled holds. Bytes: of its constants, and of the arguments that it neither gives
    up (donation) nor could not reuse, because results have their shapes and types."""

    constants: int
    reusable: int


@dataclass(slots=True)
class Internals:
    """Handles on JAX. Each is None (or does nothing) where this version has no such name."""

    jax: ModuleType
    version: str
    array_class: type | None = None
    errors: ModuleType | None = None
    pjit: ModuleType | None = None
    block_holder: Any = None
    trace_class: type | None = None
    tracer_class: type | None = None
    array_module: ModuleType | None = None
    probes: list[Probe] = field(default_factory=list)
    _backends_ready: Callable[[], bool] | None = None
    _trace_clean: Callable[[], bool] | None = None
    _put_info: Callable[[], dict[str, int]] | None = None

    # -- state of the process -------------------------------------------------------------------------
    def backends_ready(self) -> bool:
        """Whether a backend exists, so that asking for devices starts nothing."""
        if self._backends_ready is None:
            return False
        try:
            return bool(self._backends_ready())
        except Exception:
            return False

    def tracing(self) -> bool:
        """Whether this thread is inside a trace right now."""
        if self._trace_clean is None:
            return False
        try:
            return not self._trace_clean()
        except Exception:
            return False

    def device_puts(self) -> int | None:
        """Number of host-to-device copies so far in the process, None where JAX does not count them."""
        if self._put_info is None:
            return None
        try:
            return sum(self._put_info().values())
        except Exception:
            return None

    def process_index(self) -> tuple[int, int] | None:
        """(index, count) of this process under jax.distributed; None while no backend exists."""
        if not self.backends_ready():
            return None
        try:
            return int(self.jax.process_index()), int(self.jax.process_count())
        except Exception:
            return None

    def platform(self) -> str:
        """The default backend's name, '' while none exists."""
        if not self.backends_ready():
            return ""
        try:
            return str(self.jax.default_backend())
        except Exception:
            return ""

    # -- monitoring -----------------------------------------------------------------------------------
    def listen(self, on_event: Callable[..., None], on_duration: Callable[..., None]) -> None:
        """Register listeners of plain events and of durations."""
        self.jax.monitoring.register_event_listener(on_event)
        self.jax.monitoring.register_event_duration_secs_listener(on_duration)

    def unlisten(self, on_event: Callable[..., None], on_duration: Callable[..., None]) -> bool:
        """Remove the listeners; False where this version has no way to."""
        removed = 0
        private = _module("jax._src.monitoring")
        for module in (self.jax.monitoring, private):
            for name, listener in (
                ("unregister_event_listener", on_event),
                ("_unregister_event_listener_by_callback", on_event),
                ("unregister_event_duration_listener", on_duration),
                ("_unregister_event_duration_listener_by_callback", on_duration),
            ):
                remove = getattr(module, name, None)
                if remove is not None:
                    try:
                        remove(listener)
                        removed += 1
                    except (AssertionError, ValueError):
                        continue  # already removed by the other name
        return removed >= 2

    # -- the stack of a compilation ---------------------------------------------------------------------
    def jit_call(self, frame: FrameType | None) -> JitCall | None:
        """The innermost jit call on the stack above `frame`: what `cache_miss` was called with."""
        depth = 0
        while frame is not None and depth < 80:
            code = frame.f_code
            if code.co_filename.endswith("pjit.py"):
                if code.co_name == "cache_miss" and "kwargs" in code.co_varnames:
                    values = frame.f_locals
                    info = values.get("jit_info")
                    return JitCall(
                        values.get("fun"),
                        tuple(values.get("args", ())),
                        dict(values.get("kwargs", {})),
                        tuple(getattr(info, "static_argnums", ()) or ()),
                        tuple(getattr(info, "static_argnames", ()) or ()),
                    )
                if code.co_name in ("_infer_params", "_infer_params_impl", "_infer_params_internal"):
                    values = frame.f_locals
                    info = values.get("ji") or values.get("jit_info")
                    if "args" in values and "kwargs" in values:
                        return JitCall(
                            values.get("fun"),
                            tuple(values["args"]),
                            dict(values["kwargs"]),
                            tuple(getattr(info, "static_argnums", ()) or ()),
                            tuple(getattr(info, "static_argnames", ()) or ()),
                        )
            frame = frame.f_back
            depth += 1
        return None

    def lowered(self, frame: FrameType | None) -> Lowered | None:
        """The program whose lowering has just ended above `frame`; None where this version doesn't show it."""
        depth = 0
        while frame is not None and depth < 12:
            if frame.f_code.co_name == "lower_sharding_computation":
                values = frame.f_locals
                program, donated = values.get("closed_jaxpr"), values.get("donated_invars")
                if program is None or donated is None:
                    return None
                held = [*program.consts, *(values.get("const_args") or ())]
                constants = {id(value): int(getattr(value, "nbytes", 0)) for value in held}
                return Lowered(sum(constants.values()), _reusable(program, donated))
            frame = frame.f_back
            depth += 1
        return None

    def compiled_before(self, function: Any) -> bool:
        """Whether some `jit` of `function` holds finished programs. Slow (milliseconds): for guards only."""
        import gc

        for holder in gc.get_referrers(function):
            size = getattr(type(holder), "_cache_size", None)
            if size is not None and getattr(holder, "_fun", None) is function:
                try:
                    if size(holder) > 1:  # the call that is being compiled has its entry already
                        return True
                except Exception:
                    continue
        return False

    # -- arrays -----------------------------------------------------------------------------------------
    @staticmethod
    def committed(array: Any) -> bool:
        """Whether the array is committed to its devices."""
        return bool(getattr(array, "_committed", True))

    @staticmethod
    def already_on_host(array: Any) -> bool:
        """Whether the array's value was read before and is cached on the host: a second read moves nothing."""
        return getattr(array, "_npy_value", None) is not None

    def hide_frames(self, filename: str) -> None:
        """Keep this tool's own files out of JAX's source locations and filtered tracebacks."""
        for name in ("jax._src.source_info_util", "jax._src.traceback_util"):
            register = getattr(_module(name), "register_exclusion", None)
            if register is not None:
                try:
                    register(filename)
                except Exception:
                    continue


def _reusable(program: Any, donated: Iterable[bool]) -> int:
    """Bytes of the arguments that are not donated and have the shape and type of a result."""
    results = Counter((aval.shape, aval.dtype) for aval in program.out_avals if hasattr(aval, "shape"))
    found = 0
    for aval, gone in zip(program.in_avals, donated, strict=False):
        kind = (getattr(aval, "shape", None), getattr(aval, "dtype", None))
        if results[kind] > 0:
            results[kind] -= 1
            found += 0 if gone else _bytes(aval)
    return found


def _bytes(aval: Any) -> int:
    """0 where a dimension is symbolic."""
    if not all(isinstance(size, int) for size in aval.shape):
        return 0
    return int(math.prod(aval.shape)) * int(getattr(aval.dtype, "itemsize", 0))


def load() -> Internals:
    """Look up everything; called when jax is imported. Never raises for a missing private name."""
    import jax

    found = Internals(jax=jax, version=str(jax.__version__))
    probes = found.probes

    array = found.array_module = _module("jax._src.array")
    found.array_class = getattr(array, "ArrayImpl", None)
    if found.array_class is None:
        probes.append(off("array-class", "jax._src.array.ArrayImpl does not exist in this version"))
    else:
        probes.append(active("array-class"))

    found.errors = getattr(jax, "errors", None)
    found.pjit = _module("jax._src.pjit")
    if found.pjit is not None and callable(getattr(found.pjit, "_cpp_pjit", None)):
        probes.append(active("jit-applications"))
    else:
        probes.append(degraded("jit-applications", "jax._src.pjit._cpp_pjit not found: no line of `jit(...)`"))

    api = _module("jax._src.api")
    holder = getattr(api, "xc", None)
    if hasattr(holder, "batched_block_until_ready"):
        found.block_holder = holder

    core = _module("jax._src.core")
    clean = getattr(core, "trace_state_clean", None)
    found._trace_clean = clean if callable(clean) else None
    found.tracer_class = getattr(getattr(jax, "core", None), "Tracer", None) or getattr(core, "Tracer", None)
    partial_eval = _module("jax._src.interpreters.partial_eval")
    found.trace_class = getattr(partial_eval, "DynamicJaxprTrace", None)
    probes.append(
        active("trace-state")
        if found._trace_clean is not None
        else degraded("trace-state", "jax._src.core.trace_state_clean not found: trace time is not told from run time")
    )

    bridge = _module("jax._src.xla_bridge")
    ready = getattr(bridge, "backends_are_initialized", None)
    if isinstance(getattr(bridge, "_backends", None), dict):
        # without JAX's lock: a hook may run while this very thread starts the backends and holds it
        found._backends_ready = lambda: bool(getattr(bridge, "_backends", None))
    else:
        found._backends_ready = ready if callable(ready) else None

    jaxlib = _module("jaxlib._jax") or _module("jaxlib.xla_extension")
    info = getattr(jaxlib, "get_internal_device_put_info", None)
    if callable(info):
        found._put_info = info
        probes.append(active("host-to-device"))
    else:
        probes.append(off("host-to-device", f"JAX {found.version} does not count host-to-device copies (needs 0.6.2)"))
    return found
