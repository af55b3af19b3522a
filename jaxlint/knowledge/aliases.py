"""The spellings that fold into one, and the public homes of what private modules define.

`tests/knowledge` checks them against the installed libraries: both sides are the same object.
"""

from __future__ import annotations


def _parse(text: str) -> dict[str, str]:
    """`a b -> c` says that a and b are spellings of c; `a.{x,y} -> c.*` says so of a.x (c.x) and a.y (c.y)."""
    table: dict[str, str] = {}
    for line in text.split("\n"):
        spellings, arrow, target = line.partition(" -> ")
        if arrow:
            for spelling in spellings.split():
                stem, brace, members = spelling.partition("{")
                if not brace:
                    table[spelling] = target
                    continue
                for member in members.rstrip("}").split(","):
                    table[stem + member] = target.replace("*", member)
    return table


_ACTIVATIONS = (
    "celu,elu,gelu,glu,hard_sigmoid,hard_silu,hard_swish,hard_tanh,identity,leaky_relu,log_sigmoid,log_softmax,"
    "logsumexp,one_hot,relu,relu6,selu,sigmoid,silu,soft_sign,softmax,softplus,standardize,swish,tanh"
)
_INITIALIZERS = (
    "Initializer,constant,delta_orthogonal,glorot_normal,glorot_uniform,he_normal,he_uniform,kaiming_normal,"
    "kaiming_uniform,lecun_normal,lecun_uniform,normal,ones,orthogonal,truncated_normal,uniform,variance_scaling,"
    "xavier_normal,xavier_uniform,zeros"
)
_OPTAX_TREE = (
    "add,add_scale,allclose,batch_shape,bias_correction,cast,cast_like,clip,conj,div,dtype,full_like,get,"
    "get_all_with_path,map_params,max,min,mul,norm,ones_like,random_like,real,scale,set,size,split_key_like,sub,sum,"
    "unwrap_random_key_data,update_infinity_moment,update_moment,update_moment_per_elem_norm,vdot,where,zeros_like"
)

