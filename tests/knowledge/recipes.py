"""Calls of jax functions that succeed: the arguments to measure each function with.

A recipe is a text of positional arguments: `A` is a float (4, 4), `V` a float (4,), `I` an int (4, 4), `J` an int (4,),
`B` a bool (4, 4), `K` a key, `C` a complex (4, 4); anything else is Python. Upper-case letters become tracers.
"""

from __future__ import annotations

import inspect
from typing import Any

import jax
import jax.numpy as jnp

# What to pass for a parameter of this name when a test wants to pass it at all.
VALUES: dict[str, object] = {
    "axis": 0, "axes": (0, 1), "axis1": 0, "axis2": 1, "keepdims": True, "promote_integers": True, "returned": False,
    "dtype": None, "decimals": 1, "k": 0, "num": 5, "endpoint": True, "retstep": False, "N": 4, "M": 4, "n": 4, "m": 4,
    "copy": True, "ndmin": 1, "equal_nan": False, "assume_unique": False, "invert": False, "deg": True, "offset": 0,
    "ddof": 0, "overwrite_input": False, "shape": (2, 2), "source": 0, "destination": 1, "reps": 2, "repeats": 2,
    "new_shape": (2, 2), "pad_width": 1, "indices_or_sections": 2, "unique_indices": False, "size": 4,
    "indices_are_sorted": False, "inplace": False, "wrap": False, "return_index": False, "return_inverse": False,
    "return_counts": False, "sorted": True, "minlength": 4, "length": 4, "right": False, "bins": 4, "density": False,
    "stable": True, "descending": False, "kth": 1, "order": 1, "axisa": 0, "axisb": 0, "axisc": 0, "rowvar": True,
    "bias": False, "count": 4, "bitorder": "big", "trim_leading_zeros": False, "dims": (4, 4), "start": 0,
    "include_initial": False, "total_repeat_length": 8, "upper": False, "symmetrize_input": True, "hermitian": False,
    "full_matrices": True, "compute_uv": True, "numpy_resid": False, "s": (4, 4), "axis_size": 4,
    "negative_slope": 0.1, "num_classes": 4, "return_sign": False, "approximate": True, "sparse": False, "stop": 4,
    "step": 1, "nan_policy": "propagate", "method": None, "increasing": False, "unroll": 1, "d": 2,
    "replace": True, "independent": False, "reverse": False, "dimension": 0, "dimensions": (0,), "permutation": (1, 0),
    "sizes": (2,), "is_stable": True, "num_keys": 1, "rank": 2, "exponent_bits": 8, "mantissa_bits": 7, "y": 2,
    "start_dimension": 0, "stop_dimension": 2, "new_sizes": (16,), "slice_sizes": (2, 2), "slice_size": 2, "index": 0,
    "start_index": 0, "limit_index": 2, "stride": 1, "start_indices": (0, 0), "limit_indices": (2, 2),
    "strides": (1, 1),
    "broadcast_dimensions": (0, 1), "padding_config": ((0, 0, 0), (0, 0, 0)), "fft_lengths": (4,),
    "lower": False, "overwrite_a": False, "check_finite": True, "type": 2, "exact": False, "permute_l": False,
    "series_order": 3, "num_segments": 4, "antialias": True, "zero_phase": True, "period": 6.0, "ord": 2,
    "rounding_method": jax.lax.RoundingMethod.AWAY_FROM_ZERO, "reduction_dimension": 0, "full": False,
    "output": "real", "disp": True, "trans": 0, "unit_diagonal": False, "debug": False, "pivoting": False,
    "conjugate": False, "eigvals_only": False, "blocksize": 1, "overwrite_b": False,
}  # fmt: skip

