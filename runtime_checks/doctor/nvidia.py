"""What the machine says of NVIDIA GPUs without JAX: the driver, its tools, its device files, the PCI bus."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from runtime_checks.doctor.child import Ran, run_limited

QUERY = ("index", "name", "driver_version", "compute_cap", "memory.total", "memory.used", "mig.mode.current")
MIB = 1024 * 1024


@dataclass(slots=True)
class Gpu:
    """One GPU as nvidia-smi lists it; memory in bytes, None where it doesn't tell."""

    index: int
    name: str
    driver: str = ""
    compute_capability: str = ""
    memory_total: int | None = None
    memory_used: int | None = None
    mig: bool = False


@dataclass(slots=True)
class Driver:
    """The NVIDIA driver as seen from this process.

    `smi`: ok | missing | failed | timeout. `version` and `cuda` (newest CUDA that the driver serves) are "" when
    unknown.
    """

    smi: str = "missing"
    smi_path: str = ""
    smi_error: str = ""
    version: str = ""
    cuda: str = ""
    gpus: list[Gpu] = field(default_factory=list)
    kernel_module: bool = False
    device_files: list[str] = field(default_factory=list)
    unreadable_files: list[str] = field(default_factory=list)
    pci_gpus: int = 0


def look(timeout: float, root: Path = Path("/")) -> Driver:
    """Ask the NVIDIA tools, for at most `timeout` seconds each time, and read the kernel's files under `root`."""
    driver = Driver()
    read_kernel(driver, root)
    path = shutil.which("nvidia-smi") or _wsl_smi()
    if path is None:
        return driver
    driver.smi_path = path
    query = [path, f"--query-gpu={','.join(QUERY)}", "--format=csv,noheader,nounits"]
    read_query(driver, run_limited(query, timeout))
    if driver.smi == "ok":
        found = re.search(r"CUDA Version:\s*([\d.]+)", run_limited([path], timeout).out)
        driver.cuda = found[1] if found else ""
    return driver


def _wsl_smi() -> str | None:
    """Under WSL the tool may be missing from PATH."""
    path = "/usr/lib/wsl/lib/nvidia-smi"
    return path if os.access(path, os.X_OK) else None


def read_query(driver: Driver, ran: Ran) -> None:
    """Fill `driver` from `nvidia-smi --query-gpu`."""
    if ran.status == "timeout":
        driver.smi = "timeout"
        return
    if not ran.ok:
        driver.smi = "failed"
        driver.smi_error = (ran.out + ran.err).strip()[:1000]
        return
    driver.smi = "ok"
    for line in ran.out.splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != len(QUERY) or not cells[0].isdigit():
            continue
        index, name, version, capability, total, used, mig = cells
        gpu = Gpu(int(index), name, version, capability, _mebibytes(total), _mebibytes(used), mig == "Enabled")
        driver.gpus.append(gpu)
        driver.version = driver.version or gpu.driver


def _mebibytes(cell: str) -> int | None:
    """A count of MiB as bytes."""
    return int(cell) * MIB if cell.isdigit() else None


def read_kernel(driver: Driver, root: Path) -> None:
    """Fill `driver` from /proc, /dev and the PCI bus: true also inside a container that was given no GPU."""
    version = root / "proc/driver/nvidia/version"
    try:
        text = version.read_text(errors="replace")
    except OSError:
        text = ""
    driver.kernel_module = bool(text)
    found = re.search(r"(?:Kernel Module|x86_64|aarch64)\s+(?:for \S+\s+)?(\d+\.\d+(?:\.\d+)?)", text)
    driver.version = found[1] if found else ""
    for path in sorted([*(root / "dev").glob("nvidia*"), root / "dev/dxg"]):
        if path.name == "nvidia-caps" or not path.exists():
            continue
        driver.device_files.append(path.name)
        if not os.access(path, os.R_OK | os.W_OK):
            driver.unreadable_files.append(path.name)
    for device in (root / "sys/bus/pci/devices").glob("*"):
        try:
            vendor = (device / "vendor").read_text().strip()
            kind = (device / "class").read_text().strip()
        except OSError:
            continue
        # display controllers (VGA, 3D) of NVIDIA
        if vendor == "0x10de" and kind.startswith("0x03"):
            driver.pci_gpus += 1
