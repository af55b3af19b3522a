"""flax (nnx, linen, training), optax and equinox: modules, states, optimisers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.arrays import arrays_in, result_array
from jaxlint.interpreter.calls import Args, call, call_values
from jaxlint.interpreter.joining import kind_of
from jaxlint.interpreter.keys import consume, consume_all, new_key
from jaxlint.interpreter.layers import remember
from jaxlint.interpreter.meshes import keep_axis
from jaxlint.interpreter.nnx_attributes import METADATA, asks_for_sharding, check_sharded
from jaxlint.interpreter.outcome import generic_outcome
from jaxlint.interpreter.tracing import map_leaves
from jaxlint.interpreter.values import (
    MISSING,
    NONE,
    UNKNOWN,
    Array,
    BoundV,
    ClassV,
    Const,
    DictV,
    FunctionV,
    InstanceV,
    PartialV,
    Tree,
    TupleV,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry

VARIABLE = "flax.nnx.Variable"


def state_like(m: Machine, node: ast.AST, *values: Value) -> Tree:
    """A pytree of arrays that depends on `values`."""
    return Tree(result_array(m, node, [a for v in values for a in arrays_in(v)]))


def made_here(m: Machine, value: InstanceV) -> InstanceV:
    """Remember the loop rounds in which an instance was made."""
    value.attrs[("made",)] = m.rounds_now()
    return value


# -- optax ---------------------------------------------------------------------------------------------------


def optimizer(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`optax.adam(...)`, `GradientTransformation(init, update)`, and `tx.init`, `tx.update`."""
    short = name.rpartition(".")[2]
    receiver = args.pos[0] if args.pos else None
    if isinstance(receiver, InstanceV) and short in ("init", "update"):
        return transformation_method(m, receiver, short, args.but_first(), node)
    made = InstanceV(None, "optax.GradientTransformation", depth=len(m.traces))
    if short.startswith("GradientTransformation"):
        for place, key in enumerate(("init", "update")):
            value = args.get(place, key)
            if value is not None:
                made.attrs[key] = value
    parts = [
        v for v in args.all() if isinstance(v, InstanceV) and v.extern == "optax.GradientTransformation" and custom(v)
    ]
    if parts:
        made.attrs["parts"] = TupleV(tuple(parts))
    for parameter in SCHEDULED:
        schedule = args.named(entry.params, parameter)
        if isinstance(schedule, (FunctionV, BoundV, PartialV)):
            made.attrs["schedule"] = schedule
    return made_here(m, made)


SCHEDULED = ("learning_rate", "step_size_fn", "step_size", "schedule")
"""Parameters of optimisers that may be a function of the number of updates so far."""


def custom(value: InstanceV) -> bool:
    """Whether a transformation has an update function of the project, or holds one that has."""
    return isinstance(value.attrs.get("update"), Value) or any(key in value.attrs for key in CUSTOM)


CUSTOM = ("parts", "factory", "schedule")


def transformation_method(m: Machine, receiver: InstanceV, short: str, args: Args, node: ast.AST) -> Value:
    """`tx.init(params)` and `tx.update(grads, state, params)`."""
    own = receiver.attrs.get(short)
    if isinstance(own, Value) and own is not MISSING:
        return call(m, own, args, node)
    hyper = receiver.attrs.get("factory")
    if isinstance(hyper, Value) and short == "update":
        run_injected(m, receiver, args, node)
    parts = receiver.attrs.get("parts")
    if isinstance(parts, TupleV) and short == "update":
        for part in parts.items or ():
            if isinstance(part, InstanceV):
                transformation_method(m, part, "update", args, node)
    if short == "init":
        return state_like(m, node, *args.pos)
    schedule = receiver.attrs.get("schedule")
    if isinstance(schedule, Value) and m.staging is not None:
        # the state counts the updates, so a compiled update has a tracer for the count
        call(
            m, schedule, Args([result_array(m, node, [], shape=(), dtype="int32", what="the optimiser's count")]), node
        )
    first = args.get(0, "updates") or args.get(0, "grads") or UNKNOWN
    state = args.get(1, "state") or UNKNOWN
    updates = map_leaves(first, lambda leaf: leaf) if not isinstance(first, Unknown) else state_like(m, node, first)
    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    return TupleV((updates, state_like(m, node, state, first)))


