"""Running the interpreter over a project: modules first, then what nobody called, then what became of the loops."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.events import Event
from jaxlint.interpreter import widths
from jaxlint.interpreter.environment import begin_program
from jaxlint.interpreter.imports import load_module
from jaxlint.interpreter.machine import Machine
from jaxlint.interpreter.meshes import settle_specs
from jaxlint.interpreter.passing import compare_passing
from jaxlint.interpreter.retired import retired_names
from jaxlint.interpreter.saving import end_of_program
from jaxlint.interpreter.serving import check_script, settle_serving
from jaxlint.interpreter.settle import settle_reads
from jaxlint.interpreter.specs import late_spec_check
from jaxlint.interpreter.uncalled import run_uncalled

if TYPE_CHECKING:
    from jaxlint.project import Project
    from jaxlint.source import Source

# Interpreting a deeply nested program nests Python calls about fifteen deep per level.
RECURSION_LIMIT = 12_000
STACK_BYTES = 512 * 1024 * 1024


@dataclass(slots=True)
class Analysis:
    """What the interpreter found: events, how much traced code it saw, and where it gave up or failed."""

    events: list[Event] = field(default_factory=list)
    traced_functions: int = 0
    given_up: int = 0
    failures: list[tuple[Source, str]] = field(default_factory=list)


def analyse(
    project: Project,
    *,
    functions: Mapping[str, Mapping[str, object]] | None = None,
    sources: Sequence[Source] | None = None,
    probe: Any = None,
) -> Analysis:
    """Interpret every source of `project` (or only `sources`, with what they import).

    `functions` extends the knowledge tables, as `[tool.jaxlint.functions]` does. Raises ValueError when malformed.
    `probe(machine, frame, node, value)` is called after each evaluated expression (`benchmarks/oracle`).
    """
    if functions:
        knowledge.extend(functions)
    result = Analysis()
    run_with_stack(lambda: _analyse(project, list(sources if sources is not None else project.sources), result, probe))
    return result


def run_with_stack(work: Callable[[], None]) -> None:
    """Run in a thread with a stack deep enough for nested programs; errors come back to the caller."""
    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    limit = sys.getrecursionlimit()
    size = threading.stack_size(STACK_BYTES)
    try:
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        thread = threading.Thread(target=guarded, name="jaxlint-interpreter")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]


def _analyse(project: Project, sources: list[Source], result: Analysis, probe: Any) -> None:
    machine = Machine(project)
    machine.probe = probe
    machine.wanted = {source.filename for source in sources}
    for source in sources:
        machine.steps = 0
        started = len(machine.functions)
        transformed = len(machine.transformed)
        try:
            begin_program(machine, source.filename)
            widths.begin(machine, source)
            load_module(machine, source)
            end_of_program(machine)
            check_script(machine, source)
            run_uncalled(machine, started, transformed)
            machine.events += retired_names(project, source)
        except RecursionError:
            result.failures.append((source, "the code is nested too deeply to be followed"))
            reset(machine)
        except Exception as error:  # a bug of ours costs this file, not the run
            result.failures.append((source, describe(error)))
            reset(machine)
    for value in machine.transformed:
        late_spec_check(machine_at(machine, value.source), value)
        compare_passing(machine, value)
    settle_reads(machine)
    settle_specs(machine)
    settle_serving(machine)
    result.events = machine.events
    result.traced_functions = len(machine.traced_nodes)
    result.given_up = len(machine.not_followed)


def machine_at(machine: Machine, source: Source) -> Machine:
    """The machine with a frame of `source` on its stack, for reports made after the run."""
    from jaxlint.interpreter.frames import Frame

    module = load_module(machine, source)
    machine.frames = [Frame(module=module, names={}, uid=machine.fresh())]
    return machine


def reset(machine: Machine) -> None:
    """Forget the stacks after a failure in the middle of a file."""
    machine.frames, machine.journals, machine.traces = [], [], []
    machine.loops, machine.gates, machine.read_log, machine.muted = [], [], [], 0


def describe(error: Exception) -> str:
    """An internal error in one line: what, and where in our code."""
    traceback = error.__traceback__
    place = ""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        place = f"{code.co_filename.rpartition('jaxlint')[2].lstrip('/')}:{traceback.tb_lineno} in {code.co_name}"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {error} ({place})"


def why(project: Project, source: Source, line: int, column: int | None = None) -> list[str]:
    """What is known of the values on `line` (1-based) of `source`, or of the one at `column`, and why."""
    from jaxlint.interpreter.explaining import Probe

    probe = Probe(source, line, column)
    lines: list[str] = []

    def work() -> None:
        machine = Machine(project)
        machine.probe = probe
        started, transformed = 0, 0
        load_module(machine, source)
        run_uncalled(machine, started, transformed)
        lines.extend(probe.report(machine))

    run_with_stack(work)
    return lines
