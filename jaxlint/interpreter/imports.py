"""Imports: modules of the project are interpreted when first imported; outside names stay names."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from jaxlint.interpreter.attributes import extern
from jaxlint.interpreter.environment import note_import, note_module
from jaxlint.interpreter.frames import Frame
from jaxlint.interpreter.values import MISSING, UNKNOWN, ExternV, ModuleV, Value

if TYPE_CHECKING:
    from jaxlint.interpreter.machine import Machine
    from jaxlint.source import Source

MAX_IMPORT_DEPTH = 60


def load_module(m: Machine, source: Source) -> ModuleV:
    """The module of a source, its body run on first use (a module being imported is seen half-made, as in Python)."""
    found = m.modules.get(source.filename)
    if found is not None:
        note_module(m, source.filename)
        return found
    module = ModuleV(source)
    m.modules[source.filename] = module
    if len(m.frames) > MAX_IMPORT_DEPTH:
        return module
    run_module(m, module)
    return module


def run_module(m: Machine, module: ModuleV) -> None:
    """Run the body of a module in a context of its own."""
    from jaxlint.interpreter.statements import run_block

    try:
        tree = module.source.parse()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    frame = Frame(module=module, names=module.namespace, uid=m.fresh(), journal_depth=0)
    module.frame = frame
    saved = (m.frames, m.journals, m.muted, m.read_log)
    m.frames, m.journals, m.muted, m.read_log = [frame], [], 0, []
    try:
        with m.host_context():
            run_block(m, frame, tree.body)
    finally:
        m.frames, m.journals, m.muted, m.read_log = saved
        module.done = True


def find(m: Machine, dotted: str, importer: Source) -> Source | None:
    """The project source that `dotted` names, seen from `importer`."""
    return m.project.find(dotted, importer)


def submodule(m: Machine, module: ModuleV, name: str) -> Value | None:
    """`package.name` where the package has a module of that name."""
    if not module.source.is_package:
        return None
    source = m.project.find(f"{module.source.module}.{name}", module.source)
    return load_module(m, source) if source is not None else None


def run_import(m: Machine, f: Frame, node: ast.Import) -> None:
    """`import a.b.c [as d]`."""
    for alias in node.names:
        top = alias.name.split(".")[0]
        source = find(m, alias.name, f.module.source)
        if source is None:
            note_import(m, f, alias.name, node)
            whole = extern(m, alias.name)
            m.write(f.names, alias.asname or top, whole if alias.asname else package_of(m, f, top))
            continue
        module = load_module(m, source)
        if alias.asname:
            m.write(f.names, alias.asname, module)
        else:
            first = find(m, top, f.module.source)
            m.write(f.names, top, load_module(m, first) if first is not None else PackageV(m, f, top))


def package_of(m: Machine, f: Frame, top: str) -> Value:
    """The value that `import a.b` binds to `a`."""
    source = find(m, top, f.module.source)
    return load_module(m, source) if source is not None else ExternV(top)


def PackageV(m: Machine, f: Frame, top: str) -> Value:
    """A namespace package of the project: a module without a body, whose attributes are its modules."""
    from jaxlint.source import Source

    key = f"<namespace {top}>"
    found = m.modules.get(key)
    if found is None:
        found = ModuleV(Source(key, "", None, top, True))
        found.done = True
        m.modules[key] = found
    return found


def run_import_from(m: Machine, f: Frame, node: ast.ImportFrom) -> None:
    """`from a import b [as c]`."""
    importer = f.module.source
    dotted = m.project.absolute(importer, node.level, node.module) if node.level else node.module or ""
    source = find(m, dotted, importer) if dotted else None
    module = load_module(m, source) if source is not None else None
    if module is None and not node.level:
        note_import(m, f, dotted, node)
    for alias in node.names:
        if alias.name == "*":
            import_star(m, f, module, dotted)
            continue
        value: Any = MISSING
        if module is not None:
            value = module.namespace.get(alias.name, MISSING)
        if value is MISSING:
            inner = find(m, f"{dotted}.{alias.name}" if dotted else alias.name, importer)
            if inner is not None:
                value = load_module(m, inner)
        if value is MISSING:
            value = extern(m, f"{dotted}.{alias.name}") if source is None and not node.level else UNKNOWN
        m.write(f.names, alias.asname or alias.name, value)


def import_star(m: Machine, f: Frame, module: ModuleV | None, dotted: str) -> None:
    """`from a import *`: public names of a project module; outside ones are found by name when used."""
    from jaxlint.interpreter.values import Const, ListV, TupleV

    if module is None:
        return
    exported = module.namespace.get("__all__", MISSING)
    names: list[str] | None = None
    if isinstance(exported, (ListV, TupleV)) and exported.items is not None:
        names = [str(v.value) for v in exported.items if isinstance(v, Const)]
    for name, value in list(module.namespace.items()):
        if value is MISSING or not isinstance(name, str):
            continue
        if (names is None and not name.startswith("_")) or (names is not None and name in names):
            m.write(f.names, name, value)
