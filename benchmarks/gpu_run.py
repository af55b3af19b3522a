# mypy: allow-untyped-calls, no-warn-return-any
"""`python -m benchmarks.gpu_run --out DIR`: everything that is to be measured on a GPU machine, in one command.

It runs `jaxlint doctor`, every workload in both versions, `jaxlint confirm` on each (where that command exists), the
three attentions in a process each (peak bytes, time), and a timer with and without waiting. Each part runs in a child
process with a time limit; a part that fails is written down with what it said, and the rest goes on.

DIR receives `results.json` (all figures), `summary.md` (for people) and `log.txt`. It also runs where there is no GPU:
the summary then says on what it was measured, and `--write-docs` refuses.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from runtime_checks.doctor.child import Ran, run_limited
from runtime_checks.workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "gpu-results.md"
PARTS = ("doctor", "workloads", "confirm", "attention", "timer")


# ---- probes: each runs alone in a child process and prints one line of JSON --------------------------------


def probe_timer() -> dict[str, Any]:
    """A matrix product timed without and with waiting for it: milliseconds, and how wrong the first is."""
    import jax
    import jax.numpy as jnp

    gpu = jax.default_backend() in ("gpu", "cuda")
    size, dtype = (8192, jnp.bfloat16) if gpu else (1024, jnp.float32)
    x = jnp.ones((size, size), dtype)
    product = jax.jit(lambda a: a @ a)
    jax.block_until_ready(product(x))
    queued, waited = [], []
    for _ in range(10):
        begin = time.perf_counter()
        y = product(x)
        # jaxlint: ignore[unblocked-timer] what such a timer gets wrong is the measurement
        queued.append(time.perf_counter() - begin)
        jax.block_until_ready(y)
        begin = time.perf_counter()
        jax.block_until_ready(product(x))
        waited.append(time.perf_counter() - begin)
    claimed, true = sorted(queued)[5], sorted(waited)[5]
    return {
        "size": size,
        "dtype": jnp.dtype(dtype).name,
        "claimed_ms": claimed * 1e3,
        "true_ms": true * 1e3,
        "error_factor": true / claimed,
        "claimed_tflops": 2 * size**3 / claimed / 1e12,
        "true_tflops": 2 * size**3 / true / 1e12,
    }


def probe_attention(way: str, length: int) -> dict[str, Any]:
    """One way of attention at one T, forward and with gradients: milliseconds; peak bytes where the backend tells."""
    import jax
    import jax.numpy as jnp

    from runtime_checks.workloads.attention import kernels
    from runtime_checks.workloads.attention.right import seconds_per_call

    ways: dict[str, Callable[..., Any]] = {"naive": kernels.naive, "xla": kernels.xla, "cudnn": kernels.cudnn}
    attend = ways[way]
    dtype = kernels.best_dtype()
    arguments = kernels.inputs(length, dtype)
    jax.block_until_ready(arguments)

    def loss(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
        return attend(query, key, value).astype(jnp.float32).sum()

    facts: dict[str, Any] = {"way": way, "length": length, "dtype": dtype.name, "shape": list(arguments[0].shape)}
    facts["input_bytes"] = sum(int(argument.nbytes) for argument in arguments)
    functions: dict[str, Callable[..., Any]] = {"forward": attend, "training": jax.grad(loss, argnums=(0, 1, 2))}
    for name, function in functions.items():
        program = jax.jit(function).lower(*arguments).compile()
        memory = program.memory_analysis()
        facts[f"{name}_temporary_bytes"] = int(memory.temp_size_in_bytes) if memory is not None else None
        facts[f"{name}_ms"] = seconds_per_call(program, arguments, 10) * 1e3
        stats = jax.devices()[0].memory_stats() or {}
        # the peak of the process so far: forward comes first, and training never needs less
        facts[f"{name}_peak_bytes"] = stats.get("peak_bytes_in_use")
    return facts


# ---- the run -------------------------------------------------------------------------------------------


class Runner:
    """Runs the parts, keeps what came out, and writes it down after each."""

    def __init__(self, out: Path, limit: float, quick: bool, names: Sequence[str] = tuple(WORKLOADS)) -> None:
        self.out = out
        self.limit = limit
        self.quick = quick
        self.names = names
        self.results: dict[str, Any] = {"machine": {}, "workloads": {}, "confirm": {}, "attention": [], "timer": {}}
        self.results["command"] = " ".join(["python -m benchmarks.gpu_run", *sys.argv[1:]])
        self.results["date"] = time.strftime("%Y-%m-%d")
        out.mkdir(parents=True, exist_ok=True)
        self.log: IO[str] = (out / "log.txt").open("w", encoding="utf-8")

    def run(self, *arguments: str) -> Ran:
        """Run Python with some arguments in the repository; log what it printed."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
        print(f"[{time.strftime('%H:%M:%S')}] {' '.join(arguments)}", flush=True)
        ran = run_limited([sys.executable, *arguments], self.limit, environment)
        how = ran.status if ran.code is None else f"status {ran.code}"
        self.log.write(f"$ python {' '.join(arguments)}\n{ran.out}{ran.err}[{how}, {ran.seconds:.1f} s]\n\n")
        self.log.flush()
        return ran

    def last_json(self, ran: Ran) -> dict[str, Any]:
        """The last line that is a JSON object; `{"failed": why}` if there is none."""
        for line in reversed(ran.out.splitlines()):
            if line.startswith("{"):
                try:
                    value: dict[str, Any] = json.loads(line)
                except ValueError:
                    continue
                return {**value, "wall_seconds": ran.seconds}
        lines = ran.err.strip().splitlines()
        return {"failed": lines[-1][:500] if lines else ran.status, "status": ran.status, "code": ran.code}

    def doctor(self) -> None:
        ran = self.run("-m", "jaxlint", "doctor", "--json", "--expect", "gpu")
        try:
            answer = json.loads(ran.out)
        except ValueError:
            answer = {"failed": ran.err[-500:]}
        self.results["doctor"] = answer
        self.results["machine"] = machine(answer)

    def workloads(self) -> None:
        for name in self.names:
            for variant in ("right", "faulty"):
                options = ["--faulty"] if variant == "faulty" else []
                options += ["--steps", "3"] if self.quick else []
                ran = self.run("-m", "runtime_checks.workloads", name, *options)
                self.results["workloads"][f"{name} {variant}"] = self.last_json(ran)
                self.write()

    def confirm(self) -> None:
        command = ["-m", "jaxlint", "confirm"]
        if self.run(*command, "--help").code != 0:
            self.results["confirm"] = {"unavailable": "this version of jaxlint has no command `confirm`"}
            return
        for name in self.names:
            for variant in ("right", "faulty"):
                package = name.replace("-", "_")
                program = ["-m", f"runtime_checks.workloads.{package}.{variant}"]
                if self.quick:  # the same program by its name, which takes a number of steps
                    faulty = ["--faulty"] if variant == "faulty" else []
                    program = ["-m", "runtime_checks.workloads", name, *faulty, "--steps", "3"]
                with tempfile.TemporaryDirectory() as folder:
                    file = Path(folder) / "report.json"
                    options = ["--no-progress", "--output-format", "json", "--output-file", str(file)]
                    options += [word for path in program_paths(package, variant) for word in ("--paths", str(path))]
                    ran = self.run(*command, *options, *program)
                    self.results["confirm"][f"{name} {variant}"] = report_in(file, ran)
                self.write()

    def attention(self) -> None:
        gpu = self.results["machine"].get("backend") in ("gpu", "cuda")
        lengths = (512, 1024, 2048, 4096, 8192, 16384) if gpu else (128, 512, 1024)
        for length in lengths[:1] if self.quick else lengths:
            for way in ("naive", "xla", "cudnn") if gpu else ("naive", "xla"):
                ran = self.run("-m", "benchmarks.gpu_run", "--probe", "attention", way, str(length))
                self.results["attention"].append({"way": way, "length": length, **self.last_json(ran)})
                self.write()

    def timer(self) -> None:
        self.results["timer"] = self.last_json(self.run("-m", "benchmarks.gpu_run", "--probe", "timer"))

    def write(self) -> None:
        """Write results and summary as they are now."""
        (self.out / "results.json").write_text(json.dumps(self.results, indent=1) + "\n", encoding="utf-8")
        (self.out / "summary.md").write_text(summary(self.results), encoding="utf-8")