# Prefixes: what follows a spelling is kept.
ALIASES = _parse(
    f"""
jax.tree_util.tree_{{map,leaves,structure,flatten,unflatten,reduce,transpose,all,map_with_path}} -> jax.tree.*
jax.tree_util.tree_{{flatten_with_path,leaves_with_path,broadcast,reduce_associative}} -> jax.tree.*
jax.tree_{{map,leaves,structure,flatten,unflatten,reduce,transpose,all,map_with_path}} -> jax.tree.*
jax.tree_multimap -> jax.tree_util.tree_multimap
jax.experimental.shard_map.shard_map -> jax.shard_map
jax.experimental.pjit.pjit -> jax.jit
jax.experimental.pjit.with_sharding_constraint -> jax.lax.with_sharding_constraint
jax.experimental.pjit.PartitionSpec jax.P jax.experimental.PartitionSpec -> jax.sharding.PartitionSpec
jax.interpreters.pxla.PartitionSpec -> jax.sharding.PartitionSpec
jax.NamedSharding -> jax.sharding.NamedSharding
jax.interpreters.pxla.Mesh jax.experimental.maps.Mesh -> jax.sharding.Mesh
jax.remat jax.ad_checkpoint.checkpoint jax.ad_checkpoint.remat -> jax.checkpoint
jax.experimental.io_callback.io_callback -> jax.experimental.io_callback
jax.experimental.enable_x64.enable_x64 -> jax.enable_x64
jax.custom_derivatives.{{custom_jvp,custom_vjp,custom_gradient,closure_convert}} -> jax.*
jax.custom_batching.custom_vmap.custom_vmap -> jax.custom_batching.custom_vmap
jax._src.core.{{Ref,ShapeDtypeStruct,empty_ref,ensure_compile_time_eval,free_ref,freeze,new_ref,typeof}} -> jax.*
jax._src.sharding_impls.make_mesh -> jax.make_mesh
jax._src.dtypes.dtype -> jax.lax.dtype
jax._src.pjit.with_sharding_constraint -> jax.lax.with_sharding_constraint
jax._src.ops.special.logsumexp -> jax.nn.logsumexp
jax.core.ShapeDtypeStruct -> jax.ShapeDtypeStruct
jax.api.{{jit,grad,vmap,pmap,value_and_grad}} -> jax.*
jax.interpreters.partial_eval.Tracer jax.interpreters.xla.Tracer -> jax.core.Tracer
jax.numpy.DeviceArray jax.interpreters.xla.DeviceArray -> jax.Array
jax.scipy.special.{{softmax,log_softmax}} -> jax.nn.*
jax.scipy.special.logsumexp -> jax.nn.logsumexp
jax.nn.tanh -> jax.numpy.tanh
jax.experimental.export -> jax.export
jax.sharding.reshard -> jax.reshard
jax.sharding.set_mesh -> jax.set_mesh
flax.nnx.{{{_ACTIVATIONS}}} flax.linen.{{{_ACTIVATIONS}}} -> jax.nn.*
flax.linen.activation.{{{_ACTIVATIONS}}} flax.nnx.nn.activations.{{{_ACTIVATIONS}}} -> jax.nn.*
flax.linen.normalize -> jax.nn.standardize
flax.linen.{{ones,zeros}} -> jax.nn.initializers.*
flax.linen.{{ones_init,zeros_init}} -> flax.linen.initializers.*
flax.linen.initializers.{{{_INITIALIZERS}}} flax.nnx.initializers.{{{_INITIALIZERS}}} -> jax.nn.initializers.*
flax.nnx.nn.initializers.{{{_INITIALIZERS}}} -> jax.nn.initializers.*
flax.nnx.initializers flax.nnx.nn.initializers -> flax.linen.initializers
flax.nnx.metrics.{{Metric,MultiMetric}} flax.nnx.training.metrics.{{Metric,MultiMetric}} -> flax.nnx.*
flax.nnx.training.metrics -> flax.nnx.metrics
flax.linen.FrozenDict flax.core.frozen_dict.FrozenDict -> flax.core.FrozenDict
flax.core.frozen_dict -> flax.core
flax.core.spmd.{{logical_axis_rules,get_logical_axis_rules,set_logical_axis_rules}} -> flax.linen.*
flax.core.meta.{{Partitioned,get_partition_spec,get_sharding,with_partitioning}} -> flax.linen.*
flax.core.meta.unbox -> flax.linen.unbox
flax.core.scope.{{DenyList,Variable}} -> flax.linen.*
flax.linen.pooling.min_pool -> flax.nnx.min_pool
flax.nnx.logical_axis_rules -> flax.linen.logical_axis_rules
flax.core.lift.{{jit,vmap,scan,remat}} -> flax.core.*
flax.linen.spmd.{{with_logical_constraint,with_logical_partitioning,logical_to_mesh,logical_axis_rules}} -> flax.linen.*
flax.linen.partitioning.{{logical_to_mesh,logical_to_mesh_axes}} -> flax.linen.*
optax.losses optax.schedules.schedule -> optax
optax.schedules.{{constant_schedule,cosine_decay_schedule,cosine_onecycle_schedule,exponential_decay}} -> optax.*
optax.schedules.{{inject_hyperparams,join_schedules,linear_onecycle_schedule,linear_schedule}} -> optax.*
optax.schedules.{{piecewise_constant_schedule,piecewise_interpolate_schedule,polynomial_schedule}} -> optax.*
optax.schedules.{{sgdr_schedule,warmup_constant_schedule,warmup_cosine_decay_schedule,Schedule}} -> optax.*
optax.schedules.{{warmup_exponential_decay_schedule,InjectHyperparamsState}} -> optax.*
optax.transforms.{{adaptive_grad_clip,add_decayed_weights,add_noise,apply_if_finite,chain,clip}} -> optax.*
optax.transforms.{{clip_by_block_rms,clip_by_global_norm,conditionally_mask,conditionally_transform}} -> optax.*
optax.transforms.{{ema,flatten,freeze,keep_params_nonnegative,masked,measure_with_ema,monitor,named_chain}} -> optax.*
optax.transforms.{{partition,skip_large_updates,skip_not_finite,trace,zero_nans,MultiSteps,MultiStepsState}} -> optax.*
optax.transforms.{{AddNoiseState,ApplyIfFiniteState,ConditionallyMaskState,EmaState}} -> optax.*
optax.transforms.{{ConditionallyTransformState}} -> optax.*
optax.transforms.{{MaskedState,MonitorState,NonNegativeParamsState,PartitionState,ShouldSkipUpdateFunction}} -> optax.*
optax.transforms.{{TraceState,ZeroNansState,per_example_global_norm_clip,per_example_layer_norm_clip}} -> optax.*
optax.microbatching.microbatch -> optax.microbatch
optax.tree_utils.tree_{{{_OPTAX_TREE}}} -> optax.tree.*
optax.tree_utils.tree_l2_norm -> optax.tree.norm
optax.tree_utils.tree_add_scalar_mul -> optax.tree.add_scale
optax.tree_utils.tree_scalar_mul -> optax.tree.scale
optax.multi_transform -> optax.partition
optax.safe_int32_increment -> optax.safe_increment
numpyro.primitives numpyro.util -> numpyro
orbax.checkpoint.checkpointers orbax.checkpoint.checkpoint_manager orbax.checkpoint.handlers -> orbax.checkpoint
orbax.checkpoint.transform_utils orbax.checkpoint.options orbax.checkpoint.future -> orbax.checkpoint
orbax.checkpoint.abstract_checkpoint_manager -> orbax.checkpoint
orbax.checkpoint.checkpoint_args -> orbax.checkpoint.args
numpy.linalg.linalg -> numpy.linalg
numpy.lib.function_base numpy.lib.shape_base numpy.lib.arraysetops numpy.lib.twodim_base numpy.lib.npyio -> numpy
numpy.random.mtrand -> numpy.random
builtins.IOError builtins.EnvironmentError -> builtins.OSError
typing.Callable -> collections.abc.Callable
tqdm.auto tqdm.std tqdm.notebook tqdm.autonotebook tqdm.asyncio tqdm.rich -> tqdm
tensorboardX flax.metrics.tensorboardX torch.utils.tensorboard.writer -> torch.utils.tensorboard
torch.utils.data.dataloader torch.utils.data.dataset torch.utils.data.sampler -> torch.utils.data
grain.python -> grain
scipy.optimize.optimize -> scipy.optimize
"""
)

