"""doctor: each problem is found in planted facts, and nothing is found in healthy ones; hangs don't hang doctor."""

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runtime_checks import doctor
from runtime_checks.doctor import child, facts, nvidia
from runtime_checks.doctor.nvidia import MIB, Driver, Gpu
from runtime_checks.doctor.problem import version_tuple

ROOT = Path(__file__).resolve().parents[2]


def healthy(**changes):
    """A machine with one H100, JAX for CUDA 12 on it, and nothing wrong; `changes` replace whole fields."""
    gpu = Gpu(0, "NVIDIA H100", "570.86.10", "9.0", 81559 * MIB, 4 * MIB)
    driver = Driver(
        smi="ok", smi_path="/usr/bin/nvidia-smi", version="570.86.10", cuda="12.8", gpus=[gpu], kernel_module=True,
        device_files=["nvidia-uvm", "nvidia0", "nvidiactl"], pci_gpus=1,
    )  # fmt: skip
    device = {"platform": "gpu", "kind": "NVIDIA H100", "id": 0, "compute_capability": "9.0", "bytes_limit": 6 * 10**10}
    data = {
        "backend": "gpu",
        "devices": [device],
        "computed": True,
        "config": {"jax_platforms": None, "jax_enable_x64": False, "jax_compilation_cache_dir": None},
        "attention": {"ran": True},
        "cuda": {"cudnn_get": 90800},
    }
    packages = {"jax": "0.6.2", "jaxlib": "0.6.2", "jax-cuda12-plugin": "0.6.2", "jax-cuda12-pjrt": "0.6.2"}
    packages["nvidia-cuda-runtime-cu12"] = "12.8.90"
    fields = {
        "python": "3.12.1",
        "executable": "/venv/bin/python",
        "packages": packages,
        "driver": driver,
        "probe": facts.Probe(stage="done", data=data, code=0),
        "shared_memory": 10**10,
    }
    return facts.Facts(**{**fields, **changes})


def names(machine, expected="gpu"):
    """The names of the problems that doctor finds."""
    wanted = doctor.expectation(expected) if expected else None
    return [problem.name for problem in doctor.diagnose(machine, wanted)]


def test_healthy_machine_has_no_problem():
    assert names(healthy()) == []


def without(machine, *packages):
    for name in packages:
        machine.packages.pop(name)
    return machine


def on_cpu(machine, stderr=""):
    """JAX fell back to the CPU."""
    machine.probe.data.update(backend="cpu", devices=[{"platform": "cpu", "kind": "cpu", "id": 0}])
    machine.probe.data.pop("attention")
    machine.probe.stderr = stderr
    return machine


INSTALLATION = [
    ("duplicate-plugins", {"jax-cuda13-plugin": "0.6.2", "jax-cuda13-pjrt": "0.6.2"}),
    ("plugin-version", {"jax-cuda12-plugin": "0.6.1"}),
    ("plugin-version", {"jax-cuda12-pjrt": "0.5.0"}),
    ("jax-older-than-jaxlib", {"jaxlib": "0.7.0"}),
    ("jaxlib-older", {"jaxlib": "0.5.3"}),
    ("other-cuda-wheels", {"nvidia-cublas-cu13": "13.0.0"}),
    ("driver-older-than-toolkit", {"nvidia-cuda-runtime-cu12": "12.9.79"}),
]


@pytest.mark.parametrize(("name", "packages"), INSTALLATION)
def test_installation(name, packages):
    machine = healthy()
    machine.packages.update(packages)
    assert name in names(machine)


def test_cpu_only_installation_beside_a_gpu():
    machine = on_cpu(without(healthy(), "jax-cuda12-plugin", "jax-cuda12-pjrt"))
    assert names(machine)[:2] == ["gpu-missing", "cuda-plugin-missing"]
    first = doctor.diagnose(machine, doctor.expectation("gpu"))[0]
    # driver 570 is too old for CUDA 13
    assert "jax[cuda12]" in first.remedy
    assert "gpu-missing" not in names(machine, expected=None)


