"""Is JAX installed so that it can use the GPU? Judged from versions, without running anything."""

from __future__ import annotations

from collections.abc import Iterator

from runtime_checks.doctor.facts import Facts
from runtime_checks.doctor.problem import ERROR, NOTE, WARNING, Problem, version_tuple

# What JAX's installation page asks of the driver and the GPU, by CUDA major version.
OLDEST_DRIVER = {12: (525, 60), 13: (580,)}
LOWEST_CAPABILITY = {12: (5, 2), 13: (7, 5)}
# cuDNN's fused attention in jax.nn.dot_product_attention
ATTENTION_CAPABILITY = (8, 0)


def plugin_majors(facts: Facts) -> list[int]:
    """The CUDA major versions that a JAX plugin is installed for."""
    return [major for major in (12, 13) if f"jax-cuda{major}-plugin" in facts.packages]


def suggested_extra(facts: Facts) -> str:
    """`jax[cuda13]` where driver and GPUs allow it, or nothing is known; else `jax[cuda12]`."""
    old_driver = facts.driver.version and version_tuple(facts.driver.version) < OLDEST_DRIVER[13]
    old_gpu = any(
        gpu.compute_capability and version_tuple(gpu.compute_capability) < LOWEST_CAPABILITY[13]
        for gpu in facts.driver.gpus
    )
    return "jax[cuda12]" if old_driver or old_gpu else "jax[cuda13]"


def problems(facts: Facts) -> Iterator[Problem]:
    """All that is wrong with the installation."""
    yield from _shadows(facts)
    yield from _jax_and_jaxlib(facts)
    yield from _plugins(facts)
    yield from _against_driver(facts)


def _shadows(facts: Facts) -> Iterator[Problem]:
    for name in facts.shadows:
        yield Problem(
            "shadowed-module",
            WARNING,
            f"./{name} hides the installed package",
            f"A script started in this folder imports {name} from here.",
            f"Rename {name}.",
        )


def _jax_and_jaxlib(facts: Facts) -> Iterator[Problem]:
    jax, jaxlib = facts.packages.get("jax"), facts.packages.get("jaxlib")
    if jax and not jaxlib:
        yield Problem(
            "jaxlib-missing",
            ERROR,
            f"jax {jax} is installed without jaxlib",
            "jaxlib holds the compiled part; there may be no wheel of it for this Python or platform.",
            "pip install -U jax, with a Python that JAX supports",
        )
    elif jax and jaxlib and version_tuple(jaxlib) > version_tuple(jax):
        yield Problem(
            "jax-older-than-jaxlib",
            ERROR,
            f"jaxlib {jaxlib} is newer than jax {jax}",
            "jax refuses a newer jaxlib; one of the two was pinned or upgraded alone.",
            f"pip install -U 'jax=={jaxlib.split('+')[0]}'",
        )
    elif jax and jaxlib and version_tuple(jaxlib)[:2] != version_tuple(jax)[:2]:
        yield Problem(
            "jaxlib-older",
            WARNING,
            f"jaxlib {jaxlib} is older than jax {jax}",
            "One of the two was upgraded alone. JAX may refuse it, and fixes in jaxlib are missing.",
            f"pip install -U 'jax=={jax}' 'jaxlib=={jax}'",
        )


