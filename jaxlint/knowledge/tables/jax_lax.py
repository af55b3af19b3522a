"""jax.lax. Elementwise functions don't broadcast or promote: their operands agree, so `broadcast` is exact for them."""

TABLES = {
    "jax.lax": """
# --- control flow
scan(f, init, xs, length#, reverse!, unroll!, _split_transpose) -> tree model=scan
while_loop(cond_fun, body_fun, init_val) -> tree model=while_loop
fori_loop(lower, upper, body_fun, init_val, *, unroll!) -> tree model=fori_loop
cond(pred, true_fun, false_fun, *operands) -> tree model=cond
switch(index, branches, *operands) -> tree model=switch
map(f, xs, *, batch_size!) -> tree model=lax_map
associative_scan(fn, elems, reverse!, axis!) -> tree model=associative_scan
platform_dependent(*args) -> tree model=switch platform
custom_root(f, initial_guess, solve, tangent_solve, has_aux!) -> tree model=staged functions=f,solve,tangent_solve
custom_linear_solve(matvec, b, solve, transpose_solve, symmetric!, has_aux!)
  -> tree model=staged functions=matvec,solve,transpose_solve
composite(decomposition, name, version) -> object model=vmap fn=0 fn_name=decomposition composite
stop_gradient stage(x) -> same
optimization_barrier(operand) -> same
dce_sink(val) -> none

# --- elementwise
abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e bitwise_not cbrt ceil clz cos cosh digamma erf(x) -> like
erf_inv erfc exp exp2 expm1 floor lgamma log log1p logistic neg population_count reciprocal rsqrt sign sin(x) -> like
sinh sqrt square tan tanh(x) -> like
round(x, rounding_method!) -> like
conj(x) -> array
imag real(x) -> array
is_finite(x) -> bool_like
add atan2 bitwise_and bitwise_or bitwise_xor div max min mul mulhi pow rem shift_left(x, y) -> broadcast
shift_right_arithmetic shift_right_logical sub(x, y) -> broadcast
complex(x, y) -> array
eq ge gt le lt ne(x, y) -> bool_like
nextafter(x1, x2) -> broadcast
integer_pow(x, y!) -> like
igamma igammac igamma_grad_a random_gamma_grad(a, x) -> broadcast
polygamma(m, x) -> broadcast
zeta(x, q) -> broadcast
betainc(a, b, x) -> broadcast
clamp(min, x, max) -> array like=1
select(pred, on_true, on_false) -> array like=1
select_n(which, *cases) -> array like=1
reduce_precision(operand, exponent_bits!, mantissa_bits!) -> like
convert_element_type(operand, new_dtype) -> like dtype=new_dtype
bitcast_convert_type(operand, new_dtype) -> array
cumsum cumprod cummax cummin cumlogsumexp(operand, axis!, reverse!) -> like

# --- making and shaping
full(shape#, fill_value, dtype, *, sharding) -> array model=full
full_like(x, fill_value, dtype, shape#, sharding) -> array model=zeros_like fill=fill_value
empty(shape#, dtype, *, out_sharding) -> array
iota(dtype, size#) -> array
broadcasted_iota(dtype, shape#, dimension!) -> array
broadcast(operand, sizes#) -> array
broadcast_in_dim(operand, shape#, broadcast_dimensions!) -> array
broadcast_like(arr, like_arr) -> array like=1
broadcast_to_rank(x, rank!) -> array
broadcast_shapes(*shapes) -> python nodispatch
reshape(operand, new_sizes#, dimensions!) -> array model=reshape
collapse(operand, start_dimension!, stop_dimension!) -> array
expand_dims squeeze(array, dimensions!) -> array
transpose(operand, permutation!) -> array
rev(operand, dimensions!) -> like
tile(operand, reps#) -> array
concatenate(operands, dimension!) -> array model=concatenate
stack(operands, axis!) -> array model=stack
unstack(x, axis!) -> arrays
split(operand, sizes#, axis!) -> arrays
pad(operand, padding_value, padding_config#) -> array
shape_as_value(shape) -> python

# --- slices and gathers
slice(operand, start_indices#, limit_indices#, strides#) -> array
slice_in_dim(operand, start_index#, limit_index#, stride#, axis!) -> array
index_in_dim(operand, index#, axis!, keepdims!) -> array
index_take(src, idxs, axes!) -> array
dynamic_slice(operand, start_indices, slice_sizes#) -> array
dynamic_slice_in_dim(operand, start_index, slice_size#, axis!) -> array
dynamic_index_in_dim(operand, index, axis!, keepdims!) -> array
dynamic_update_slice(operand, update, start_indices) -> like
dynamic_update_slice_in_dim(operand, update, start_index, axis!) -> like
dynamic_update_index_in_dim(operand, update, index, axis!) -> like
gather(operand, start_indices, dimension_numbers, slice_sizes#) -> array
scatter scatter_add scatter_sub scatter_mul scatter_max scatter_min(operand, scatter_indices, updates,
  dimension_numbers) -> like
scatter_apply(operand, scatter_indices, func, dimension_numbers) -> like
sort(operand, dimension!, is_stable!, num_keys!) -> same
sort_key_val(keys, values, dimension!, is_stable!) -> arrays count=2
top_k(operand, k#, *, axis!) -> arrays count=2
approx_max_k approx_min_k(operand, k#, reduction_dimension!, recall_target!) -> arrays count=2

# --- reductions and products
argmax argmin(operand, axis!, index_dtype) -> array dtype=int32
reduce(operands, init_values, computation, dimensions!) -> tree model=staged functions=computation
reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor(operand, axes!) -> array
reduce_window(operand, init_value, computation, window_dimensions#, window_strides!, padding, base_dilation!,
  window_dilation!) -> array model=staged functions=computation
dot(lhs, rhs, *) -> array
dot_general(lhs, rhs, dimension_numbers, precision, preferred_element_type) -> array
batch_matmul(lhs, rhs, precision) -> array
scaled_dot(lhs, rhs) -> array
ragged_dot(lhs, rhs, group_sizes) -> array
ragged_dot_general(lhs, rhs, group_sizes, ragged_dot_dimension_numbers) -> array
conv(lhs, rhs, window_strides!, padding, precision, preferred_element_type) -> array
conv_with_general_padding(lhs, rhs, window_strides!, padding, lhs_dilation!, rhs_dilation!) -> array
conv_general_dilated(lhs, rhs, window_strides!, padding, lhs_dilation!, rhs_dilation!, dimension_numbers,
  feature_group_count!, batch_group_count!, precision, preferred_element_type) -> array
conv_general_dilated_local(lhs, rhs, window_strides!, padding, filter_shape!) -> array
conv_general_dilated_patches(lhs, filter_shape!, window_strides!, padding) -> array
conv_transpose(lhs, rhs, strides!, padding, rhs_dilation!) -> array
conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers) -> python nodispatch
conv_general_permutations(dimension_numbers) -> python nodispatch
conv_general_shape_tuple(lhs_shape, rhs_shape, window_strides, padding, dimension_numbers) -> python nodispatch
conv_shape_tuple(lhs_shape, rhs_shape, strides, pads, batch_group_count) -> python nodispatch
conv_transpose_shape_tuple(lhs_shape, rhs_shape, window_strides, padding, dimension_numbers) -> python nodispatch
padtype_to_pads(in_shape, window_shape, window_strides, padding) -> python nodispatch
reduce_window_shape_tuple(operand_shape, window_dimensions, window_strides, padding) -> python nodispatch
fft(x, fft_type, fft_lengths#) -> array
rng_uniform(a, b, shape#) -> array
rng_bit_generator(key, shape#, dtype, algorithm) -> arrays count=2

# --- between devices
psum pmean pmax pmin(x, axis_name, *, axis_index_groups) -> same model=collective
all_gather psum_scatter(x, axis_name, *, axis_index_groups) -> array model=collective
all_to_all(x, axis_name, split_axis!, concat_axis!) -> array model=collective
ppermute pshuffle(x, axis_name, perm!) -> same model=collective
pswapaxes(x, axis_name, axis!) -> array model=collective
pbroadcast(x, axis_name, source!) -> same model=collective
pcast(x, axis_name, *, to) -> same model=collective
pvary(x, axis_name) -> same model=collective removed=0.10
psend(x, axis_name, perm!) -> object
precv(token, out_shape, axis_name, perm!) -> array
ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, *, axis_name)
  -> array model=collective
axis_index(axis_name) -> array dtype=int32 shape=() model=collective
axis_size(axis_name) -> int nodispatch model=collective
with_sharding_constraint(x, shardings) -> same model=constraint
after_all(*operands) -> object
create_token(...) -> object
dtype(x) -> python nodispatch

# --- types
AccuracyMode ConvDimensionNumbers ConvGeneralDilatedDimensionNumbers DotAlgorithm DotAlgorithmPreset -> python class
DotDimensionNumbers FftType GatherDimensionNumbers GatherScatterMode Precision PrecisionLike -> python class
RaggedDotDimensionNumbers RandomAlgorithm RoundingMethod ScatterDimensionNumbers Tolerance -> python class
""",
    "jax.lax.linalg": """
cholesky(x, *) -> like
cholesky_update(r_matrix, w_vector) -> like
eig(x, *) -> arrays count=3
eigh(x, *) -> arrays count=2
hessenberg(a) -> arrays count=2
householder_product(a, taus) -> like
lu(x) -> arrays count=3
lu_pivots_to_permutation(pivots, permutation_size#) -> array
qdwh(x, *) -> arrays count=4
qr(x, *) -> arrays count=2
schur(x, *) -> arrays count=2
svd(x, *) -> arrays
symmetric_product(a_matrix, c_matrix, *) -> array like=1
triangular_solve(a, b, *) -> array like=1
tridiagonal(a, *) -> arrays count=4
tridiagonal_solve(dl, d, du, b) -> array like=3
""",
}
