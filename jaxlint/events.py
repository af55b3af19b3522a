"""The event vocabulary, shared by the interpreter (predicts), the rules (judge) and `runtime_checks` (observes).

An event is "something JAX-relevant happens at this place". The interpreter emits an event only when it
*knows* that it happens; what it does not know it does not say.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.findings import Confidence, TraceStep

if TYPE_CHECKING:
    from jaxlint.source import Source


class Kind(enum.Enum):
    """The kinds of event. Each says which words `Event.how` may hold, and which keys `Event.data`."""

    # -- inside traced code ------------------------------------------------------------------------------
    TRACER_BOOL = "tracer-bool"
    """A tracer is asked for its truth. how: if elif while ternary assert and or not in chained-comparison
    match comprehension any all min max sorted bool filter index-method (list.index/count/remove)."""

    TRACER_CONVERT = "tracer-convert"
    """A tracer is asked for a Python number. how: float int complex bool .item .tolist operator.index range
    list-index tuple-index dict-key format round math (`math.*`: data['function']), `data['function']` in general."""

    TRACER_ARRAY = "tracer-array"
    """A tracer is asked for a NumPy array. how: call (data['function'] = dotted name as NumPy's canonical name,
    e.g. numpy.append; data['jnp'] = the jax.numpy name with the same meaning, or None) | index (a NumPy array
    indexed by a tracer) | assign (a NumPy array's item assigned a tracer)."""

    TRACER_SHAPE = "tracer-shape"
    """A shape depends on a value. how: argument (data['function'], data['parameter']: a traced size/shape) |
    slice (a slice bound is traced) | mask (index by a boolean mask tracer) | size (data['function'] whose output
    size depends on values: nonzero unique argwhere one-argument where, without size=) | range-like."""

    TRACER_LEAK = "tracer-leak"
    """A tracer outlives its trace. how: attribute global nonlocal container (append/extend/item of an outer
    list, dict or set) memoised (a cached function returns one) default | closure-module (nnx module captured
    and changed under a trace) | nondiff (tracer handed to a nondiff_argnums parameter). data['target']: text."""

    TRACER_TYPE_TEST = "tracer-type-test"
    """`isinstance(x, float)` or `type(x) is int` on a tracer: silently false. how: isinstance type.
    data['types']: the tested names."""

    TRACE_UNROLL = "trace-unroll"
    """A Python loop in traced code runs over an array or a long range. how: array range.
    data['count']: the trip count, or None; data['rows']: the range counts the rows of a traced array."""

    TRACE_EFFECT = "trace-effect"
    """A Python side effect in traced code happens once, at trace time. how: print logging clock random file
    network mutation (outer Python state changed: data['target']) stale-read (a global or attribute is read that
    other code changes later: data['target']) input. data['function']: dotted name, where it is a call.
    data['traced'] (print, logging): False where no tracer is among what is shown; absent when not known."""

    ARRAY_WRITE = "array-write"
    """how: item (x[i] = v on a jax array: raises) | augmented (x[i] += v: raises) | delete |
    discarded (the result of x.at[...].op(...) is thrown away; data['method'] = op)."""

    # -- on the host, around compiled code ---------------------------------------------------------------
    HOST_READ = "host-read"
    """A device value is read on the host (waits for it). how: float int bool complex .item .tolist (sync-in-loop)
    | numpy (np.asarray, any numpy function, jax.device_get: data['function']) | print (print, f-string, format,
    %, logging, tracker: data['function']) | branch (if/while/assert/and/or/not on the value) | iterate."""

    HOST_BLOCK = "host-block"
    """`block_until_ready`, method or function. data['timed']: True where a clock is read after it in the
    same region, so the wait is the point."""

    HOST_TO_DEVICE = "host-to-device"
    """Host data moves to the device implicitly. how: argument (numpy batch into a compiled call; data['callee'])
    | constant (an array built from Python or NumPy data that does not change)."""

    DEVICE_ITERATE = "device-iterate"
    """A Python loop over a device array: one slice per element. how: for comprehension list tuple zip enumerate
    map unpack sum sorted set."""

    CLOCK_STOP = "clock-stop"
    """The clock is read (`node`) for an interval while device work dispatched inside it may be in flight.
    data['start']: node of the first clock read; data['work']: text of the dispatching call; data['how'] clock
    function. how: read timeit context."""

    TIMED_COMPILE = "timed-compile"
    """The first call of a compiled function lies inside a timed region; `node` is that call in the frame of the
    clock. data['callee']: text of the compiled function."""

    COMPILED_CALL = "compiled-call"
    """A compiled function is called with a signature that changes. how: ragged-batch (an argument's leading
    dimension differs on the last iteration; data['argument'], data['source'] = why) | static-varies
    (data['parameter'], data['value_text']: how it changes) | static-unhashable (data['parameter'], data['type']) |
    signature (data['parameter'], data['before'], data['now']: dtype, weak type, Python scalar vs array, keyword,
    structure)."""

    ARRAY_GROW = "array-grow"
    """An array that reaches device code gets longer each iteration. how: concatenate append stack slice.
    data['target']: text."""

    COMPILE_WRAP = "compile-wrap"
    """jit/pmap is applied to a callable that is new every time. data['transform']: text of the transform;
    how: lambda nested-def partial bound-method transform (grad(f), vmap(f), jit(jit(f))).
    data['captures']: 'program' where each round's callable holds something that cannot be an argument and differs
    (another callable, string, configuration, shape), so that each round rightly has its own program; else absent."""

    STATIC_SPEC = "static-spec"
    """A static_arg*/donate_* specification is wrong. how: unknown-name out-of-range overlap (both static and
    donated) positional-only | missing (data['parameter'], data['what']: a value that cannot be traced - string,
    callable, enum, object - reaches a traced parameter). data['name'], data['function'], data['close'] = near match or
    None."""

    # -- memory ------------------------------------------------------------------------------------------
    UNDONATED_CALL = "undonated-call"
    """`jit` (`node`) of a function whose result replaces a large argument in each iteration of a loop, without
    donation. how: update. data['function'], data['parameters']: the names of those arguments."""

    USE_AFTER_DONATE = "use-after-donate"
    """A donated array is used again. how: read | again (the same call in the next iteration) | twice (one array for
    two arguments of a call, one of them donated)."""

    CAPTURED_CONSTANT = "captured-constant"
    """Compiled code uses a large concrete array from outside, so it is a constant of the program. how: array | tree (a
    pytree or a module). data['bytes']: what it takes at least; data['function']: the compiled function."""

    ATTENTION_SCORES = "attention-scores"
    """Attention written out: `node` reaches from the softmax (the subject) to the product with the values, and the
    weights between are used for nothing else. how: softmax."""

    # -- numerics ----------------------------------------------------------------------------------------
    ATTENTION_TYPE = "attention-type"
    """cuDNN attention is asked for with a type that it does not take. how: cudnn. data['argument'], data['dtype']."""

    ATTENTION_FUTURE = "attention-future"
    """Self-attention in which each position sees the later ones, in a program that predicts the next token. how: none
    (no mask) | padding (a mask of the tokens that are there). data['why']: what shows that it predicts them."""

    DTYPE_TRUNCATED = "dtype-truncated"
    """A 64-bit type is asked for while 64-bit types are off. how: off | late (they are switched on afterwards).
    data['dtype']: the type."""

    # -- random numbers ----------------------------------------------------------------------------------
    KEY_REUSE = "key-reuse"
    """A PRNG key is used up a second time; `node` is the later use. how: again (data['first']: the row of the other
    use, data['other'] its node where it is in the same file, data['names'] the text of both calls, data['direct']
    whether they are draws in one function and no calls of functions that draw) | carry (a loop body carries on a key
    that it has used) | lanes (captured by the function of a vmap, so all rows get the same numbers) | loop (the same
    use in each iteration; data['transform'] names the loop primitive, is "constant" for a key made of a constant in
    each iteration, else ''). data['use']: text of the call that uses the key up."""
    # -- sharding ----------------------------------------------------------------------------------------
    MESH_AXIS = "mesh-axis"
    """An axis name that nothing around knows. how: spec (of a PartitionSpec) | collective | layer (a layer that
    averages over an axis). data['axis'], data['known']: the names there are, data['near']: the close one or '',
    data['function']: (collective, layer) dotted name."""

    SPEC_RANK = "spec-rank"
    """A PartitionSpec does not fit the array. how: rank (data['rank'] dimensions, data['entries'] entries,
    data['what']) | twice (data['axis'] is used for two dimensions)."""

    EXPLICIT_CONSTRAINT = "explicit-constraint"
    """`with_sharding_constraint` names an Explicit axis. data['axis']; data['default']: the mesh was made without
    axis types; data['since']: library and version from which on it is so, or None."""

    SHARDED_VARIABLE = "sharded-variable"
    """A variable of nnx with a sharding annotation is made while no mesh is in force. how: no-mesh. `node` is the call
    whose result is kept; data['made'], data['file']: where the variable itself is made; data['since']."""

    # -- running and deploying ---------------------------------------------------------------------------
    LATE_SETTING = "late-setting"
    """An environment variable or a setting is written after jax has read it. how: variable setting. data['name'];
    data['read']: import (of jax) | backend (the first use of devices); data['at'], data['row'], data['file']: where."""

    LEGACY_NAME = "legacy-name"
    """A way to run on several devices that shardings have replaced is used. how: name. data['name']: dotted name."""

    NO_DEVICE_CHECK = "no-device-check"
    """A script runs a compiled function in a loop, and its files say nothing of devices. how: script. data['work']."""

    COLD_REQUEST = "cold-request"
    """A compiled function is called in a request, and nowhere else before. how: request. data['handler']."""

    NNX_CONTAINER = "nnx-container"
    """A plain container with data on an nnx module. how: list tuple dict. data['nested']; data['since']."""

    CHECKPOINT_OBJECT = "checkpoint-object"
    """Something that is no array data is handed to a checkpointer. how: nnx (a module or optimiser of nnx: saves, but
    does not come back) | module (linen) | optimizer (of optax, or a schedule) | callable | graphdef.
    data['what']: its name; data['whole']: it is what is saved itself, and not a part of it."""

    CHECKPOINT_PATH = "checkpoint-path"
    """A checkpoint path is relative. how: relative. data['object']: it is a `Path`."""

    UNFINISHED_SAVE = "unfinished-save"
    """A save in the background that nobody waits for. how: exit (the program, or the life of the checkpointer, ends) |
    used (its files are used before, at data['row'])."""

    RETIRED_NAME = "retired-name"
    """A name or an argument that a library removed or deprecated is written. how: import name argument.
    data['row']: its row of the table (`jaxlint.knowledge.removed.Retired`); data['written']: the dotted name;
    data['bound'], data['statement']: (import) the name it is bound to, the statement around the alias;
    data['target']: the versions the project may run with (put in by the engine, `removed.Target`)."""


@dataclass(slots=True)
class Loop:
    """One Python loop as the interpreter saw it run.

    `hot` is decided when the loop has ended: each iteration dispatches device work itself, not in a loop
    inside it. `node` is the `for`, `while` or comprehension.
    """

    node: ast.AST
    source: Source
    hot: bool = False
    # text of the call that dispatches work each iteration, for messages, and the call itself with its file
    work: str = ""
    work_node: ast.AST | None = None
    work_source: Source | None = None


@dataclass(slots=True)
class Event:
    """One predicted event.

    `node` is the place to report (an AST node of `source`), `subject` the expression that holds the value.
    `scope` is the qualified name of the function around `node`. `trace` explains the value: outermost cause
    first. `steady` is True when the event also happens after the first iteration of `loop`, and is not behind a
    step gate (`if step % 100 == 0`), an early exit or an `except`. Outside loops `loop` is None.
    """

    kind: Kind
    node: ast.AST
    source: Source
    how: str = ""
    subject: ast.AST | None = None
    scope: str = ""
    trace: tuple[TraceStep, ...] = ()
    loop: Loop | None = None
    steady: bool = False
    confidence: Confidence = Confidence.PROVEN
    data: Mapping[str, object] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """`data[key]` as text, '' when absent."""
        value = self.data.get(key)
        return "" if value is None else str(value)
