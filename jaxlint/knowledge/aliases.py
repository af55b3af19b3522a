"""The spellings that fold into one. Checked against the installed libraries: both sides are the same object."""

from __future__ import annotations


def _parse(text: str) -> dict[str, str]:
    """`a b -> c` says that a and b are spellings of c; `a.{x,y} -> c.*` says so of a.x and a.y."""
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


ALIASES = _parse("""
jax.tree_util.tree_{map,leaves,structure,flatten,unflatten,reduce,transpose,all,map_with_path} -> jax.tree.*
jax.tree_util.tree_{flatten_with_path,leaves_with_path,broadcast,reduce_associative} -> jax.tree.*
jax.tree_{map,leaves,structure,flatten,unflatten,reduce,transpose,all,map_with_path} -> jax.tree.*
jax.tree_multimap -> jax.tree_util.tree_multimap
jax.experimental.shard_map.shard_map -> jax.shard_map
jax.experimental.pjit.pjit -> jax.jit
jax.experimental.pjit.with_sharding_constraint -> jax.lax.with_sharding_constraint
jax.experimental.pjit.PartitionSpec -> jax.sharding.PartitionSpec
jax.P -> jax.sharding.PartitionSpec
jax.NamedSharding -> jax.sharding.NamedSharding
jax.experimental.PartitionSpec -> jax.sharding.PartitionSpec
jax.interpreters.pxla.PartitionSpec -> jax.sharding.PartitionSpec
jax.interpreters.pxla.Mesh -> jax.sharding.Mesh
jax.experimental.maps.Mesh -> jax.sharding.Mesh
jax.experimental.mesh_utils.Mesh -> jax.sharding.Mesh
jax.remat jax.ad_checkpoint.checkpoint jax.ad_checkpoint.remat -> jax.checkpoint
jax.experimental.io_callback.io_callback -> jax.experimental.io_callback
jax.custom_derivatives.{custom_jvp,custom_vjp,custom_gradient,closure_convert} -> jax.*
numpy.linalg.linalg -> numpy.linalg
numpy.core.numeric numpy.core.fromnumeric numpy.core.multiarray numpy.core.umath -> numpy
numpy.lib.function_base numpy.lib.shape_base numpy.lib.arraysetops numpy.lib.twodim_base -> numpy
numpy.random.mtrand numpy.random._generator -> numpy.random
jax.core.{ShapeDtypeStruct} -> jax.*
jax.api.{jit,grad,vmap,pmap,value_and_grad} -> jax.*
jax.interpreters.partial_eval.Tracer jax.interpreters.xla.Tracer -> jax.core.Tracer
jax.numpy.DeviceArray jax.interpreters.xla.DeviceArray jax.Array -> jax.Array
""")
del ALIASES["jax.Array"]  # listed for the reader: it is the canonical one

# Packages whose modules are private -> where their names are public.
PRIVATE = _parse("""
jax._src -> jax
numpy._core numpy.core -> numpy
jax._src.numpy -> jax.numpy
jax._src.numpy.linalg -> jax.numpy.linalg
jax._src.numpy.fft -> jax.numpy.fft
jax._src.lax -> jax.lax
jax._src.random -> jax.random
jax._src.nn -> jax.nn
jax._src.nn.initializers -> jax.nn.initializers
jax._src.tree -> jax.tree
jax._src.tree_util -> jax.tree_util
jax._src.core -> jax.core
jax._src.debugging -> jax.debug
jax._src.dtypes -> jax.dtypes
jax._src.sharding_impls jax._src.mesh jax._src.partition_spec jax._src.named_sharding -> jax.sharding
jax._src.ops.scatter -> jax.ops
jax._src.profiler -> jax.profiler
jax._src.errors -> jax.errors
""")