RECIPES: dict[str, str] = {
    "jax.numpy.arange": "0, 4, 1", "jax.numpy.argpartition": "A, 1", "jax.numpy.partition": "A, 1",
    "jax.numpy.argwhere": "B, size=4", "jax.numpy.array_split": "A, 2", "jax.numpy.split": "A, 2",
    "jax.numpy.hsplit": "A, 2", "jax.numpy.vsplit": "A, 2", "jax.numpy.dsplit": "A[None], 2",
    "jax.numpy.astype": "A, int", "jax.numpy.bartlett": "4", "jax.numpy.blackman": "4", "jax.numpy.hamming": "4",
    "jax.numpy.hanning": "4", "jax.numpy.kaiser": "4, 1.0", "jax.numpy.bincount": "J, length=4",
    "jax.numpy.block": "[A, A]", "jax.numpy.broadcast_shapes": "(2,), (1,)", "jax.numpy.broadcast_to": "V, (4, 4)",
    "jax.numpy.can_cast": "'int32', 'float32'", "jax.numpy.choose": "J % 2, [V, V], None, 'clip'",
    "jax.numpy.compress": "[True, False], A", "jax.numpy.concat": "[A, A]", "jax.numpy.concatenate": "[A, A]",
    "jax.numpy.convolve": "V, V", "jax.numpy.correlate": "V, V", "jax.numpy.cross": "A[:, :3], A[:, :3]",
    "jax.numpy.cumulative_sum": "V", "jax.numpy.cumulative_prod": "V", "jax.numpy.delete": "V, 1",
    "jax.numpy.diag_indices": "4", "jax.numpy.einsum": "'ij,jk->ik', A, A",
    "jax.numpy.einsum_path": "'ij,jk->ik', A, A",
    "jax.numpy.empty": "(2, 2)", "jax.numpy.zeros": "(2, 2)", "jax.numpy.ones": "(2, 2)",
    "jax.numpy.full": "(2, 2), 1.0", "jax.numpy.eye": "4", "jax.numpy.identity": "4", "jax.numpy.tri": "4",
    "jax.numpy.expand_dims": "A, 0", "jax.numpy.extract": "B, A, size=4",
    "jax.numpy.fill_diagonal": "A, 0.0, inplace=False", "jax.numpy.flatnonzero": "B, size=4",
    "jax.numpy.fromfunction": "jnp.add, (4, 4)", "jax.numpy.gradient": "V", "jax.numpy.histogram2d": "V, V",
    "jax.numpy.indices": "(2, 2)", "jax.numpy.intersect1d": "V, V, size=4",
    "jax.numpy.isdtype": "jnp.float32, 'integral'",
    "jax.numpy.issubdtype": "jnp.float32, jnp.floating", "jax.numpy.isscalar": "1", "jax.numpy.insert": "V, 1, 0.0",
    "jax.numpy.interp": "V, V, V", "jax.numpy.ix_": "J, J", "jax.numpy.ldexp": "A, I",
    "jax.numpy.lexsort": "[V, V]", "jax.numpy.mask_indices": "4, jnp.triu", "jax.numpy.meshgrid": "V, V",
    "jax.numpy.moveaxis": "A, 0, 1", "jax.numpy.nonzero": "B, size=4", "jax.numpy.packbits": "B",
    "jax.numpy.pad": "A, 1", "jax.numpy.permute_dims": "A, (1, 0)", "jax.numpy.piecewise": "V, [V > 0], [1.0]",
    "jax.numpy.place": "A, B, V, inplace=False", "jax.numpy.put": "A, J, V, inplace=False",
    "jax.numpy.put_along_axis": "A, I, A, 0, inplace=False", "jax.numpy.poly": "V", "jax.numpy.polyadd": "V, V",
    "jax.numpy.polysub": "V, V", "jax.numpy.polyder": "V", "jax.numpy.polyint": "V",
    "jax.numpy.polydiv": "V, V", "jax.numpy.polyfit": "V, V, 2", "jax.numpy.polymul": "V, V",
    "jax.numpy.polyval": "V, A",
    "jax.numpy.promote_types": "'int32', 'float32'", "jax.numpy.quantile": "A, 0.5", "jax.numpy.percentile": "A, 50.0",
    "jax.numpy.nanquantile": "A, 0.5", "jax.numpy.nanpercentile": "A, 50.0",
    "jax.numpy.ravel_multi_index": "(J, J), (4, 4), 'clip'", "jax.numpy.repeat": "A, 2",
    "jax.numpy.reshape": "A, (16,)",
    "jax.numpy.resize": "A, (2, 2)", "jax.numpy.result_type": "A, A", "jax.numpy.rollaxis": "A, 1",
    "jax.numpy.roots": "V, strip_zeros=False", "jax.numpy.searchsorted": "V, V", "jax.numpy.select": "[B], [A]",
    "jax.numpy.setdiff1d": "V, V, size=4", "jax.numpy.setxor1d": "V, V, size=4", "jax.numpy.union1d": "V, V, size=4",
    "jax.numpy.swapaxes": "A, 0, 1", "jax.numpy.take": "A, J", "jax.numpy.take_along_axis": "A, I, 0",
    "jax.numpy.tensordot": "A, A, 1", "jax.numpy.tile": "A, 2", "jax.numpy.tril_indices": "4",
    "jax.numpy.triu_indices": "4", "jax.numpy.unique": "V, size=4", "jax.numpy.unique_all": "V, size=4",
    "jax.numpy.unique_counts": "V, size=4", "jax.numpy.unique_inverse": "V, size=4",
    "jax.numpy.unique_values": "V, size=4", "jax.numpy.unpackbits": "V.astype(jnp.uint8)",
    "jax.numpy.unravel_index": "J, (4, 4)", "jax.numpy.vander": "V", "jax.numpy.vdot": "V, V",
    "jax.numpy.vecmat": "V, A", "jax.numpy.where": "B, A, A", "jax.numpy.apply_along_axis": "jnp.sum, 0, A",
    "jax.numpy.apply_over_axes": "jnp.sum, A, [0]", "jax.numpy.linspace": "0.0, 1.0, 5",
    "jax.numpy.logspace": "0.0, 1.0, 5", "jax.numpy.geomspace": "1.0, 2.0, 5", "jax.numpy.from_dlpack": "",
    "jax.numpy.trim_zeros": "", "jax.numpy.frombuffer": "bytes(16), jnp.float32",
    "jax.numpy.fromstring": "'1 2', jnp.float32, -1, sep=' '",
    "jax.numpy.add": "A, V", "jax.numpy.multiply": "A, V", "jax.numpy.subtract": "A, V", "jax.numpy.maximum": "A, V",
    "jax.numpy.minimum": "A, V", "jax.numpy.logaddexp": "A, V", "jax.numpy.logaddexp2": "A, V",
    "jax.numpy.logical_and": "A, V", "jax.numpy.logical_or": "A, V", "jax.numpy.logical_xor": "A, V",
    "jax.numpy.bitwise_and": "I, J", "jax.numpy.bitwise_or": "I, J", "jax.numpy.bitwise_xor": "I, J",
    "jax.numpy.full_like": "A, 1.0", "jax.numpy.finfo": "jnp.float32", "jax.numpy.iinfo": "jnp.int32",
    "jax.numpy.dtype": "'int32'", "jax.numpy.clip": "A, 0.0, 1.0", "jax.numpy.rot90": "A",
    "jax.numpy.matmul": "A, A", "jax.numpy.dot": "A, A", "jax.numpy.matvec": "A, V", "jax.numpy.roll": "A, 1",
    "jax.numpy.append": "V, V", "jax.numpy.sort_complex": "V", "jax.numpy.outer": "V, V",
    "jax.numpy.cov": "A", "jax.numpy.corrcoef": "A", "jax.numpy.isin": "A, V", "jax.numpy.array_equal": "A, A",
    "jax.numpy.fft.fftfreq": "4", "jax.numpy.fft.rfftfreq": "4",
    "jax.numpy.linalg.cross": "A[:, :3], A[:, :3]", "jax.numpy.linalg.matrix_power": "A, 2",
    "jax.numpy.linalg.multi_dot": "[A, A]", "jax.numpy.linalg.outer": "V, V",
    "jax.numpy.linalg.tensordot": "A, A, axes=1",
    "jax.numpy.linalg.tensorinv": "A, 1", "jax.numpy.linalg.tensorsolve": "A, V", "jax.numpy.linalg.matmul": "A, A",
    "jax.nn.glu": "A", "jax.nn.one_hot": "J, 4",
    "jax.nn.dot_product_attention": "A[None, None], A[None, None], A[None, None]",
    "jax.nn.standardize": "A", "jax.scipy.special.bernoulli": "4", "jax.scipy.special.bessel_jn": "V, v=2",
    "jax.scipy.special.multigammaln": "A, 2", "jax.scipy.special.polygamma": "I, A", "jax.scipy.special.zeta": "A, V",
    "jax.scipy.special.expn": "I, A", "jax.scipy.special.sph_harm_y": "J, J, V, V, n_max=4",
    "jax.scipy.special.betainc": "A, A, A", "jax.scipy.special.hyp1f1": "A, A, A",
    "jax.scipy.special.hyp2f1": "A, A, A, A", "jax.scipy.special.comb": "A, V",
    "jax.scipy.special.lpmn": "", "jax.scipy.special.lpmn_values": "",
}  # fmt: skip

