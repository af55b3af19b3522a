"""orbax, haiku, chex, numpyro, jaxopt, distrax: what programs use of them."""

TABLES = {
    "orbax.checkpoint": """
# saving copies to the host before it returns (blocks), writing goes on after it for the asynchronous ones
@ model=orbax effect=file
CheckpointManager(directory, checkpointers, options, metadata, item_names, item_handlers) -> instance asynchronous
CheckpointManager.save(step, items, save_kwargs, metrics, force, args) -> bool blocks reads=numpy save
CheckpointManager.restore(step, items, restore_kwargs, directory, args) -> tree restore
CheckpointManager.wait_until_finished CheckpointManager.is_saving_in_progress() -> none wait
CheckpointManager.close() -> none wait
CheckpointManager.latest_step CheckpointManager.best_step() -> int
CheckpointManager.all_steps(read) -> python
CheckpointManager.should_save CheckpointManager.reached_preemption(step) -> bool
CheckpointManager.item_metadata CheckpointManager.metadata CheckpointManager.metrics(step) -> object
CheckpointManager.delete(step) -> none
CheckpointManager.reload CheckpointManager.check_for_errors() -> none
CheckpointManager.directory -> object
StandardCheckpointer(*) -> instance asynchronous
AsyncCheckpointer(handler, timeout_secs) -> instance asynchronous
PyTreeCheckpointer(primary_host, use_ocdbt) -> instance
Checkpointer(handler, *) -> instance
StandardCheckpointer.save(directory, state, *) -> none blocks reads=numpy save
StandardCheckpointer.restore(directory, target, *) -> tree restore
AsyncCheckpointer.save PyTreeCheckpointer.save Checkpointer.save(directory, *args) -> none blocks reads=numpy save
AsyncCheckpointer.restore PyTreeCheckpointer.restore Checkpointer.restore(directory, *args) -> tree restore
StandardCheckpointer.wait_until_finished AsyncCheckpointer.wait_until_finished() -> none wait
StandardCheckpointer.close AsyncCheckpointer.close PyTreeCheckpointer.close Checkpointer.close() -> none wait
StandardCheckpointer.metadata AsyncCheckpointer.metadata PyTreeCheckpointer.metadata(directory) -> object
Checkpointer.metadata(directory) -> object
@
CheckpointManagerOptions(save_interval_steps, max_to_keep) -> object model=orbax
AsyncOptions(timeout_secs) -> object
StandardCheckpointHandler PyTreeCheckpointHandler JsonCheckpointHandler ArrayCheckpointHandler(...) -> object
CompositeCheckpointHandler(*args) -> object
BasePyTreeCheckpointHandler ProtoCheckpointHandler JaxRandomKeyCheckpointHandler(...) -> object
NumpyRandomKeyCheckpointHandler CompositeOptions DefaultCheckpointHandlerRegistry(...) -> object
SaveArgs RestoreArgs ArrayRestoreArgs Transform RestoreTransform(...) -> object
AbstractCheckpointer AbstractCheckpointManager AsyncCheckpointHandler CheckpointHandler Future -> python class
CheckpointHandlerRegistry -> python class
PLACEHOLDER -> object
apply_transformations(original_tree, transformations, new_tree, default_to_original) -> tree
merge_trees(*trees) -> tree
""",
    "orbax.checkpoint.args": """
StandardSave PyTreeSave ArraySave JaxRandomKeySave(item, save_args) -> object model=orbax item=item
JsonSave NumpyRandomKeySave ProtoSave(item) -> object model=orbax item=item
PyTreeRestore ArrayRestore NumpyRandomKeyRestore(item, restore_args) -> object model=orbax item=item
StandardRestore(item, strict, support_layout, fallback_sharding) -> object model=orbax item=item
JsonRestore(item) -> object model=orbax item=item
JaxRandomKeyRestore(restore_args) -> object model=orbax item=item
ProtoRestore(item) -> object model=orbax item=item
Composite(**items) -> object model=orbax item=items
CheckpointArgs -> python class
""",
    "orbax.checkpoint.utils": """
to_shape_dtype_struct(arr, dtype, scalar_dtype, support_format) -> python
""",
    "orbax.checkpoint.checkpoint_utils": """
construct_restore_args(target, sharding_tree, set_global_shape, support_layout) -> object
checkpoints_iterator(checkpoint_dir) -> object
""",
    "haiku": """
transform transform_with_state(f, *) -> instance model=hk_transform fn=0 fn_name=f
multi_transform multi_transform_with_state(f) -> instance model=hk_transform fn=0 fn_name=f multi
without_apply_rng without_state with_empty_state(f) -> same model=hk_transform strip
Transformed TransformedWithState MultiTransformed MultiTransformedWithState(init, apply) -> instance model=hk_transform
  pair
Transformed.init TransformedWithState.init(rng, *args) -> tree model=hk_transform init
Transformed.apply TransformedWithState.apply(params, *args) -> tree model=hk_transform apply
get_parameter(name, shape#, dtype, init) -> array
get_state(name, shape#, dtype, init) -> array
set_state(name, value) -> none accepts_tracers
get_params get_current_state get_initial_state() -> tree
next_rng_key maybe_next_rng_key() -> key
next_rng_keys(num!) -> keys
reserve_rng_keys(num!) -> none
PRNGSequence(key_or_seed) -> instance model=nnx_rngs haiku
with_rng(key) -> object
running_init() -> bool nodispatch
current_name() -> str nodispatch
# haiku's own transforms carry module state; they trace like jax's
grad(fun, argnums!, has_aux!, holomorphic!) -> object model=grad fn=0 fn_name=fun value=False family=haiku
value_and_grad(fun, argnums!, has_aux!, holomorphic!)
  -> object model=value_and_grad fn=0 fn_name=fun value=True family=haiku
vmap(fun, in_axes, out_axes, axis_name, axis_size!, *, split_rng)
  -> object model=vmap fn=0 fn_name=fun in_axes=in_axes family=haiku decorator_factory
remat(fun, *, prevent_cse, policy, static_argnums!)
  -> object model=checkpoint fn=0 fn_name=fun static_nums=static_argnums family=haiku
eval_shape(fun, *args) -> python model=eval_shape fn=0 fn_name=fun family=haiku
scan(f, init, xs, length!, reverse!, unroll!) -> tree model=scan family=haiku
map(f, xs) -> tree model=lax_map family=haiku
cond(pred, true_fun, false_fun, *operands) -> tree model=cond family=haiku
switch(index, branches, *operands) -> tree model=switch family=haiku
fori_loop(lower, upper, body_fun, init_val) -> tree model=fori_loop family=haiku
while_loop(cond_fun, body_fun, init_val) -> tree model=while_loop family=haiku
dynamic_unroll static_unroll(core, input_sequence, initial_state, time_major!) -> tree
layer_stack(num_layers!, with_per_layer_inputs!) -> object model=passthrough_decorator decorator_factory
lift lift_with_state transparent_lift transparent_lift_with_state(init_fn, *) -> object model=passthrough_decorator fn=0
  fn_name=init_fn
transparent(method) -> object model=passthrough_decorator fn=0 fn_name=method
to_module(f) -> object model=passthrough_decorator fn=0 fn_name=f
name_like(method_name) -> object model=passthrough_decorator decorator_factory
expand_apply(f, axis!) -> object model=passthrough_decorator fn=0 fn_name=f
dropout(rng, rate, x, broadcast_dims!) -> array like=2 consumes=rng
one_hot(x, num_classes#, dtype) -> array
multinomial(rng, logits, num_samples#) -> array consumes=rng
avg_pool max_pool(value, window_shape!, strides!, padding) -> array
name_scope force_name(name, *) -> object
intercept_methods(interceptor) -> object
custom_creator(creator) -> object
custom_getter(getter) -> object
custom_setter(setter) -> object
get_channel_index(data_format) -> int nodispatch
maybe_get_rng_sequence_state() -> unknown
replace_rng_sequence_state(state) -> none
to_dot(fun) -> object
Deferred(factory, call_methods) -> object
GetterContext SetterContext MethodContext ModuleProtocol SupportsCall EmbedLookupStyle -> python class
LiftWithStateUpdater LayerStackTransparencyMapping -> python class
Module(name) -> instance model=linen_module base haiku
Params State MutableParams MutableState -> python class
@ model=linen_module call=array haiku
Linear Bias(output_size!) -> instance
Embed(vocab_size!, embed_dim!) -> instance
Conv1D Conv2D Conv3D(output_channels!, kernel_shape!, stride!, rate!, padding) -> instance
Conv1DTranspose Conv2DTranspose Conv3DTranspose(output_channels!, kernel_shape!, stride!) -> instance
ConvND ConvNDTranspose(num_spatial_dims!, output_channels!, kernel_shape!) -> instance
DepthwiseConv1D DepthwiseConv2D DepthwiseConv3D(channel_multiplier!, kernel_shape!) -> instance
BatchNorm(create_scale!, create_offset!, decay_rate) -> instance
LayerNorm RMSNorm(axis!) -> instance
GroupNorm(groups!) -> instance
InstanceNorm(create_scale!, create_offset!) -> instance
SpectralNorm(eps, n_steps!) -> instance
Sequential(layers, name) -> instance layers=layers
MultiHeadAttention(num_heads!, key_size!) -> instance attention
Flatten(preserve_dims!) -> instance
Reshape(output_shape!, preserve_dims!) -> instance
AvgPool MaxPool(window_shape!, strides!, padding) -> instance
BatchApply(f, num_dims!) -> instance
ExponentialMovingAverage(decay) -> instance
nets.MLP(output_sizes!, w_init, b_init, with_bias!) -> instance
nets.ResNet18 nets.ResNet34 nets.ResNet50 nets.ResNet101(num_classes!) -> instance
@ model=linen_module call=tree haiku
LSTM GRU VanillaRNN(hidden_size!) -> instance
DeepRNN(layers) -> instance
Conv1DLSTM Conv2DLSTM Conv3DLSTM(input_shape!, output_channels!, kernel_shape!) -> instance
deep_rnn_with_skip_connections(layers) -> instance
RNNCore IdentityCore(name) -> instance
ResetCore(core, name) -> instance
EMAParamsTree(decay) -> instance
SNParamsTree(eps, n_steps, ignore_regex, name) -> instance
nets.VectorQuantizer nets.VectorQuantizerEMA(embedding_dim!, num_embeddings!) -> instance
@
LSTM.initial_state GRU.initial_state VanillaRNN.initial_state(batch_size!) -> tree
LSTMState(hidden, cell) -> tree
""",
    "haiku.initializers": """
@ calls=jax.nn.initializers.Initializer
Constant(constant) -> object
RandomNormal TruncatedNormal(stddev, mean) -> object
RandomUniform(minval, maxval) -> object
VarianceScaling(scale, mode, distribution) -> object
UniformScaling(scale) -> object
Orthogonal(scale, axis) -> object
Identity(gain) -> object
""",
    "chex": """
# static: they look at shapes, dtypes and structure, which a trace knows
@ asserts
assert_shape(inputs, expected_shapes) -> none
assert_rank(inputs, expected_ranks) -> none
assert_type(inputs, expected_types) -> none
assert_size(inputs, expected_sizes) -> none
assert_equal_shape assert_equal_rank assert_equal_size(inputs) -> none
assert_equal_shape_prefix(inputs, prefix_len) -> none
assert_equal_shape_suffix(inputs, suffix_len) -> none
assert_axis_dimension(tensor, axis, expected) -> none
assert_axis_dimension_gt assert_axis_dimension_gteq(tensor, axis, val) -> none
assert_axis_dimension_lt assert_axis_dimension_lteq(tensor, axis, val) -> none
assert_axis_dimension_comparator(tensor, axis, pass_fn, error_string) -> none
assert_is_broadcastable(shape_a, shape_b) -> none
assert_is_divisible(numerator, denominator) -> none
assert_exactly_one_is_none assert_not_both_none(first, second) -> none
assert_tree_shape(tree, expected_shape) -> none
assert_tree_shape_prefix(tree, shape_prefix) -> none
assert_tree_shape_suffix(tree, shape_suffix) -> none
assert_tree_no_nones assert_tree_has_only_ndarrays(tree) -> none
assert_tree_is_on_device assert_tree_is_on_host assert_tree_is_sharded(tree, *) -> none
assert_trees_all_equal_dtypes assert_trees_all_equal_shapes assert_trees_all_equal_shapes_and_dtypes(*trees) -> none
assert_trees_all_equal_sizes assert_trees_all_equal_structs(*trees) -> none
assert_devices_available(n, devtype) -> none
assert_gpu_available assert_tpu_available(backend) -> none
assert_scalar(x) -> none python
# value asserts: they read the arrays, so under a trace they need chexify
@ asserts value reads=numpy blocks
assert_scalar_in(x, min_, max_, included) -> none
assert_scalar_negative assert_scalar_non_negative assert_scalar_positive(x) -> none
assert_equal(first, second) -> none
assert_tree_all_finite(tree_like) -> none
assert_trees_all_close assert_trees_all_close_ulp assert_trees_all_equal(*trees) -> none
assert_trees_all_equal_comparator(equality_comparator, error_msg_fn, *trees) -> none
assert_numerical_grads(f, f_args, order, atol) -> none
@
assert_max_traces(fn, n) -> object model=passthrough_decorator fn=0 fn_name=fn decorator_factory
chexify(fn, async_check, errors) -> object model=passthrough_decorator fn=0 fn_name=fn jittable_asserts
with_jittable_assertions(fn, async_check) -> object model=passthrough_decorator fn=0 fn_name=fn jittable_asserts
block_until_chexify_assertions_complete() -> none
clear_trace_counter() -> none
dataclass(cls, *) -> same model=dataclass pytree decorator_factory
mappable_dataclass(cls) -> same model=passthrough_decorator
register_dataclass_type_with_jax_tree_util(data_class) -> none
fake_jit fake_pmap(enable_patching) -> object
fake_pmap_and_jit(enable_pmap_patching, enable_jit_patching) -> object
disable_asserts enable_asserts() -> none
set_n_cpu_devices(n) -> none
create_deprecated_function_alias warn_deprecated_function(fun, ...) -> object model=passthrough_decorator
warn_only_n_pos_args_in_future warn_keyword_args_only_in_future(fun, ...) -> object model=passthrough_decorator
params_product(*params_lists) -> python
all_variants variants(test_method) -> object model=passthrough_decorator fn=0 fn_name=test_method
if_args_not_none(fn, *args) -> none
restrict_backends(*) -> object
TestCase -> python class
Array ArrayBatched ArrayDType ArrayDevice ArrayDeviceTree ArrayNumpy ArrayNumpyTree ArraySharded -> python class
ArrayTree -> python class
ChexVariantType ChexifyChecks Device Dimensions Numeric PRNGKey PyTreeDef Scalar Shape -> python class
""",
    "numpyro": """
sample(name, fn, obs, rng_key, sample_shape, infer, obs_mask) -> array effectful
param(name, init_value) -> array
deterministic(name, value) -> same like=1
factor(name, log_factor) -> none accepts_tracers
plate(name, size!, subsample_size!, dim!) -> object
plate_stack(prefix, sizes!) -> object
subsample(data, event_dim!) -> same
module(name, nn, input_shape) -> object
prng_key() -> key
set_platform(platform) -> none
set_host_device_count(n) -> none
enable_x64(use_x64) -> none
enable_validation(is_validate) -> none
render_model(model, model_args) -> object effect=file
""",
    "numpyro.infer": """
# they run compiled programs; print_summary and a progress bar read the device
MCMC(sampler, *, num_warmup!, num_samples!, num_chains!) -> instance
MCMC.run(rng_key, *args) -> none stages_model reads_progress consumes=rng_key
MCMC.warmup(rng_key, *args) -> none stages_model consumes=rng_key
MCMC.get_samples MCMC.get_extra_fields(group_by_chain) -> tree
MCMC.print_summary(prob, exclude_deterministic) -> none effect=print reads=print blocks
MCMC.last_state MCMC.post_warmup_state -> tree
SVI(model, guide, optim, loss) -> instance
SVI.init(rng_key, *args) -> tree stages_model consumes=rng_key
SVI.update SVI.stable_update(svi_state, *args) -> arrays count=2
SVI.evaluate(svi_state, *args) -> array
SVI.get_params(svi_state) -> tree
SVI.run(rng_key, num_steps!, *args) -> tree stages_model blocks consumes=rng_key
NUTS HMC BarkerMH SA ESS AIES(model) -> object wraps=model
HMCGibbs DiscreteHMCGibbs MixedHMC HMCECS(inner_kernel) -> object
Predictive(model, posterior_samples, *) -> object calls=numpyro.infer.Predictive.__call__
Predictive.__call__(rng_key, *args) -> tree consumes=rng_key
Trace_ELBO TraceMeanField_ELBO TraceGraph_ELBO TraceEnum_ELBO ELBO(num_particles!) -> object
RenyiELBO(alpha, num_particles!) -> object
log_likelihood(model, posterior_samples, *args) -> tree
initialize_model(rng_key, model, *) -> tree consumes=rng_key
init_to_feasible init_to_mean init_to_median init_to_sample init_to_uniform init_to_value(site) -> object
""",
    "numpyro.handlers": """
block condition do infer_config lift mask reparam replay scale scope seed substitute trace uncondition(fn)
  -> object model=passthrough_decorator fn=0 fn_name=fn decorator_factory
""",
    "numpyro.distributions": """
# distributions hold arrays
@ of=numpyro.distributions.Distribution
Normal Laplace Logistic Gumbel Cauchy LogNormal(loc, scale, ...) -> instance
StudentT(df, loc, scale, ...) -> instance
HalfNormal HalfCauchy(scale, ...) -> instance
MultivariateNormal(loc, covariance_matrix, precision_matrix, scale_tril, ...) -> instance
Uniform(low, high, ...) -> instance
Beta(concentration1, concentration0, ...) -> instance
Gamma InverseGamma(concentration, rate, ...) -> instance
Exponential(rate, ...) -> instance
Dirichlet(concentration, ...) -> instance
Bernoulli Categorical(probs, logits, ...) -> instance
Binomial Multinomial(...) -> instance
Poisson(rate, ...) -> instance
Delta(v, log_density, event_dim, ...) -> instance
LKJ LKJCholesky(dimension, concentration, ...) -> instance
MixtureSameFamily(mixing_distribution, component_distribution, ...) -> instance
TransformedDistribution(base_distribution, transforms, ...) -> instance
GaussianRandomWalk(scale, num_steps!, ...) -> instance
VonMises(loc, concentration, ...) -> instance
@
Distribution(batch_shape, event_shape, ...) -> instance
Distribution.sample(key, sample_shape#) -> array model=random_draw consumes=key
Distribution.log_prob(value, ...) -> array
Distribution.mean Distribution.variance -> array
Distribution.batch_shape Distribution.event_shape -> python
Distribution.expand(batch_shape) -> same
Distribution.to_event(reinterpreted_batch_ndims!) -> same
Distribution.mask(mask) -> same
constraints transforms -> object
""",
    "numpyro.optim": """
Adam SGD RMSProp Momentum Adagrad SM3(step_size) -> object
ClippedAdam(...) -> object
Minimize(method) -> object
optax_to_numpyro(transformation) -> object
""",
    "jaxopt": """
# solvers are jitted by default
GradientDescent ProximalGradient ProjectedGradient PolyakSGD ArmijoSGD LBFGS LBFGSB BFGS NonlinearCG(fun) -> instance
  of=jaxopt.Solver
OptaxSolver(fun, opt) -> instance of=jaxopt.Solver
FixedPointIteration AndersonAcceleration(fixed_point_fun) -> instance of=jaxopt.Solver
GaussNewton LevenbergMarquardt(residual_fun) -> instance of=jaxopt.Solver
Bisection(optimality_fun, lower, upper) -> instance of=jaxopt.Solver
BlockCoordinateDescent(fun, block_prox) -> instance of=jaxopt.Solver
MirrorDescent(fun, projection_grad) -> instance of=jaxopt.Solver
OSQP BoxOSQP EqualityConstrainedQP BoxCDQP(...) -> instance of=jaxopt.Solver
ScipyMinimize ScipyBoundedMinimize ScipyRootFinding ScipyLeastSquares(...) -> instance of=jaxopt.HostSolver
Solver.run(init_params, *args) -> arrays count=2
Solver.init_state(init_params, *args) -> tree
Solver.update(params, state, *args) -> arrays count=2
HostSolver.run(init_params, *args) -> arrays count=2 reads=numpy blocks
OptStep(params, state) -> tree
""",
    "distrax": """
# distributions are pytrees of arrays
Normal Laplace Logistic Gumbel(loc, scale) -> instance of=distrax.Distribution
MultivariateNormalDiag(loc, scale_diag) -> instance of=distrax.Distribution
LogStddevNormal(loc, log_scale, max_scale) -> instance of=distrax.Distribution
Categorical Bernoulli OneHotCategorical(logits, probs) -> instance of=distrax.Distribution
Uniform(low, high) -> instance of=distrax.Distribution
Beta(alpha, beta) -> instance of=distrax.Distribution
Gamma(concentration, rate) -> instance of=distrax.Distribution
Dirichlet(concentration) -> instance of=distrax.Distribution
Transformed(distribution, bijector) -> instance of=distrax.Distribution
Independent(distribution, reinterpreted_batch_ndims!) -> instance of=distrax.Distribution
MixtureSameFamily(mixture_distribution, components_distribution) -> instance of=distrax.Distribution
Softmax(logits) -> instance of=distrax.Distribution
Greedy(preferences, dtype) -> instance of=distrax.Distribution
EpsilonGreedy(preferences, epsilon, dtype) -> instance of=distrax.Distribution
Distribution.sample(*, seed, sample_shape) -> array model=random_draw consumes=seed
Distribution.sample_and_log_prob(*, seed, sample_shape) -> arrays count=2 model=random_draw consumes=seed
Distribution.log_prob Distribution.prob(value) -> array
Distribution.entropy Distribution.mode Distribution.mean Distribution.stddev Distribution.variance() -> array
Distribution.kl_divergence Distribution.cross_entropy(other_dist) -> array
Distribution.event_shape Distribution.batch_shape -> python
""",
}