def test_what_explains_a_missing_gpu():
    """The head of the list names what can explain it, not just any problem."""
    machine = on_cpu(healthy(environment={"JAX_DEBUG_NANS": "1", "JAX_PLATFORMS": "cpu"}))
    first = doctor.diagnose(machine, doctor.expectation("gpu"))[0]
    assert "JAX_PLATFORMS='cpu'" in first.cause
    machine = on_cpu(
        healthy(environment={"JAX_DEBUG_NANS": "1"}, driver=Driver(), packages={"jax": "1", "jaxlib": "1"})
    )
    first = doctor.diagnose(machine, doctor.expectation("gpu"))[0]
    assert "no NVIDIA GPU at all" in first.cause


def test_cuda_asked_for_without_a_plugin():
    probe = facts.read_probe(child.Ran("ended", 0, out='@jaxlint-doctor {"backend_error": "AssertionError"}'))
    machine = without(
        healthy(probe=probe, environment={"JAX_PLATFORMS": "cuda"}), "jax-cuda12-plugin", "jax-cuda12-pjrt"
    )
    assert names(machine)[:2] == ["gpu-missing", "platform-without-plugin"]


def test_incomplete_plugin():
    assert "plugin-incomplete" in names(without(healthy(), "jax-cuda12-pjrt"))
    assert "plugin-incomplete" in names(without(healthy(), "jax-cuda12-plugin"))


def test_driver_too_old_for_cuda13():
    machine = without(healthy(), "jax-cuda12-plugin", "jax-cuda12-pjrt")
    machine.packages.update({"jax-cuda13-plugin": "0.6.2", "jax-cuda13-pjrt": "0.6.2"})
    assert "driver-too-old" in names(machine)
    machine.driver.version = "580.65.06"
    assert "driver-too-old" not in names(machine)


@pytest.mark.parametrize(("capability", "expected"), [("7.0", "no-cudnn-attention"), ("5.0", "gpu-too-old")])
def test_old_gpus(capability, expected):
    machine = healthy()
    machine.driver.gpus[0].compute_capability = capability
    assert expected in names(machine)


ENVIRONMENT = [
    ("gpus-hidden", {"CUDA_VISIBLE_DEVICES": ""}),
    ("gpus-hidden", {"CUDA_VISIBLE_DEVICES": "-1"}),
    ("gpu-index", {"CUDA_VISIBLE_DEVICES": "1"}),
    ("container-gpus-hidden", {"NVIDIA_VISIBLE_DEVICES": "void"}),
    ("driver-capabilities", {"NVIDIA_DRIVER_CAPABILITIES": "utility"}),
    ("platform-forced", {"JAX_PLATFORMS": "cpu"}),
    ("cuda-check-skipped", {"JAX_SKIP_CUDA_CONSTRAINTS_CHECK": "1"}),
    ("no-preallocation", {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}),
    ("platform-allocator", {"XLA_PYTHON_CLIENT_ALLOCATOR": "platform"}),
    ("memory-fraction", {"XLA_PYTHON_CLIENT_MEM_FRACTION": "75"}),
    ("jit-disabled", {"JAX_DISABLE_JIT": "1"}),
    ("debug-nans", {"JAX_DEBUG_NANS": "True"}),
    ("x64", {"JAX_ENABLE_X64": "true"}),
    ("launch-blocking", {"CUDA_LAUNCH_BLOCKING": "1"}),
    ("tf32-off", {"NVIDIA_TF32_OVERRIDE": "0"}),
    ("transfer-guard", {"JAX_TRANSFER_GUARD": "disallow"}),
    ("slow-xla-flags", {"XLA_FLAGS": "--xla_gpu_deterministic_ops=true"}),
    ("virtual-devices", {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}),
    ("unknown-variable", {"JAX_PLATFROMS": "cpu"}),
    ("unknown-variable", {"JAX_ENABLE_x64": "1"}),
]
HARMLESS = [
    {"CUDA_VISIBLE_DEVICES": "0"},
    {"CUDA_VISIBLE_DEVICES": "GPU-5fa2"},
    {"JAX_PLATFORMS": "cuda,cpu"},
    {"JAX_ENABLE_X64": "0"},
    {"JAX_DEBUG_NANS": "false"},
    {"XLA_PYTHON_CLIENT_MEM_FRACTION": ".9"},
    {"NVIDIA_DRIVER_CAPABILITIES": "compute,utility"},
    {"NVIDIA_VISIBLE_DEVICES": "all"},
    {"JAX_COMPLETELY_OTHER": "1"},
]


