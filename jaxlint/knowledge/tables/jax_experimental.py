"""jax.experimental: Pallas, checkify, callbacks, many hosts, sparse arrays and what else programs use of it."""

TABLES = {
    "jax.experimental": """
io_callback(callback, result_shape_dtypes, *args) -> tree model=callback fn=0 fn_name=callback
  result=result_shape_dtypes io
enable_x64 disable_x64(new_val) -> object removed=0.10
EArray -> python class
cur_qdd(x) -> python
primal_tangent_dtype(primal_dtype, tangent_dtype, name) -> python
""",
    "jax.experimental.pallas": """
pallas_call(kernel, out_shape, *, grid_spec, grid, in_specs, out_specs, interpret, name)
  -> object model=pallas fn=0 fn_name=kernel result=out_shape
kernel(body, out_type, *, mesh) -> object model=pallas fn=0 fn_name=body result=out_type
core_map(mesh, *) -> object model=pallas
run_scoped(f, *types) -> tree model=pallas body=f
when(condition) -> object model=pallas when
loop(lower, upper, *, unroll!) -> object model=pallas loop
program_id num_programs(axis!) -> array dtype=int32 shape=()
cdiv(a, b) -> int same_kind
BlockSpec(block_shape, index_map, pipeline_mode, *, memory_space) -> object
GridSpec(grid, in_specs, out_specs, scratch_shapes) -> object
load(ref, idx, *, mask, other) -> array removed=0.9
store(ref, idx, val, *, mask) -> none removed=0.9
swap atomic_add(ref, idx, val, *, mask) -> array removed=0.9
dot(a, b, trans_a, trans_b) -> array deprecated
ds dslice(start, size, stride) -> python
multiple_of(x, values) -> same
debug_print(fmt, *args) -> none model=debug_print
debug_check(condition, message) -> none
reciprocal(x, *, approx!, full_range!) -> like
broadcast_to(a, shape#) -> array
empty(shape#, dtype, *) -> array
empty_like empty_ref_like(x) -> like
estimate_cost(fun, *args) -> python
next_power_of_2(x!) -> int
strides_from_shape(shape) -> python
align_to(a, alignment) -> int
Blocked Element Squeezed BoundedSlice(block_size) -> object
Buffered(buffer_count, use_lookahead, revisit) -> object
CompilerParams(*args) -> object
CostEstimate(...) -> object
no_block_spec squeezed -> object
MemorySpace Slice DeviceIdType -> python class
semaphore_wait(sem_or_view, value) -> none
semaphore_signal(sem_or_view, inc) -> none
semaphore_read(sem_or_view) -> none
""",
    "jax.experimental.pallas.tpu": """
CompilerParams PrefetchScalarGridSpec(...) -> object
VMEM SMEM(shape, dtype) -> object
""",
    "jax.experimental.pallas.triton": """
CompilerParams(...) -> object
""",
    "jax.experimental.checkify": """
checkify(f, errors) -> object model=vmap fn=0 fn_name=f traces returns_error
check debug_check(pred, msg, *fmt_args) -> none accepts_tracers
check_error(error) -> none accepts_tracers reads=item blocks
Error.get() -> str reads=item blocks
Error.throw() -> none reads=item blocks
Error -> python class
all_checks automatic_checks div_checks float_checks index_checks nan_checks user_checks -> object
JaxRuntimeError(message) -> object exception
""",
    "jax.experimental.multihost_utils": """
sync_global_devices(name) -> none blocks
process_allgather(in_tree, tiled) -> host reads=numpy blocks
broadcast_one_to_all(in_tree, is_source) -> host reads=numpy blocks
assert_equal(in_tree, fail_message) -> none reads=numpy blocks
host_local_array_to_global_array(local_inputs, global_mesh, pspecs) -> tree
global_array_to_host_local_array(global_inputs, global_mesh, pspecs) -> tree
reached_preemption_sync_point(step_id) -> bool
live_devices(devices) -> object
""",
    "jax.experimental.mesh_utils": """
create_device_mesh(mesh_shape, devices, *) -> host
create_hybrid_device_mesh(mesh_shape, dcn_mesh_shape, devices, *) -> host
""",
    "jax.experimental.layout": """
Format(layout, sharding) -> object
Layout(major_to_minor, tiling) -> object
with_layout_constraint(x, layouts) -> same
""",
    "jax.experimental.ode": """
odeint(func, y0, t, *args) -> tree model=staged functions=func
""",
    "jax.experimental.jet": """
jet(fun, primals, series, factorial_scaled!) -> arrays model=staged functions=fun
""",
    "jax.experimental.compute_on": """
compute_on(compute_type) -> object
compute_on2(f, *) -> object model=passthrough_decorator fn=0 fn_name=f
""",
    "jax.experimental.compilation_cache.compilation_cache": """
set_cache_dir(path) -> none effect=file
reset_cache() -> none effect=file
initialize_cache(path) -> none effect=file removed=0.5
""",
    "jax.experimental.serialize_executable": """
serialize(compiled) -> python
deserialize_and_load(serialized, in_tree, out_tree, backend, execution_devices) -> object
""",
    "jax.experimental.xla_metadata": """
set_xla_metadata(x) -> object
""",
    "jax.experimental.custom_partitioning": """
custom_partitioning(fun, static_argnums) -> object model=vmap fn=0 fn_name=fun traces
""",
    "jax.experimental.buffer_callback": """
buffer_callback(callback, result_shape_dtypes, *) -> tree model=callback fn=0 fn_name=callback
""",
    "jax.experimental.rnn": """
lstm(x, h_0, c_0, weights, seq_lengths, input_size#, hidden_size#, num_layers#) -> arrays count=3
init_lstm_weight(rng, input_size#, hidden_size#, num_layers#, bidirectional!) -> array
""",
    "jax.experimental.sparse": """
BCOO BCSR COO CSR CSC(args, *, shape#) -> tree
BCOO.fromdense BCSR.fromdense(mat, *, nse%#, index_dtype) -> tree
BCOO.todense BCSR.todense() -> array
eye(N#, M#, k!, dtype, index_dtype, sparse_format) -> tree
empty(shape#, dtype, index_dtype, sparse_format) -> tree
bcoo_fromdense bcsr_fromdense(mat, *, nse%#, n_batch#, n_dense#) -> tree
bcoo_todense bcsr_todense coo_todense csr_todense(mat) -> array
todense(arr) -> array
bcoo_dot_general(lhs, rhs, *, dimension_numbers) -> array
bcoo_multiply_dense(sp_mat, v) -> array
bcoo_extract(sparr, arr) -> tree
bcoo_transpose(mat, *, permutation!) -> tree
bcoo_sum_duplicates(mat, nse%#) -> tree
bcoo_sort_indices(mat) -> tree
bcoo_reduce_sum(mat, *, axes!) -> tree
bcoo_concatenate(operands, *, dimension!) -> tree
random_bcoo(key, shape#, *, nse#) -> tree model=random_draw
sparsify(f, use_tracer!) -> object model=vmap fn=0 fn_name=f traces
grad value_and_grad(fun, argnums!, has_aux!) -> object model=grad fn=0 fn_name=fun value=False family=jax
jacfwd jacrev jacobian(fun, argnums!, has_aux!) -> object model=autodiff fn=0 fn_name=fun mode=function
""",
    "jax.experimental.host_callback": """
@ removed=0.8
call(callback_func, arg, *, result_shape) -> tree model=callback fn=0 fn_name=callback_func
id_tap(tap_func, arg, *, result) -> same model=callback fn=0 fn_name=tap_func
id_print(arg, *, result) -> same
""",
    "jax.experimental.maps": """
@ removed=0.4.35
xmap(fun, in_axes, out_axes) -> object model=pmap fn=0 fn_name=fun in_axes=in_axes open_axes
""",
    "jax.experimental.optimizers": """
@ removed=0.2.25
adam sgd momentum rmsprop adagrad nesterov(step_size) -> object
clip_grads(grad_tree, max_norm) -> tree
l2_norm(tree) -> array
""",
    "jax.example_libraries.optimizers": """
adam sgd momentum adagrad adamax rmsprop nesterov sm3(step_size, ...) -> object
clip_grads(grad_tree, max_norm) -> tree
l2_norm(tree) -> array shape=()
exponential_decay(step_size, decay_steps!, decay_rate) -> object model=schedule calls=optax.Schedule
""",
    "jax.example_libraries.stax": """
Dense(out_dim!, W_init, b_init) -> arrays count=2
serial parallel(*layers) -> arrays count=2
GeneralConv(dimension_numbers, out_chan!, filter_shape!) -> arrays count=2
""",
    "jax.flatten_util": """
ravel_pytree(pytree) -> arrays count=2 ravels
""",
    "jax.ad_checkpoint": """
checkpoint_name(x, name) -> same
print_saved_residuals(f, *args) -> none effect=print
checkpoint_policies -> object
""",
    "jax.lib.xla_bridge": """
get_backend() -> object removed=0.9
default_backend() -> str removed=0.9
device_count() -> int removed=0.9
""",
    "jax.extend.core": """
Primitive(name) -> object
Jaxpr ClosedJaxpr JaxprEqn Var Literal -> python class
jaxpr_as_fun(closed_jaxpr, *args) -> object
""",
    "jax.extend.backend": """
get_backend backends() -> object
clear_backends() -> none
""",
    "jax.extend.random": """
seed_with_impl(impl, seed) -> key model=random_key
define_prng_impl(*, key_shape, seed) -> object
""",
    "jax.interpreters.pxla": """
thread_resources -> object deprecated
""",
    "jax.interpreters.batching": """
not_mapped -> object removed=0.10
primitive_batchers -> object
""",
}