def program_paths(package: str, variant: str) -> list[Path]:
    """The files of one version of a workload, each by name: the faulty ones are excluded where a folder is checked."""
    folder = ROOT / "runtime_checks" / "workloads" / package
    other = "right" if variant == "faulty" else "faulty"
    return [path for path in sorted(folder.glob("*.py")) if path.stem != other]


def report_in(file: Path, ran: Ran) -> dict[str, Any]:
    """What is kept of confirm's report: the summary, and each finding with its verdict and price."""
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"failed": ran.err.strip()[-500:] or ran.status, "exit": ran.code}
    kept = ("code", "name", "filename", "location", "verdict", "reason", "count", "seconds", "estimated_gain", "bytes")
    events = [event for finding in report["findings"] for event in finding.get("events", [])]
    return {
        "exit": ran.code,
        "seconds": report.get("seconds"),
        "summary": report.get("summary", {}),
        "syncs": _count(events + report["unpredicted"], "host-read", "host-block"),
        "compiles": _count(events + report["unpredicted"], "compiled-call"),
        "findings": [{name: finding.get(name) for name in kept} for finding in report["findings"]],
        "unpredicted": report["unpredicted"],
        "observers": report.get("observers", []),
    }


def _count(events: list[dict[str, Any]], *kinds: str) -> int:
    """How many observations of some kinds, each place counted once."""
    places = {(e["kind"], e.get("how"), e.get("file"), e.get("line")): e["count"] for e in events if e["kind"] in kinds}
    return sum(places.values())