@pytest.mark.parametrize(("name", "environment"), ENVIRONMENT)
def test_environment(name, environment):
    assert name in names(healthy(environment=environment))


@pytest.mark.parametrize("environment", HARMLESS)
def test_harmless_environment(environment):
    assert names(healthy(environment=environment)) == []


def test_library_path(tmp_path):
    (tmp_path / "libcudnn.so.8").touch()
    found = facts.cuda_in_library_path(f"{tmp_path}{os.pathsep}/nowhere{os.pathsep}")
    assert found == {str(tmp_path): ["libcudnn.so.8"]}
    assert "library-path" in names(healthy(library_path=found))
    # with a CUDA of one's own there are no wheels to hide
    assert "library-path" not in names(without(healthy(library_path=found), "nvidia-cuda-runtime-cu12"))


def test_memory_taken_by_another_process():
    machine = healthy()
    machine.driver.gpus[0].memory_used = 60_000 * MIB
    assert "memory-taken" in names(machine)
    machine.environment = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    assert "memory-taken" not in names(machine)


def test_container_without_gpu():
    driver = Driver(kernel_module=True, version="570.86.10", pci_gpus=1)
    machine = on_cpu(healthy(driver=driver, container="docker"))
    found = doctor.diagnose(machine, doctor.expectation("gpu"))
    assert [problem.name for problem in found][:2] == ["gpu-missing", "container-without-gpu"]
    assert "--gpus all" in found[0].remedy
    machine.container = "kubernetes"
    assert "nvidia.com/gpu" in doctor.diagnose(machine)[0].remedy


def test_driver_problems():
    bare = Driver(pci_gpus=1)
    assert "driver-missing" in names(on_cpu(healthy(driver=bare)))
    for smi, error, name in [
        ("timeout", "", "nvidia-smi-hangs"),
        ("failed", "Failed to initialize NVML: Driver/library version mismatch", "nvidia-smi-fails"),
    ]:
        assert name in names(on_cpu(healthy(driver=Driver(smi=smi, smi_error=error))))
    machine = healthy()
    machine.driver.device_files = ["nvidia0", "nvidiactl"]
    assert "uvm-missing" in names(machine)
    machine.driver.unreadable_files = ["nvidia0"]
    assert "device-permissions" in names(machine)
    machine.driver.gpus = []
    assert "no-gpu-listed" in names(machine)


def test_gpu_that_jax_does_not_use_quotes_jax():
    said = "WARNING:jax: CUDA version check failed during initialization. cuDNN is too old"
    problem = next(p for p in doctor.diagnose(on_cpu(healthy(), said)) if p.name == "gpu-not-used")
    assert "cuDNN is too old" in problem.cause


def test_number_of_gpus():
    assert names(healthy(), "gpu:1") == []
    assert names(healthy(), "gpu:2") == ["gpu-missing"]
    assert names(healthy(), "tpu") == ["tpu-missing"]


def test_attention_that_does_not_run():
    machine = healthy()
    machine.probe.data["attention"] = {"ran": False, "error": "RuntimeError: cuDNN is not detected."}
    assert names(machine) == ["cudnn-attention-fails"]


