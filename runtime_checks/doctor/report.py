"""Doctor's answer as text for people and as JSON for scripts."""

from __future__ import annotations

import dataclasses
import textwrap

from runtime_checks.doctor.facts import Facts
from runtime_checks.doctor.problem import ERROR, Problem

WIDTH = 100


def as_json(facts: Facts, problems: list[Problem], expected: str | None, code: int) -> dict[str, object]:
    """Everything: `ok`, `exit_code`, `expected`, `problems`, `facts` (sizes in bytes, times in seconds)."""
    return {
        "ok": not any(problem.severity == ERROR for problem in problems),
        "exit_code": code,
        "expected": expected,
        "problems": [dataclasses.asdict(problem) for problem in problems],
        "facts": dataclasses.asdict(facts),
    }


def as_text(facts: Facts, problems: list[Problem]) -> str:
    """The facts as a table, then each problem with cause and remedy."""
    lines = [f"{label:<14}{text}" for label, text in _table(facts)]
    lines.append("")
    for problem in problems:
        lines.append(f"{problem.severity}: {problem.title}  [{problem.name}]")
        lines.extend(_paragraph("cause", problem.cause))
        lines.extend(_paragraph("remedy", problem.remedy))
    if not problems:
        lines.append("No problem found.")
    elif facts.probe.stderr.strip() and any(problem.severity == ERROR for problem in problems):
        lines.append("JAX's own messages (the last ones):")
        lines.extend(f"  | {line[:300]}" for line in facts.probe.stderr.strip().splitlines()[-8:])
    return "\n".join(lines) + "\n"


def _paragraph(label: str, text: str) -> list[str]:
    """`text` under its label, wrapped, commands left whole."""
    wrapped = textwrap.wrap(text, WIDTH - 12, break_long_words=False, break_on_hyphens=False) or [""]
    return [f"  {label + ':':<9}{wrapped[0]}", *(f"  {'':<9}{line}" for line in wrapped[1:])]


def _table(facts: Facts) -> list[tuple[str, str]]:
    """Label and text of each line."""
    probe, packages = facts.probe, facts.packages
    place = f", in a container ({facts.container})" if facts.container else ""
    rows = [
        ("Python", f"{facts.python}  {facts.executable}"),
        ("System", f"{facts.system}{', WSL' if facts.wsl else ''}{place}, {facts.cpus} CPUs"),
    ]
    jax = [f"{name} {packages[name]}" for name in packages if not name.startswith("nvidia-") and name != "numpy"]
    rows.append(("Packages", ", ".join(jax) if jax else "jax is not installed"))
    wheels = [f"{name.removeprefix('nvidia-')} {packages[name]}" for name in packages if name.startswith("nvidia-")]
    if wheels:
        rows.append(("NVIDIA wheels", ", ".join(wheels)))
    rows.extend(_driver_rows(facts))
    if probe.status == "ok":
        rows.append(("Backend", f"{probe.backend}, {len(probe.devices)} device(s), started in {probe.seconds:.1f} s"))
    else:
        rows.append(("Backend", f"unknown: {probe.status} ({probe.stage or 'before the start'})"))
    for device in probe.devices[:16]:
        limit = device.get("bytes_limit")
        memory = f", {limit / 1e9:.1f} GB for JAX" if isinstance(limit, int) else ""
        capability = f", compute capability {device['compute_capability']}" if device.get("compute_capability") else ""
        rows.append(("", f"{device.get('platform')}:{device.get('id')} {device.get('kind')}{capability}{memory}"))
    libraries = probe.data.get("cuda")
    if isinstance(libraries, dict) and libraries:
        rows.append(("CUDA", ", ".join(f"{name.removesuffix('_get')} {n}" for name, n in libraries.items())))
    attention = probe.data.get("attention")
    if isinstance(attention, dict):
        rows.append(("Attention", "cuDNN runs it in bfloat16" if attention.get("ran") else "not through cuDNN"))
    if probe.config:
        x64 = "on" if probe.config.get("jax_enable_x64") else "off"
        cache = probe.config.get("jax_compilation_cache_dir") or "off"
        rows.append(("Settings", f"x64 {x64}, persistent compilation cache {cache}"))
    rows.extend(("Variable", f"{name}={value}") for name, value in facts.environment.items())
    return rows


def _driver_rows(facts: Facts) -> list[tuple[str, str]]:
    driver = facts.driver
    if driver.smi == "ok":
        cuda = f", CUDA up to {driver.cuda}" if driver.cuda else ""
        rows = [("Driver", f"NVIDIA {driver.version or '(version unknown)'}{cuda}")]
    elif driver.version:
        rows = [("Driver", f"NVIDIA {driver.version}, nvidia-smi {driver.smi}")]
    else:
        seen = f", {driver.pci_gpus} NVIDIA GPU(s) on the PCI bus" if driver.pci_gpus else ""
        rows = [("Driver", f"none: nvidia-smi {driver.smi}{seen}")]
    for gpu in driver.gpus[:16]:
        memory = ""
        if gpu.memory_total is not None:
            memory = f", {(gpu.memory_used or 0) / 1e9:.1f} of {gpu.memory_total / 1e9:.1f} GB used"
        mig = ", MIG" if gpu.mig else ""
        rows.append(("", f"GPU {gpu.index} {gpu.name}, compute capability {gpu.compute_capability}{memory}{mig}"))
    return rows