def inject_hyperparams(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`optax.inject_hyperparams(factory, static_args)`: numeric hyperparameters become arrays in the state."""
    made = InstanceV(None, "optax.inject_hyperparams", depth=len(m.traces))
    made.attrs["factory"] = args.get(0, "inner_factory") or UNKNOWN
    made.attrs["static_args"] = args.get(1, "static_args") or NONE
    return made


def injected_call(m: Machine, value: InstanceV, args: Args, node: ast.AST) -> Value:
    """`inject_hyperparams(factory)(learning_rate=...)`."""
    from jaxlint.interpreter.callables import bind

    made = InstanceV(None, "optax.GradientTransformation", depth=len(m.traces))
    made.attrs["factory"] = value.attrs["factory"]
    made.attrs["static_args"] = value.attrs["static_args"]
    hyper = {item.name: item.value for item in bind(m, value.attrs["factory"], args) if item.name is not None}
    made.attrs["hyper"] = DictV(hyper)
    m.muted += 1
    try:
        inner = call(m, value.attrs["factory"], args, node)
    finally:
        m.muted -= 1
    if isinstance(inner, InstanceV) and isinstance(inner.attrs.get("init"), Value):
        made.attrs["init"] = inner.attrs["init"]
    return made_here(m, made)


def run_injected(m: Machine, receiver: InstanceV, args: Args, node: ast.AST) -> None:
    """Run the inner factory and its update with the hyperparameters as arrays, as optax does on each update."""
    from jaxlint.interpreter.transforms import as_names

    static = as_names(receiver.attrs.get("static_args")) or ()
    hyper = receiver.attrs.get("hyper")
    kw: dict[str, Value] = {}
    for key, value in hyper.items.items() if isinstance(hyper, DictV) else ():
        if key not in static and kind_of(value) in ("int", "float") and isinstance(value, Value):
            made = result_array(
                m, node, [a for v in args.pos for a in arrays_in(v)], shape=(), what=f"{key} in the state"
            )
            kw[key] = made
        else:
            kw[key] = value
    inner = call(m, receiver.attrs["factory"], Args((), kw), node)
    if isinstance(inner, InstanceV):
        own = inner.attrs.get("update")
        if isinstance(own, Value) and own is not MISSING:
            call(m, own, args, node)


def apply_updates(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`optax.apply_updates(params, updates)`: the structure of params."""
    params = args.pos[0] if args.pos else UNKNOWN
    updates = args.pos[1] if len(args.pos) > 1 else UNKNOWN
    template = result_array(m, node, [a for v in (params, updates) for a in arrays_in(v)])

    def leaf(v: Value) -> Value:
        if isinstance(v, Array):
            return template.but(shape=v.shape, dtype=v.dtype, weak=v.weak)
        return Tree(template.but()) if isinstance(v, (Tree, Unknown)) else v

    if m.staging is None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    return map_leaves(params, leaf)


def schedule(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`optax.cosine_decay_schedule(...)`: calling it gives a device array, a constant one a Python number."""
    made = InstanceV(None, "optax.Schedule", depth=len(m.traces))
    made.attrs["constant"] = Const(name.endswith("constant_schedule"))
    return made


# -- nnx -----------------------------------------------------------------------------------------------------


def nnx_variable(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.Param(array)`."""
    check_sharded(m, args, node)
    made = InstanceV(None, VARIABLE, depth=len(m.traces))
    given = args.get(0, "value") or UNKNOWN
    if isinstance(given, InstanceV) and given.extern == METADATA:
        given = given.attrs["array"]
    made.attrs["value"] = given
    return made


def nnx_partitioned(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.with_partitioning(initializer, names, mesh)`: an initialiser that gives the array with its annotation."""
    made = InstanceV(None, name, depth=len(m.traces))
    mesh = args.named(entry.params, "mesh")
    alone = mesh is None or (isinstance(mesh, Const) and mesh.value is None)
    made.attrs[("sharded",)] = alone and asks_for_sharding(args.named(entry.params, "sharding"))
    return made


def nnx_registered(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.data(value)`, `nnx.static(value)`: a container that nnx knows about."""
    value = args.pos[0] if args.pos else args.kw.get("value", UNKNOWN)
    m.registered[id(value)] = value
    return value


def library_instance(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """A layer, metric or random stream of a library: an opaque instance, told by its class."""
    short = name.rpartition(".")
    from jaxlint import knowledge

    owner = knowledge.lookup(short[0])
    if (
        owner is not None
        and "." in short[0]
        and owner.model == entry.model
        and args.pos
        and isinstance(args.pos[0], InstanceV)
    ):
        return generic_outcome(m, name, entry, args, node, method=True)
    if entry.model == "nnx_module":
        check_sharded(m, args, node)
    return remember(keep_axis(made_here(m, InstanceV(None, name, depth=len(m.traces))), args), entry, args)


def nnx_optimizer(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.Optimizer(model, tx, wrt=...)` and `optimizer.update(...)`."""
    if name.rpartition(".")[2] == "update":
        if m.staging is None:
            m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
        return NONE
    made = InstanceV(None, name, depth=len(m.traces))
    made.attrs["model"] = args.get(0, "model") or UNKNOWN
    made.attrs["tx"] = args.get(1, "tx") or UNKNOWN
    return made_here(m, made)


def nnx_split(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.split(model, *filters)`, `nnx.state(model)`, `nnx.graphdef(model)`."""
    model = args.pos[0] if args.pos else UNKNOWN
    state = state_like(m, node, model)
    only = entry.options.get("only")
    if only == "state":
        return state
    graphdef = InstanceV(None, "flax.nnx.GraphDef", depth=len(m.traces))
    graphdef.attrs["model"] = model
    if only == "graphdef":
        return graphdef
    count = max(1, len(args.pos) - 1)
    return TupleV((graphdef, *(Tree(state.leaf.but()) for _ in range(count))))


def nnx_merge(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.merge(graphdef, state)`: the module with the state's arrays."""
    graphdef = args.pos[0] if args.pos else UNKNOWN
    model = graphdef.attrs.get("model") if isinstance(graphdef, InstanceV) else None
    states = [a for v in args.pos[1:] for a in arrays_in(v)]
    template = result_array(m, node, states)
    if not isinstance(model, InstanceV):
        return UNKNOWN

    def leaf(v: Value) -> Value:
        if isinstance(v, Array):
            return template.but(shape=v.shape, dtype=v.dtype)
        return Tree(template.but()) if isinstance(v, Tree) else v

    made = map_leaves(model, leaf)
    if isinstance(made, InstanceV):
        made.depth = len(m.traces)
    return made


def same(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """Gives back its first argument."""
    return args.pos[0] if args.pos else UNKNOWN


def nnx_rngs(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nnx.Rngs(0)`; `nnx.split_rngs(splits=n)` used as a decorator leaves the function as it is."""
    if entry.options.get("scoped"):
        return UNKNOWN
    if args.pos and isinstance(args.pos[0], InstanceV):
        return result_array(m, node, [], shape=(), dtype="key").but(key=new_key(m))
    for value in {id(v): v for v in args.all()}.values():
        consume(m, value, node)
    return InstanceV(None, "flax.nnx.Rngs", depth=len(m.traces))


# -- linen ---------------------------------------------------------------------------------------------------


def linen_module(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`nn.Dense(4)`, `module.apply(variables, x)`, `module.init(key, x)`, `self.param(...)`."""
    options = entry.options
    receiver = args.pos[0] if args.pos and isinstance(args.pos[0], InstanceV) else None
    if receiver is not None and options.get("apply"):
        return linen_apply(m, receiver, args, node)
    if receiver is not None and options.get("init"):
        return linen_init(m, receiver, args, node, entry)
    if receiver is not None and options.get("param"):
        return linen_param(m, args, node)
    if options.get("apply_function"):
        return UNKNOWN
    if receiver is not None and name.startswith("flax.linen.Module."):
        return generic_outcome(m, name, entry, args, node, method=True)
    return remember(keep_axis(made_here(m, InstanceV(None, name, depth=len(m.traces))), args), entry, args)


APPLY_OPTIONS = frozenset({"rngs", "mutable", "method", "capture_intermediates"})


def module_call(m: Machine, receiver: InstanceV, args: Args, skip: int, node: ast.AST) -> Value:
    """Run the module's method on the arguments after the first `skip` ones."""
    from jaxlint.interpreter.attributes import get_attribute

    inner = Args(args.pos[skip:], {k: v for k, v in args.kw.items() if k not in APPLY_OPTIONS}, args.nodes[skip:])
    inner.star, inner.double_star, inner.kw_nodes = args.star, args.double_star, args.kw_nodes
    method = args.kw.get("method")
    if isinstance(method, Const) and isinstance(method.value, str):
        return call(m, get_attribute(m, receiver, method.value, node), inner, node)
    if method is not None and not isinstance(method, Const):
        return call(m, method, inner.with_first(receiver), node)
    return call(m, receiver, inner, node)


def linen_apply(m: Machine, receiver: InstanceV, args: Args, node: ast.AST) -> Value:
    """`module.apply(variables, *args)`: array work on the variables."""
    variables = args.get(1, "variables") or UNKNOWN
    consume_all(m, args.kw.get("rngs"), node)
    receiver.attrs[("variables",)] = (variables,)
    out = module_call(m, receiver, args, 2, node)
    if m.staging is None and receiver.cls is not None:
        m.dispatch(node, m.frames[-1].module.source.segment(node, 40), compiled=False)
    if isinstance(out, Unknown):
        out = state_like(m, node, variables, *args.pos[2:])
    mutable = args.kw.get("mutable")
    if mutable is None or (isinstance(mutable, Const) and not mutable.value):
        return out
    return TupleV((out, state_like(m, node, variables))) if not isinstance(mutable, Unknown) else UNKNOWN


def linen_init(m: Machine, receiver: InstanceV, args: Args, node: ast.AST, entry: Entry) -> Value:
    """`module.init(key, *args)`: the variables."""
    receiver.attrs[("variables",)] = (UNKNOWN,)
    consume_all(m, args.get(1, "rngs"), node)
    before = m.weights
    m.initialising += 1
    try:
        out = module_call(m, receiver, args, 2, node)
    finally:
        m.initialising -= 1
    state = state_like(m, node, *args.pos[1:])
    state = Tree(state.leaf.but(weight=m.weights - before))
    return TupleV((out, state)) if entry.options.get("count") == 2 else state


def linen_param(m: Machine, args: Args, node: ast.AST) -> Value:
    """`self.param("w", init, shape)`: an array of the variables that the module was applied to."""
    receiver = args.pos[0]
    variables = receiver.attrs.get(("variables",)) if isinstance(receiver, InstanceV) else None
    owners = list(arrays_in(variables[0])) if isinstance(variables, tuple) else []
    shape = args.pos[3] if len(args.pos) > 3 else None
    from jaxlint.interpreter.arrays import as_shape

    made = result_array(m, node, owners, shape=as_shape(shape) if shape is not None else None)
    init = args.pos[2] if len(args.pos) > 2 else UNKNOWN
    if isinstance(init, (FunctionV, BoundV, PartialV, UnionV)):
        # an initialiser of the project may make any pytree
        m.muted += 1
        try:
            first = call_values(m, init, [result_array(m, node, [], shape=(), dtype="key"), *args.pos[3:]], node)
        finally:
            m.muted -= 1
        return made if isinstance(first, Array) else Tree(made)
    return made


def train_state(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`TrainState.create(apply_fn=..., params=..., tx=...)`, `state.apply_gradients(grads=...)`."""
    if entry.options.get("create"):
        cls = args.pos[0] if args.pos and isinstance(args.pos[0], ClassV) else None
        made = InstanceV(cls, "" if cls is not None else "flax.training.train_state.TrainState", depth=len(m.traces))
        made.attrs.update(args.kw)
        made.attrs["step"] = Const(0)
        made.attrs["opt_state"] = state_like(m, node, args.kw.get("params", UNKNOWN))
        if cls is not None:
            from jaxlint.interpreter.classes import default_value

            for field, spec in cls.fields.items():
                if field not in made.attrs and spec.default is not None:
                    made.attrs[field] = default_value(m, spec, node)
        return made
    if entry.options.get("step"):
        return applied_gradients(m, args, node)
    return generic_outcome(m, name, entry, args, node)


def applied_gradients(m: Machine, args: Args, node: ast.AST) -> Value:
    """`state.apply_gradients(grads=grads, **changes)`."""
    state = args.pos[0] if args.pos else UNKNOWN
    if not isinstance(state, InstanceV):
        return state if isinstance(state, Tree) else UNKNOWN
    made = InstanceV(state.cls, state.extern, len(m.traces), state.generic)
    made.attrs.update(state.attrs)
    grads = args.kw.get("grads", UNKNOWN)
    tx = state.attrs.get("tx")
    if isinstance(tx, InstanceV) and custom(tx):
        transformation_method(m, tx, "update", Args([grads, state.attrs.get("opt_state", UNKNOWN)]), node)
    made.attrs["opt_state"] = state_like(m, node, state.attrs.get("opt_state", UNKNOWN), grads)
    made.attrs["params"] = apply_updates(m, "", _NO_ENTRY, Args([state.attrs.get("params", UNKNOWN), grads]), node)
    made.attrs["step"] = result_array(m, node, list(arrays_in(state.attrs.get("step", UNKNOWN))), shape=())
    made.attrs.update({k: v for k, v in args.kw.items() if k != "grads"})
    return made


_NO_ENTRY: Any = None


# -- equinox -------------------------------------------------------------------------------------------------


def eqx_partition(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`eqx.partition(tree, is_array)`: the arrays, and the rest."""
    tree = args.pos[0] if args.pos else UNKNOWN
    return TupleV((tree, UNKNOWN))


def eqx_filter(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`eqx.filter(tree, is_array)`: a tree of the same class, other leaves None."""
    tree = args.pos[0] if args.pos else UNKNOWN
    return state_like(m, node, tree) if isinstance(tree, InstanceV) else tree


def eqx_combine(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> Value:
    """`eqx.combine(arrays, static)`."""
    first = args.pos[0] if args.pos else UNKNOWN
    return first if isinstance(first, InstanceV) else UNKNOWN


MODELS = {
    "optimizer": optimizer,
    "inject_hyperparams": inject_hyperparams,
    "apply_updates": apply_updates,
    "schedule": schedule,
    "nnx_variable": nnx_variable,
    "nnx_partitioned": nnx_partitioned,
    "nnx_registered": nnx_registered,
    "nnx_module": library_instance,
    "nnx_metric": library_instance,
    "nnx_optimizer": nnx_optimizer,
    "nnx_split": nnx_split,
    "nnx_merge": nnx_merge,
    "nnx_clone": same,
    "nnx_update": lambda m, name, entry, args, node: NONE,
    "nnx_rngs": nnx_rngs,
    "linen_module": linen_module,
    "train_state": train_state,
    "eqx_module": library_instance,
    "eqx_partition": eqx_partition,
    "eqx_filter": eqx_filter,
    "eqx_combine": eqx_combine,
    "flatten_dict": lambda m, name, entry, args, node: state_like(m, node, *args.pos),
}