@pytest.mark.parametrize(
    ("ran", "name"),
    [
        (child.Ran("timeout", out='@jaxlint-doctor {"stage": "start the backends"}', seconds=5.0), "jax-hangs"),
        (child.Ran("ended", -11, out='\n@jaxlint-doctor {"stage": "import jax"}\n@jaxlint-doc'), "jax-crashes"),
        (child.Ran("ended", 1, err="Unknown flag in XLA_FLAGS: --xla_nope"), "xla-flags"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"missing": "jax", "error": "x"}'), "jax-missing"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"missing": "jaxlib", "error": "x"}'), "jaxlib-missing"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"missing": "scipy", "error": "no scipy"}'), "jax-import"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"import_error": "RuntimeError: no AVX"}'), "jax-import"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"backend_error": "no cuda"}'), "backend"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"compute_error": "out of memory"}'), "compute"),
        (child.Ran("ended", 0, out='@jaxlint-doctor {"computed": false, "stage": "done"}'), "wrong-result"),
    ],
)
def test_probe_outcomes(ran, name):
    machine = healthy(probe=facts.read_probe(ran))
    assert name in names(machine)
    assert names(machine)[0] == "gpu-missing"


def test_child_is_killed_with_its_children(tmp_path):
    """The limit holds though a grandchild keeps the output open."""
    script = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    script += "print('begun', flush=True); time.sleep(60)"
    begin = time.monotonic()
    ran = child.run_limited([sys.executable, "-c", script], 1.5)
    assert (ran.status, ran.out.strip()) == ("timeout", "begun")
    assert time.monotonic() - begin < 10
    assert child.run_limited([str(tmp_path / "none")], 1).status == "missing"


def fake_package(folder, name, text):
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(text)


def run_doctor(*arguments, env=None, cwd=None):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    command = [sys.executable, "-m", "runtime_checks.doctor", *arguments]
    return subprocess.run(command, env=environment, cwd=cwd or ROOT, capture_output=True, text=True, timeout=60)


