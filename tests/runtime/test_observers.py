"""Each observer sees what it should, at the right line, and nothing where nothing happens."""

import gc
import inspect
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from runtime_checks.jax_warnings import KINDS  # noqa: E402
from runtime_checks.join import without_caught  # noqa: E402
from runtime_checks.observed import CAUGHT, KEY_REUSE, MEMORY  # noqa: E402
from runtime_checks.recorder import Options, Recorder  # noqa: E402

HERE = __file__
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def recorder():
    found = Recorder(roots=["/"], options=Options(leaks=True, verify_timers=True)).start()
    yield found
    found.stop()


def here(back=0):
    """The caller's line number, minus `back`."""
    return inspect.currentframe().f_back.f_lineno - back


def at(recorder, kind, line=None, how=None):
    """The events of `kind` in this file, at `line` if given."""
    return [
        event
        for event in recorder.events
        if event.kind == kind
        and (event.file == HERE or kind == MEMORY)
        and (line is None or event.line == line)
        and (how is None or event.how == how)
    ]


# -- transfers ------------------------------------------------------------------------------------------------
READS = {
    "float": float,
    "int": int,
    "bool": bool,
    "complex": complex,
    ".item": lambda x: x.item(),
    ".tolist": lambda x: x.tolist(),
    "print": str,
    "numpy": np.asarray,
    "device_get": jax.device_get,
}


@pytest.mark.parametrize("how", READS)
def test_a_read_is_seen_once_at_its_line(recorder, how):
    x = jnp.float32(3.0) + 1
    READS[how](x)
    line = here(1)
    found = [event for event in recorder.events if event.kind == "host-read" and event.file == HERE]
    assert [(event.how, event.count, event.bytes) for event in found] == [(how, 1, 4)]
    assert any(place.line == line for place in found[0].chain)


@pytest.mark.parametrize("call", [np.add, np.array, np.float32, np.isclose])
def test_numpy_functions_read(recorder, call):
    x = jnp.float32(3.0)
    call(x, x) if call in (np.add, np.isclose) else call(x)
    line = here(1)
    assert at(recorder, "host-read", line)


def test_what_stays_on_the_device_is_not_a_read(recorder):
    x = jnp.arange(8.0)
    np.sum(x)
    np.ones(8) + x
    x + 1
    x.sum()
    len(x), x.shape, x.dtype, x.ndim
    assert at(recorder, "host-read") == []
    assert at(recorder, "host-block") == []


def test_values_bytes_and_results_are_unchanged(recorder):
    x = jnp.arange(5, dtype=jnp.int32)
    first = np.asarray(x)
    assert first.tolist() == [0, 1, 2, 3, 4]
    assert np.asarray(x).ctypes.data == first.ctypes.data  # still without a copy
    assert np.asarray(jnp.ones(2, jnp.bfloat16)).astype(np.float32).tolist() == [1.0, 1.0]
    assert bool(jnp.bool_(True)) is True and f"{jnp.float32(2):.1f}" == "2.0"
    with pytest.raises(TypeError):
        float(jnp.ones(3))
    with pytest.raises(RuntimeError, match="deleted"):
        y = jnp.ones(3)
        y.delete()
        np.asarray(y)


def test_waiting_is_measured(recorder):
    big = jnp.ones((1500, 1500))
    work = jax.jit(lambda a: a @ a @ a)
    work(big).block_until_ready()
    y = work(big)
    y.block_until_ready()
    line = here(1)
    (event,) = at(recorder, "host-block", line)
    assert event.waits == 1 and event.seconds > 0.002
    y.block_until_ready()
    line = here(1)
    (again,) = at(recorder, "host-block", line)
    assert again.waits == 0


def test_block_of_several_arrays_and_iteration(recorder):
    x, y = jnp.ones(3), jnp.zeros(3)
    jax.block_until_ready([x, y])
    line = here(1)
    assert at(recorder, "host-block", line)
    for _ in x:
        pass
    assert at(recorder, "device-iterate", here(2))


def test_loop_with_a_gate_counts_only_the_reads(recorder):
    x = jnp.float32(1.0)
    for step in range(20):
        if step % 10 == 0:
            float(x)
    assert at(recorder, "host-read", here(1))[0].count == 2


