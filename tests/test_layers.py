"""The layers of ARCHITECTURE.md: each part imports only what stands below it, and the linter never imports JAX."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LAYERS: tuple[tuple[str, ...], ...] = (
    ("findings", "events", "source"),
    ("globs", "gitignore", "syntax", "files", "project", "knowledge", "notebook"),
    ("interpreter",),
    ("rules",),
    ("selection", "targets", "config", "suppressions", "fixing", "fingerprint", "baseline", "cache"),
    ("engine",),
    ("output", "repair", "since", "ignoring"),
    ("options", "gates", "api"),
    ("flake8_plugin",),
    ("checking", "explain"),
    ("cli", "server", "watch", "__main__"),
)
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}

ALLOWED_OUTSIDE = {"libcst", "tomli"}
OF_THE_SERVER = {"pygls", "lsprotocol"}
"""What the extra `lsp` brings, for the language server only."""
"""What `pip install .` brings: the linter may import nothing else from outside the standard library."""

LAZY = {"libcst"}
"""Imported inside functions only, so that a run without findings doesn't pay for it (DESIGN, section 4)."""


@dataclass(frozen=True)
class Import:
    """One import of one file: the imported module, and whether it happens while the file is imported."""

    filename: str
    row: int
    module: str
    at_start: bool

    def __str__(self) -> str:
        return f"{self.filename}:{self.row} imports {self.module}"


def is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(path: Path) -> Iterator[Import]:
    """All imports of a file, except those that only type checkers see."""
    filename = path.relative_to(ROOT).as_posix()
    package = list(path.relative_to(ROOT).with_suffix("").parts)
    package = package[:-1]

    def walk(node: ast.AST, at_start: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and is_type_checking(child.test):
                for other in child.orelse:
                    yield from walk(other, at_start)
            elif isinstance(child, ast.Import):
                yield from (Import(filename, child.lineno, alias.name, at_start) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                base = package[: len(package) - child.level + 1] if child.level else []
                module = ".".join([*base, *([child.module] if child.module else [])])
                names = [f"{module}.{alias.name}" for alias in child.names] if module == "jaxlint" else [module]
                yield from (Import(filename, child.lineno, name, at_start) for name in names)
            else:
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from walk(child, at_start and not inside)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), True)


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def part(module: str) -> str:
    """`jaxlint.rules.base` belongs to the part `rules`; the package itself is no part."""
    return module.split(".")[1] if module.startswith("jaxlint.") else ""


LINTER = [imported for path in files("jaxlint") for imported in imports(path)]


def test_every_part_has_a_layer() -> None:
    """A new module must be given its place here and in ARCHITECTURE.md."""
    parts = {path.relative_to(ROOT / "jaxlint").parts[0].removesuffix(".py") for path in files("jaxlint")}
    assert parts - {"__init__"} - RANK.keys() == set()


def test_parts_import_only_what_stands_below_them() -> None:
    wrong = []
    for imported in LINTER:
        importer = imported.filename.split("/")[1].removesuffix(".py")
        target = part(imported.module)
        if importer == "__init__" or not target or target not in RANK:
            continue
        if RANK[target] > RANK[importer]:
            wrong.append(str(imported))
    assert wrong == []


def test_linter_imports_nothing_but_its_dependencies() -> None:
    """Above all not jax, numpy or flax: a pre-commit hook must not need them."""
    known = sys.stdlib_module_names | ALLOWED_OUTSIDE | {"jaxlint", "runtime_checks"}
    outside = [imported for imported in LINTER if imported.module.split(".")[0] not in known]
    server = [imported for imported in outside if imported.filename.startswith("jaxlint/server/")]
    assert [str(imported) for imported in outside if imported not in server] == []
    assert {imported.module.split(".")[0] for imported in server} == OF_THE_SERVER


def test_runtime_checks_are_imported_by_commands_only() -> None:
    """Inside the functions of the `confirm` and `doctor` commands: the linter works without them."""
    for imported in LINTER:
        if imported.module.split(".")[0] == "runtime_checks":
            assert imported.filename.startswith("jaxlint/cli"), str(imported)
            assert not imported.at_start, str(imported)


def test_libcst_is_imported_late() -> None:
    assert [str(i) for i in LINTER if i.at_start and i.module.split(".")[0] in LAZY] == []


def test_runtime_checks_see_only_the_contract_of_the_linter() -> None:
    """The companion shares events and findings; it runs the linter through the engine, inside functions."""
    shared = {"", "events", "findings", "source"}
    for path in files("runtime_checks"):
        for imported in imports(path):
            if imported.module.split(".")[0] == "jaxlint" and imported.at_start:
                assert part(imported.module) in shared, str(imported)


@pytest.mark.parametrize("module", ["jaxlint.cli", "jaxlint.engine"])
def test_start_brings_no_heavy_module(module: str) -> None:
    """What counts is what is loaded, also through the standard library and dependencies."""
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"jax", "jaxlib", "numpy", "flax", "optax", "equinox", "libcst", "runtime_checks", "pygls"}