RECIPES |= {
    "jax.lax.argmax": "A, 0, jnp.int32", "jax.lax.argmin": "A, 0, jnp.int32", "jax.lax.broadcast": "A, (2,)",
    "jax.lax.broadcast_in_dim": "A, (4, 4), (0, 1)", "jax.lax.broadcast_like": "V, A",
    "jax.lax.broadcast_shapes": "(2,), (1,)", "jax.lax.broadcast_to_rank": "V, 2",
    "jax.lax.batch_matmul": "A[None], A[None]", "jax.lax.bitcast_convert_type": "A, jnp.int32",
    "jax.lax.clamp": "0.0, A, 1.0", "jax.lax.collapse": "A, 0, 2", "jax.lax.complex": "A, A",
    "jax.lax.concatenate": "[A, A], 0", "jax.lax.convert_element_type": "A, jnp.int32",
    "jax.lax.conv": "A[None, None], A[None, None], (1, 1), 'SAME'",
    "jax.lax.conv_general_dilated": "A[None, None], A[None, None], (1, 1), 'SAME'",
    "jax.lax.dot_general": "A, A, (((1,), (0,)), ((), ()))", "jax.lax.dynamic_index_in_dim": "A, 0",
    "jax.lax.dynamic_slice": "A, (0, 0), (2, 2)", "jax.lax.dynamic_slice_in_dim": "A, 0, 2",
    "jax.lax.dynamic_update_index_in_dim": "A, V, 0, 0", "jax.lax.dynamic_update_slice": "A, A, (0, 0)",
    "jax.lax.dynamic_update_slice_in_dim": "A, A, 0, 0", "jax.lax.expand_dims": "A, (0,)",
    "jax.lax.full": "(2, 2), 1.0", "jax.lax.full_like": "A, 1.0", "jax.lax.empty": "(2, 2), jnp.float32",
    "jax.lax.igamma": "A, A", "jax.lax.index_in_dim": "A, 0", "jax.lax.integer_pow": "A, 2",
    "jax.lax.iota": "jnp.int32, 4", "jax.lax.broadcasted_iota": "jnp.int32, (4, 4), 0",
    "jax.lax.pad": "A, 0.0, ((0, 0, 0), (0, 0, 0))", "jax.lax.polygamma": "A, A",
    "jax.lax.reduce_precision": "A, 8, 7", "jax.lax.reduce_sum": "A, (0,)", "jax.lax.reduce_max": "A, (0,)",
    "jax.lax.reduce_min": "A, (0,)", "jax.lax.reduce_prod": "A, (0,)", "jax.lax.reduce_and": "B, (0,)",
    "jax.lax.reduce_or": "B, (0,)", "jax.lax.reduce_xor": "I, (0,)", "jax.lax.reshape": "A, (16,)",
    "jax.lax.rev": "A, (0,)", "jax.lax.select": "B, A, A", "jax.lax.select_n": "B, A, A",
    "jax.lax.slice": "A, (0, 0), (2, 2)", "jax.lax.slice_in_dim": "A, 0, 2", "jax.lax.sort_key_val": "V, V",
    "jax.lax.split": "A, (2, 2)", "jax.lax.squeeze": "A[None], (0,)", "jax.lax.stack": "[A, A]",
    "jax.lax.tile": "A, (2, 2)", "jax.lax.top_k": "A, 2", "jax.lax.approx_max_k": "A, 2",
    "jax.lax.approx_min_k": "A, 2", "jax.lax.transpose": "A, (1, 0)", "jax.lax.unstack": "A", "jax.lax.dtype": "A",
    "jax.lax.nextafter": "A, A", "jax.lax.real": "C", "jax.lax.imag": "C", "jax.lax.fft": "C, 'fft', (4,)",
    "jax.lax.rng_uniform": "0.0, 1.0, (2, 2)",
    "jax.lax.conv_general_dilated_patches": "A[None, None], (2, 2), (1, 1), 'SAME'",
    "jax.lax.conv_transpose": "A[None, :, :, None], A[:, :, None, None], (1, 1), 'SAME'",
    "jax.lax.shape_as_value": "(4, 4)", "jax.lax.index_take": "A, J[:, None], (0,)", "jax.lax.bitwise_and": "I, I",
    "jax.lax.bitwise_or": "I, I", "jax.lax.bitwise_xor": "I, I", "jax.lax.shift_left": "I, I",
    "jax.lax.shift_right_arithmetic": "I, I", "jax.lax.shift_right_logical": "I, I", "jax.lax.mulhi": "I, I",
    "jax.lax.clz": "I", "jax.lax.population_count": "I", "jax.lax.bitwise_not": "I", "jax.lax.conj": "C",
}  # fmt: skip