# -- compilations ---------------------------------------------------------------------------------------------
def test_first_compilation_and_its_cost(recorder):
    @jax.jit
    def only_once(x):
        return x * 2

    for _ in range(3):
        only_once(jnp.ones(3))
    (event,) = [e for e in at(recorder, "compiled-call") if "only_once" in e.subject]
    assert (event.how, event.count) == ("first", 1)
    assert event.seconds > 0 and event.line == here(3)


def test_recompilations_name_every_changed_argument(recorder):
    from functools import partial

    @partial(jax.jit, static_argnames="mode")
    def step(params, batch, scale, mode="sum"):
        return params["w"] * batch.sum() * scale

    p, q = {"w": jnp.ones(2)}, {"w": jnp.ones(2, jnp.int32)}
    step(p, jnp.ones((8, 3)), 1.0)
    step(p, jnp.ones((5, 3)), 1.0)
    ragged = here(1)
    step(p, jnp.ones((8, 3)), 1)
    number = here(1)
    step(p, jnp.ones((8, 3)), 1.0, mode="mean")
    static = here(1)
    step(q, jnp.ones((7, 7)), 1.0)
    two = here(1)
    step({"w": jnp.ones(2), "b": jnp.ones(2)}, jnp.ones((8, 3)), 1.0)
    structure = here(1)

    def reason(line):
        (event,) = [e for e in at(recorder, "compiled-call", line) if e.subject.endswith("step")]
        return event.how, event.samples[0]["reason"]

    assert reason(ragged) == ("ragged-batch", "argument `batch` was f32[8,3], now f32[5,3]")
    assert reason(number) == ("signature", "argument `scale` was a Python float, now a Python int")
    assert reason(static)[0] == "static-varies" or "mode" in reason(static)[1]
    how, text = reason(two)
    assert how == "signature" and "`params['w']` was f32[2], now i32[2]" in text and "`batch`" in text
    assert "params['b']" in reason(structure)[1]


def test_new_function_objects_are_told_from_the_same_function(recorder):
    x = jnp.ones(3)

    def named(a):
        return a - 1

    for _ in range(3):
        jax.jit(lambda a: a + 1)(x)
    new = here(1)
    for _ in range(3):
        jax.jit(named)(x)
    same = here(1)
    found = {e.how: e.count for e in at(recorder, "compiled-call", new)}
    assert found == {"first": 1, "new-function": 2}
    assert {e.how: e.count for e in at(recorder, "compiled-call", same)} == {"first": 1}
    assert [e.count for e in at(recorder, "jit-applied", new)] == [3]
    assert all(e.applied == (HERE, new) for e in at(recorder, "compiled-call", new))


def test_the_frame_of_the_project_counts_and_the_library_is_named(recorder):
    optax = pytest.importorskip("optax")
    parameters = {"w": np.ones((13, 17), np.float32)}
    rule = optax.adam(1e-3)
    rule.update(parameters, rule.init(parameters), parameters)
    line = here(1)
    found = at(recorder, "compiled-call", line)
    assert found and any("optax" in event.via for event in found)


# -- tracers --------------------------------------------------------------------------------------------------
def test_swallowed_concretisation_errors_are_seen(recorder):
    lines = []

    @jax.jit
    def careful(x):
        for action in (bool, int, np.asarray):
            try:
                action(x)
                lines.append(0)
            except Exception:
                lines.append(here(3))
        return x

    careful(jnp.float32(1.0))
    assert len(lines) == 3
    kinds = {e.kind: e.count for e in recorder.events if e.kind.startswith("tracer-") and e.line == lines[0]}
    assert kinds == {"tracer-bool": 1, "tracer-convert": 1, "tracer-array": 1}