def test_hanging_jax(tmp_path):
    """A jax whose import never ends: doctor says so within its limit."""
    fake_package(tmp_path, "jax", "import time\ntime.sleep(600)\n")
    begin = time.monotonic()
    done = run_doctor("--json", "--timeout", "2", env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"})
    assert time.monotonic() - begin < 20
    answer = json.loads(done.stdout)
    assert done.returncode == answer["exit_code"] == 1
    assert answer["problems"][0]["name"] == "jax-hangs"
    assert "import jax" in answer["problems"][0]["title"]


def test_hanging_nvidia_smi(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\nsleep 600\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert nvidia.look(1.0).smi == "timeout"


def test_nvidia_smi_is_read(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(
        "#!/bin/sh\n"
        'case "$1" in --query*) echo "0, NVIDIA H100 80GB HBM3, 570.86.10, 9.0, 81559, 1024, Disabled" ;;\n'
        '*) echo "| NVIDIA-SMI 570.86.10   Driver Version: 570.86.10   CUDA Version: 12.8 |" ;; esac\n'
    )
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    driver = nvidia.look(10.0)
    assert (driver.smi, driver.version, driver.cuda) == ("ok", "570.86.10", "12.8")
    assert driver.gpus == [
        Gpu(0, "NVIDIA H100 80GB HBM3", "570.86.10", "9.0", 81559 * MIB, 1024 * MIB, False),
    ]


def test_kernel_files(tmp_path):
    """The kernel's files tell of a GPU even where no tool does."""
    (tmp_path / "proc/driver/nvidia").mkdir(parents=True)
    text = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n"
    (tmp_path / "proc/driver/nvidia/version").write_text(text)
    for address, vendor, kind in [
        ("01", "0x10de", "0x030200"),
        ("02", "0x10de", "0x040300"),
        ("03", "0x8086", "0x0300"),
    ]:
        (tmp_path / "sys/bus/pci/devices" / address).mkdir(parents=True)
        (tmp_path / "sys/bus/pci/devices" / address / "vendor").write_text(vendor + "\n")
        (tmp_path / "sys/bus/pci/devices" / address / "class").write_text(kind + "\n")
    driver = Driver()
    nvidia.read_kernel(driver, tmp_path)
    assert (driver.version, driver.kernel_module, driver.pci_gpus) == ("580.65.06", True, 1)


def test_container_kinds(tmp_path):
    assert facts.container_kind(tmp_path, {}) == ""
    assert facts.container_kind(tmp_path, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}) == "kubernetes"
    (tmp_path / "proc/1").mkdir(parents=True)
    (tmp_path / "proc/1/cgroup").write_text("0::/kubepods.slice/pod1\n")
    assert facts.container_kind(tmp_path, {}) == "kubernetes"
    (tmp_path / ".dockerenv").touch()
    assert facts.container_kind(tmp_path, {}) == "docker"


def test_secrets_are_not_shown():
    seen = facts.relevant_environment({"JAX_API_TOKEN": "abc", "HOME": "/root", "XLA_FLAGS": "--x"})
    assert seen == {"JAX_API_TOKEN": "(hidden)", "XLA_FLAGS": "--x"}


def test_without_jax(tmp_path):
    """In a Python without jax, doctor itself runs, says so, and fails only if something was expected."""
    blocker = "import sys\nclass B:\n    def find_spec(self, n, p=None, t=None):\n"
    blocker += "        if n in ('jax', 'jaxlib'): raise ModuleNotFoundError(f'No module named {n!r}', name=n)\n"
    blocker += "sys.meta_path.insert(0, B())\n"
    (tmp_path / "sitecustomize.py").write_text(blocker)
    env = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = run_doctor(env=env)
    assert done.returncode == 0, done.stderr
    assert "JAX is not installed" in done.stdout
    done = run_doctor("--expect", "gpu", "--json", env=env)
    assert done.returncode == 1
    assert [problem["name"] for problem in json.loads(done.stdout)["problems"]][:2] == ["gpu-missing", "jax-missing"]


def test_doctor_imports_no_jax():
    code = "import sys, runtime_checks.doctor; sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60).returncode == 0


def test_this_machine():
    """On the real machine: JAX computes, and the expectation decides the exit status."""
    done = run_doctor("--json", "--expect", "cpu", env={"JAX_PLATFORMS": "cpu"})
    answer = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert answer["facts"]["probe"]["data"]["computed"] is True
    assert answer["facts"]["probe"]["data"]["backend"] == "cpu"
    done = run_doctor("--expect", "gpu", env={"JAX_PLATFORMS": "cpu"})
    assert done.returncode == 1
    assert "gpu-missing" in done.stdout


def test_unknown_xla_flag_is_named():
    done = run_doctor("--json", env={"XLA_FLAGS": "--xla_no_such_flag=1", "JAX_PLATFORMS": "cpu"})
    assert "xla-flags" in [problem["name"] for problem in json.loads(done.stdout)["problems"]]


@pytest.mark.parametrize("arguments", [["--expect", "cuda"], ["--timeout", "0"], ["--nonsense"]])
def test_wrong_usage(arguments, capsys):
    assert doctor.main(arguments) == 2
    assert capsys.readouterr().err.startswith("jaxlint: error: ")


def test_as_a_command_of_jaxlint(capsys):
    from jaxlint import cli

    assert cli.main(["doctor", "--expect", "cuda"]) == 2
    assert "gpu:8" in capsys.readouterr().err
    assert cli.main(["doctor", "--help"]) == 0
    assert "--timeout" in capsys.readouterr().out


def test_versions():
    assert version_tuple("0.10.2+cuda12") == (0, 10, 2)
    assert version_tuple("0.11.0rc1") == (0, 11, 0)
    assert version_tuple("") == ()
    assert version_tuple("0.10.2.dev2026") == (0, 10, 2)
