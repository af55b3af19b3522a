"""What nobody in sight calls: functions with parameters that are not known, and transformed functions."""

from __future__ import annotations

import ast
import re
from itertools import takewhile
from typing import TYPE_CHECKING

from jaxlint.interpreter.arrays import result_array
from jaxlint.interpreter.callables import signature
from jaxlint.interpreter.calls import Args, call
from jaxlint.interpreter.classes import is_leaf_field
from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.functions import default_of
from jaxlint.interpreter.saving import end_of_call
from jaxlint.interpreter.symbolic import Poly
from jaxlint.interpreter.types import annotation_value, host_of, says_array
from jaxlint.interpreter.values import (
    OPEN,
    UNKNOWN,
    Array,
    ClassV,
    Const,
    FunctionV,
    Host,
    InstanceV,
    TransformedV,
    Tree,
    UnionV,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine

ROUNDS = 6


def run_uncalled(m: Machine, functions: int, transformed: int) -> None:
    """Interpret functions and transformed functions that were made but never called, until none is left."""
    m.unprompted = True
    try:
        run_waiting(m, functions, transformed)
    finally:
        m.unprompted = False


def run_waiting(m: Machine, functions: int, transformed: int) -> None:
    """Round after round: a call may make functions that wait in their turn."""
    done_functions, done_transformed = functions, transformed
    for _ in range(ROUNDS):
        before = (done_functions, done_transformed)
        while done_transformed < len(m.transformed):
            value = m.transformed[done_transformed]
            done_transformed += 1
            if value.calls == 0:
                call_transformed_blind(m, value)
        waiting = m.functions[done_functions:]
        done_functions = len(m.functions)
        waiting = [fn for fn in waiting if not m.wanted or fn.module.source.filename in m.wanted]
        for function in sorted(waiting, key=mentioned):
            if function.calls == 0:
                call_blind(m, function)
        if before == (len(m.functions), len(m.transformed)):
            return


def mentioned(function: FunctionV) -> bool:
    """Whether the module mentions a function's name elsewhere: then a caller may be about to say more."""
    return function.module.source.words[function.name] > 1


def blind_frame(m: Machine, function: FunctionV) -> Frame:
    """The module-level frame that a call from nowhere is made in."""
    return Frame(module=function.module, names=function.module.namespace, uid=m.fresh(), journal_depth=0)


def call_blind(m: Machine, function: FunctionV) -> None:
    """Call a function as if from nowhere."""
    seen = m.blind.get(id(function.node), 0)
    if m.steps > m.budget or "abstract" in function.tags or seen >= 2:
        return
    m.blind[id(function.node)] = seen + 1
    saved = (m.frames, m.journals, m.muted)
    m.frames, m.journals, m.muted = [blind_frame(m, function)], [], 0
    savers = len(m.savers)
    try:
        with m.host_context():
            end_of_call(m, savers, consume(m, function, blind_arguments(m, function)), function)
    finally:
        m.frames, m.journals, m.muted = saved


def consume(m: Machine, function: FunctionV, args: Args) -> Value:
    """Call; a generator is run to its end, too."""
    from jaxlint.interpreter.generators import run_generator
    from jaxlint.interpreter.values import GeneratorV

    cached, function.cached = function.cached, None
    try:
        result = call(m, function, args, function.node)
    finally:
        function.cached = cached
    if isinstance(result, GeneratorV):
        run_generator(m, result, function.node, lambda value: UNKNOWN)
    return result


def blind_arguments(m: Machine, function: FunctionV) -> Args:
    """Arguments for a call from nowhere: what annotations and defaults say, else unknown."""
    node = function.node.args
    made = Args()
    names = [*node.posonlyargs, *node.args]
    for place, parameter in enumerate(names):
        if place == 0 and function.owner is not None and "staticmethod" not in function.tags:
            made.add(
                generic_instance(m, function.owner) if "classmethod" not in function.tags else function.owner, None
            )
            continue
        made.add(blind_value(m, function, parameter), None)
    for parameter in node.kwonlyargs:
        made.kw[parameter.arg] = blind_value(m, function, parameter)
    if node.vararg is not None:
        made.star = UNKNOWN
    if node.kwarg is not None:
        made.double_star = UNKNOWN
    return made


def blind_value(m: Machine, function: FunctionV, parameter: ast.arg) -> Value:
    """A parameter of a call from nowhere."""
    default = default_of(function, parameter.arg)
    frame = m.frames[-1]
    annotation = annotation_value(m, frame, parameter.annotation)
    promised = host_of(annotation)
    sym = Poly.atom("param", function.uid, parameter.arg)
    if isinstance(promised, Host):
        if promised.kind == "int":
            return Host("int", sym=sym)
        return promised
    if isinstance(annotation, ClassV) and annotation.family != "enum" and default is None:
        return generic_instance(m, annotation)
    del default
    return Unknown(sym, parameter.arg)


def generic_instance(m: Machine, cls: ClassV) -> InstanceV:
    """An instance that stands for any: made by the constructor, without what other methods change."""
    found = cls.generic
    if isinstance(found, InstanceV):
        return found
    instance = InstanceV(cls, depth=0, generic=True)
    cls.generic = instance
    if cls.family == "enum":
        return instance
    m.muted += 1
    saved = (m.frames, m.journals, m.traces)
    m.frames, m.journals, m.traces = (
        [Frame(module=cls.module, names=cls.module.namespace, uid=m.fresh(), journal_depth=0)],
        [],
        [],
    )
    try:
        fill_generic(m, instance, cls)
    finally:
        m.muted -= 1
        m.frames, m.journals, m.traces = saved
    for name in changed_elsewhere(cls):
        if name in instance.attrs:
            instance.attrs[name] = Unknown(Poly.atom("attr", id(instance), name))
    return instance


def fill_generic(m: Machine, instance: InstanceV, cls: ClassV) -> None:
    """Run the constructor from nowhere, or fill declared fields from their annotations."""
    from jaxlint.interpreter.attributes import class_attribute

    init = class_attribute(cls, "__init__")
    if isinstance(init, FunctionV) and cls.family != "linen":
        args = blind_arguments(m, init)
        if args.pos:
            args.pos[0] = instance
        else:
            args.add(instance, None)
        call(m, init, args, init.node)
        return
    for name, spec in cls.fields.items():
        value = host_of(annotation_value(m, m.frames[-1], spec.annotation))
        instance.attrs[name] = value if value is not None else Unknown(Poly.atom("attr", id(instance), name))


def changed_elsewhere(cls: ClassV) -> set[str]:
    """Attributes that methods other than the constructor bind on `self`."""
    found: set[str] = set()
    lines = cls.module.source.lines
    for statement in cls.node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name not in CONSTRUCTORS:
            for line in lines[statement.lineno - 1 : statement.end_lineno]:
                if "self." in line and ("=" in line or "del " in line):
                    # what stands before the last `=`, a tuple's other targets and chained ones included
                    found.update(SELF_ATTRIBUTE.findall(line if "del " in line else line.rpartition("=")[0]))
    return found


CONSTRUCTORS = frozenset({"__init__", "__post_init__", "setup"})
SELF_ATTRIBUTE = re.compile(r"\bself\.(\w+)")


def call_transformed_blind(m: Machine, value: TransformedV) -> None:
    """Call a transformed function from nowhere: what is traced is a tree of tracers of unknown structure."""
    known = signature(value.func)
    function = known.function if known is not None else None
    if known is None or function is None or m.steps > m.budget:
        return
    saved = (m.frames, m.journals, m.muted)
    m.frames, m.journals, m.muted = [blind_frame(m, function)], [], 0
    try:
        with m.host_context():
            args = Args()
            names = list(takewhile(lambda n: n not in known.taken, known.positional))
            # behind a parameter that a partial has bound, only keywords reach
            behind = [
                n for n in known.positional[len(names) :] if n not in known.taken and default_of(function, n) is None
            ]
            parameters = {
                a.arg: a
                for a in (*function.node.args.posonlyargs, *function.node.args.args, *function.node.args.kwonlyargs)
            }
            first = (
                function.owner is not None
                and len(known.positional) == len(function.node.args.args)
                and "staticmethod" not in function.tags
            )
            for place, name in enumerate(names):
                if place == 0 and first and function.owner is not None and isinstance(value.func, FunctionV):
                    args.add(generic_instance(m, function.owner), None)
                else:
                    args.add(blind_traced(m, function, parameters[name], value, place), None)
            for name in (*behind, *known.keyword_only):
                if name not in known.taken:
                    args.kw[name] = blind_traced(m, function, parameters[name], value, None)
            if known.kwarg is not None:
                args.double_star = UNKNOWN
            if known.vararg is not None:
                args.star = UNKNOWN
            call(m, value, args, value.node)
    finally:
        m.frames, m.journals, m.muted = saved


def blind_traced(m: Machine, function: FunctionV, parameter: ast.arg, value: TransformedV, place: int | None) -> Value:
    """A parameter of a transformed function that nobody calls in sight.

    With a default it may be left out (then it stays plain Python); an annotation may say that it is an array.
    """
    default = default_of(function, parameter.arg)
    annotation = annotation_value(m, m.frames[-1], parameter.annotation)
    spec = value.spec
    if parameter.arg in spec.static_names or place in spec.static_nums or not spec.static_known:
        return host_of(annotation) or Unknown(Poly.atom("param", function.uid, parameter.arg), parameter.arg)
    if default is not None:
        return (
            OPEN
            if not isinstance(default, Const) or default.value is not None or not says_array(annotation)
            else UnionV((default, device(m)))
        )
    if says_array(annotation):
        return device(m)
    if isinstance(annotation, UnionV):
        return UNKNOWN
    if isinstance(annotation, ClassV):
        return annotated_instance(m, annotation, 3)
    promised = host_of(annotation)
    if promised is not None:
        return promised if not (isinstance(promised, Host) and promised.kind == "str") else UNKNOWN
    if value.spec.family in ("nnx", "filter", "linen", "haiku"):
        return OPEN
    return Tree(device(m))


def device(m: Machine) -> Array:
    """A device array of unknown shape."""
    return result_array(m, ast.Pass(), [])


def annotated_instance(m: Machine, cls: ClassV, depth: int) -> Value:
    """An instance of an annotated pytree class, its leaf fields arrays."""
    if cls.family not in ("struct", "pytree", "namedtuple", "eqx") or not depth:
        return UNKNOWN
    instance = InstanceV(cls, depth=0, generic=True)
    frame = Frame(module=cls.module, names=cls.module.namespace, uid=m.fresh())
    for name, spec in cls.fields.items():
        annotation = annotation_value(m, frame, spec.annotation)
        if not is_leaf_field(cls, name):
            instance.attrs[name] = host_of(annotation) or Unknown()
        elif says_array(annotation):
            instance.attrs[name] = device(m)
        elif isinstance(annotation, ClassV):
            instance.attrs[name] = annotated_instance(m, annotation, depth - 1)
        elif cls.family == "eqx" and host_of(annotation) is not None:
            instance.attrs[name] = Unknown()
        else:
            promised = host_of(annotation)
            instance.attrs[name] = promised if promised is not None else Unknown()
    return instance
