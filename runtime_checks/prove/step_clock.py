"""The time that a program's loops take, measured inside it: nothing else is watched, so that nothing else costs.

Each `for` and `while` of the project's files gets three calls: when it is entered, at each iteration, and when it is
left, where the devices are waited for, so that work which was only handed out counts too. The first iteration, which
compiles, is left out. Meaning and line numbers stay as they are.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from runtime_checks.drain import Drain
from runtime_checks.hub import now
from runtime_checks.jax_internals import Internals, jax_loaded, load
from runtime_checks.line_probes import LoadingFinder
from runtime_checks.places import Project

ENTER, BEAT, LEAVE = "__jaxlint_enter__", "__jaxlint_beat__", "__jaxlint_leave__"
LOOPS = (ast.For, ast.While)
# a loop inside another one waits for the devices only when it turned this often: waiting more often than the program
# would itself hides what a fix gains
MANY = 8


@dataclass(slots=True)
class Total:
    """All turns of one loop, the first one left out: how many, and the seconds they took."""

    iterations: int = 0
    seconds: float = 0.0
    entered: int = 0


@dataclass(slots=True)
class _Entry:
    """One time that a loop runs."""

    at: float
    beats: int = 0


def loops_of(tree: ast.Module) -> Iterator[ast.For | ast.While]:
    """The loops of a module, in the order in which they are numbered."""
    for node in ast.walk(tree):
        if isinstance(node, LOOPS):
            yield node


class StepClock:
    """Puts the calls into the project's modules as they are loaded, and keeps the totals by file and loop number."""

    def __init__(self, root: str) -> None:
        self._project = Project([root])
        self._root = os.path.realpath(root)
        self.totals: dict[tuple[str, int], Total] = {}
        self._places: list[tuple[str, int]] = []
        self._entries: dict[tuple[int, int, int], _Entry] = {}
        self._local = threading.local()
        self._jax: Internals | None = None
        self._drain: Drain | None = None
        self._failed = False

    def start(self) -> None:
        """From here on the project's modules are loaded with the calls in them."""
        setattr(builtins, ENTER, self._enter)
        setattr(builtins, BEAT, self._beat)
        setattr(builtins, LEAVE, self._leave)
        sys.meta_path.insert(0, LoadingFinder(self))

    def write(self, path: str) -> None:
        """The totals, the peak memory and the modules that are no library's as JSON."""
        loops = [[f, n, t.iterations, t.seconds, t.entered] for (f, n), t in self.totals.items()]
        names = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
        modules = sorted({os.path.realpath(name) for name in names if name and self._is_user(name)})
        Path(path).write_text(json.dumps({"loops": loops, "modules": modules, "peak": peak_memory()}), encoding="utf-8")

    @staticmethod
    def _is_user(name: str) -> bool:
        return Project().owns(name)

    # -- loading ------------------------------------------------------------------------------------------
    def planned(self, path: str) -> str:
        """The file's name below the root, '' when it is not the project's."""
        return os.path.relpath(os.path.realpath(path), self._root) if self._project.owns(path) else ""

    def compile(self, path: str, source: bytes) -> CodeType | None:
        """A module's code with the calls; None: compile it as usual."""
        file = self.planned(path)
        if not file:
            return None
        try:
            tree = ast.parse(source, path)
            numbers = {id(loop): number for number, loop in enumerate(loops_of(tree))}
            _Inserter(self, file, numbers).visit(tree)
            return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return None

    def place(self, file: str, number: int) -> int:
        """What the calls of a loop pass on."""
        self._places.append((file, number))
        return len(self._places) - 1

    # -- the calls ----------------------------------------------------------------------------------------
    def _enter(self, place: int) -> None:
        self._local.depth = getattr(self._local, "depth", 0) + 1
        self._entries[threading.get_ident(), id(sys._getframe(1)), place] = _Entry(now())

    def _beat(self, place: int) -> None:
        entry = self._entries.get((threading.get_ident(), id(sys._getframe(1)), place))
        if entry is None:
            return
        entry.beats += 1
        if entry.beats == 2 and self._places[place] not in self.totals:
            self._prepare()
            entry.at = now()  # the first turn compiled

    def _leave(self, place: int) -> None:
        entry = self._entries.pop((threading.get_ident(), id(sys._getframe(1)), place), None)
        self._local.depth = depth = getattr(self._local, "depth", 1) - 1
        if entry is None:
            return
        if self._drain is not None and (depth == 0 or entry.beats >= MANY) and not self._tracing():
            self._drain.wait()
        end = now()
        first = self._places[place] not in self.totals
        total = self.totals.setdefault(self._places[place], Total())
        total.entered += 1
        if first and entry.beats < 2:
            return
        total.iterations += entry.beats - first
        total.seconds += end - entry.at

    def _tracing(self) -> bool:
        return self._jax is not None and self._jax.tracing()

    def _prepare(self) -> None:
        """Make the drain when the program has come to use the devices."""
        if self._drain is not None or self._failed or not jax_loaded():
            return
        if self._jax is None:
            self._jax = load()
        if not self._jax.backends_ready() or self._jax.tracing():
            return
        try:
            self._drain = Drain(self._jax.jax)
        except Exception:  # another process holds the devices, ...: then loops end when the host is done with them
            self._failed = True


def peak_memory() -> int | None:
    """The most memory (bytes) that this process has held at once, with what it handed to CPU devices; None where the
    system doesn't tell. Not `getrusage`, which counts what the parent held when it made this process."""
    try:
        text = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    line = next((line for line in text.splitlines() if line.startswith("VmHWM:")), "")
    return 1024 * int(line.split()[1]) if line else None


class _Inserter(ast.NodeTransformer):
    """Puts the calls around and into the loops."""

    def __init__(self, clock: StepClock, file: str, numbers: dict[int, int]) -> None:
        self._clock = clock
        self._file = file
        self._numbers = numbers

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> ast.AST:
        place = self._clock.place(self._file, self._numbers[id(node)])
        self.generic_visit(node)
        node.body.insert(0, _call(BEAT, place, node))
        guarded = ast.Try([node], [], [], [_call(LEAVE, place, node)])
        both = ast.If(ast.Constant(True), [_call(ENTER, place, node), ast.copy_location(guarded, node)], [])
        return ast.copy_location(both, node)


def _call(name: str, place: int, at: ast.stmt) -> ast.stmt:
    node = ast.Expr(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(place)], []))
    for inner in ast.walk(node):
        ast.copy_location(inner, at)
    return node
