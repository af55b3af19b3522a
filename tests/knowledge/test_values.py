"""Methods and attributes of arrays, `.at`, keys and NumPy arrays; what optax, chex and the loaders give, measured."""

from __future__ import annotations

from typing import Any

import pytest

jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")
import jax.numpy as jnp  # noqa: E402

from jaxlint import knowledge  # noqa: E402
from jaxlint.knowledge.facts import table_index  # noqa: E402

from .installed import why_not_checked  # noqa: E402

pytestmark = pytest.mark.skipif(bool(why_not_checked("jax")), reason=why_not_checked("jax") or "measured here")

SAMPLES = {
    "array": jnp.ones((4, 4)),
    "at": jnp.ones((4, 4)).at[0],
    "ndarray": np.ones((4, 4)),
    "key": jax.random.key(0),
}
# On concrete arrays or tracers only, or gone from one of the two.
NOT_ON_SAMPLE = {"vma", "to_device", "tostring", "newbyteorder", "ptp", "itemsize", "view", "addressable_data"}
METHOD_CALLS: dict[str, tuple[Any, ...]] = {
    "argpartition": (1,), "astype": (jnp.int32,), "reshape": (16,), "swapaxes": (0, 1), "repeat": (2,),
    "take": (jnp.arange(2),), "dot": (jnp.ones((4, 4)),), "clip": (0.0, 1.0), "choose": (), "searchsorted": (),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_members_exist(kind: str) -> None:
    value = SAMPLES[kind]
    missing = [name for name in table_index("methods", kind) if not hasattr(value, name) and name not in NOT_ON_SAMPLE]
    assert missing == []


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_attributes_are_told_from_methods(kind: str) -> None:
    value = SAMPLES[kind]
    for name in table_index("methods", kind):
        entry = knowledge.method(kind, name)
        assert entry is not None
        if name in NOT_ON_SAMPLE or name == "at":
            continue
        assert callable(getattr(value, name)) == (not entry.attribute), name


@pytest.mark.parametrize("name", sorted(n for n in table_index("methods", "array") if not n.startswith("__")))
def test_array_member_under_a_trace(name: str) -> None:
    entry = knowledge.method("array", name)
    assert entry is not None
    seen: list[Any] = []

    def program(x: Any) -> Any:
        member = getattr(x, name)
        seen.append(member if entry.attribute else member(*METHOD_CALLS.get(name, ())))
        return x

    if name in ("choose", "compress", "nonzero", "searchsorted", "at"):
        return
    try:
        jax.make_jaxpr(program)(jnp.ones((4, 4)))
    except (AttributeError, NotImplementedError, TypeError) as error:
        # Members of concrete arrays only, and what needs the value.
        on_device = ("block_until_ready", "delete", "devices", "is_ready", "to_device", "view", "ptp", "item", "tolist")
        static = entry.result in ("python", "none", "int", "bool", "same", "bytes") or entry.blocks
        assert static or name in on_device or name in NOT_ON_SAMPLE, error
        return
    (result,) = seen
    if entry.result in ("array", "reduce", "like", "same"):
        assert isinstance(result, jax.core.Tracer)
    if entry.result == "like" and not entry.options.get("dtype"):
        assert result.shape == (4, 4)
    if entry.result == "reduce":
        assert result.shape == ()
    if entry.result in ("python", "int", "str", "bool", "none"):
        assert not isinstance(result, jax.core.Tracer)


@pytest.mark.parametrize("name", ["item", "tolist", "__bool__", "__float__", "__int__", "__index__", "__array__"])
def test_members_that_need_the_value(name: str) -> None:
    entry = knowledge.method("array", name)
    assert entry is not None and entry.blocks
    with pytest.raises((TypeError, jax.errors.ConcretizationTypeError)):
        jax.make_jaxpr(lambda x: getattr(x, name)())(jnp.int32(1))


def test_reductions_of_weak_arrays_are_strong_and_the_rest_stays_weak() -> None:
    weak = jnp.broadcast_to(1.0, (4,))
    assert weak.weak_type
    for name in ("sum", "prod", "max", "mean", "std", "median", "cumsum"):
        entry = knowledge.lookup(f"jax.numpy.{name}")
        assert entry is not None and (entry.result == "reduce" or entry.options.get("strong"))
        assert not getattr(jnp, name)(weak).weak_type, name
    for name in ("abs", "exp", "square", "sort", "ravel", "diff"):
        entry = knowledge.lookup(f"jax.numpy.{name}")
        assert entry is not None and not entry.options.get("strong")
        assert getattr(jnp, name)(weak).weak_type, name


def test_optax_schedules() -> None:
    optax = pytest.importorskip("optax")
    arguments: dict[str, tuple[Any, ...]] = {
        "constant_schedule": (0.1,),
        "cosine_decay_schedule": (0.1, 10),
        "linear_schedule": (1.0, 0.0, 10),
        "exponential_decay": (0.1, 10, 0.9),
        "polynomial_schedule": (1.0, 0.0, 2, 10),
        "piecewise_constant_schedule": (0.1, {5: 0.1}),
        "warmup_cosine_decay_schedule": (0.0, 1.0, 5, 10),
        "warmup_constant_schedule": (0.0, 1.0, 5),
        "cosine_onecycle_schedule": (10, 1.0),
    }
    for name, given in arguments.items():
        entry = knowledge.lookup(f"optax.{name}")
        assert entry is not None and entry.model == "schedule"
        called = knowledge.lookup(str(entry.options["calls"]))
        assert called is not None
        value = getattr(optax, name)(*given)(3)
        assert isinstance(value, float if called.result == "float" else jax.Array), name


def test_optimisers_are_gradient_transformations() -> None:
    optax = pytest.importorskip("optax")
    for name in ("adam", "sgd", "adamw", "lion", "adafactor", "rmsprop"):
        entry = knowledge.lookup(f"optax.{name}")
        assert entry is not None and entry.model == "optimizer"
        transformation = getattr(optax, name)(1e-3)
        assert isinstance(transformation, optax.GradientTransformation)
        assert knowledge.lookup(f"{entry.options['of']}.update") is not None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("assert_scalar_positive", "x"), ("assert_tree_all_finite", "x"), ("assert_trees_all_close", "xx"),
        ("assert_trees_all_equal", "xx"), ("assert_rank", "x0"), ("assert_equal_shape", "p"),
        ("assert_scalar", "x"), ("assert_tree_no_nones", "x"), ("assert_equal", "xx"),
        ("assert_trees_all_equal_shapes", "xx"), ("assert_shape", "x()"),
    ],
)  # fmt: skip
def test_chex_asserts_on_tracers(name: str, arguments: str) -> None:
    """Static asserts work in traced code, value asserts don't."""
    chex = pytest.importorskip("chex")
    entry = knowledge.lookup(f"chex.{name}")
    assert entry is not None and entry.options["asserts"]
    letters: dict[str, Any] = {"0": 0}

    def program(x: Any) -> Any:
        given = {"xx": (x, x), "x": (x,), "x0": (x, letters["0"]), "p": ([x, x],), "x()": (x, ())}[arguments]
        getattr(chex, name)(*given)
        return x

    try:
        jax.make_jaxpr(program)(jnp.float32(1.0))
        passed = True
    except Exception:
        passed = False
    assert passed == (not entry.options.get("value") and not entry.options.get("python"))


def test_kinds_of_clocks() -> None:
    for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
        seconds = knowledge.lookup(f"time.{name}")
        nanoseconds = knowledge.lookup(f"time.{name}_ns")
        assert seconds is not None and seconds.model == "clock" and seconds.options["unit"] == "s"
        assert nanoseconds is not None and nanoseconds.options["unit"] == "ns"
        assert seconds.options["kind"] == nanoseconds.options["kind"]


def test_loaders_say_what_drops_the_last_batch() -> None:
    for name, drop in (("torch.utils.data.DataLoader", "drop_last"),
                       ("tensorflow.data.Dataset.batch", "drop_remainder"),
                       ("grain.Batch", "drop_remainder"), ("grain.python.Batch", "drop_remainder")):  # fmt: skip
        entry = knowledge.lookup(name)
        assert entry is not None and entry.model == "loader"
        assert entry.options["drop"] == drop and entry.options["batch"] == "batch_size"
        assert "batch_size" in entry.params
