"""The guards fail where they should, at the right line, and leave everything else alone."""

import contextlib
import inspect
import subprocess
import sys
import time
from pathlib import Path

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from runtime_checks import (  # noqa: E402
    RecompileError,
    TooManyCompilesError,
    TransferError,
    UnblockedTimingError,
    allow_transfers,
    assert_blocked_timing,
    max_compiles,
    no_recompiles,
    no_transfers,
    watch,
)

ROOTS = ["/"]


def line():
    return inspect.currentframe().f_back.f_lineno


def test_importing_the_package_does_not_import_jax():
    code = "import sys, runtime_checks; print('jax' in sys.modules, 'runtime_checks.guards' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "False"]


ROOT = Path(__file__).resolve().parents[2]


def test_watch_reports_events_and_is_printable():
    with watch(roots=ROOTS) as report:
        float(jnp.float32(1.0))
        row = line() - 1
    (event,) = report.find("host-read", file="test_guards.py", line=row)
    assert event.count == 1
    assert f"test_guards.py:{row} host-read float x1" in str(report)
    assert report.reads and not report.recompiles


def test_no_transfers_stops_the_read_at_its_line():
    x = jnp.float32(1.0)
    for read in (float, np.asarray, lambda v: v.item(), str):
        with pytest.raises(TransferError, match=r"test_guards.py:\d+"), no_transfers(roots=ROOTS):
            read(x)
    assert float(x) == 1.0  # and works again outside


def test_no_transfers_lets_pass_what_is_meant():
    x = jnp.float32(1.0)

    def log_metrics(value):
        return float(value)

    with no_transfers(roots=ROOTS, allow=["log_metrics"]):
        y = x + 1
        log_metrics(y)
        jax.device_get(y)
        y.block_until_ready()
        np.sum(y)
        with allow_transfers():
            float(y)
    with pytest.raises(TransferError), no_transfers(roots=ROOTS, explicit=True):
        jax.device_get(x)


def test_a_swallowed_refusal_is_told_at_the_end():
    x = jnp.float32(1.0)
    with pytest.raises(TransferError, match="swallowed"), no_transfers(roots=ROOTS):
        try:
            float(x)
        except AssertionError:
            pass


def test_no_transfers_to_the_device():
    f = jax.jit(lambda a: a + 1)
    f(jnp.ones(3))
    with (
        pytest.raises(TransferError, match=r"test_guards.py:\d+: JAX's guard refused a host-to-device copy"),
        no_transfers(roots=ROOTS, host_to_device=True),
    ):
        f(np.ones(3, np.float32))


class Guard:
    """Stands in for `jax.transfer_guard_device_to_host`: on CPU the real one lets everything pass."""

    def __init__(self):
        self.levels = ["allow"]
        self.during = []

    @contextlib.contextmanager
    def __call__(self, level):
        self.levels.append(level)
        try:
            yield
        finally:
            self.levels.pop()

    def copy(self):
        """A copy that reaches no Python method of the array, as JAX's guard sees it."""
        self.during.append(self.levels[-1])
        if self.levels[-1].startswith("disallow"):
            raise RuntimeError("INVALID_ARGUMENT: Disallowed device-to-host transfer: aval=float32[3]")


@pytest.mark.parametrize(("explicit", "level"), [(False, "disallow"), (True, "disallow_explicit")])
def test_jax_own_guard_is_set_where_asked_for_and_let_pass_what_is_meant(monkeypatch, explicit, level):
    guard = Guard()
    monkeypatch.setattr(jax, "transfer_guard_device_to_host", guard)
    x = jnp.float32(1.0)
    monkeypatch.setattr(type(x), "__complex__", lambda self: guard.copy() or 1j)
    with (
        pytest.raises(TransferError, match="swallowed"),
        no_transfers(roots=ROOTS, jax_guard=True, explicit=explicit, allow=["meant"]),
    ):
        assert guard.levels == ["allow", level]

        def meant():
            complex(x)

        meant()
        with allow_transfers():
            guard.copy()
        with pytest.raises(TransferError, match="`complex` reads a device value"):
            complex(x)
        assert guard.during == ["allow", "allow"]
        with pytest.raises(RuntimeError, match="INVALID_ARGUMENT"):
            guard.copy()
    assert guard.levels == ["allow"]