# Control flow, collectives, scatters: their calls need functions, axes or dimension numbers.
_NOT_CALLED = frozenset(
    [
        "after_all",
        "all_gather",
        "all_to_all",
        "associative_scan",
        "axis_index",
        "axis_size",
        "composite",
        "cond",
        "conv_dimension_numbers",
        "conv_general_dilated_local",
        "conv_general_permutations",
        "conv_general_shape_tuple",
        "conv_shape_tuple",
        "conv_transpose",
        "conv_transpose_shape_tuple",
        "conv_with_general_padding",
        "create_token",
        "custom_linear_solve",
        "custom_root",
        "dce_sink",
        "fori_loop",
        "gather",
        "index_take",
        "map",
        "padtype_to_pads",
        "pbroadcast",
        "pcast",
        "platform_dependent",
        "pmax",
        "pmean",
        "pmin",
        "ppermute",
        "precv",
        "psend",
        "pshuffle",
        "psum",
        "psum_scatter",
        "pswapaxes",
        "ragged_all_to_all",
        "ragged_dot",
        "ragged_dot_general",
        "random_gamma_grad",
        "reduce",
        "reduce_window",
        "reduce_window_shape_tuple",
        "rng_bit_generator",
        "scaled_dot",
        "scan",
        "scatter",
        "scatter_add",
        "scatter_apply",
        "scatter_max",
        "scatter_min",
        "scatter_mul",
        "scatter_sub",
        "switch",
        "while_loop",
        "with_sharding_constraint",
    ]
)

