"""The shape of one fact about an outside name. The tables beside this file are made of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NO_OPTIONS: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """What the outside function or class `name` does when it is called.

    `result` says what comes back:

    ========== ==============================================================================================
    unknown    nothing is known (the default)
    none       None
    array      a jax array: a tracer while staging or when an operand is one, else on the device
    like       an array with the shape and dtype of argument 0 (elementwise, unary)
    broadcast  an array whose shape is the broadcast of the array arguments (elementwise, n-ary)
    reduce     a reduction of argument 0 over `axis`/`keepdims`
    bool_like  as broadcast, with dtype bool (comparisons, predicates)
    arrays     a tuple of arrays, length unknown (`linalg.svd`, `meshgrid`, `top_k`); options["count"] when fixed
    tree       a pytree of arrays whose structure is not known (`optax` states and updates, `tree.map` of unknown)
    key        one PRNG key
    keys       an array of PRNG keys (`split`)
    same       argument 0 itself, unchanged
    int float bool str bytes   a Python value of that type, not known further (static under a trace)
    python     some plain Python object, static under a trace (dtype, aval, sharding, shape tuple, treedef)
    host       a NumPy array or NumPy scalar
    file, object   an opaque host object (file handle, logger, writer, mesh, config)
    instance   an instance of the named class: `name` is a class whose methods are entries `name.method`
    ========== ==============================================================================================

    `params`: names of the positional parameters, so that arguments are found by position and by name.
    `model`: the name of a semantic model in `jaxlint/interpreter/models` that interprets the call instead of
    `result` (transforms, control flow, tree functions, ...); `options` are that model's settings.
    `shape_params`: parameters that decide a shape or a size: a tracer there is a fault (dynamic-shape).
    `number_params`: parameters that need a Python number: a tracer there is a fault (traced-to-python).
    `size_param`: the output size depends on values unless this keyword is given ("size" of `nonzero`).
    `effect`: a Python side effect, in the words of Kind.TRACE_EFFECT (print logging clock random file network
    input), '' when pure.
    `blocks`: the call waits for all device work of its arguments (float of nothing here; `device_get`).
    `reads`: the call reads its array arguments on the host ("numpy", "print", ""), see Kind.HOST_READ.
    `delegates`: (numpy only) the function calls the array's own method, so a tracer passes through as an array.
    `jnp`: (numpy, scipy, math only) the jax.numpy/jax.scipy name with the same meaning.
    `dispatches`: False when the call does no device work although it returns an array.
    `attribute`: the name is a value, not a callable (`math.pi`, `.shape`, `jax.numpy.newaxis`): `result` describes the
    value itself, and options["value"] is the value where it is a plain constant.
    `varargs`: the name of the parameter that takes further positional arguments (`operands` of `einsum`).
    """

    result: str = "unknown"
    params: tuple[str, ...] = ()
    model: str = ""
    options: Mapping[str, object] = field(default_factory=lambda: NO_OPTIONS)
    shape_params: tuple[str, ...] = ()
    number_params: tuple[str, ...] = ()
    size_param: str = ""
    effect: str = ""
    blocks: bool = False
    reads: str = ""
    delegates: bool = False
    jnp: str = ""
    dispatches: bool = True
    attribute: bool = False
    varargs: str = ""


Table = dict[str, Entry]
