"""64-bit types that are asked for while JAX has them switched off, which is how it starts.

Whether they are on is known for a program that is run from its file: nothing in the project speaks of `x64`, or the
file itself switches it on later. Functions that nobody calls in sight may be called by a program that switched it on.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.events import Kind
from jaxlint.interpreter.values import Array, Const, ExternV, ModuleV, Tree, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.calls import Args
    from jaxlint.interpreter.machine import Machine
    from jaxlint.knowledge import Entry
    from jaxlint.source import Source

WIDE = frozenset({"float64", "int64", "uint64", "complex128"})
MAKERS = ("jax.numpy.", "jax.random.", "jax.lax.", "jax.nn.", "jax.scipy.")
# they take a type, and make no array
NO_ARRAY = frozenset({"finfo", "iinfo", "issubdtype", "dtype", "result_type", "promote_types", "can_cast"})
SETTING = "jax_enable_x64"


@dataclass(slots=True)
class Widths:
    """The program being run: whether 64-bit types are on, and what was asked for before that is known."""

    source: Source | None = None
    enabled: bool = False
    waiting: list[tuple[ast.AST, Source, str, str]] = field(default_factory=list)


def begin(m: Machine, source: Source) -> None:
    """A file is run as a program."""
    m.widths = Widths(source)


def note_setting(m: Machine, args: Args) -> None:
    """`jax.config.update("jax_enable_x64", True)`: what was asked for before came out narrow."""
    name, value = args.get(0, "name"), args.get(1, "val")
    if not isinstance(name, Const) or name.value != SETTING or m.muted:
        return
    if isinstance(value, Const) and not value.value:
        return
    m.widths.enabled = True
    waiting, m.widths.waiting = m.widths.waiting, []
    if isinstance(value, Const) and not m.arms:
        for node, source, scope, dtype in waiting:
            m.emit(Kind.DTYPE_TRUNCATED, node, "late", source=source, scope=scope, trace=(), dtype=dtype)


def check_call(m: Machine, name: str, entry: Entry, args: Args, node: ast.AST) -> None:
    """A function of jax with a type among its arguments, or a scalar type that is called."""
    if not name.startswith(MAKERS):
        return
    short = name.rpartition(".")[2]
    if name.startswith("jax.numpy.") and short in WIDE and args.pos:
        asked(m, node, short)
    for parameter in ("dtype", "new_dtype") if short not in NO_ARRAY else ():
        wanted = args.named(entry.params, parameter)
        if wanted is not None:
            check_type(m, wanted, node)


def check_type(m: Machine, wanted: Value | None, node: ast.AST) -> None:
    """A type that an operation is asked for."""
    found = wide_type(wanted)
    if found:
        asked(m, node, found)


def check_cast(m: Machine, value: Value, args: Args, node: ast.AST) -> None:
    """`x.astype(dtype)` of a jax array."""
    if isinstance(value, (Array, Tree)):
        check_type(m, args.get(0, "dtype"), node)


def wide_type(value: Value | None) -> str:
    """The 64-bit type that a value names, '' for others. Python's `float` and `int` are no request."""
    if isinstance(value, ExternV) and value.name.startswith(("jax.numpy.", "numpy.")):
        short = value.name.rpartition(".")[2].rpartition(":")[2]
        # the type of an existing NumPy array is carried over, not asked for
        return short if short in WIDE and not value.name.startswith("numpy.dtype:") else ""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) and value.value in WIDE else ""


def asked(m: Machine, node: ast.AST, dtype: str) -> None:
    """A 64-bit type is asked for here."""
    widths = m.widths
    root = widths.source
    if root is None or widths.enabled or m.muted or m.dry or not m.frames:
        return
    if m.frames[0] is not m.frames[0].module.frame or m.frames[0].module.source is not root or not is_program(m, root):
        return
    frame = m.frames[-1]
    if elsewhere(m, root):
        return
    if "x64" in root.text.lower():
        widths.waiting.append((node, frame.module.source, frame.qualname, dtype))
        return
    m.emit(Kind.DTYPE_TRUNCATED, node, "off", trace=(), dtype=dtype)


def is_program(m: Machine, root: Source) -> bool:
    """Whether a file is there to be run: it has a main guard, or calls something for its effect."""
    known: bool | None = m.memo.get(("program", id(root)))
    if known is None:
        tree = root.parse()
        known = m.memo["program", id(root)] = any(is_effect(part) for part in tree.body)
    return known


def is_effect(node: ast.stmt) -> bool:
    """A main guard, a call or a loop at the top of a file."""
    if isinstance(node, ast.If):
        return "__name__" in {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
    return isinstance(node, (ast.For, ast.While)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))


def elsewhere(m: Machine, root: Source) -> bool:
    """Whether a file that the program imports, or a package around it, speaks of 64-bit types."""
    known: bool | None = m.memo.get(("x64 elsewhere", id(root)))
    if known is None:
        around = [s for s in m.project.sources if s.module and f"{root.module}.".startswith(f"{s.module}.")]
        reached = [module.source for module in imported(m, root)]
        known = any("x64" in source.text.lower() for source in (*around, *reached) if source is not root)
        m.memo["x64 elsewhere", id(root)] = known
    return known


def imported(m: Machine, root: Source) -> list[ModuleV]:
    """The modules of the project that a program imports, directly or not."""
    first = m.frames[0].module
    found, queue = [first], [first]
    while queue:
        for value in list(queue.pop().namespace.values()):
            module = value if isinstance(value, ModuleV) else getattr(value, "module", None)
            if isinstance(module, ModuleV) and module not in found:
                found.append(module)
                queue.append(module)
    return found