_UNSUPPORTED = ("nn.scaled", "get_scaled", "fromfile", "fromiter", "frompyfunc", "vectorize", "array_repr", "array_str")


def namespace() -> dict[str, Any]:
    return {
        "A": jnp.ones((4, 4)) / 3,
        "V": jnp.ones((4,)) / 4,
        "I": jnp.ones((4, 4), jnp.int32),
        "J": jnp.ones((4,), jnp.int32),
        "B": jnp.ones((4, 4), bool),
        "C": jnp.ones((4, 4), jnp.complex64),
        "K": jax.random.key(0),
    }


def recipe(full: str, function: object) -> str | None:
    """The arguments that are known to work, or one array for each required parameter."""
    if any(part in full for part in _UNSUPPORTED):
        return None
    if full in RECIPES:
        return RECIPES[full] or None
    lax = full.startswith("jax.lax.")
    if lax and full.removeprefix("jax.lax.") in _NOT_CALLED:
        return None
    try:
        signature = inspect.signature(function)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    required = [
        p
        for p in signature.parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL)
    ]
    if len(required) > 3:
        return None
    return ", ".join(["A", "A" if lax else "V", "A" if lax else "V"][: len(required)])  # lax does not broadcast


def call(function: Any, text: str, extra: dict[str, object] | None = None) -> Any:
    """What `function(text, **extra)` returns while it is traced."""
    values = namespace()
    names = [name for name in values if name in text]
    seen: dict[str, Any] = {}

    def traced(*arguments: Any) -> int:
        scope = {**dict(zip(names, arguments, strict=True)), "jnp": jnp, "jax": jax, "function": function}
        scope["extra"] = extra or {}
        seen["result"] = eval(f"function({text}{', ' if text else ''}**extra)", scope)
        return 0

    jax.make_jaxpr(traced)(*[values[name] for name in names])
    return seen["result"]