def _plugins(facts: Facts) -> Iterator[Problem]:
    packages, majors = facts.packages, plugin_majors(facts)
    if len(majors) > 1:
        yield Problem(
            "duplicate-plugins",
            ERROR,
            "The CUDA 12 and the CUDA 13 plugin of JAX are both installed",
            "Both register the platform `cuda`; the libraries of one are loaded with the code of the other.",
            "pip uninstall -y jax-cuda12-plugin jax-cuda12-pjrt   (or those of cuda13), then "
            f"pip install -U '{suggested_extra(facts)}'",
        )
    for major in majors:
        plugin = packages[f"jax-cuda{major}-plugin"]
        pjrt = packages.get(f"jax-cuda{major}-pjrt")
        jaxlib = packages.get("jaxlib", "")
        if pjrt is None:
            yield Problem(
                "plugin-incomplete",
                ERROR,
                f"jax-cuda{major}-plugin is installed without jax-cuda{major}-pjrt",
                "The plugin package holds kernels; the compiler and runtime are in the pjrt package.",
                f"pip install -U 'jax[cuda{major}]'",
            )
        for name, version in ((f"jax-cuda{major}-plugin", plugin), (f"jax-cuda{major}-pjrt", pjrt)):
            if jaxlib and version and version_tuple(version) != version_tuple(jaxlib):
                yield Problem(
                    "plugin-version",
                    ERROR,
                    f"{name} {version} does not fit jaxlib {jaxlib}",
                    "JAX uses a CUDA plugin only with the jaxlib of the same version; else it falls back to the CPU.",
                    f"pip install -U 'jax[cuda{major}]=={jaxlib.split('+')[0]}'",
                )
        others = sorted(name for name in packages if name.startswith("nvidia-") and name.endswith(f"-cu{25 - major}"))
        if len(majors) == 1 and others:
            yield Problem(
                "other-cuda-wheels",
                NOTE,
                f"NVIDIA wheels for CUDA {25 - major} lie beside JAX's CUDA {major} plugin",
                f"Another package (often PyTorch) brought {', '.join(others[:3])}"
                f"{' and others' if len(others) > 3 else ''}. cuDNN and NCCL share a folder between both.",
                "If cuDNN or NCCL fails to load, give JAX an environment of its own.",
            )
    for major in (12, 13):
        if f"jax-cuda{major}-pjrt" in packages and major not in majors:
            yield Problem(
                "plugin-incomplete",
                ERROR,
                f"jax-cuda{major}-pjrt is installed without jax-cuda{major}-plugin",
                "The kernels of the plugin package are missing.",
                f"pip install -U 'jax[cuda{major}]'",
            )
    if not majors and "jax" in packages and "+cuda" not in packages.get("jaxlib", "") and _nvidia_in_sight(facts):
        yield Problem(
            "cuda-plugin-missing",
            WARNING,
            "There is an NVIDIA GPU, and JAX is installed for the CPU only",
            "`pip install jax` brings no GPU support; a requirements file or lock without the extra removes it again.",
            f"pip install -U '{suggested_extra(facts)}'",
        )


def _nvidia_in_sight(facts: Facts) -> bool:
    return bool(facts.driver.gpus or facts.driver.pci_gpus or facts.driver.kernel_module)


def _against_driver(facts: Facts) -> Iterator[Problem]:
    driver, packages = facts.driver, facts.packages
    for major in plugin_majors(facts):
        if driver.version and version_tuple(driver.version) < OLDEST_DRIVER[major]:
            oldest = ".".join(map(str, OLDEST_DRIVER[major]))
            old_enough = version_tuple(driver.version) >= OLDEST_DRIVER[12]
            yield Problem(
                "driver-too-old",
                ERROR,
                f"Driver {driver.version} is too old for CUDA {major} (needs {oldest})",
                "The driver belongs to the host; a newer image or wheel doesn't bring one.",
                "Upgrade the driver on the host"
                + (", or pip install -U 'jax[cuda12]' (and uninstall the cuda13 plugin)" if old_enough else ""),
            )
        runtime = packages.get(f"nvidia-cuda-runtime-cu{major}") or packages.get("nvidia-cuda-runtime", "")
        wheels, served = version_tuple(runtime)[:2], version_tuple(driver.cuda)[:2]
        if wheels and served and wheels > served and wheels[0] == served[0]:
            yield Problem(
                "driver-older-than-toolkit",
                NOTE,
                f"The CUDA wheels are {runtime}, the driver serves CUDA up to {driver.cuda}",
                "Minor versions are compatible; newer features and some PTX need the newer driver.",
                "Upgrade the driver if a kernel fails to load.",
            )
        for gpu in driver.gpus:
            capability = version_tuple(gpu.compute_capability)
            if capability and capability < LOWEST_CAPABILITY[major]:
                lowest = ".".join(map(str, LOWEST_CAPABILITY[major]))
                yield Problem(
                    "gpu-too-old",
                    ERROR,
                    f"{gpu.name} has compute capability {gpu.compute_capability}; CUDA {major} needs {lowest}",
                    f"JAX's CUDA {major} wheels hold no code for it.",
                    "pip install -U 'jax[cuda12]'" if major == 13 and capability >= (5, 2) else "Use a newer GPU.",
                )
    for gpu in driver.gpus:
        capability = version_tuple(gpu.compute_capability)
        if capability and capability < ATTENTION_CAPABILITY:
            yield Problem(
                "no-cudnn-attention",
                NOTE,
                f"{gpu.name} (compute capability {gpu.compute_capability}) has no fused cuDNN attention",
                "jax.nn.dot_product_attention(implementation='cudnn') needs 8.0 (Ampere) or newer.",
                "Leave `implementation` unset: XLA's attention runs everywhere.",
            )
