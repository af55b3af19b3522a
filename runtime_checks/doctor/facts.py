"""What doctor knows of a machine: plain data, gathered without importing jax, judged in `problems`.

Everything that can hang (the NVIDIA driver, jax itself) is asked in a child process with a time limit.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runtime_checks.doctor import nvidia
from runtime_checks.doctor.child import Ran, run_limited
from runtime_checks.doctor.nvidia import Driver
from runtime_checks.doctor.probe import MARK

# Only variables with these beginnings are read and shown: nothing that could be a secret.
ENVIRONMENT = ("JAX_", "XLA_", "CUDA_", "NVIDIA_", "NCCL_", "LD_LIBRARY_PATH", "TF_CPP_", "TF_GPU_", "ROCR_", "HIP_")
SECRET = re.compile(r"TOKEN|SECRET|PASSWORD|CREDENTIAL|_KEY$")

# Distributions whose version matters here; the NVIDIA ones are found by their beginning.
PACKAGES = [
    "jax",
    "jaxlib",
    "jax-cuda12-plugin",
    "jax-cuda12-pjrt",
    "jax-cuda13-plugin",
    "jax-cuda13-pjrt",
    "jax-rocm7-plugin",
    "jax-rocm7-pjrt",
    "jax-rocm60-plugin",
    "jax-rocm60-pjrt",
    "jax-metal",
    "libtpu",
    "flax",
    "optax",
    "orbax-checkpoint",
    "equinox",
    "numpy",
    "ml-dtypes",
]


@dataclass(slots=True)
class Probe:
    """What the child process found out of JAX.

    `status`: ok | missing (jax or jaxlib isn't installed) | import-error | backend-error | compute-error | timeout |
    crashed. `stage`: what it did last. Times are seconds, sizes bytes.
    """

    status: str = "ok"
    stage: str = ""
    error: str = ""
    stderr: str = ""
    code: int | None = None
    seconds: float = 0.0
    data: dict[str, object] = field(default_factory=dict)

    @property
    def devices(self) -> list[dict[str, object]]:
        devices = self.data.get("devices")
        return [device for device in devices if isinstance(device, dict)] if isinstance(devices, list) else []

    @property
    def gpus(self) -> list[dict[str, object]]:
        return [device for device in self.devices if device.get("platform") in ("gpu", "cuda", "rocm")]

    @property
    def backend(self) -> str:
        return str(self.data.get("backend", ""))

    @property
    def config(self) -> Mapping[str, object]:
        config = self.data.get("config")
        return config if isinstance(config, dict) else {}


@dataclass(slots=True)
class Facts:
    """One machine and one Python environment."""

    python: str = ""
    executable: str = ""
    system: str = ""
    container: str = ""  # what says so: "docker", "podman", "kubernetes", "apptainer", ...; "" outside one
    wsl: bool = False
    cpus: int = 0
    shared_memory: int | None = None  # bytes of /dev/shm
    packages: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    # folders of LD_LIBRARY_PATH that hold CUDA libraries, with the libraries' names
    library_path: dict[str, list[str]] = field(default_factory=dict)
    # files or folders of the working directory that hide an installed module
    shadows: list[str] = field(default_factory=list)
    driver: Driver = field(default_factory=Driver)
    probe: Probe = field(default_factory=Probe)


def gather(timeout: float) -> Facts:
    """Look at this machine; takes at most `timeout` seconds for JAX and 10 more for the NVIDIA tools."""
    environment = relevant_environment(os.environ)
    return Facts(
        python=platform.python_version(),
        executable=sys.executable,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        container=container_kind(Path("/"), os.environ),
        wsl="microsoft" in platform.release().lower(),
        cpus=usable_cpus(),
        shared_memory=shared_memory(),
        packages=installed_packages(),
        environment=environment,
        library_path=cuda_in_library_path(os.environ.get("LD_LIBRARY_PATH", "")),
        shadows=[name for name in ("jax.py", "jaxlib.py", "flax.py", "optax.py", "numpy.py") if Path(name).is_file()],
        driver=nvidia.look(min(timeout, 10.0)),
        probe=ask_jax(timeout),
    )


def relevant_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that steer JAX, XLA and CUDA, sorted; values of names that sound secret are left out."""
    chosen = {name: value for name, value in environ.items() if name.startswith(ENVIRONMENT)}
    return {name: "(hidden)" if SECRET.search(name) else chosen[name] for name in sorted(chosen)}


def usable_cpus() -> int:
    """Processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 0


def shared_memory() -> int | None:
    """Size of /dev/shm in bytes, None where there is none."""
    try:
        stat = os.statvfs("/dev/shm")
    except (OSError, AttributeError):
        return None
    return stat.f_blocks * stat.f_frsize


def container_kind(root: Path, environ: Mapping[str, str]) -> str:
    """Which kind of container `root` is the root of, "" for none that is recognised."""
    if environ.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    if environ.get("APPTAINER_CONTAINER") or environ.get("SINGULARITY_CONTAINER"):
        return "apptainer"
    if (root / ".dockerenv").exists():
        return "docker"
    if (root / "run/.containerenv").exists():
        return "podman"
    try:
        groups = (root / "proc/1/cgroup").read_text(errors="replace")
    except OSError:
        return ""
    for word in ("kubepods", "docker", "libpod", "containerd", "lxc"):
        if word in groups:
            return {"kubepods": "kubernetes", "libpod": "podman"}.get(word, word)
    return ""


def installed_packages() -> dict[str, str]:
    """Version of each installed distribution that matters for JAX on a GPU."""
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        try:
            name = (distribution.metadata["Name"] or "").lower().replace("_", "-")
            version = distribution.version
        except Exception:  # a broken .dist-info folder must not stop doctor
            continue
        if name in PACKAGES or name.startswith("nvidia-"):
            found.setdefault(name, str(version))
    return dict(sorted(found.items()))


def cuda_in_library_path(value: str) -> dict[str, list[str]]:
    """Folders of an LD_LIBRARY_PATH that hold libraries which JAX's CUDA wheels bring themselves."""
    found: dict[str, list[str]] = {}
    for folder in filter(None, value.split(os.pathsep)):
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        libraries = sorted(
            name for name in names if re.match(r"lib(cudnn|cublas|cudart|cusparse|cufft|nccl)\.so", name)
        )
        if libraries:
            found[folder] = libraries
    return found


def ask_jax(timeout: float) -> Probe:
    """Import jax, start its backends and compute something, in a child process."""
    environment = dict(os.environ)
    # The probe must not take three quarters of a GPU on which something is running.
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    script = Path(__file__).with_name("probe.py")
    return read_probe(run_limited([sys.executable, str(script)], timeout, environment))


def read_probe(ran: Ran) -> Probe:
    """The child's marked lines as a `Probe`."""
    data: dict[str, object] = {}
    for line in ran.out.splitlines():
        if not line.startswith(MARK):
            continue
        try:
            data.update(json.loads(line[len(MARK) :]))
        except ValueError:  # cut off by a crash
            continue
    stage = str(data.pop("stage", ""))
    probe = Probe(stage=stage, stderr=ran.err[-4000:], code=ran.code, seconds=ran.seconds, data=data)
    if ran.status == "timeout":
        probe.status = "timeout"
    elif "missing" in data:
        probe.status, probe.error = "missing", str(data["missing"])
        if probe.error not in ("jax", "jaxlib"):
            probe.status, probe.error = "import-error", str(data.get("error", ""))
    elif ran.status != "ended":
        probe.status, probe.error = "crashed", ran.err
    else:
        for key in ("import_error", "backend_error", "compute_error"):
            if key in data:
                probe.status, probe.error = key.replace("_", "-"), str(data[key])
        if probe.status == "ok" and stage != "done":
            probe.status = "crashed"
    return probe
