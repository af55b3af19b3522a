"""flax.linen, flax.training, flax.struct and the rest of flax. Activations fold into jax.nn (see `aliases`)."""

TABLES = {
    "flax": """
config -> object
""",
    "flax.linen": """
# --- modules
Module() -> instance model=linen_module base
Module.init(rngs, *args) -> tree model=linen_module init
Module.init_with_output(rngs, *args) -> arrays model=linen_module init count=2
Module.lazy_init(rngs, *args) -> tree
Module.apply(variables, *args) -> unknown model=linen_module apply
Module.bind(variables, *args) -> same
Module.unbind() -> arrays count=2
Module.clone(*) -> same
Module.copy(*) -> same
Module.param(name, init_fn, *init_args) -> array model=linen_module param
Module.variable(col, name, init_fn, *init_args) -> instance of=flax.linen.Variable
Module.get_variable(col, name, default) -> array
Module.put_variable(col, name, value) -> none
Module.has_variable(col, name) -> bool
Module.is_mutable_collection(col) -> bool
Module.is_initializing() -> bool
Module.make_rng(name) -> key
Module.sow(col, name, value, reduce_fn, init_fn) -> bool
Module.perturb(name, value, collection) -> array like=1
Module.has_rng(name) -> bool
Module.setup() -> none
Module.tabulate(rngs, *args) -> str
Module.variables -> tree
Module.path -> python
Variable(scope, collection, name) -> instance model=nnx_variable linen
Variable.value -> array
apply(fn, module, mutable, capture_intermediates) -> object model=linen_module apply_function
init(fn, module, mutable, capture_intermediates) -> object model=linen_module apply_function
init_with_output(fn, module, mutable, capture_intermediates) -> object model=linen_module apply_function
compact nowrap compact_name_scope(fun) -> same model=passthrough_decorator fn=0 fn_name=fun
@ model=linen_module call=array
Dense(features!, use_bias!, dtype, param_dtype, precision, kernel_init, bias_init) -> instance last=features
DenseGeneral(features!, axis!, batch_dims!, use_bias!, dtype, param_dtype) -> instance
Einsum(shape!, einsum_str, use_bias!) -> instance
Conv ConvLocal(features!, kernel_size!, strides!, padding, input_dilation!, kernel_dilation!) -> instance
ConvTranspose(features!, kernel_size!, strides!, padding, kernel_dilation!) -> instance
Embed(num_embeddings!, features!, dtype, param_dtype, embedding_init)
  -> instance appends=features rows=num_embeddings
Embed.attend(query) -> array
BatchNorm(use_running_average!, axis!, momentum, epsilon, dtype, param_dtype) -> instance
LayerNorm InstanceNorm(epsilon, dtype, param_dtype, use_bias!, use_scale!) -> instance
RMSNorm(epsilon, dtype, param_dtype, use_scale!, ...) -> instance
GroupNorm(num_groups!, group_size!, epsilon, dtype, param_dtype) -> instance
SpectralNorm WeightNorm(layer_instance) -> instance
Dropout(rate, broadcast_dims!, deterministic!, rng_collection) -> instance keeps
PReLU(param_dtype, negative_slope_init) -> instance
SelfAttention MultiHeadDotProductAttention MultiHeadAttention(num_heads!, dtype, param_dtype, qkv_features!)
  -> instance attention
Sequential(layers) -> instance layers=layers
BatchApply(f, num_dims!) -> instance
Fp8DirectDotGeneralOp Fp8DotGeneral Fp8DotGeneralOp Fp8Einsum NANOOFp8DotGeneralOp(amax_history_length) -> instance
@ model=linen_module call=tree
LSTMCell OptimizedLSTMCell GRUCell MGUCell(features!, gate_fn, activation_fn) -> instance
SimpleCell(features!, activation_fn, kernel_init, recurrent_kernel_init, ...) -> instance
ConvLSTMCell(features!, kernel_size!, strides!, padding) -> instance
RNN(cell, time_major!, return_carry!, reverse!) -> instance
Bidirectional(forward_rnn, backward_rnn, merge_fn) -> instance
RNNCellBase(parent, name) -> instance base
@
LSTMCell.initialize_carry GRUCell.initialize_carry SimpleCell.initialize_carry(rng, input_shape#) -> tree
OptimizedLSTMCell.initialize_carry MGUCell.initialize_carry ConvLSTMCell.initialize_carry(rng, input_shape#) -> tree

# --- lifted transforms: the module (a class or a function's first argument) is argument 0 of what they wrap
jit(target, variables, rngs, static_argnums!, static_argnames, donate_argnums!)
  -> object model=jit fn=0 fn_name=target static_nums=static_argnums static_names=static_argnames
  donate_nums=donate_argnums family=linen
vmap(target, variable_axes, split_rngs, in_axes, out_axes, axis_size!, axis_name)
  -> object model=vmap fn=0 fn_name=target in_axes=in_axes family=linen
scan(target, variable_axes, variable_broadcast, variable_carry, split_rngs, in_axes, out_axes, length!, reverse!)
  -> object model=scan lifted fn=0 fn_name=target in_axes=in_axes out_axes=out_axes family=linen
remat_scan(target, lengths!, policy) -> object model=scan lifted fn=0 fn_name=target family=linen
checkpoint remat(target, variables, rngs, concrete, prevent_cse, static_argnums!, policy, methods)
  -> object model=checkpoint fn=0 fn_name=target static_nums=static_argnums family=linen
grad(fn, mdl, *primals) -> tree model=autodiff fn=0 fn_name=fn mode=lifted family=linen
value_and_grad(fn, mdl, *primals) -> arrays count=2 model=autodiff fn=0 fn_name=fn mode=lifted family=linen
vjp(fn, mdl, *primals) -> arrays count=2 model=autodiff fn=0 fn_name=fn mode=lifted family=linen
jvp(fn, mdl, primals, tangents, variable_tangents) -> arrays count=2 model=autodiff fn=0 fn_name=fn mode=lifted
  family=linen
custom_vjp(fn, forward_fn, backward_fn, grad_vars, nondiff_argnums)
  -> object model=custom_derivative fn=0 fn_name=fn kind=vjp family=linen
cond(pred, true_fun, false_fun, mdl, *operands) -> tree model=cond family=linen
switch(index, branches, mdl, *operands) -> tree model=switch family=linen
while_loop(cond_fn, body_fn, mdl, init, carry_variables) -> tree model=while_loop family=linen
map_variables(target, mapped_collections, trans_in_fn, trans_out_fn) -> object model=passthrough_decorator fn=0
  fn_name=target
add_metadata_axis(target, variable_axes, metadata_params) -> object model=passthrough_decorator fn=0 fn_name=target
fold_rngs(target, variables, rngs) -> object model=passthrough_decorator fn=0 fn_name=target
named_call(class_fn, force) -> object model=passthrough_decorator fn=0 fn_name=class_fn

# --- functions
dot_product_attention(query, key, value, bias, mask, broadcast_dropout, dropout_rng) -> like attention
dot_product_attention_weights(query, key, bias, mask) -> array attention
make_attention_mask(query_input, key_input, pairwise_fn, extra_batch_dims!, dtype) -> array
make_causal_mask(x, extra_batch_dims!, dtype) -> array
combine_masks(*masks) -> array
avg_pool(inputs, window_shape!, strides!, padding, count_include_pad!) -> array
max_pool(inputs, window_shape!, strides!, padding) -> array
pool(inputs, init, reduce_fn, window_shape!, strides!, padding) -> array
merge_param(name, a, b) -> unknown
share_scope(module, other) -> none
intercept_methods(interceptor) -> object
tabulate(module, rngs, depth) -> object
with_partitioning(fn, names, mesh) -> object calls=jax.nn.initializers.Initializer
with_logical_partitioning(fn, names, mesh, rules) -> object calls=jax.nn.initializers.Initializer
with_logical_constraint(x, logical_axis_resources, rules, mesh, fallback) -> same
logical_axis_rules(rules) -> object
logical_to_mesh(tree, rules) -> python
logical_to_mesh_axes(array_dim_names, rules) -> python
logical_to_mesh_sharding(tree, mesh, rules) -> python
set_logical_axis_rules(rules) -> none
get_logical_axis_rules() -> python
get_partition_spec(tree) -> python
get_sharding(tree, mesh) -> python
unbox(tree) -> same
Partitioned LogicallyPartitioned(value, names, mesh) -> object
enable_named_call disable_named_call() -> none
override_named_call(enable) -> object
DenyList(deny) -> object
broadcast -> object
PARTITION_NAME -> str value=partition_name
""",
    "flax.linen.initializers": """
zeros_init ones_init() -> object calls=jax.nn.initializers.Initializer nodispatch
""",
    "flax.linen.partitioning": """
param_with_axes(name, init_fn, *init_args) -> array model=linen_module param
variable_with_axes(collection, name, init_fn, *init_args) -> object
with_sharding_constraint(x, logical_axis_resources, rules, mesh, fallback) -> same
axis_rules(rules) -> object
scan_with_axes(target, variable_axes, variable_broadcast, variable_carry, split_rngs)
  -> object model=scan lifted fn=0 fn_name=target family=linen
vmap_with_axes(target, variable_axes, split_rngs, in_axes, out_axes)
  -> object model=vmap fn=0 fn_name=target in_axes=in_axes family=linen
get_axis_names(axes_metadata) -> python
# its static_argnums do not count `self`, unlike those of `nn.remat`
remat(target, variables, rngs, concrete, prevent_cse, static_argnums!, policy, methods)
  -> object model=passthrough_decorator fn=0 fn_name=target
""",
    "flax.struct": """
dataclass(clz) -> same model=dataclass pytree decorator_factory static_marker=pytree_node
field(pytree_node, *, metadata) -> unknown model=dataclass_field static_marker=pytree_node
PyTreeNode() -> instance model=dataclass base pytree static_marker=pytree_node
""",
    "flax.core": """
freeze(xs) -> same
unfreeze(x) -> same
copy(x, add_or_replace) -> same
pop(x, key) -> arrays count=2 each=tree nodispatch
FrozenDict(*args) -> python model=builtin like=dict
FrozenDict.unfreeze() -> same
FrozenDict.copy(add_or_replace) -> same
FrozenDict.pop(key) -> arrays count=2 each=tree nodispatch
Scope DenyList AxisMetadata -> python class
unbox(tree) -> same
apply init lazy_init(fn, mutable) -> object model=linen_module apply_function
jit(fn, variables, rngs, static_argnums!, static_argnames, donate_argnums!)
  -> object model=jit fn=0 fn_name=fn static_nums=static_argnums family=linen
vmap(fn, variable_axes, split_rngs, in_axes, out_axes) -> object model=vmap fn=0 fn_name=fn in_axes=in_axes
  family=linen
scan(fn, variable_axes, variable_broadcast, variable_carry, split_rngs, in_axes, out_axes, length!, reverse!)
  -> object model=scan lifted fn=0 fn_name=fn family=linen
remat(fn, variables, rngs, concrete, prevent_cse, static_argnums!, policy)
  -> object model=checkpoint fn=0 fn_name=fn static_nums=static_argnums family=linen
pretty_repr(x, num_spaces) -> str reads=print
""",
    "flax.training.train_state": """
TrainState(step, apply_fn, params, tx, opt_state) -> instance model=train_state static=apply_fn,tx
TrainState.create(*, apply_fn, params, tx) -> instance model=train_state static=apply_fn,tx create
TrainState.apply_gradients(*, grads) -> same model=train_state step
TrainState.replace(*) -> same model=dataclass_replace
TrainState.apply_fn(variables, *args) -> tree
TrainState.step -> array
TrainState.params TrainState.opt_state -> tree
TrainState.tx -> instance of=optax.GradientTransformation
""",
    "flax.training.checkpoints": """
save_checkpoint save_checkpoint_multiprocess(ckpt_dir, target, step, prefix, keep, overwrite)
  -> str effect=file reads=numpy blocks model=flax_checkpoint
restore_checkpoint(ckpt_dir, target, step, prefix) -> tree effect=file host model=flax_checkpoint
latest_checkpoint(ckpt_dir, prefix) -> str effect=file
available_steps(ckpt_dir, prefix) -> python effect=file
convert_pre_linen(params) -> tree
AsyncManager(max_workers) -> object
""",
    "flax.training.common_utils": """
shard(xs) -> tree
shard_prng_key(prng_key) -> keys
onehot(labels, num_classes#, on_value, off_value) -> array
stack_forest(forest) -> tree
get_metrics(device_metrics) -> tree host reads=numpy blocks
""",
    "flax.training.early_stopping": """
EarlyStopping(min_delta, patience, best_metric, patience_count, should_stop, has_improved) -> instance
EarlyStopping.update(metric) -> same reads=item blocks
EarlyStopping.reset() -> same
EarlyStopping.should_stop EarlyStopping.has_improved -> bool
""",
    "flax.training.dynamic_scale": """
DynamicScale(growth_factor, backoff_factor, growth_interval) -> instance model=train_state static=growth_factor
DynamicScale.value_and_grad(fun, argnums, has_aux, axis_name)
  -> object model=value_and_grad fn=0 fn_name=fun value=True dynamic_scale
""",
    "flax.training.lr_schedule": """
create_constant_learning_rate_schedule(base_learning_rate, steps_per_epoch, warmup_length)
  -> object model=schedule calls=optax.Schedule
create_cosine_learning_rate_schedule(base_learning_rate, steps_per_epoch, halfcos_epochs, warmup_length)
  -> object model=schedule calls=optax.Schedule
create_stepped_learning_rate_schedule(base_learning_rate, steps_per_epoch, lr_sched_steps, warmup_length)
  -> object model=schedule calls=optax.Schedule
""",
    "flax.training.orbax_utils": """
save_args_from_target(target) -> object
restore_args_from_target(target, mesh) -> object
""",
    "flax.training.prefetch_iterator": """
PrefetchIterator(data_iter, buffer_size!) -> object model=loader wraps=data_iter
""",
    "flax.jax_utils": """
replicate(tree, devices, axis_name) -> tree
unreplicate(tree) -> tree
prefetch_to_device(iterator, size!, devices, axis_name) -> object model=loader wraps=iterator device
pmean(xs, axis_name) -> same
pad_shard_unpad(wrapped, static_argnums, static_argnames, static_return)
  -> object model=passthrough_decorator fn=0 fn_name=wrapped host_result
scan_in_dim(body_fn, init, xs, axis!, unroll!, keepdims!) -> tree model=scan
partial_eval_by_shape(fn, input_spec, *args) -> python
""",
    "flax.traverse_util": """
flatten_dict(xs, keep_empty_nodes, is_leaf, sep) -> tree model=flatten_dict nodispatch
unflatten_dict(xs, sep) -> tree nodispatch
path_aware_map(f, nested_dict) -> tree model=tree_map_with_path
ModelParamTraversal(filter_fn) -> object
""",
    "flax.serialization": """
to_bytes(target) -> bytes reads=numpy blocks
msgpack_serialize(pytree, in_place) -> bytes reads=numpy blocks
from_bytes(target, encoded_bytes) -> tree host
msgpack_restore(encoded_pytree) -> tree host
to_state_dict(target) -> tree nodispatch
from_state_dict(target, state, name) -> same
register_serialization_state(ty, ty_to_state_dict, ty_from_state_dict, override) -> none
is_serializable(target) -> bool
""",
    "flax.metrics.tensorboard": """
SummaryWriter(log_dir, auto_flush) -> instance effect=file
SummaryWriter.scalar(tag, value, step) -> none model=tracker effect=file reads=numpy blocks
SummaryWriter.image SummaryWriter.histogram SummaryWriter.audio(tag, value, step)
  -> none model=tracker effect=file reads=numpy blocks
SummaryWriter.text SummaryWriter.hparams(tag, textdata, step) -> none model=tracker effect=file
SummaryWriter.flush SummaryWriter.close() -> none effect=file
""",
    "flax.optim": """
@ removed=0.6
Adam GradientDescent Momentum RMSProp LAMB LARS Adafactor Adagrad WeightNorm(learning_rate) -> object
Optimizer -> python class
""",
    "flax.errors": """
@ exception
FlaxError TraceContextError(message) -> object
ScopeParamShapeError(param_name, scope_path, value_shape, init_shape) -> object
InvalidRngError(msg) -> object
ModifyScopeVariableError(col, variable_name, scope_path) -> object
JaxTransformError(message) -> object
ScopeCollectionNotFound(col_name, var_name, scope_path) -> object
ScopeVariableNotFoundError(name, col, scope_path) -> object
NameInUseError(key_type, value, module_name) -> object
""",
}