def test_an_error_of_jax_own_guard_names_the_line_of_the_project(monkeypatch):
    guard = Guard()
    monkeypatch.setattr(jax, "transfer_guard_device_to_host", guard)
    with (
        pytest.raises(TransferError, match=r"test_guards.py:\d+: JAX's guard refused a device-to-host copy"),
        no_transfers(roots=ROOTS, jax_guard=True),
    ):
        guard.copy()
    # without copies to guard (CPU) it is not set unless asked for
    with no_transfers(roots=ROOTS):
        guard.copy()


def test_no_recompiles_allows_the_first_and_names_the_reason_of_the_second():
    @jax.jit
    def step(batch):
        return batch * 2

    with no_recompiles(roots=ROOTS):
        for _ in range(3):
            step(jnp.ones(4))
    with pytest.raises(RecompileError, match=r"`batch` was f32\[4\], now f32\[3\]"), no_recompiles(roots=ROOTS):
        step(jnp.ones(4))

        @jax.jit
        def step2(batch):
            return batch * 3

        step2(jnp.ones(4))
        step2(jnp.ones(3))


def test_no_recompiles_knows_what_was_compiled_before_the_block():
    @jax.jit
    def step(batch):
        return batch * 2

    step(jnp.ones(8))
    with no_recompiles(roots=ROOTS):
        step(jnp.ones(8))
    with pytest.raises(RecompileError, match="compiled before the watch"), no_recompiles(roots=ROOTS):
        step(jnp.ones(7))


def test_max_compiles():
    f, g = jax.jit(lambda a: a + 1), jax.jit(lambda a: a + 2)
    with max_compiles(2, roots=ROOTS):
        f(jnp.ones(5)), g(jnp.ones(5)), f(jnp.ones(5))
    with pytest.raises(TooManyCompilesError, match="2 programs compiled, 1 allowed"), max_compiles(1, roots=ROOTS):
        f(jnp.ones(6)), g(jnp.ones(6))


def test_assert_blocked_timing():
    big = jnp.ones((1500, 1500))
    work = jax.jit(lambda a: a @ a @ a)
    work(big).block_until_ready()
    with assert_blocked_timing(roots=ROOTS):
        start = time.perf_counter()
        work(big).block_until_ready()
        assert time.perf_counter() > start
    with pytest.raises(UnblockedTimingError, match="ms of work pending"), assert_blocked_timing(roots=ROOTS):
        time.perf_counter()
        work(big)
        time.perf_counter()


def test_a_guard_does_not_hide_the_exception_of_the_block():
    f = jax.jit(lambda a: a + 1)
    with pytest.raises(KeyError), max_compiles(0, roots=ROOTS):
        f(jnp.ones(9))
        raise KeyError("mine")


PLUGIN_TESTS = """
import jax, jax.numpy as jnp, pytest

@jax.jit
def step(x):
    return x + 1

@pytest.mark.no_recompiles
def test_recompiles():
    step(jnp.ones(2)); step(jnp.ones(3))

@pytest.mark.no_recompiles
def test_compiles_once():
    jax.jit(lambda a: a * 2)(jnp.ones(2))

@pytest.mark.no_transfers(allow=["shown"])
def test_reads():
    float(jnp.float32(1))

def shown(x):
    return float(x)

@pytest.mark.no_transfers(allow=["shown"])
@pytest.mark.max_compiles(3)
def test_allowed():
    shown(jnp.float32(1))

def test_fixture(jax_watch):
    float(jnp.float32(1))
    assert len(jax_watch.reads) == 1

def test_own_error_wins():
    assert True

@pytest.mark.max_compiles(0)
def test_own_error():
    step(jnp.ones(77))
    raise ValueError("mine")
"""


def test_the_pytest_plugin(tmp_path):
    (tmp_path / "test_it.py").write_text(PLUGIN_TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "runtime_checks.pytest_plugin", "--jax-watch", "-q", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**__import__("os").environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    out = done.stdout
    assert "3 failed, 4 passed" in out, out + done.stderr
    assert "RecompileError: 1 recompilation" in out
    assert "TransferError" in out and "ValueError: mine" in out and "TooManyCompilesError" not in out
    assert "jax watch" in out and "programs compiled" in out
