"""The results and the marks of the jax tables, measured by tracing each function."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")

from jaxlint import knowledge  # noqa: E402

from .installed import every_name, find, why_not_checked  # noqa: E402
from .recipes import VALUES, call, namespace, recipe  # noqa: E402

pytestmark = pytest.mark.skipif(bool(why_not_checked("jax")), reason=why_not_checked("jax") or "measured here")

MODULES = ("jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.nn", "jax.scipy.special", "jax.lax")
ARRAY_RESULTS = ("like", "broadcast", "bool_like", "array", "reduce")
# They need a file or text, or work on no array.
NO_CALL = {"jax.numpy.load", "jax.numpy.save", "jax.numpy.savez", "jax.numpy.set_printoptions", "jax.numpy.array",
           "jax.numpy.compress", "jax.numpy.clip", "jax.numpy.mask_indices", "jax.lax.index_take",
           "jax.nn.dot_product_attention"}  # fmt: skip

Case = tuple[str, Any, str, knowledge.Entry]


def cases() -> Iterator[Case]:
    for module, name, entry in every_name("jax"):
        full = f"{module}.{name}"
        skipped = entry.attribute or entry.options.get("removed") or entry.options.get("deprecated") or full in NO_CALL
        if module not in MODULES or skipped:
            continue
        function = find(module, name)
        text = None if isinstance(function, type) else recipe(full, function)
        if text is not None:
            yield full, function, text, entry


CASES = list(cases())


def as_integers(text: str) -> str:
    return text.replace("A", "I").replace("V", "J")


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_most_functions_are_measured() -> None:
    assert len(CASES) > 550


@pytest.mark.parametrize(("full", "function", "text", "entry"), CASES, ids=[case[0] for case in CASES])
def test_result(full: str, function: Any, text: str, entry: knowledge.Entry) -> None:
    try:
        result = call(function, text)
    except (TypeError, ValueError):
        text = as_integers(text)
        result = call(function, text)
    leaves = jax.tree.leaves(result)
    traced = [isinstance(leaf, jax.core.Tracer) for leaf in leaves]
    if entry.result in ARRAY_RESULTS:
        assert isinstance(result, jax.core.Tracer)
        _check_array(function, text, entry, result)
    elif entry.result == "arrays":
        assert isinstance(result, (tuple, list)) and all(traced)
        assert len(result) == entry.options.get("count", len(result))
    elif entry.result in ("int", "bool", "str", "python"):
        assert not any(traced)
    elif entry.result == "tree":
        assert all(traced)


def _check_array(function: Any, text: str, entry: knowledge.Entry, result: Any) -> None:
    dtype = entry.options.get("dtype")
    if entry.result in ("like", "broadcast", "bool_like") and text[0] in "AI":
        assert result.shape == (4, 4)
    if entry.result == "bool_like":
        assert result.dtype == bool
    if entry.options.get("shape") == ():
        assert result.shape == ()
    if dtype in ("bool", "int32", "uint8"):
        assert str(result.dtype) == dtype
    if entry.result == "reduce":
        assert call(function, text, {"axis": 0, "keepdims": True}).shape == (1, 4)
        assert call(function, text, {"axis": 0}).shape == (4,)
    if entry.result in ("like", "broadcast", "reduce") and dtype is None and as_integers(text) != text:
        try:
            promoted = call(function, as_integers(text)).dtype
        except TypeError:
            return  # a function on floats only
        assert (promoted != jnp.int32) == bool(entry.options.get("float"))


def marks() -> Iterator[tuple[str, Any, str, str, bool]]:
    """(name, function, recipe, parameter, marked) for each parameter that takes a number and has a sample value."""
    for full, function, text, entry in CASES:
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            continue
        marked = {*entry.shape_params, *entry.number_params, entry.size_param}
        for parameter in signature.parameters.values():
            value = VALUES.get(parameter.name)
            if isinstance(value, (int, float)) and parameter.kind is not parameter.VAR_POSITIONAL:
                yield full, function, text, parameter.name, parameter.name in marked


MARKS = list(marks())


@pytest.mark.parametrize(("full", "function", "text", "name", "marked"), MARKS, ids=[f"{m[0]}-{m[3]}" for m in MARKS])
def test_marked_parameters_refuse_tracers_and_no_other_does(
    full: str, function: Any, text: str, name: str, marked: bool
) -> None:
    traced_call = _with_parameter(function, text, name)
    if traced_call is None:
        pytest.skip("an array is passed there")
    if not _runs(function, traced_call, name, traced=False):
        pytest.skip("the sample value does not suit this function")
    assert _runs(function, traced_call, name, traced=True) == (not marked)


def _with_parameter(function: Any, text: str, name: str) -> str | None:
    """The recipe with `P` for the parameter."""
    tree = ast.parse(f"function({text})", mode="eval").body
    assert isinstance(tree, ast.Call)
    arguments = [ast.unparse(argument) for argument in tree.args]
    keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in tree.keywords}
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [p.name for p in inspect.signature(function).parameters.values() if p.kind in kinds]
    if name in positional[: len(arguments)]:
        index = positional.index(name)
        if arguments[index] in namespace():
            return None
        arguments[index] = "P"
    else:
        keywords[name] = "P"
    return ", ".join([*arguments, *(f"{key}={value}" for key, value in keywords.items())])


def _runs(function: Any, text: str, name: str, *, traced: bool) -> bool:
    value = VALUES[name]
    values = namespace()
    names = [letter for letter in values if letter in text]

    def program(parameter: Any, *arguments: Any) -> int:
        scope = {**dict(zip(names, arguments, strict=True)), "jnp": jnp, "jax": jax, "function": function}
        scope["P"] = parameter if traced else value
        eval(f"function({text})", scope)
        return 0

    try:
        jax.make_jaxpr(program)(jnp.asarray(value), *[values[letter] for letter in names])
    except Exception:
        return False
    return True


def test_random_draws_need_a_static_shape() -> None:
    """Every draw of jax.random has its shape marked, and refuses a traced one."""
    key = jax.random.key(0)
    calls = {
        "beta": (1.0, 1.0), "bernoulli": (0.5,), "categorical": (jnp.ones(4), -1), "choice": (jnp.arange(4),),
        "dirichlet": (jnp.ones(3),), "gamma": (1.0,), "loggamma": (1.0,), "poisson": (1.0,),
        "truncated_normal": (0.0, 1.0),
        "ball": (2, 2.0), "binomial": (4, 0.5), "chisquare": (2.0,), "double_sided_maxwell": (0.0, 1.0),
        "f": (2.0, 3.0),
        "generalized_normal": (2.0,), "geometric": (0.5,), "lognormal": (1.0,), "pareto": (1.0,), "rayleigh": (1.0,),
        "t": (2.0,), "triangular": (0.0, 0.5, 1.0), "wald": (1.0,), "weibull_min": (1.0, 1.0),
    }  # fmt: skip
    for module, name, entry in every_name("jax"):
        if module != "jax.random" or entry.model != "random_draw" or entry.options.get("removed"):
            continue
        assert entry.params[0] == "key", name
        if name in ("permutation", "multivariate_normal", "multinomial", "orthogonal"):
            continue
        assert "shape" in entry.shape_params, name
        function = getattr(jax.random, name)
        arguments = list(calls.get(name, ()))
        shaped = [*arguments, (2,)] if name != "randint" else [(2,), 0, 4]
        drawn = jax.eval_shape(lambda k, f=function, rest=tuple(shaped): f(k, *rest), key)
        assert drawn.shape[:1] == (2,), name
        if dtype := entry.options.get("dtype"):
            assert str(drawn.dtype) == dtype, name

        def traced(n: Any, function: Any = function, arguments: Any = arguments, name: str = name) -> Any:
            shape = (n,)
            return function(key, shape, 0, 4) if name == "randint" else function(key, *arguments, shape)

        with pytest.raises(TypeError):
            jax.make_jaxpr(traced)(2)


def test_weak_types() -> None:
    """The options of the models that make arrays say what makes them weak."""
    assert jnp.full((2,), 0.1).weak_type and jnp.asarray(0.1).weak_type and jnp.ones_like(1.0).weak_type
    assert (
        not jnp.zeros((2,)).weak_type and not jnp.full_like(jnp.zeros(2), 2.0).weak_type and not jnp.arange(3).weak_type
    )
    for name, model in (("full", "full"), ("asarray", "asarray"), ("ones_like", "zeros_like"), ("zeros", "zeros"),
                        ("full_like", "zeros_like"), ("arange", "arange")):  # fmt: skip
        entry = knowledge.lookup(f"jax.numpy.{name}")
        assert entry is not None and entry.model == model