def test_errors_that_a_library_catches_itself_are_told_apart(recorder, tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "probing_library.py").write_text(
        "def number(x):\n    try:\n        return int(x)\n    except Exception:\n        return None\n\n"
        "def strict(x):\n    return int(x)\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    import probing_library

    lines = []

    @jax.jit
    def careful(x):
        probing_library.number(x)
        lines.append(here(1))
        try:
            probing_library.strict(x)
        except Exception:
            lines.append(here(2))
        return x

    careful(jnp.float32(1.0))
    gc.collect()
    caught = [event.line for event in recorder.events if event.kind == CAUGHT]
    assert caught == [lines[0]]
    left = [event.line for event in without_caught(recorder.events) if event.kind == "tracer-convert"]
    assert left == [lines[1]]


def test_concrete_values_raise_no_tracer_event(recorder):
    x = jnp.float32(1.0)
    if x > 0:
        jax.grad(lambda a: a * 2 if a > 0 else a)(x)
    assert [e for e in recorder.events if e.kind.startswith("tracer-")] == []


class Keeper:
    kept = None


def test_leaks_are_found_with_their_holder():
    recorder = Recorder(roots=["/"], options=Options(leaks=True)).start()

    @jax.jit
    def leaks(x):
        Keeper.kept = x * 2
        return x

    @jax.jit
    def keeps_nothing(x):
        return x * 2

    leaks(1.0)
    keeps_nothing(1.0)
    states = {probe.name: probe.state for probe in recorder.probes}
    recorder.stop()
    Keeper.kept = None
    if states["leaks"] == "off":
        pytest.skip("this JAX does not tell which function a trace belongs to")
    found = [e for e in recorder.events if e.kind == "tracer-leak"]
    assert [e.subject.rsplit(".", 1)[-1] for e in found] == ["leaks"]
    assert "Keeper" in found[0].samples[0]["held_by"] or "dict" in found[0].samples[0]["held_by"]


# -- timers ---------------------------------------------------------------------------------------------------
def test_a_clock_read_with_work_pending_is_seen(recorder):
    big = jnp.ones((1500, 1500))
    work = jax.jit(lambda a: a @ a @ a)
    work(big).block_until_ready()
    time.perf_counter()
    y = work(big)
    time.perf_counter()
    wrong = here(1)
    y.block_until_ready()
    time.perf_counter()
    work(big)  # dropped
    time.time()
    dropped = here(1)
    time.time()
    work(big).block_until_ready()
    time.time()
    right = here(1)
    (event,) = at(recorder, "clock-stop", wrong)
    assert event.how == "pending" and event.seconds > 0.002
    assert at(recorder, "clock-stop", dropped)[0].how == "pending"
    assert [e.how for e in at(recorder, "clock-stop", right)] == ["blocked"]


def test_a_compilation_between_two_clock_reads_is_seen(recorder):
    @jax.jit
    def fresh(x):
        return x * 3

    x = jnp.ones(3)
    start = time.perf_counter()
    fresh(x)
    line = here(1)
    end = time.perf_counter()
    fresh(x)
    warm = here(1)
    assert time.perf_counter() > end > start
    (event,) = at(recorder, "timed-compile", line)
    assert event.subject.endswith("fresh") and event.seconds > 0
    assert at(recorder, "timed-compile", warm) == []


# -- keys, memory ---------------------------------------------------------------------------------------------
def test_a_key_consumed_twice_is_seen(recorder):
    key = jax.random.key(0)
    first, second = jax.random.split(key)
    jax.random.normal(first, (2,))
    jax.random.normal(second, (2,))
    assert at(recorder, KEY_REUSE) == []
    jax.random.uniform(first, (2,))
    line = here(1)
    (event,) = at(recorder, KEY_REUSE, line)
    assert event.samples[0]["function"] == "normal"


def test_memory_is_sampled(recorder):
    kept = jnp.ones((512, 512))
    recorder.stop()
    (event,) = at(recorder, MEMORY)
    assert max(sample["live"] for sample in event.samples) >= kept.nbytes


# -- everything is put back -----------------------------------------------------------------------------------
def test_stop_restores_every_name():
    from jax._src import pjit
    from jax._src.array import ArrayImpl

    def names():
        errors = [vars(value).get("__init__") for value in vars(jax.errors).values() if inspect.isclass(value)]
        clocks = [time.time, time.perf_counter, time.monotonic]
        return [dict(vars(ArrayImpl)), dict(vars(jax.random)), pjit._cpp_pjit, errors, clocks]

    before = names()
    recorder = Recorder(roots=["/"], options=Options(leaks=True)).start()
    nested = Recorder(roots=["/"]).start()
    assert time.time is not before[-1][0]
    recorder.stop()
    assert time.time is not before[-1][0]  # the other one still needs it
    nested.stop()
    after = names()
    for old, new in zip(before, after, strict=True):
        assert old == new
    count = len(recorder.events)
    float(jnp.float32(1))
    assert len(recorder.events) == count


def test_looking_for_jax_before_importing_it_does_not_lose_the_watch(tmp_path):
    code = (
        "import importlib.util, os\n"
        "from runtime_checks.recorder import Recorder\n"
        f"before = os._exit\nr = Recorder(roots=['/'], directory={str(tmp_path)!r}).start()\n"
        "assert os._exit is not before\n"
        "assert importlib.util.find_spec('jax') is not None\n"
        "import jax.numpy as jnp\nfloat(jnp.float32(1))\nr.stop()\nassert os._exit is before\n"
        "print(r.probes[0].state)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout.split() == ["active"], done.stderr


def test_nothing_is_kept_alive():
    import gc
    import weakref

    recorder = Recorder(roots=["/"], options=Options(leaks=True)).start()

    def work():
        x = jnp.ones(7) + 1
        float(x[0]), np.asarray(x), str(x)
        compiled = jax.jit(lambda a: a + 1)
        compiled(x)
        return weakref.ref(x), weakref.ref(compiled)

    references = work()
    jax.clear_caches()
    gc.collect()
    assert references[0]() is None
    recorder.stop()


def test_threads_are_counted_together(recorder):
    import threading

    x = jnp.float32(1.0)
    barrier = threading.Barrier(4)

    def reads():
        barrier.wait()
        for _ in range(200):
            float(x)

    line = here(2)
    threads = [threading.Thread(target=reads) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(e.count for e in at(recorder, "host-read", line)) == 800


def test_jit_cache_is_not_touched(recorder):
    @jax.jit
    def f(x):
        return x + 1

    f(1.0)
    recorder.stop()
    before = f._cache_size()
    f(1.0)
    assert f._cache_size() == before == 1


def test_probes_say_what_is_active(recorder):
    states = {probe.name: probe.state for probe in recorder.probes}
    assert states["transfers"] == states["compiles"] == states["timers"] == "active"
    assert states["transfers-numpy"] == ("active" if sys.version_info >= (3, 12) else "degraded")


def test_warnings_of_jax_are_counted_and_shown_where_they_were():
    recorder = Recorder(roots=["/"]).start()
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("ignore")
        for _ in range(3):
            jnp.zeros(2, jnp.float64)
        warnings.simplefilter("always")
        warnings.warn("mine: requested dtype float64 is truncated to dtype float32", stacklevel=1)
        row = here(1)
        jax.jit(lambda x: x.sum(), donate_argnums=0)(jnp.ones(7))
    recorder.stop()
    (event,) = at(recorder, "dtype-truncated")
    assert (event.count, event.how) == (3, "float64 -> float32")
    assert at(recorder, "donation-unused", row + 2)
    # the program's own warning is no event, and is reported for its own line
    assert [(w.filename, w.lineno) for w in shown if "mine" in str(w.message)] == [(HERE, row)]
    assert not hasattr(warnings.warn, "__wrapped__")


@pytest.mark.parametrize("name", ["float64", "<class 'jax.numpy.float64'>"])  # as new and old versions write it
def test_the_text_of_the_warning_is_known(name):
    text = (
        f"Explicitly requested dtype {name} requested in zeros is not available, and will be truncated to dtype float32"
    )
    pattern, kind = KINDS[0]
    assert kind == "dtype-truncated" and pattern.search(text).groups() == ("float64", "float32")


def test_a_short_program_tells_its_backend(tmp_path):
    """JAX takes its backends down at exit, before the recorder ends: the name must have been written by then."""
    code = (
        "import sys\nfrom runtime_checks.recorder import Recorder\n"
        "Recorder(roots=['/'], directory=sys.argv[1]).start()\n"
        "import jax\njax.jit(lambda x: x + 1)(1.0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=ROOT)
    (path,) = tmp_path.glob("evidence-*.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row.get("platform") for row in rows if row["t"] == "process"][-1] == jax.default_backend()
