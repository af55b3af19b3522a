"""From facts to problems: everything that is wrong, the worst first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from runtime_checks.doctor import environment, installation
from runtime_checks.doctor.facts import Facts
from runtime_checks.doctor.installation import plugin_majors, suggested_extra
from runtime_checks.doctor.problem import ERROR, NOTE, WARNING, Problem, version_tuple

ORDER = {ERROR: 0, WARNING: 1, NOTE: 2}
# What can explain that an expected device is missing, the likeliest first.
EXPLANATIONS = (
    *("jax-missing", "jaxlib-missing", "jax-older-than-jaxlib", "jax-import", "xla-flags"),
    *("platform-without-plugin", "platform-forced", "gpus-hidden", "container-gpus-hidden", "container-without-gpu"),
    *("driver-missing", "driver-capabilities", "nvidia-smi-hangs", "nvidia-smi-fails", "no-gpu-listed"),
    *("device-permissions", "uvm-missing", "cuda-plugin-missing", "duplicate-plugins", "plugin-incomplete"),
    *("plugin-version", "driver-too-old", "gpu-too-old", "gpu-index", "library-path", "gpu-not-used"),
    *("memory-fraction", "memory-taken", "jax-hangs", "jax-crashes", "backend", "compute", "wrong-result"),
)
# NCCL's rings need about this much of /dev/shm
SHARED_MEMORY = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the user says must be there: a platform, and how many devices of it."""

    platform: str
    count: int = 1


def diagnose(facts: Facts, expected: Expectation | None = None) -> list[Problem]:
    """All problems, errors first; with an expectation that is not met, `<platform>-missing` is the first."""
    found = [
        *_jax(facts, expected),
        *_driver(facts),
        *installation.problems(facts),
        *environment.problems(facts),
        *_devices(facts),
    ]
    found.sort(key=lambda problem: ORDER[problem.severity])
    if expected is not None and count_devices(facts, expected.platform) < expected.count:
        found.insert(0, _not_met(facts, expected, found))
    return found


def count_devices(facts: Facts, platform: str) -> int:
    """Devices of a platform that JAX computes on (0 where the probe failed)."""
    if facts.probe.status != "ok":
        return 0
    if platform == "gpu":
        return len(facts.probe.gpus)
    return sum(device.get("platform") == platform for device in facts.probe.devices)


def _not_met(facts: Facts, expected: Expectation, found: list[Problem]) -> Problem:
    """The head of the list when what was expected is missing: it points to the likeliest cause."""
    have = count_devices(facts, expected.platform)
    if have:
        title = f"{expected.count} {expected.platform} devices expected, JAX has {have}"
    elif facts.probe.backend:
        title = f"A {expected.platform} was expected, and JAX runs on {facts.probe.backend}"
    else:
        title = f"A {expected.platform} was expected, and JAX did not start"
    suspects = sorted(
        (problem for problem in found if problem.name in EXPLANATIONS),
        key=lambda problem: EXPLANATIONS.index(problem.name),
    )
    if suspects:
        cause, remedy = f"Likeliest: {suspects[0].title}.", suspects[0].remedy
    elif expected.platform != "gpu":
        cause, remedy = "Nothing wrong was found.", "Is this the machine you meant?"
    elif facts.driver.smi == "missing" and not facts.driver.pci_gpus:
        cause = "This machine shows no NVIDIA GPU at all: no nvidia-smi, no driver, none on the PCI bus."
        remedy = "Run on a machine with a GPU" + (
            ", or start this container with GPU access (docker run --gpus all)." if facts.container else "."
        )
    else:
        cause = "Nothing wrong was found outside JAX."
        remedy = "Read JAX's own messages below, or run with TF_CPP_MIN_LOG_LEVEL=0 for more of them."
    return Problem(f"{expected.platform}-missing", ERROR, title, cause, remedy)


