"""Which table knows which module: the tables themselves are imported only when a name of theirs is looked up."""

from __future__ import annotations

# Table module (in `tables/`) -> the modules of outside libraries that it describes.
_TABLES: dict[str, str] = {
    "builtins": "builtins",
    "jax_api": (
        "jax jax.tree jax.tree_util jax.core jax.ops jax.image jax.debug jax.dtypes jax.sharding jax.profiler "
        "jax.export jax.distributed jax.dlpack jax.monitoring jax.stages jax.errors jax.custom_batching "
        "jax.custom_derivatives jax.typing"
    ),
    "jax_numpy": "jax.numpy jax.numpy.linalg jax.numpy.fft",
    "jax_lax": "jax.lax jax.lax.linalg",
    "jax_random": "jax.random",
    "jax_nn": (
        "jax.nn jax.nn.initializers jax.scipy.special jax.scipy.linalg jax.scipy.signal jax.scipy.ndimage "
        "jax.scipy.fft jax.scipy.integrate jax.scipy.interpolate jax.scipy.optimize jax.scipy.sparse.linalg "
        "jax.scipy.stats jax.scipy.cluster.vq jax.scipy.spatial.transform"
    ),
    "jax_experimental": (
        "jax.experimental jax.experimental.pallas jax.experimental.pallas.tpu jax.experimental.pallas.triton "
        "jax.experimental.checkify jax.experimental.multihost_utils jax.experimental.mesh_utils "
        "jax.experimental.layout jax.experimental.ode jax.experimental.jet jax.experimental.compute_on "
        "jax.experimental.compilation_cache.compilation_cache jax.experimental.serialize_executable "
        "jax.experimental.xla_metadata jax.experimental.custom_partitioning jax.experimental.buffer_callback "
        "jax.experimental.rnn jax.experimental.sparse jax.experimental.host_callback jax.experimental.maps "
        "jax.experimental.optimizers jax.example_libraries.optimizers jax.example_libraries.stax jax.flatten_util "
        "jax.ad_checkpoint jax.lib.xla_bridge jax.extend.core "
        "jax.extend.backend jax.extend.random jax.interpreters.pxla jax.interpreters.batching"
    ),
    "flax_nnx": "flax.nnx flax.nnx.bridge",
    "flax_linen": (
        "flax flax.linen flax.linen.initializers flax.linen.partitioning flax.struct flax.core "
        "flax.training.train_state flax.training.checkpoints flax.training.common_utils "
        "flax.training.early_stopping flax.training.dynamic_scale flax.training.lr_schedule "
        "flax.training.orbax_utils flax.training.prefetch_iterator flax.jax_utils flax.traverse_util "
        "flax.serialization flax.metrics.tensorboard flax.optim flax.errors"
    ),
    "equinox": "equinox equinox.debug equinox.nn equinox.internal diffrax optimistix lineax",
    "optax": (
        "optax optax.contrib optax.tree optax.schedules optax.projections optax.second_order optax.assignment "
        "optax.perturbations optax.transforms"
    ),
    "ecosystem": (
        "orbax.checkpoint orbax.checkpoint.args orbax.checkpoint.utils orbax.checkpoint.checkpoint_utils haiku "
        "haiku.initializers chex numpyro numpyro.infer numpyro.handlers numpyro.distributions numpyro.optim jaxopt "
        "distrax"
    ),
    "numpy": (
        "numpy numpy.linalg numpy.fft numpy.random numpy.testing numpy.lib.stride_tricks numpy.typing numpy.ma "
        "numpy.polynomial"
    ),
    "stdlib": (
        "time timeit datetime math functools itertools operator collections collections.abc contextlib dataclasses "
        "enum abc typing copy random statistics cmath"
    ),
    "host": (
        "tqdm rich.progress wandb torch.utils.tensorboard mlflow neptune aim comet_ml clu.metric_writers torch "
        "torch.utils.data tensorflow tensorflow_datasets grain datasets sklearn.datasets sklearn.model_selection "
        "scipy absl.logging absl.app absl.flags loguru logging warnings os sys io json pickle csv pathlib shutil "
        "tempfile etils.epath subprocess threading queue concurrent.futures multiprocessing gc string re hashlib "
        "struct inspect argparse requests urllib.request matplotlib.pyplot pandas"
    ),
}

# Modules without a table of their own that an attribute chain may pass through.
_BARE = (
    "jax.experimental jax.interpreters jax.lib jax.extend jax.version jax.util jax._src jax.experimental.pjit "
    "jax.experimental.shard_map jax.interpreters.xla jax.interpreters.partial_eval jax.interpreters.mlir jaxlib "
    "flax.nnx.metrics flax.linen.activation flax.training flax.metrics optax.losses optax.tree_utils haiku.nets "
    "torch.jit torch.cuda torch.nn torch.optim tensorflow.data tensorflow.data.experimental tensorflow.io "
    "tensorflow.io.gfile tensorflow.config tensorflow.config.experimental tensorflow.random tensorflow.summary "
    "os.path scipy.optimize scipy.integrate scipy.interpolate scipy.linalg scipy.special scipy.stats scipy.signal "
    "scipy.stats.norm scipy.stats.uniform scipy.stats.multivariate_normal scipy.ndimage scipy.fft scipy.spatial "
    "scipy.spatial.distance scipy.sparse scipy.io sklearn.preprocessing sklearn.metrics tensorboardX "
)
_DISTRIBUTIONS = (
    "beta betabinom bernoulli binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic "
    "multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"
)

TABLE_OF: dict[str, str] = {module: table for table, modules in _TABLES.items() for module in modules.split()}


def _with_parents(names: list[str]) -> frozenset[str]:
    found = set(names)
    for name in names:
        while "." in name:
            name = name.rpartition(".")[0]
            found.add(name)
    return frozenset(found)


MODULES = _with_parents(
    [*TABLE_OF, *_BARE.split(), *[f"jax.scipy.stats.{distribution}" for distribution in _DISTRIBUTIONS.split()]]
)
LIBRARIES = frozenset(name for name in MODULES if "." not in name)
