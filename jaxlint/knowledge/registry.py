"""Which table knows which module: the tables themselves are imported only when a name of theirs is looked up."""

from __future__ import annotations

# Table module (in `tables/`) -> the modules of outside libraries that it describes.
_TABLES: dict[str, str] = {
    "builtins": "builtins",
    "jax_api": "jax jax.tree jax.tree_util jax.core jax.ops jax.image jax.debug jax.dtypes jax.sharding jax.profiler "
    "jax.export jax.distributed jax.dlpack jax.monitoring jax.stages jax.errors jax.custom_batching "
    "jax.custom_derivatives jax.typing",
    "jax_numpy": "jax.numpy jax.numpy.linalg jax.numpy.fft",
    "jax_lax": "jax.lax jax.lax.linalg",
    "jax_random": "jax.random",
    "jax_nn": "jax.nn jax.nn.initializers jax.scipy.special jax.scipy.linalg jax.scipy.signal jax.scipy.ndimage "
    "jax.scipy.fft jax.scipy.integrate jax.scipy.interpolate jax.scipy.optimize jax.scipy.sparse.linalg "
    "jax.scipy.stats jax.scipy.cluster.vq jax.scipy.spatial.transform",
    "jax_experimental": "jax.experimental jax.experimental.pallas jax.experimental.pallas.tpu jax.experimental.pallas.triton "
    "jax.experimental.checkify jax.experimental.multihost_utils jax.experimental.mesh_utils "
    "jax.experimental.layout jax.experimental.ode jax.experimental.jet jax.experimental.compute_on "
    "jax.experimental.compilation_cache.compilation_cache jax.experimental.serialize_executable "
    "jax.experimental.xla_metadata jax.experimental.custom_partitioning jax.experimental.buffer_callback "
    "jax.experimental.rnn jax.experimental.sparse jax.experimental.host_callback jax.experimental.maps "
    "jax.experimental.optimizers jax.flatten_util jax.ad_checkpoint jax.lib.xla_bridge jax.extend.core "
    "jax.extend.backend jax.extend.random jax.interpreters.pxla jax.interpreters.batching",
    "numpy": "numpy numpy.linalg numpy.fft numpy.random numpy.testing numpy.lib.stride_tricks numpy.typing numpy.ma "
    "numpy.polynomial",
    "stdlib": "time timeit datetime math functools itertools operator collections collections.abc contextlib "
    "dataclasses enum abc typing copy random statistics cmath",
}

# Modules without a table that an attribute chain may pass through.
_BARE = (
    "jax.experimental jax.interpreters jax.lib jax.extend jax.version jax.util jax.experimental.pjit "
    "jax.experimental.shard_map jax.interpreters.xla jax.interpreters.partial_eval jax.interpreters.mlir jax._src "
    + " ".join(
        f"jax.scipy.stats.{distribution}"
        for distribution in (
            "beta betabinom bernoulli binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace "
            "logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"
        ).split()
    )
)

TABLE_OF: dict[str, str] = {module: table for table, modules in _TABLES.items() for module in modules.split()}

MODULES: frozenset[str] = frozenset(
    ".".join(parts[:length])
    for parts in (name.split(".") for name in [*TABLE_OF, *_BARE.split()])
    for length in range(1, len(parts) + 1)
)
