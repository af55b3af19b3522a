"""What names of outside libraries a file writes, by its scopes alone: code that is never run is seen, too.

The interpreter folds spellings and looks only at what is reached; questions about the *spelling* (a name that was
removed) are answered here. A name is an outside name where every binding in its scope is the same import.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.source import Source

Scope = dict[str, str]
AMBIGUOUS = ""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LEAVES = frozenset({ast.Constant, ast.Load, ast.Store, ast.Del})
# what a failing look-up raises
FORGIVING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"})
VERSION = re.compile(r"version|^hasattr$|^find_spec$|^importorskip$|TYPE_CHECKING|_(GE|LT|GTE|GEQ)_", re.IGNORECASE)


@dataclass(slots=True)
class Mention:
    """An outside name written in a file. `node` is the expression, `call` the call of it, if it is one."""

    dotted: str
    node: ast.AST
    scope: str
    call: ast.Call | None = None
    # for an import (`node` is its alias): the name it is bound to, and the whole statement
    bound: str = ""
    statement: ast.Import | ast.ImportFrom | None = None


@dataclass(slots=True)
class Reader:
    """Walks one file and hands the outside names that are not behind a guard to `found`.

    Only statements that touch one of `rows` (sorted, 1-based) are walked: where nothing of interest can stand, there
    is no need to know what the names mean.
    """

    source: Source
    libraries: frozenset[str]
    found: Callable[[Mention], None]
    rows: list[int]
    scopes: list[Scope] = field(default_factory=list)
    qualname: list[str] = field(default_factory=list)
    guards: frozenset[str] = frozenset()
    # every name that some scope so far has bound to an outside one
    outside: set[str] = field(default_factory=set)

    def read(self, tree: ast.Module) -> None:
        """Walk the module."""
        self.guards = frozenset(guard_names(tree))
        self.scopes.append(self.bindings(tree.body))
        self.block(tree.body)

    # -- scopes ----------------------------------------------------------------------------------------

    def bindings(self, body: Iterable[ast.AST], parameters: Iterable[str] = ()) -> Scope:
        """The names that a scope binds: to an outside dotted name, or to something else (AMBIGUOUS)."""
        scope: Scope = dict.fromkeys(parameters, AMBIGUOUS)
        for node in own_nodes(body):
            for name, dotted in bound_names(node, self.libraries):
                known = scope.get(name)
                scope[name] = dotted if known is None or known == dotted else AMBIGUOUS
                if dotted:
                    self.outside.add(name)
        return scope

    def dotted(self, node: ast.AST) -> str:
        """The outside dotted name of an expression, '' when it is none."""
        if isinstance(node, ast.Name):
            if node.id not in self.outside:
                return ""
            for scope in reversed(self.scopes):
                if node.id in scope:
                    return scope[node.id]
            return ""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return f"{base}.{node.attr}" if base else ""
        return ""

    # -- statements ------------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> None:
        """Statements one after another; behind an early exit under a guard the rest is guarded, too."""
        for statement in body:
            if isinstance(statement, ast.If) and self.is_guard(statement.test):
                if leaves(statement.body):
                    return
                continue
            if self.touched(statement):
                self.visit(statement)

    def touched(self, node: ast.stmt) -> bool:
        """Whether a row of interest lies in a statement, its decorators included."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        first = decorators[0].lineno if decorators else node.lineno
        place = bisect_left(self.rows, first)
        return place < len(self.rows) and self.rows[place] <= (node.end_lineno or node.lineno)

    def visit(self, node: ast.AST) -> None:
        """One statement or expression."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imported(node)
        elif isinstance(node, (ast.Attribute, ast.Name)):
            self.mentioned(node, None)
        elif isinstance(node, ast.Call):
            self.called(node)
        elif isinstance(node, FUNCTIONS):
            self.function(node)
        elif isinstance(node, ast.ClassDef):
            self.klass(node)
        elif isinstance(node, ast.Try) or node.__class__.__name__ == "TryStar":
            self.attempt(node)  # type: ignore[arg-type]
        elif (isinstance(node, (ast.IfExp, ast.Assert)) and self.is_guard(node.test)) or (
            isinstance(node, ast.BoolOp) and any(self.is_guard(value) for value in node.values)
        ):
            return
        else:
            self.children(node)

    def children(self, node: ast.AST) -> None:
        """Everything below a node."""
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                if value and isinstance(value[0], ast.stmt):
                    self.block(value)
                    continue
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)
            elif isinstance(value, ast.AST) and value.__class__ not in LEAVES:
                self.visit(value)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """A function: decorators, defaults and annotations outside of its scope, the body inside."""
        arguments = node.args
        if isinstance(node, ast.Lambda):
            body: list[ast.AST] = [node.body]
        else:
            if any(self.is_guard(decorator) for decorator in node.decorator_list):
                return
            for decorator in node.decorator_list:
                self.visit(decorator)
            if node.returns is not None:
                self.visit(node.returns)
            body = list(node.body)
        self.children(arguments)
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        names += [a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None]
        self.scopes.append(self.bindings(body, names))
        self.qualname.append(getattr(node, "name", "<lambda>"))
        if isinstance(node, ast.Lambda):
            self.visit(node.body)
        else:
            self.block(node.body)
        self.qualname.pop()
        self.scopes.pop()

    def klass(self, node: ast.ClassDef) -> None:
        """A class: its names are not seen from its methods, which is close enough for imports."""
        for part in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self.visit(part)
        self.qualname.append(node.name)
        self.block(node.body)
        self.qualname.pop()

    def attempt(self, node: ast.Try) -> None:
        """`try`: where a handler takes a failed look-up, neither the trial nor the alternative is a fault."""
        if any(self.forgives(handler) for handler in node.handlers):
            for statement in (*node.orelse, *node.finalbody):
                self.visit(statement)
            return
        self.children(node)

    def forgives(self, handler: ast.ExceptHandler) -> bool:
        """Whether a handler catches a missing name or module."""
        if handler.type is None:
            return True
        names = {part.id if isinstance(part, ast.Name) else "" for part in ast.walk(handler.type)}
        return bool(names & FORGIVING)

    def is_guard(self, test: ast.AST) -> bool:
        """Whether a condition asks for a version or for the presence of a name."""
        return any(part in self.guards or VERSION.search(part) for part in identifiers(test))

    # -- names -----------------------------------------------------------------------------------------

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        """An import of outside names."""
        for alias in node.names:
            if isinstance(node, ast.Import):
                dotted = alias.name
            elif node.level or not node.module:
                return
            else:
                dotted = f"{node.module}.{alias.name}"
            if dotted.partition(".")[0] in self.libraries:
                bound = alias.asname or alias.name
                self.found(Mention(dotted, alias, ".".join(self.qualname), None, bound, node))

    def mentioned(self, node: ast.Attribute | ast.Name, call: ast.Call | None) -> None:
        """An attribute chain or a name."""
        dotted = self.dotted(node)
        if dotted:
            self.found(Mention(dotted, node, ".".join(self.qualname), call))
        elif isinstance(node, ast.Attribute):
            self.visit(node.value)

    def called(self, node: ast.Call) -> None:
        """A call."""
        if isinstance(node.func, (ast.Attribute, ast.Name)):
            self.mentioned(node.func, node)
        else:
            self.visit(node.func)
        given = node.args
        if given and is_partial(node.func) and isinstance(given[0], (ast.Attribute, ast.Name)):
            # `partial(f, ...)` is a call of f as far as its arguments go
            inner = ast.copy_location(ast.Call(given[0], [*given[1:], ast.Starred(given[0])], node.keywords), node)
            self.mentioned(given[0], inner)
            given = given[1:]
        for argument in given:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)


def is_partial(func: ast.expr) -> bool:
    """Whether a call is one of `functools.partial`."""
    return (isinstance(func, ast.Name) and func.id == "partial") or (
        isinstance(func, ast.Attribute) and func.attr == "partial"
    )


VALUES = frozenset({"value", "test", "iter", "context_expr", "exc", "cause", "type", "ctx", "annotation", "subject"})


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of functions and classes inside (which themselves are told)."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        for name in node._fields:
            # what stands in expressions binds nothing, but for `:=` and comprehensions, which no one gives such names
            if name in VALUES:
                continue
            value = getattr(node, name, None)
            if value.__class__ is list:
                stack.extend(item for item in value if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST):
                stack.append(value)


def bound_names(node: ast.AST, libraries: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The names that a node binds, each with its outside dotted name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            dotted = alias.name if alias.asname else top
            yield alias.asname or top, dotted if top in libraries else AMBIGUOUS
    elif isinstance(node, ast.ImportFrom):
        outside = not node.level and (node.module or "").partition(".")[0] in libraries
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}" if outside else AMBIGUOUS
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, AMBIGUOUS
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, AMBIGUOUS
    elif isinstance(node, ast.ExceptHandler):
        yield node.name or "", AMBIGUOUS


def identifiers(node: ast.AST) -> Iterator[str]:
    """The names and attributes in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def guard_names(tree: ast.Module) -> Iterator[str]:
    """Names of the module that hold the answer to a version test: `HAS_SHARD_MAP = hasattr(jax, "shard_map")`."""
    for node in own_nodes(tree.body):
        if isinstance(node, ast.Assign) and any(VERSION.search(part) for part in identifiers(node.value)):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id
        elif isinstance(node, ast.Try):
            # HAS_X = True after an import that may fail
            for inner in own_nodes(node.body):
                if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Constant):
                    yield from (t.id for t in inner.targets if isinstance(t, ast.Name))


def leaves(body: list[ast.stmt]) -> bool:
    """Whether a block ends by leaving."""
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