def _jax(facts: Facts, expected: Expectation | None) -> Iterator[Problem]:
    """What the probe says of JAX itself."""
    probe = facts.probe
    if probe.status == "missing" and probe.error == "jax":
        yield Problem(
            "jax-missing",
            ERROR if expected else WARNING,
            f"JAX is not installed for {facts.executable}",
            f"Python {facts.python} finds no package `jax`; perhaps another environment is meant.",
            f"pip install -U '{suggested_extra(facts)}'" if facts.driver.gpus or expected else "pip install -U jax",
        )
    elif probe.status == "missing":
        # With jax's own metadata but without jaxlib's, `installation` says the same with versions.
        if "jax" not in facts.packages or "jaxlib" in facts.packages:
            yield Problem("jaxlib-missing", ERROR, "jaxlib is missing", "jax was found alone.", "pip install -U jax")
    elif probe.status == "import-error":
        yield Problem(
            "jax-import",
            ERROR,
            "`import jax` fails",
            probe.error,
            "Install jax and jaxlib of one version in a fresh environment.",
        )
    elif probe.status == "timeout":
        yield Problem(
            "jax-hangs",
            ERROR,
            f"JAX did not get past `{probe.stage or 'start of Python'}` in {probe.seconds:.0f} s",
            "A driver that hangs, a GPU that fell off the bus (dmesg shows Xid), a full or slow network file system, "
            "or a peer of jax.distributed that is waited for.",
            "Try nvidia-smi; look at dmesg; give more time with --timeout.",
        )
    elif probe.status == "crashed":
        yield _crash(facts)
    elif probe.status == "backend-error" and _asks_for_absent_cuda(facts):
        yield Problem(
            "platform-without-plugin",
            ERROR,
            f"JAX_PLATFORMS={facts.environment['JAX_PLATFORMS']!r}, and no CUDA plugin of JAX is installed",
            probe.error,
            f"pip install -U '{suggested_extra(facts)}'",
        )
    elif probe.status == "backend-error":
        yield Problem(
            "backend",
            ERROR,
            "JAX cannot start its backends",
            probe.error,
            "See the other problems; JAX_PLATFORMS= (empty) lets JAX fall back to the CPU.",
        )
    elif probe.status == "compute-error":
        yield Problem(
            "compute", ERROR, "JAX starts, and fails to compute", probe.error, "See the other problems: memory, driver."
        )
    elif probe.data.get("computed") is False:
        yield Problem(
            "wrong-result",
            ERROR,
            "A product of two matrices of ones came out wrong",
            "Faulty hardware, or libraries that do not fit together.",
            "Reinstall JAX in a fresh environment; test the GPU with dcgmi diag.",
        )


def _asks_for_absent_cuda(facts: Facts) -> bool:
    """Whether JAX_PLATFORMS names CUDA where only the CPU's packages are installed."""
    asked = {part.strip() for part in facts.environment.get("JAX_PLATFORMS", "").lower().split(",")}
    return (
        bool(asked & {"cuda", "gpu"}) and not plugin_majors(facts) and "+cuda" not in facts.packages.get("jaxlib", "")
    )


def _crash(facts: Facts) -> Problem:
    """The child was killed or aborted."""
    probe = facts.probe
    flags = re.search(r"Unknown flags? in XLA_FLAGS:([^\n]*)", probe.stderr)
    if flags:
        return Problem(
            "xla-flags",
            ERROR,
            f"XLA does not know these flags: {flags[1].strip()}",
            "XLA aborts the process on an unknown flag; flags come and go with versions.",
            "Take them out of XLA_FLAGS.",
        )
    lines = [line for line in probe.stderr.splitlines() if line.strip()]
    how = f"signal {-probe.code}" if probe.code is not None and probe.code < 0 else f"status {probe.code}"
    return Problem(
        "jax-crashes",
        ERROR,
        f"Python died with {how} in `{probe.stage or 'start of Python'}`",
        lines[-1][:500] if lines else "It said nothing.",
        "Illegal instruction (signal 4): this jaxlib needs AVX. Segmentation fault (11): mixed CUDA libraries.",
    )


