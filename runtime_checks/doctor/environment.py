"""Do environment variables keep JAX off the GPU, or make it slow?"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator

from runtime_checks.doctor.facts import Facts
from runtime_checks.doctor.problem import ERROR, NOTE, WARNING, Problem

FALSE = ("0", "false", "no", "off")
# JAX_* variables that jax.config doesn't know and that something else reads.
OTHER_READERS = {
    "JAX_SKIP_CUDA_CONSTRAINTS_CHECK",
    "JAX_SKIP_ROCM_CHECKS",
    "JAX_PLATFORM_NAME",
    "JAX_CUDA_VISIBLE_DEVICES",
    "JAX_ROCM_VISIBLE_DEVICES",
    "JAX_FORCE_TPU_INIT",
    "JAX_CUSTOM_VERSION_SUFFIX",
    "JAX_RELEASE",
    "JAX_NIGHTLY",
    "JAX_BACKEND_TARGET",
    "JAX_COORDINATOR_ADDRESS",
    "JAX_NUM_PROCESSES",
    "JAX_PROCESS_ID",
    "JAX_LOCAL_DEVICE_IDS",
    "JAX_TOOLBOX_REF",
}


def problems(facts: Facts) -> Iterator[Problem]:
    """All that the environment does to JAX."""
    yield from _visibility(facts)
    yield from _libraries(facts)
    yield from _memory(facts)
    yield from _slow(facts)
    yield from _misspelt(facts)


def _visibility(facts: Facts) -> Iterator[Problem]:
    env = facts.environment
    for name in ("CUDA_VISIBLE_DEVICES", "JAX_CUDA_VISIBLE_DEVICES"):
        value = env.get(name)
        if value is None:
            continue
        if value.strip() in ("", "-1", "none", "NoDevFiles"):
            yield Problem(
                "gpus-hidden",
                WARNING,
                f"{name}={value!r} hides every GPU",
                "Set by a scheduler that gave no GPU to this job, or left over in a shell or notebook.",
                f"unset {name}, or ask the scheduler for a GPU",
            )
            continue
        indices = [int(part) for part in value.split(",") if part.strip().isdigit()]
        known = {gpu.index for gpu in facts.driver.gpus}
        wrong = [index for index in indices if index not in known]
        if known and wrong:
            yield Problem(
                "gpu-index",
                ERROR,
                f"{name}={value!r} names GPU {wrong[0]}; there are {sorted(known)}",
                "CUDA stops reading the list at the first index that does not exist, and hides the rest.",
                f"export {name}={','.join(map(str, sorted(known)))}",
            )
    if env.get("NVIDIA_VISIBLE_DEVICES") in ("void", "none", ""):
        yield Problem(
            "container-gpus-hidden",
            WARNING,
            f"NVIDIA_VISIBLE_DEVICES={env['NVIDIA_VISIBLE_DEVICES']!r}: this container was given no GPU",
            "The NVIDIA container runtime reads this variable when the container starts.",
            "Start the container with --gpus all (Docker) or with a GPU resource limit (Kubernetes).",
        )
    capabilities = env.get("NVIDIA_DRIVER_CAPABILITIES")
    if capabilities and not {"compute", "all"} & set(capabilities.split(",")):
        yield Problem(
            "driver-capabilities",
            WARNING,
            f"NVIDIA_DRIVER_CAPABILITIES={capabilities!r} leaves out `compute`",
            "The container got no libcuda.",
            "Start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility",
        )
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        value = env.get(name, "")
        if value and not {"gpu", "cuda", "rocm", "tpu", "metal"} & {part.strip() for part in value.lower().split(",")}:
            yield Problem(
                "platform-forced",
                WARNING,
                f"{name}={value!r} keeps JAX off the GPU",
                "Often left over from tests or a notebook.",
                f"unset {name}, or set JAX_PLATFORMS=cuda to fail where there is no GPU",
            )
    if env.get("JAX_SKIP_CUDA_CONSTRAINTS_CHECK"):
        yield Problem(
            "cuda-check-skipped",
            WARNING,
            "JAX_SKIP_CUDA_CONSTRAINTS_CHECK is set",
            "JAX no longer refuses CUDA libraries that are too old; errors or wrong results may follow.",
            "unset it and install the libraries that JAX asks for",
        )


def _libraries(facts: Facts) -> Iterator[Problem]:
    for folder, libraries in facts.library_path.items():
        if any(name.startswith("nvidia-") for name in facts.packages):
            yield Problem(
                "library-path",
                WARNING,
                f"LD_LIBRARY_PATH holds {folder} with {', '.join(libraries[:3])}",
                "Libraries found there win over the NVIDIA wheels that JAX was installed with.",
                "unset LD_LIBRARY_PATH, or install jax[cuda12-local] / jax[cuda13-local] to use that CUDA on purpose",
            )


def _memory(facts: Facts) -> Iterator[Problem]:
    env = facts.environment
    preallocate = env.get("XLA_PYTHON_CLIENT_PREALLOCATE", "").lower()
    if preallocate in FALSE:
        yield Problem(
            "no-preallocation",
            NOTE,
            "XLA_PYTHON_CLIENT_PREALLOCATE=false: GPU memory is taken as needed",
            "Good for sharing a GPU; allocation is slower and memory fragments.",
            "unset it when the GPU is yours alone",
        )
    if env.get("XLA_PYTHON_CLIENT_ALLOCATOR", "").lower() == "platform":
        yield Problem(
            "platform-allocator",
            WARNING,
            "XLA_PYTHON_CLIENT_ALLOCATOR=platform calls cudaMalloc for every buffer",
            "Meant for debugging; it slows every step.",
            "unset XLA_PYTHON_CLIENT_ALLOCATOR",
        )
    for name in ("XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_CLIENT_MEM_FRACTION"):
        if name not in env:
            continue
        try:
            fraction = float(env[name])
        except ValueError:
            fraction = -1.0
        if not 0.0 < fraction <= 1.0:
            yield Problem(
                "memory-fraction",
                ERROR,
                f"{name}={env[name]!r} is not a fraction between 0 and 1",
                "A percentage was written, perhaps.",
                f"export {name}=.75",
            )
    if preallocate in FALSE:
        return
    for gpu in facts.driver.gpus:
        if gpu.memory_total and gpu.memory_used and gpu.memory_used > 0.25 * gpu.memory_total:
            yield Problem(
                "memory-taken",
                WARNING,
                f"GPU {gpu.index} ({gpu.name}): {gpu.memory_used / 1e9:.1f} of {gpu.memory_total / 1e9:.1f} GB in use",
                "JAX takes 75 % of the memory at its start and fails if another process holds more than the rest.",
                "Stop the other process (nvidia-smi lists it), or set XLA_PYTHON_CLIENT_MEM_FRACTION lower.",
            )


# variable: (values that hurt, or None for any; name; what it costs; what to do)
SLOW: dict[str, tuple[tuple[str, ...] | None, str, str]] = {
    "JAX_DISABLE_JIT": (
        ("1", "true", "yes", "on"),
        "jit-disabled",
        "nothing is compiled: every operation runs by itself",
    ),
    "JAX_DEBUG_NANS": (("1", "true", "yes", "on"), "debug-nans", "every call waits for its result to look for NaN"),
    "JAX_DEBUG_INFS": (("1", "true", "yes", "on"), "debug-infs", "every call waits for its result to look for inf"),
    "JAX_CHECK_TRACER_LEAKS": (("1", "true", "yes", "on"), "leak-check", "tracing caches are partly off"),
    "JAX_ENABLE_X64": (
        ("1", "true", "yes", "on"),
        "x64",
        "new arrays may be float64: twice the memory, and many times slower on most GPUs",
    ),
    "CUDA_LAUNCH_BLOCKING": (("1",), "launch-blocking", "every kernel launch waits for the kernel"),
    "NVIDIA_TF32_OVERRIDE": (("0",), "tf32-off", "matrix products in float32 don't use the tensor cores"),
    "JAX_TRANSFER_GUARD": (
        ("disallow", "disallow_explicit", "log", "log_explicit"),
        "transfer-guard",
        "implicit transfers are logged or raise",
    ),
}


def _slow(facts: Facts) -> Iterator[Problem]:
    env = facts.environment
    for variable, (values, name, costs) in SLOW.items():
        value = env.get(variable)
        if value is None or (values is not None and value.lower() not in values):
            continue
        severity = NOTE if name == "transfer-guard" else WARNING
        yield Problem(name, severity, f"{variable}={value}", f"{costs[0].upper()}{costs[1:]}.", f"unset {variable}")
    flags = env.get("XLA_FLAGS", "")
    if "--xla_gpu_deterministic_ops" in flags or "--xla_gpu_autotune_level=0" in flags:
        yield Problem(
            "slow-xla-flags",
            NOTE,
            "XLA_FLAGS choose slower kernels",
            f"XLA_FLAGS={flags!r} asks for deterministic kernels or turns autotuning off.",
            "Leave them out when measuring speed.",
        )
    if "--xla_force_host_platform_device_count" in flags:
        yield Problem(
            "virtual-devices",
            NOTE,
            "XLA_FLAGS split the CPU into virtual devices",
            "For tests of sharding; they share the same cores.",
            "Leave it out when measuring on the CPU.",
        )
    folder = env.get("JAX_COMPILATION_CACHE_DIR", "")
    if folder and "://" not in folder and os.path.isdir(folder) and not os.access(folder, os.W_OK):
        yield Problem(
            "cache-not-writable",
            WARNING,
            f"JAX_COMPILATION_CACHE_DIR={folder!r} cannot be written",
            "Compiled programs are not kept; every start compiles again.",
            "Give this user the right to write there, or choose another folder.",
        )


def _misspelt(facts: Facts) -> Iterator[Problem]:
    """A JAX_* variable that JAX does not know: a typo is ignored without a word."""
    known = {name.upper() for name in facts.probe.config}
    if not known:
        return
    for name in facts.environment:
        if not name.startswith("JAX_") or name in known or name in OTHER_READERS or name.startswith("JAX_TEST"):
            continue
        upper = name.upper()
        close = [upper] if upper in known else difflib.get_close_matches(upper, sorted(known), n=1, cutoff=0.8)
        if close:
            yield Problem(
                "unknown-variable",
                WARNING,
                f"{name} is no setting of JAX {facts.packages.get('jax', '')}".rstrip(),
                "JAX ignores it without a word.",
                f"Did you mean {close[0]}?",
            )