def machine(doctor: dict[str, Any]) -> dict[str, Any]:
    """What the figures were measured on, from doctor's answer."""
    facts = doctor.get("facts", {})
    data = facts.get("probe", {}).get("data", {})
    packages = facts.get("packages", {})
    return {
        "backend": data.get("backend", ""),
        "devices": [f"{d.get('kind')} (compute capability {d.get('compute_capability') or '-'})"
                    for d in data.get("devices", [])],
        "driver": facts.get("driver", {}).get("version", ""),
        "cuda": {name: data["cuda"][name] for name in sorted(data.get("cuda", {}))},
        "packages": {name: packages[name] for name in packages if not name.startswith("nvidia-")},
        "python": facts.get("python", platform.python_version()),
        "cpus": facts.get("cpus"),
        "system": facts.get("system", platform.platform()),
    }  # fmt: skip


# ---- the summary ---------------------------------------------------------------------------------------


def summary(results: dict[str, Any]) -> str:
    """The figures as Markdown."""
    on = results["machine"]
    lines = ["# Figures", "", f"`{results['command']}`, {results['date']}.", ""]
    lines += [f"- {name}: {_text(value)}" for name, value in on.items() if value]
    if results["workloads"]:
        lines += ["", "## Workloads", "", *_workload_table(results["workloads"])]
    if results["attention"]:
        lines += ["", "## Attention", "", *_attention_table(results["attention"])]
    timer = results["timer"]
    if "error_factor" in timer:
        lines += [
            "",
            "## A timer that does not wait",
            "",
            f"A product of two {timer['size']}x{timer['size']} matrices in {timer['dtype']}: the clock without waiting "
            f"says {timer['claimed_ms']:.3f} ms ({timer['claimed_tflops']:.3g} TFLOP/s), with waiting "
            f"{timer['true_ms']:.3f} ms ({timer['true_tflops']:.3g} TFLOP/s): wrong by a factor of "
            f"{timer['error_factor']:.0f}.",
        ]
    if results["confirm"]:
        lines += ["", "## Confirm", "", *_confirm_table(results["confirm"])]
    return "\n".join(lines) + "\n"


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _workload_table(workloads: dict[str, Any]) -> list[str]:
    lines = [
        "| workload | figure | stated | passed | steps/s | compilations | peak bytes |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, result in workloads.items():
        if "failed" in result:
            lines.append(f"| {name} | failed: {result['failed']} | | | | | |")
            continue
        rate = f"{result['steps'] / result['seconds']:.1f}" if result["seconds"] else ""
        details = result["details"]
        compiled = next((value for key, value in details.items() if key.startswith("compiles")), "")
        sign = ">=" if result["higher"] else "<="
        value = "-" if result["value"] is None else f"{result['value']:.4g}"
        lines.append(
            f"| {name} | {result['metric']} {value} | {sign} {result['stated']:g} | {result['passed']} | {rate} "
            f"| {compiled} | {result.get('peak_bytes', '')} |"
        )
    return lines


def _attention_table(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["| T | way | forward ms | training ms | forward temporaries | training temporaries | training peak |"]
    lines.append("|---|---|---|---|---|---|---|")
    for row in rows:
        if "failed" in row:
            lines.append(f"| {row['length']} | {row['way']} | failed: {row['failed'][:120]} | | | | |")
            continue
        sizes = (row["forward_temporary_bytes"], row["training_temporary_bytes"], row["training_peak_bytes"] or "")
        times = (f"{row['forward_ms']:.3f}", f"{row['training_ms']:.3f}")
        lines.append(f"| {' | '.join(map(str, (row['length'], row['way'], *times, *sizes)))} |")
    return lines


def _confirm_table(confirm: dict[str, Any]) -> list[str]:
    if "unavailable" in confirm:
        return [f"Not run: {confirm['unavailable']}."]
    lines = ["| program | confirmed | refuted | not reached | not measurable | unpredicted | syncs | compilations |"]
    lines.append("|" + "---|" * 8)
    for name, report in confirm.items():
        if "failed" in report:
            lines.append(f"| {name} | failed: {report['failed'][:120]} | | | | | | |")
            continue
        columns = ("confirmed", "refuted", "not_reached", "not_measurable_here", "unpredicted")
        counts = [report["summary"].get(column, "") for column in columns]
        lines.append(f"| {name} | {' | '.join(map(str, [*counts, report['syncs'], report['compiles']]))} |")
    return lines


# ---- the command ---------------------------------------------------------------------------------------


def main(argv: list[str] | None = None) -> int:
    """Measure; or, with --probe, be one of the child processes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_run", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "gpu_run", help="folder for the results")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="the parts to run")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each part of a part")
    parser.add_argument("--quick", "--smoke", action="store_true", help="three steps each: to try it, not to measure")
    parser.add_argument("--workloads", nargs="+", choices=list(WORKLOADS), default=list(WORKLOADS), help="only these")
    parser.add_argument("--require-gpu", action="store_true", help="stop after doctor when JAX has no GPU")
    parser.add_argument("--write-docs", action="store_true", help="put the summary into docs/gpu-results.md")
    parser.add_argument("--probe", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.probe:
        kind, *rest = options.probe
        print(json.dumps(probe_timer() if kind == "timer" else probe_attention(rest[0], int(rest[1]))))
        return 0

    runner = Runner(options.out, options.limit, options.quick, options.workloads)
    # doctor always: the figures mean nothing without the machine
    runner.doctor()
    on_gpu = runner.results["machine"]["backend"] in ("gpu", "cuda")
    for part in PARTS[1:]:
        if part in options.only and (on_gpu or not options.require_gpu):
            getattr(runner, part)()
            runner.write()
    runner.write()
    print((options.out / "summary.md").read_text(encoding="utf-8"))
    if not on_gpu and (options.require_gpu or options.write_docs):
        print("JAX has no GPU here: nothing was measured on one, and the document stays as it is.", file=sys.stderr)
        return 1
    if options.write_docs:
        write_document(runner.results)
    return 0


def write_document(results: dict[str, Any]) -> None:
    """Replace the document by the figures, with the commit that they belong to."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    text = summary(results).replace("# Figures", "# Figures from a GPU", 1)
    DOCUMENT.write_text(f"{text}\nMeasured at commit {commit.strip() or 'unknown'}.\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
