"""The rules. The table lists them all; a rule's module is imported when it must judge or be explained.

Code and name are public: neither is ever reused or changed.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache

from jaxlint.events import Kind
from jaxlint.rules.base import Rule

FAMILIES = {
    "JAX0": "general",
    "JAX1": "tracing",
    "JAX2": "sync",
    "JAX3": "timing",
    "JAX4": "recompile",
    "JAX5": "memory",
    "JAX6": "random",
    "JAX7": "numerics",
    "JAX8": "sharding",
    "JAX9": "deploy",
}


@dataclass(frozen=True, slots=True)
class Info:
    """What is known of a rule without importing it. A test keeps it equal to the class."""

    code: str
    name: str
    default: bool
    kinds: tuple[Kind, ...]
    summary: str

    @property
    def family(self) -> str:
        """The folder of the rule: `tracing`, `sync`, ..."""
        return FAMILIES[self.code[:4]]

    @property
    def module(self) -> str:
        """The dotted name of the rule's module."""
        return f"jaxlint.rules.{self.family}.{self.name.replace('-', '_')}"

    @property
    def class_name(self) -> str:
        """The name of the rule's class: `TracedBranch` for `traced-branch`."""
        return "".join(word.capitalize() for word in self.name.split("-"))


_ON, _OFF = True, False
TABLE: tuple[Info, ...] = (
    Info("JAX000", "syntax-error", _ON, (), "A file or notebook cell that cannot be read or parsed"),
    Info("JAX001", "unused-suppression", _OFF, (), "An ignore comment that silences nothing"),
    Info(
        "JAX101",
        "traced-branch",
        _ON,
        (Kind.TRACER_BOOL,),
        "A Python branch on a value that is only known on the device",
    ),
    Info(
        "JAX102",
        "traced-to-python",
        _ON,
        (Kind.TRACER_CONVERT,),
        "`float()`, `int()`, `.item()` or an index that needs the number behind a traced value",
    ),
    Info(
        "JAX103",
        "traced-to-numpy",
        _ON,
        (Kind.TRACER_ARRAY, Kind.TRACER_CONVERT),
        "A numpy, scipy or math function on a traced value",
    ),
    Info("JAX104", "dynamic-shape", _ON, (Kind.TRACER_SHAPE,), "A shape that depends on traced values"),
    Info(
        "JAX105",
        "unrolled-loop",
        _OFF,
        (Kind.TRACE_UNROLL,),
        "A Python loop in traced code over an array or a long range",
    ),
    Info("JAX106", "tracer-leak", _ON, (Kind.TRACER_LEAK,), "A traced value stored where it outlives the trace"),
    Info("JAX107", "impure-trace", _ON, (Kind.TRACE_EFFECT,), "A Python side effect in traced code: it runs once"),
    Info(
        "JAX108",
        "in-place-update",
        _ON,
        (Kind.ARRAY_WRITE,),
        "`x[i] = v` on a jax array, or the result of `x.at[i].set(v)` thrown away",
    ),
    Info(
        "JAX109",
        "type-test-on-traced",
        _ON,
        (Kind.TRACER_TYPE_TEST,),
        "`isinstance(x, float)` on a traced value: false without a word",
    ),
    Info(
        "JAX201",
        "sync-in-loop",
        _ON,
        (Kind.HOST_READ,),
        "`float()`, `.item()` and their kin on a device value on every step of a hot loop",
    ),
    Info(
        "JAX202",
        "numpy-in-loop",
        _ON,
        (Kind.HOST_READ,),
        "A device value fetched into numpy on every step of a hot loop",
    ),
    Info(
        "JAX203",
        "print-in-loop",
        _ON,
        (Kind.HOST_READ,),
        "A device value printed, formatted or logged on every step of a hot loop",
    ),
    Info(
        "JAX204",
        "branch-in-loop",
        _ON,
        (Kind.HOST_READ,),
        "A Python branch on a device value on every step of a hot loop",
    ),
    Info(
        "JAX205",
        "block-in-loop",
        _ON,
        (Kind.HOST_BLOCK,),
        "`block_until_ready` on every step of a hot loop in which nothing is timed",
    ),
    Info(
        "JAX206",
        "host-to-device-in-loop",
        _OFF,
        (Kind.HOST_TO_DEVICE,),
        "Host data that moves to the device implicitly on every step of a hot loop",
    ),
    Info(
        "JAX207",
        "iterate-device-array",
        _ON,
        (Kind.DEVICE_ITERATE, Kind.HOST_READ),
        "A Python loop over a device array: one slice for each element",
    ),
    Info(
        "JAX301",
        "unblocked-timer",
        _ON,
        (Kind.CLOCK_STOP,),
        "A clock stopped while the device still works on what it should time",
    ),
    Info(
        "JAX302",
        "timed-compile",
        _ON,
        (Kind.TIMED_COMPILE,),
        "A timed region that holds the first call of a compiled function",
    ),
    Info(
        "JAX401",
        "variable-shape-batch",
        _ON,
        (Kind.COMPILED_CALL,),
        "Batches of different sizes reach a compiled function",
    ),
    Info(
        "JAX402",
        "growing-array",
        _ON,
        (Kind.ARRAY_GROW,),
        "An array that grows on each iteration reaches device code: one compilation for each length",
    ),
    Info(
        "JAX403",
        "jit-in-loop",
        _ON,
        (Kind.COMPILE_WRAP,),
        "`jit` of a function that is new each time, so that its compilation is never reused",
    ),
    Info(
        "JAX404",
        "varying-static-arg",
        _ON,
        (Kind.COMPILED_CALL,),
        "A static argument that takes a new value on each iteration",
    ),
    Info(
        "JAX405",
        "unhashable-static-arg",
        _ON,
        (Kind.COMPILED_CALL,),
        "A list, dict, set or array as a static argument",
    ),
    Info(
        "JAX406",
        "missing-static-arg",
        _ON,
        (Kind.STATIC_SPEC,),
        "A string, callable or other plain Python object passed to a traced parameter",
    ),
    Info(
        "JAX407",
        "bad-static-spec",
        _ON,
        (Kind.STATIC_SPEC,),
        "`static_arg*` or `donate_*` that fit no parameter of the function",
    ),
    Info(
        "JAX408",
        "unstable-signature",
        _ON,
        (Kind.COMPILED_CALL,),
        "An argument whose type, structure or way of passing differs between calls",
    ),
    Info(
        "JAX501",
        "missing-donation",
        _OFF,
        (Kind.UNDONATED_CALL,),
        "A compiled update of large state that does not donate the old version",
    ),
    Info("JAX502", "use-after-donate", _ON, (Kind.USE_AFTER_DONATE,), "An array used after a call has taken it over"),
    Info(
        "JAX503",
        "captured-constant",
        _ON,
        (Kind.CAPTURED_CONSTANT,),
        "A large array from outside a compiled function, baked into its program",
    ),
    Info(
        "JAX504",
        "naive-attention",
        _OFF,
        (Kind.ATTENTION_SCORES,),
        "Attention written out, so that all scores are held in memory",
    ),
    Info("JAX601", "key-reuse", _ON, (Kind.KEY_REUSE,), "One PRNG key used for two draws"),
    Info("JAX602", "key-reuse-in-loop", _ON, (Kind.KEY_REUSE,), "The same PRNG key used in each iteration of a loop"),
    Info("JAX701", "cudnn-dtype", _ON, (Kind.ATTENTION_TYPE,), "Attention by cuDNN on a type that it does not take"),
    Info(
        "JAX702",
        "missing-causal-mask",
        _OFF,
        (Kind.ATTENTION_FUTURE,),
        "Self-attention of a next-token model that sees the later tokens",
    ),
    Info("JAX703", "float64-truncated", _ON, (Kind.DTYPE_TRUNCATED,), "A 64-bit type asked for while they are off"),
    Info(
        "JAX801",
        "unknown-mesh-axis",
        _ON,
        (Kind.MESH_AXIS,),
        "A PartitionSpec or a collective names an axis that the mesh or the mapped function lacks",
    ),
    Info(
        "JAX802",
        "spec-rank-mismatch",
        _ON,
        (Kind.SPEC_RANK,),
        "A PartitionSpec longer than the array's rank, or with an axis used twice",
    ),
    Info(
        "JAX803",
        "legacy-parallel",
        _OFF,
        (Kind.LEGACY_NAME,),
        "`pmap`, `xmap` or an old sharding where `jit` and `NamedSharding` serve",
    ),
    Info(
        "JAX804",
        "explicit-mesh-constraint",
        _ON,
        (Kind.EXPLICIT_CONSTRAINT,),
        "`with_sharding_constraint` over an Explicit mesh axis, the default of `make_mesh` since JAX 0.9",
    ),
    Info(
        "JAX805",
        "sharded-variable-without-mesh",
        _ON,
        (Kind.SHARDED_VARIABLE,),
        "Variables with partitioning annotations made outside of any mesh",
    ),
    Info(
        "JAX901",
        "env-after-import",
        _ON,
        (Kind.LATE_SETTING,),
        "An environment variable or a setting written after JAX has read it",
    ),
    Info(
        "JAX902",
        "no-device-check",
        _OFF,
        (Kind.NO_DEVICE_CHECK,),
        "A training script that never looks at the devices it runs on",
    ),
    Info(
        "JAX903",
        "checkpoint-object",
        _ON,
        (Kind.CHECKPOINT_OBJECT,),
        "A module, an optimiser or a callable handed to Orbax instead of its state",
    ),
    Info(
        "JAX904",
        "unfinished-save",
        _ON,
        (Kind.UNFINISHED_SAVE,),
        "An asynchronous save that nothing waits for before exit",
    ),
    Info(
        "JAX905",
        "cold-start-serving",
        _OFF,
        (Kind.COLD_REQUEST,),
        "A request handler whose first request pays for tracing and compiling",
    ),
    Info(
        "JAX906",
        "removed-api",
        _ON,
        (Kind.RETIRED_NAME,),
        "A name that current JAX, Flax, Optax or Orbax removed or deprecated",
    ),
    Info(
        "JAX907",
        "relative-checkpoint-path",
        _ON,
        (Kind.CHECKPOINT_PATH,),
        "A relative path handed to an Orbax checkpointer or manager",
    ),
    Info(
        "JAX908",
        "nnx-plain-container",
        _ON,
        (Kind.NNX_CONTAINER,),
        "A plain list, tuple or dict of modules or variables on an `nnx.Module`",
    ),
)

CODES: dict[str, Info] = {info.code: info for info in TABLE}
NAMES: dict[str, Info] = {info.name: info for info in TABLE}

RULES: tuple[Rule, ...]
"""All rules by code. Made on first use: this imports every rule's module."""


@cache
def load(info: Info) -> Rule:
    """The rule itself; its module is imported here."""
    rule = getattr(importlib.import_module(info.module), info.class_name)()
    assert isinstance(rule, Rule)
    return rule


@cache
def by_kind(kind: Kind) -> tuple[Rule, ...]:
    """The rules that judge events of `kind`, by code."""
    return tuple(load(info) for info in TABLE if kind in info.kinds)


def find_info(code_or_name: str) -> Info | None:
    """The row of the table for a code (any case) or a name, without importing the rule."""
    return CODES.get(code_or_name.upper()) or NAMES.get(code_or_name.lower())


def find(code_or_name: str) -> Rule | None:
    """The rule for a code or a name."""
    info = find_info(code_or_name)
    return None if info is None else load(info)


def __getattr__(name: str) -> object:
    if name == "RULES":
        rules = tuple(load(info) for info in TABLE)
        globals()["RULES"] = rules
        return rules
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
