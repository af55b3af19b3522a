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
    "numpy": "numpy numpy.linalg numpy.fft numpy.random numpy.testing numpy.lib.stride_tricks numpy.typing numpy.ma "
    "numpy.polynomial",
    "stdlib": "time timeit datetime math functools itertools operator collections collections.abc contextlib "
    "dataclasses enum abc typing copy random statistics cmath",
}

# Modules without a table that an attribute chain may pass through.
_BARE = "jax.experimental jax.interpreters jax.lib jax.extend jax.version jax.util"

TABLE_OF: dict[str, str] = {module: table for table, modules in _TABLES.items() for module in modules.split()}

MODULES: frozenset[str] = frozenset(
    ".".join(parts[:length])
    for parts in (name.split(".") for name in [*TABLE_OF, *_BARE.split()])
    for length in range(1, len(parts) + 1)
)
