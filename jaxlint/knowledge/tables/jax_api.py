"""jax itself, jax.tree and the small modules beside them.

Options of the transforms: `fn` is the position of the transformed function and, as `fn_name`, its keyword;
`static_nums`/`static_names`/`donate_nums`/`donate_names` name the keywords that carry the specification; `family` says
whose arguments rules hold; `decorator_factory` that a call without the function returns a decorator.
"""

TABLES = {
    "jax": """
jit(fun, *, static_argnums!, static_argnames, donate_argnums!, donate_argnames, in_shardings, out_shardings)
  -> object model=jit fn=0 fn_name=fun static_nums=static_argnums static_names=static_argnames
  donate_nums=donate_argnums donate_names=donate_argnames family=jax decorator_factory
pmap(fun, axis_name, *, in_axes, out_axes, static_broadcasted_argnums, devices, backend, axis_size, donate_argnums)
  -> object model=pmap fn=0 fn_name=fun static_nums=static_broadcasted_argnums donate_nums=donate_argnums
  in_axes=in_axes family=jax
vmap(fun, in_axes, out_axes, axis_name, axis_size!, spmd_axis_name, sum_match)
  -> object model=vmap fn=0 fn_name=fun in_axes=in_axes family=jax decorator_factory
shard_map(f, *, out_specs, in_specs, mesh, axis_names, check_vma)
  -> object model=shard_map fn=0 fn_name=f decorator_factory
smap(f, *, in_axes, out_axes, axis_name) -> object model=shard_map fn=0 fn_name=f
grad(fun, argnums!, has_aux!, holomorphic!, allow_int!, reduce_axes)
  -> object model=grad fn=0 fn_name=fun value=False family=jax
value_and_grad(fun, argnums!, has_aux!, holomorphic!, allow_int!, reduce_axes)
  -> object model=value_and_grad fn=0 fn_name=fun value=True family=jax
jacfwd hessian(fun, argnums!, has_aux!, holomorphic!) -> object model=autodiff fn=0 fn_name=fun mode=function
jacrev jacobian(fun, argnums!, has_aux!, holomorphic!, allow_int!)
  -> object model=autodiff fn=0 fn_name=fun mode=function
fwd_and_bwd(fun, argnums!, has_aux!, jitted!) -> object model=autodiff fn=0 fn_name=fun mode=function
jvp(fun, primals, tangents, has_aux!) -> arrays model=autodiff fn=0 fn_name=fun mode=jvp args=primals
vjp(fun, *primals) -> object model=autodiff fn=0 fn_name=fun mode=vjp
linearize(fun, *primals) -> object model=autodiff fn=0 fn_name=fun mode=linearize
linear_transpose(fun, *primals) -> object model=autodiff fn=0 fn_name=fun mode=linear_transpose abstract
checkpoint(fun, *, prevent_cse, policy, static_argnums!, static_argnames, concrete)
  -> object model=checkpoint fn=0 fn_name=fun static_nums=static_argnums static_names=static_argnames
  decorator_factory
eval_shape(fun, *args) -> python model=eval_shape fn=0 fn_name=fun
make_jaxpr(fun, static_argnums!, axis_env, return_shape!)
  -> object model=make_jaxpr fn=0 fn_name=fun static_nums=static_argnums
closure_convert(fun, *example_args) -> object model=make_jaxpr fn=0 fn_name=fun mode=closure_convert
custom_jvp(fun, nondiff_argnums, nondiff_argnames)
  -> object model=custom_derivative fn=0 fn_name=fun kind=jvp static_nums=nondiff_argnums
  static_names=nondiff_argnames
custom_vjp(fun, nondiff_argnums, nondiff_argnames)
  -> object model=custom_derivative fn=0 fn_name=fun kind=vjp static_nums=nondiff_argnums
  static_names=nondiff_argnames
custom_gradient(fun) -> object model=custom_derivative fn=0 fn_name=fun kind=gradient
custom_jvp.defjvp custom_vjp.defvjp(...) -> none model=custom_derivative define
custom_jvp.defjvps(*functions) -> none model=custom_derivative define
named_call(fun, *, name) -> object model=passthrough_decorator fn=0 fn_name=fun
pure_callback(callback, result_shape_dtypes, *args)
  -> tree model=callback fn=0 fn_name=callback result=result_shape_dtypes
device_put(x, device, *, src, donate, may_alias) -> same model=device_put
device_get(x) -> host model=device_get blocks reads=numpy
block_until_ready(x) -> same model=block_until_ready blocks
copy_to_host_async(x) -> same nodispatch
effects_barrier() -> none model=block_until_ready blocks everything
ensure_compile_time_eval() -> object model=compile_time_eval
typeof(x) -> python nodispatch
live_arrays(platform) -> python nodispatch
clear_caches() -> none
@ model=backend
device_count local_device_count process_count process_index host_count host_id(backend) -> int nodispatch
process_indices host_ids(backend) -> python nodispatch
devices(backend) -> python nodispatch devices
local_devices(process_index, backend, host_id) -> python nodispatch devices
default_backend() -> str nodispatch
@
print_environment_info(return_string) -> str effect=print
make_mesh(axis_shapes, axis_names, axis_types, *, devices) -> object model=mesh axes=axis_names explicit
set_mesh(mesh) -> object model=mesh set
make_array_from_callback(shape!, sharding, data_callback, dtype) -> array
make_array_from_process_local_data(sharding, local_data, global_shape!) -> array
make_array_from_single_device_arrays(shape!, sharding, arrays, *, dtype) -> array
reshard(xs, out_shardings) -> same
new_ref(init_val, *, memory_space, kind) -> object model=ref init=0
empty_ref(ty, memory_space) -> object model=ref
freeze(ref) -> array
free_ref(ref) -> none
named_scope(name) -> object
ds(start, size#, stride) -> python
ShapeDtypeStruct(shape, dtype, *, sharding, weak_type) -> instance model=shape_dtype_struct
ShapeDtypeStruct.shape ShapeDtypeStruct.dtype ShapeDtypeStruct.sharding -> python
ShapeDtypeStruct.ndim ShapeDtypeStruct.size -> int
Array -> python class
Device Shard Ref -> python class
float0 config checkpoint_policies memory -> object
config.update(name, val) -> none model=setting
config.parse_flags_with_absl() -> none
config.config_with_absl() -> none
allow_f16_reductions array_garbage_collection_guard auto_pcast check_tracer_leaks debug_infs debug_key_reuse(new_val)
  -> object
debug_nans default_device default_matmul_precision default_prng_impl enable_checks enable_custom_prng(new_val) -> object
enable_x64 explain_cache_misses jax2tf_associative_scan_reductions legacy_prng_key log_compiles no_execution(new_val)
  -> object
no_tracing numpy_dtype_promotion numpy_rank_promotion remove_size_one_mesh_axis_from_type(new_val) -> object
softmax_custom_jvp thread_guard threefry_partitionable transfer_guard(new_val) -> object
transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device(new_val) -> object
checking_leaks() -> object
disable_jit(disable) -> object disables_jit
make_user_context(default_value) -> object
# removed from jax, still written
device_put_replicated(x, devices) -> array removed=0.10
device_put_sharded(shards, devices) -> array removed=0.10
xla_computation(fun, static_argnums) -> object model=make_jaxpr fn=0 fn_name=fun removed=0.5
soft_pmap(fun, axis_name, in_axes) -> object model=pmap fn=0 fn_name=fun in_axes=in_axes removed=0.4
array_ref(init_val) -> object model=ref init=0 removed=0.10
mask(fun, in_shapes, out_shape) -> object removed=0.3
""",
    "jax.tree": """
map(f, tree, *rest) -> tree model=tree_map
leaves(tree, is_leaf) -> arrays model=tree_leaves
flatten(tree, is_leaf) -> arrays model=tree_flatten
flatten_with_path leaves_with_path(tree, is_leaf, is_leaf_takes_path) -> tree model=tree_leaves with_path
unflatten(treedef, leaves) -> tree model=tree_unflatten
structure(tree, is_leaf) -> python model=tree_structure nodispatch
reduce(function, tree, initializer, is_leaf) -> array model=tree_reduce
reduce_associative(operation, tree, *, identity, is_leaf) -> array model=tree_reduce
map_with_path(f, tree, *rest) -> tree model=tree_map_with_path
transpose(outer_treedef, inner_treedef, pytree_to_transpose) -> tree
broadcast(prefix_tree, full_tree, is_leaf) -> tree
all(tree, *, is_leaf) -> bool model=tree_reduce all
static(*args, **kwargs) -> object
""",
    "jax.tree_util": """
Partial(func, *args) -> object model=partial
all_leaves(iterable, is_leaf) -> bool nodispatch
register_dataclass(nodetype, data_fields, meta_fields, drop_fields)
  -> object model=register_pytree kind=dataclass data=data_fields meta=meta_fields decorator_factory
register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func)
  -> none model=register_pytree kind=node
register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func)
  -> none model=register_pytree kind=node
register_pytree_node_class register_pytree_with_keys_class(cls) -> same model=register_pytree kind=class
register_static(cls) -> same model=register_pytree kind=static
is_tree_node(typ) -> bool nodispatch
keystr(keys, *, simple, separator) -> str nodispatch
flatten_one_level flatten_one_level_with_keys(tree) -> python nodispatch
treedef_children treedef_is_leaf(treedef) -> python nodispatch
treedef_tuple(treedefs) -> python nodispatch
build_tree(treedef, xs) -> tree removed=0.8
DictKey(key) -> python
SequenceKey FlattenedIndexKey(idx) -> python
GetAttrKey(name) -> python
PyTreeDef KeyEntry KeyPath -> python class
default_registry -> object
tree_multimap(f, tree, *rest) -> tree model=tree_map removed=0.3.16
""",
    "jax.core": """
Tracer -> python class
concrete_or_error(force, val, context) -> same
is_concrete(x) -> bool nodispatch model=is_concrete
get_aval(x) -> python nodispatch removed=0.10
ShapedArray -> python class
Jaxpr ClosedJaxpr Var Literal JaxprEqn Primitive AxisName -> python class removed=0.10
DropVar -> python class
""",
    "jax.ops": """
segment_sum segment_prod segment_max segment_min(data, segment_ids, num_segments%#, indices_are_sorted!,
  unique_indices!, bucket_size, mode) -> array
index_update index_add index_mul index_min index_max(x, idx, y) -> like removed=0.2.22
index -> object removed=0.2.22
""",
    "jax.image": """
resize(image, shape#, method, antialias!, precision) -> array
scale_and_translate(image, shape#, spatial_dims!, scale, translation, method, antialias!, precision) -> array
ResizeMethod -> python class
""",
    "jax.debug": """
print(fmt, *args) -> none model=debug_print
callback(callback, *args) -> none model=callback fn=0 fn_name=callback debug
breakpoint() -> none
visualize_array_sharding(arr) -> none effect=print
visualize_sharding(shape, sharding) -> none effect=print
inspect_array_sharding(value, *, callback) -> none
DebugEffect OrderedDebugEffect -> python class
log(fmt, *args) -> none model=debug_print
""",
    "jax.dtypes": """
canonicalize_dtype(dtype) -> python nodispatch
issubdtype(a, b) -> python nodispatch
result_type(...) -> python nodispatch
scalar_type_of(x) -> python nodispatch
float0 prng_key bfloat16 extended -> python
itemsize_bits(dtype) -> int nodispatch
""",
    "jax.sharding": """
NamedSharding(mesh, spec, *, memory_kind) -> object model=named_sharding
PartitionSpec(*partitions) -> object model=partition_spec
Mesh(devices, axis_names, axis_types) -> object model=mesh axes=axis_names
AbstractMesh(axis_sizes, axis_names, axis_types) -> object model=mesh axes=axis_names
AxisType -> python
SingleDeviceSharding(device) -> object
PositionalSharding(devices) -> object removed=0.7
Sharding AbstractDevice ManualAxisType -> python class
make_single_device_sharding(device) -> object
use_abstract_mesh(mesh) -> object model=mesh set
use_mesh(mesh) -> object model=mesh set removed=0.7
get_mesh get_abstract_mesh() -> object model=mesh get
auto_axes explicit_axes(f) -> object model=passthrough_decorator fn=0 fn_name=f
""",
    "jax.profiler": """
start_trace(log_dir) -> none effect=file
stop_trace() -> none effect=file
trace(log_dir) -> object effect=file
annotate_function(func, name) -> object model=passthrough_decorator fn=0 fn_name=func
TraceAnnotation StepTraceAnnotation(name) -> object
start_server(port) -> object effect=network
stop_server() -> none
device_memory_profile(backend) -> bytes
save_device_memory_profile(filename, backend) -> none effect=file
ProfileData ProfileOptions() -> object
""",
    "jax.export": """
export(fun_jit, *, platforms, disabled_checks) -> object model=export fn=0 fn_name=fun_jit
deserialize(blob) -> object
symbolic_shape(shape_spec) -> python nodispatch
symbolic_args_specs(args, shapes_specs) -> python nodispatch
SymbolicScope(constraints_str) -> object
DisabledSafetyCheck Exported -> python class
register_pytree_node_serialization register_namedtuple_serialization(nodetype) -> none
""",
    "jax.distributed": """
initialize(coordinator_address, num_processes, process_id) -> none effect=network
shutdown() -> none effect=network
is_initialized() -> bool
""",
    "jax.dlpack": """
to_dlpack(x) -> object removed=0.8
from_dlpack(external_array, device, copy) -> array
""",
    "jax.monitoring": """
register_event_listener register_event_duration_secs_listener register_scalar_listener(callback) -> none
record_event record_event_duration_secs record_scalar(event) -> none
clear_event_listeners() -> none
""",
    "jax.stages": """
Compiled Lowered Traced Wrapped ArgInfo -> python class
OutInfo -> python class removed=0.7
""",
    "jax.errors": """
ConcretizationTypeError TracerArrayConversionError TracerBoolConversionError TracerIntegerConversionError(tracer)
  -> object exception
KeyReuseError JaxRuntimeError(message) -> object exception
NonConcreteBooleanIndexError(tracer) -> object exception
UnexpectedTracerError(msg) -> object exception
""",
    "jax.custom_batching": """
custom_vmap(fun) -> object model=custom_derivative fn=0 fn_name=fun kind=vmap
sequential_vmap(f) -> object model=vmap fn=0 fn_name=f
""",
    "jax.custom_derivatives": """
SymbolicZero -> python class
zero_from_primal(val, symbolic_zeros) -> array
linear_call(fun, fun_transpose, residual_args, linear_args) -> tree
""",
    "jax.typing": """
ArrayLike DTypeLike -> python class
""",
}