def _driver(facts: Facts) -> Iterator[Problem]:
    """What the driver's tools and files say."""
    driver = facts.driver
    if driver.smi == "timeout":
        yield Problem(
            "nvidia-smi-hangs",
            ERROR,
            "nvidia-smi does not answer",
            "The driver hangs: often a GPU that fell off the bus (Xid in dmesg).",
            "Reset the GPU or reboot the host.",
        )
    elif driver.smi == "failed":
        mismatch = "version mismatch" in driver.smi_error.lower()
        yield Problem(
            "nvidia-smi-fails",
            ERROR,
            "nvidia-smi fails",
            driver.smi_error.splitlines()[0] if driver.smi_error else "It said nothing.",
            "The driver was upgraded under a running kernel module: reboot the host, restart the container."
            if mismatch
            else "Load the kernel module (modprobe nvidia) or reinstall the driver on the host.",
        )
    elif driver.smi == "missing" and not driver.device_files and (driver.pci_gpus or driver.kernel_module):
        if facts.container:
            yield Problem(
                "container-without-gpu",
                WARNING,
                f"The host has an NVIDIA GPU; this container ({facts.container}) was given none",
                "A container sees no GPU unless it is started with one.",
                {
                    "kubernetes": "Ask for it: resources.limits.nvidia.com/gpu: 1",
                    "apptainer": "Start with --nv.",
                    "podman": "Start with --device nvidia.com/gpu=all (NVIDIA container toolkit, CDI).",
                }.get(facts.container, "Start with --gpus all (needs the NVIDIA container toolkit on the host)."),
            )
        elif not driver.kernel_module:
            yield Problem(
                "driver-missing",
                WARNING,
                "There is an NVIDIA GPU on the PCI bus, and no driver",
                "The driver isn't installed, or its kernel module isn't loaded (after a kernel upgrade, Secure Boot).",
                "Install the NVIDIA driver, or rebuild and load its module.",
            )
    elif driver.smi == "ok" and not driver.gpus:
        yield Problem(
            "no-gpu-listed",
            WARNING,
            "nvidia-smi works and lists no GPU",
            "All GPUs are in MIG mode without instances, or none was passed on.",
            "nvidia-smi -L; create MIG instances, or pass a GPU on.",
        )
    if driver.unreadable_files:
        yield Problem(
            "device-permissions",
            ERROR,
            f"No right to use /dev/{driver.unreadable_files[0]}",
            "The user is not in the group that owns the device, or the container runs as another user.",
            "Add the user to that group (often `video` or `render`).",
        )
    if driver.gpus and driver.device_files and not {"nvidia-uvm", "dxg"} & set(driver.device_files):
        yield Problem(
            "uvm-missing",
            ERROR,
            "/dev/nvidia-uvm is missing",
            "CUDA cannot start without it (error 999), though nvidia-smi works.",
            "Run nvidia-modprobe -u -c=0 on the host, then restart the container.",
        )


def _devices(facts: Facts) -> Iterator[Problem]:
    """What JAX made of it."""
    probe, driver = facts.probe, facts.driver
    hidden = facts.environment.get("CUDA_VISIBLE_DEVICES", "all").strip() in ("", "-1")
    if probe.status == "ok" and driver.gpus and not probe.gpus and plugin_majors(facts) and not hidden:
        said = [line for line in probe.stderr.splitlines() if re.search(r"cuda|gpu|CUDA|GPU|plugin", line)]
        yield Problem(
            "gpu-not-used",
            WARNING,
            f"nvidia-smi lists {driver.gpus[0].name}, and JAX runs on {probe.backend}",
            said[-1][:500] if said else "JAX fell back without saying why.",
            f"pip install -U '{suggested_extra(facts)}' in a fresh environment, without LD_LIBRARY_PATH",
        )
    if len(probe.gpus) > 1 and facts.shared_memory is not None and facts.shared_memory < SHARED_MEMORY:
        yield Problem(
            "small-shared-memory",
            WARNING,
            f"/dev/shm holds {facts.shared_memory / 1e6:.0f} MB, for {len(probe.gpus)} GPUs",
            "NCCL exchanges data between GPUs of a host through it.",
            "Start the container with --shm-size=1g or --ipc=host.",
        )
    attention = probe.data.get("attention")
    able = any(version_tuple(str(gpu.get("compute_capability", ""))) >= (8, 0) for gpu in probe.gpus)
    if able and isinstance(attention, dict) and not attention.get("ran"):
        yield Problem(
            "cudnn-attention-fails",
            WARNING,
            "The GPU has fused attention, and cuDNN does not run it",
            str(attention.get("error", "The result was not finite."))[:500],
            "Install the cuDNN wheel that JAX asks for; take other cuDNN copies out of LD_LIBRARY_PATH.",
        )
