"""Calls inserted before planned statements, for Python before 3.12. Line numbers and meaning stay as they are."""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from runtime_checks.lines import Counter

RAN, BEFORE, AFTER = "__jaxlint_ran__", "__jaxlint_before__", "__jaxlint_after__"
VALUE = "__jaxlint_value__"


class Probes:
    """Inserts the calls, and stands behind them."""

    words = "calls inserted before the lines with findings"

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._places: list[tuple[str, int]] = []
        self._befores: dict[tuple[int, int], int | None] = {}
        self._finder = LoadingFinder(self)

    def start(self) -> str:
        """Install the loader for planned modules, and the functions."""
        setattr(builtins, RAN, self._ran)
        setattr(builtins, BEFORE, self._before)
        setattr(builtins, AFTER, self._after)
        sys.meta_path.insert(0, self._finder)
        return ""

    def stop(self) -> None:
        """Code with calls in it may run on: leave functions that do nothing."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        for name in (RAN, BEFORE, AFTER):
            setattr(builtins, name, _nothing)

    def planned(self, path: str) -> str:
        """The plan's name of a file, '' when nothing is planned there."""
        for name in (os.path.abspath(path), os.path.realpath(path)):
            if name in self._counter.rows:
                return name
        return ""

    def compile(self, path: str, source: bytes) -> CodeType | None:
        """The module's code with the calls in it; None when nothing is planned there, or it does not parse."""
        file = self.planned(path)
        if not file:
            return None
        try:
            tree = ast.parse(source, path)
            first_rows = {first for first, _ in self._counter.plan.statements[file]}
            put_rows = {first for first, _ in self._counter.plan.puts.get(file, ())}
            _Inserter(self, file, first_rows, put_rows).visit(tree)
            return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return None

    def number(self, file: str, row: int) -> int:
        """The number by which an inserted call names its place."""
        self._places.append((file, row))
        return len(self._places) - 1

    def _ran(self, number: int) -> None:
        file, row = self._places[number]
        self._counter.hit(file, row, sys._getframe(1) if self._counter.plan.names else None)

    def _before(self, number: int) -> None:
        self._befores[id(sys._getframe(1)), number] = self._counter.puts()

    def _after(self, number: int) -> None:
        before = self._befores.pop((id(sys._getframe(1)), number), None)
        file, row = self._places[number]
        self._counter.put_done(file, row, before)


def _nothing(number: int) -> None:
    return None


class _Inserter(ast.NodeTransformer):
    def __init__(self, probes: Probes, file: str, rows: set[int], put_rows: set[int]) -> None:
        self._probes = probes
        self._file = file
        self._rows = rows
        self._put_rows = put_rows

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                setattr(node, name, self._with_calls(body))
        return node

    def _with_calls(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            row = min([statement.lineno, *(item.lineno for item in getattr(statement, "decorator_list", []))])
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and not found
            planned = row in self._rows and not future and not text
            counted = planned and row in self._put_rows
            if planned:
                found.append(self._call(RAN, row, statement))
            if counted:
                place = self._probes.number(self._file, row)
                found.append(self._call(BEFORE, row, statement, place))
                if isinstance(statement, ast.Return) and statement.value is not None:
                    # the copies happen while the value is computed
                    keep = ast.Assign([ast.Name(VALUE, ast.Store())], statement.value)
                    found.append(ast.copy_location(keep, statement))
                    found.append(self._call(AFTER, row, statement, place))
                    found.append(ast.copy_location(ast.Return(ast.Name(VALUE, ast.Load())), statement))
                    continue
                found.append(statement)
                if not isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
                    found.append(self._call(AFTER, row, statement, place))
                continue
            found.append(statement)
        return found

    def _call(self, name: str, row: int, at: ast.stmt, number: int | None = None) -> ast.stmt:
        if number is None:
            number = self._probes.number(self._file, row)
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)], [])
        node = ast.copy_location(ast.Expr(call), at)
        for inner in ast.walk(node):
            ast.copy_location(inner, at)
        return node


class Compiler(Protocol):
    """Who puts calls into modules."""

    def planned(self, path: str) -> str:
        """The name of a file that gets calls, '' for the others."""

    def compile(self, path: str, source: bytes) -> CodeType | None:
        """The code with the calls; None: as usual."""


class LoadingFinder(importlib.abc.MetaPathFinder):
    """Loads planned modules with the calls in them, without touching the bytecode cache."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not spec.origin or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if not self._compiler.planned(spec.origin):
            return None
        spec.loader = _Loader(fullname, spec.origin, self._compiler)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, compiler: Compiler) -> None:
        super().__init__(fullname, path)
        self._compiler = compiler

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        code = self._compiler.compile(path, self.get_data(path))
        return code if code is not None else super().get_code(fullname)