# Packages that define in private modules what they export elsewhere: `jax._src.lax.slicing.gather` is `jax.lax.gather`.
# (A component that begins with an underscore needs no line where the home is the package right before it.)
PRIVATE = _parse(
    """
jax._src -> jax
jax._src.numpy -> jax.numpy
jax._src.numpy.linalg -> jax.numpy.linalg
jax._src.numpy.fft -> jax.numpy.fft
jax._src.lax -> jax.lax
jax._src.lax.linalg -> jax.lax.linalg
jax._src.random jax._src.random.core -> jax.random
jax._src.nn jax._src.nn.functions -> jax.nn
jax._src.nn.initializers -> jax.nn.initializers
jax._src.tree -> jax.tree
jax._src.tree_util jaxlib._jax.pytree -> jax.tree_util
jax._src.core -> jax.core
jax._src.debugging jax._src.debugger -> jax.debug
jax._src.checkify -> jax.experimental.checkify
jax._src.dtypes -> jax.dtypes
jax._src.sharding_impls jax._src.mesh jax._src.partition_spec jax._src.named_sharding -> jax.sharding
jax._src.ops.scatter -> jax.ops
jax._src.image.scale -> jax.image
jax._src.profiler -> jax.profiler
jax._src.errors -> jax.errors
jax._src.scipy.linalg jax._src.third_party.scipy.linalg -> jax.scipy.linalg
jax._src.scipy.special jax._src.third_party.scipy.special -> jax.scipy.special
jax._src.scipy.signal -> jax.scipy.signal
jax._src.pallas -> jax.experimental.pallas
flax.linen.module flax.linen.linear flax.linen.attention flax.linen.normalization flax.linen.recurrent -> flax.linen
flax.linen.transforms flax.linen.pooling flax.linen.stochastic flax.linen.combinators flax.linen.summary -> flax.linen
flax.linen.batch_apply flax.linen.spmd flax.linen.fp8_ops flax.linen.activation -> flax.linen
flax.nnx.nn flax.nnx.transforms flax.nnx.training flax.nnx.graphlib flax.nnx.graph flax.nnx.module -> flax.nnx
flax.nnx.object flax.nnx.rnglib flax.nnx.statelib flax.nnx.variablelib flax.nnx.variables flax.nnx.spmd -> flax.nnx
flax.nnx.helpers flax.nnx.pytreelib flax.nnx.filterlib flax.nnx.extract flax.nnx.optimizer -> flax.nnx
flax.nnx.visualization flax.nnx.summary -> flax.nnx
numpyro.infer.mcmc numpyro.infer.svi numpyro.infer.hmc numpyro.infer.elbo numpyro.infer.util -> numpyro.infer
"""
)
