"""flax.nnx. Activations and initialisers fold into jax.nn (see `aliases`).

Layers: `call` is what calling the layer gives; `variables` are the attributes that hold arrays. Their integers,
strings, booleans and functions are static.
"""

TABLES = {
    "flax.nnx": """
# --- transforms: `family=nnx`: non-array leaves of the arguments are static, module state is carried in and out
jit(fun, *, in_shardings, out_shardings, static_argnums!, static_argnames, donate_argnums!, donate_argnames)
  -> object model=jit fn=0 fn_name=fun static_nums=static_argnums static_names=static_argnames
  donate_nums=donate_argnums donate_names=donate_argnames family=nnx decorator_factory
jit_partial(fun, *partial_args) -> object model=jit fn=0 fn_name=fun static_nums=static_argnums
  static_names=static_argnames donate_nums=donate_argnums donate_names=donate_argnames family=nnx binds
cached_partial(f, *cached_args) -> object model=partial cached
pmap(f, *, axis_name, in_axes, out_axes, static_broadcasted_argnums, donate_argnums)
  -> object model=pmap fn=0 fn_name=f static_nums=static_broadcasted_argnums donate_nums=donate_argnums
  in_axes=in_axes family=nnx decorator_factory
vmap(f, *, in_axes, out_axes, axis_name, axis_size!, spmd_axis_name, transform_metadata)
  -> object model=vmap fn=0 fn_name=f in_axes=in_axes family=nnx decorator_factory
shard_map(f, *, mesh, in_specs, out_specs, axis_names) -> object model=shard_map fn=0 fn_name=f decorator_factory
grad(f, *, argnums, has_aux!, holomorphic!, allow_int!)
  -> object model=grad fn=0 fn_name=f value=False family=nnx decorator_factory
value_and_grad(f, *, argnums, has_aux!, holomorphic!, allow_int!)
  -> object model=value_and_grad fn=0 fn_name=f value=True family=nnx decorator_factory
custom_vjp(fun, *, nondiff_argnums)
  -> object model=custom_derivative fn=0 fn_name=fun kind=vjp static_nums=nondiff_argnums decorator_factory
jvp(f, primals, tangents, *, has_aux) -> arrays model=autodiff fn=0 fn_name=f mode=jvp args=primals
vjp(f, *primals) -> object model=autodiff fn=0 fn_name=f mode=vjp
remat(f, *, prevent_cse, static_argnums!, policy)
  -> object model=checkpoint fn=0 fn_name=f static_nums=static_argnums decorator_factory family=nnx
scan(f, *, length#, reverse!, unroll!, in_axes, out_axes)
  -> object model=scan lifted fn=0 fn_name=f in_axes=in_axes out_axes=out_axes family=nnx decorator_factory
while_loop(cond_fun, body_fun, init_val) -> tree model=while_loop family=nnx
fori_loop(lower, upper, body_fun, init_val, *, unroll!) -> tree model=fori_loop family=nnx
cond(pred, true_fun, false_fun, *operands) -> tree model=cond family=nnx
switch(index, branches, *operands) -> tree model=switch family=nnx
eval_shape(f, *args) -> python model=eval_shape fn=0 fn_name=f family=nnx
make_jaxpr(f, *, static_argnums!) -> object model=make_jaxpr fn=0 fn_name=f static_nums=static_argnums
checkify(f, errors) -> object model=vmap fn=0 fn_name=f traces returns_error family=nnx
split_rngs fork_rngs(node, *, splits, split, only) -> object model=nnx_rngs scoped decorator_factory
transform_metadata(f, *) -> object model=passthrough_decorator fn=0 fn_name=f decorator_factory
with_rngs with_vars with_attributes(node) -> object model=passthrough_decorator fn=0 fn_name=node decorator_factory
capture(fn, *var_types) -> object model=passthrough_decorator fn=0 fn_name=fn returns_pair

# --- graph functions
split(node, *filters) -> arrays model=nnx_split
merge(graphdef_or_graphstate, *states) -> object model=nnx_merge
update(node, state, *states) -> none model=nnx_update
state(node, *filters) -> tree model=nnx_split only=state
graphdef(node) -> python model=nnx_split only=graphdef
variables(node, *filters) -> tree model=nnx_split only=state
clone(node, variables) -> same model=nnx_clone
pop(node, *filters) -> tree
flatten(node, *) -> arrays count=2
unflatten(graphdef, state) -> object model=nnx_merge
view(node) -> same
as_abstract(tree) -> tree
abstract_with_sharding(tree) -> tree
get_abstract_model(init_fn, mesh) -> tree
pure as_pure(tree) -> tree
to_pure_dict(state, extract_fn) -> tree
replace_by_pure_dict(state, pure_dict, replace_fn) -> none
restore_int_paths(pure_dict) -> tree
to_flat_state(state) -> tree
from_flat_state(flat_state) -> tree
merge_state(state, *states) -> tree
split_state filter_state(state, first, *filters) -> tree
map_state(f, state) -> tree
map recursive_map(f, node) -> tree
iter_graph iter_children iter_module_children(node) -> python
iter_modules(module) -> python
find_duplicates(node) -> python
get_partition_spec(tree) -> python
get_named_sharding(tree, mesh) -> python
with_partitioning(initializer, sharding, mesh) -> object model=nnx_partitioned calls=jax.nn.initializers.Initializer
with_metadata(...) -> object calls=jax.nn.initializers.Initializer
set_metadata(node, *, only) -> none
reseed(node) -> none
restore_rngs(backups) -> none
tabulate(obj, *input_args) -> str
display(*args) -> none effect=print
call(graphdef_state) -> object
to_tree from_tree(tree, *) -> tree
unpack(node, *filters) -> arrays model=nnx_split
vars_as(node, *) -> same
view_info(node) -> str
check_pytree(pytree) -> none
split_context(ctxtag) -> object
merge_context(ctxtag, inner) -> object
update_context current_update_context(tag) -> object
Data Static NodeStates PureState -> python class
data static(value) -> same model=nnx_registered
is_data has_data(value) -> bool
dataclass(cls, *) -> same model=dataclass decorator_factory
register_data_type(type_) -> same
register_variable_name(name, typ) -> same model=passthrough_decorator
variable_type_from_name(name) -> python
variable_name_from_type(typ) -> python
use_eager_sharding set_graph_mode set_graph_updates(value) -> object
using_eager_sharding() -> bool
var_defaults(*) -> object
prefix(node, filter_map) -> object
StateAxes(filter_axes) -> object
StateSharding(filter_sharding) -> object
DiffState(argnum, filter) -> object
Carry -> object
All Any Everything Nothing(*filters) -> object filter
Not OfType PathContains WithTag(...) -> object filter
PARTITION_NAME -> str value=partition_name

# --- values
Rngs(default) -> instance model=nnx_rngs
RngStream(key, *, tag) -> instance model=nnx_rngs stream
Param BatchStat Cache Intermediate LoRAParam OptState OptArray OptVariable Perturbation RngKey RngCount RngState(value)
  -> instance model=nnx_variable
Variable(value) -> instance model=nnx_variable
Variable.value -> array
Variable.get_value() -> array
Variable.set_value(value) -> none
Variable.copy_from(other) -> none
Variable.get_metadata(name, default) -> python
Variable.type -> python
State(mapping) -> tree
GraphDef -> python class
GraphDef.apply(state, *states) -> object
GraphState FlatState VariableMetadata UpdateContext SplitContext MergeContext -> python class
Optimizer(model, tx, *, wrt) -> instance model=nnx_optimizer
Optimizer.update(model, grads) -> none model=nnx_optimizer update
ModelAndOptimizer(model, tx, *, wrt) -> instance model=nnx_optimizer
ModelAndOptimizer.update(grads) -> none model=nnx_optimizer update
TrainState(graphdef, params, opt_state, step, tx) -> instance model=train_state static=graphdef,tx
TrainState.create(graphdef, *, params, tx, step) -> instance model=train_state static=graphdef,tx
TrainState.apply_gradients(grads) -> instance of=flax.nnx.TrainState
EMA(params, decay) -> instance model=nnx_module
Metric() -> instance model=nnx_metric
MultiMetric(**metrics) -> instance model=nnx_metric
metrics.Average(argname) -> instance model=nnx_metric
metrics.Accuracy(threshold, *args) -> instance model=nnx_metric
metrics.Welford(argname) -> instance model=nnx_metric
Metric.update(**kwargs) -> none accepts_tracers
Metric.compute() -> array
Metric.reset() -> none
MultiMetric.update(**kwargs) -> none accepts_tracers
MultiMetric.compute() -> tree model=nnx_metric compute
MultiMetric.reset() -> none
metrics.Average.update(**kwargs) -> none accepts_tracers
metrics.Accuracy.update(*, logits, labels) -> none accepts_tracers
metrics.Welford.update(**kwargs) -> none accepts_tracers
metrics.Average.compute metrics.Accuracy.compute metrics.Welford.compute() -> array
metrics.Average.reset metrics.Accuracy.reset metrics.Welford.reset() -> none

# --- modules
Module Object Pytree() -> instance model=nnx_module base
Module.train Module.eval() -> none
Module.set_attributes(*filters) -> none
Module.sow(variable_type, name, value) -> bool
Module.perturb(name, value) -> array like=1
Module.iter_modules Module.iter_children() -> python
List(it) -> python model=builtin like=list nnx
Dict(*args) -> python model=builtin like=dict nnx
Sequential(*fns) -> instance model=nnx_module call=array layers=fns
@ model=nnx_module call=array
Linear(in_features!, out_features!, *, use_bias!, dtype, rngs)
  -> instance variables=kernel,bias last=out_features fan_in=in_features
LinearGeneral(in_features!, out_features!, *, axis!, rngs) -> instance variables=kernel,bias
Einsum(einsum_str, kernel_shape!, bias_shape!, *, rngs) -> instance variables=kernel,bias
Conv(in_features!, out_features!, kernel_size!, strides!, *, rngs) -> instance variables=kernel,bias
ConvTranspose(in_features!, out_features!, kernel_size!, strides!, *, rngs) -> instance variables=kernel,bias
Embed(num_embeddings!, features!, *, rngs)
  -> instance variables=embedding appends=features rows=num_embeddings
Embed.attend(query) -> array
BatchNorm(num_features!, *, use_running_average!, momentum, rngs) -> instance variables=scale,bias,mean,var
LayerNorm(num_features!, *, epsilon, rngs) -> instance variables=scale,bias
RMSNorm(num_features!, *, epsilon, rngs) -> instance variables=scale
GroupNorm(num_features!, num_groups!, group_size!, *, rngs) -> instance variables=scale,bias
InstanceNorm(num_features!, *, rngs) -> instance variables=scale,bias
SpectralNorm WeightNorm(layer_instance, *, rngs) -> instance
Dropout(rate, *, broadcast_dims!, deterministic!, rng_collection, rngs) -> instance variables=
PReLU(negative_slope_init) -> instance variables=negative_slope
MultiHeadAttention(num_heads!, in_features!, qkv_features!, out_features!, *, decode!, rngs)
  -> instance attention
MultiHeadAttention.init_cache(input_shape#, dtype) -> none
LoRA(in_features!, lora_rank!, out_features!, *, rngs) -> instance variables=lora_a,lora_b
LoRALinear(in_features!, out_features!, *, lora_rank!, rngs) -> instance variables=kernel,bias
@ model=nnx_module call=tree
LSTMCell OptimizedLSTMCell GRUCell SimpleCell(in_features!, hidden_features!, *, rngs) -> instance
RNN(cell, *, time_major!, return_carry!, reverse!) -> instance
Bidirectional(forward_rnn, backward_rnn, *) -> instance
RNNCellBase() -> instance base
@
LSTMCell.initialize_carry GRUCell.initialize_carry(input_shape#, rngs, carry_init) -> tree
SimpleCell.initialize_carry OptimizedLSTMCell.initialize_carry(input_shape#, rngs, carry_init) -> tree

# --- functions on arrays that jax.nn lacks
dot_product_attention(query, key, value, bias, mask) -> like attention
make_attention_mask(query_input, key_input, pairwise_fn) -> array
make_causal_mask(x, extra_batch_dims!, dtype) -> array
combine_masks(*masks) -> array
avg_pool(inputs, window_shape!, strides!, padding, count_include_pad!) -> array
max_pool min_pool(inputs, window_shape!, strides!, padding) -> array
pool(inputs, init, reduce_fn, window_shape!, strides!, padding) -> array

# --- gone or renamed
VariableState(value) -> instance model=nnx_variable deprecated
GraphNode -> python class removed=0.11
""",
    "flax.nnx.bridge": """
ToNNX(module, rngs) -> instance model=nnx_module call=unknown
ToLinen(nnx_class, *, args) -> instance model=linen_module call=unknown
to_linen(nnx_class, *args) -> instance model=linen_module call=unknown
lazy_init(fn, *args) -> object
Module() -> instance model=nnx_module base
""",
}
