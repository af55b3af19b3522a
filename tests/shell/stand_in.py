"""Runs the command line with a stand-in for the interpreter and the rules, so that the shell is tested on its own.

Each call of `float` in a file that is analysed is one event, and a JAX201 finding; `int` gives JAX102.
`crash_rule(...)` makes the rule fail, `crash_analysis` in a file makes the interpreter give the file up.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence, Finding, Severity, TraceStep
from jaxlint.project import Project
from jaxlint.rules.base import Rule
from jaxlint.source import Source


class SyncInLoop(Rule):
    code = "JAX201"
    name = "sync-in-loop"
    summary = "A stand-in"
    severity = Severity.WARNING
    kinds = (Kind.HOST_READ,)

    def judge(self, event: Event) -> Finding | None:
        text = event.source.segment(event.node)
        if event.how == "crash":
            raise ZeroDivisionError("the rule divides by zero")
        return self.finding(event, f"`{text}` waits for the device", help="Read it less often.")


class TracedToPython(Rule):
    code = "JAX102"
    name = "traced-to-python"
    summary = "A stand-in"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_CONVERT,)

    def judge(self, event: Event) -> Finding | None:
        return self.finding(event, f"`{event.source.segment(event.node)}` needs a number")


@dataclass
class Analysis:
    events: list[Event] = field(default_factory=list)
    traced_functions: int = 0
    given_up: int = 0
    failures: list[tuple[Source, str]] = field(default_factory=list)


WORDS = {
    "float": (Kind.HOST_READ, "float"),
    "crash_rule": (Kind.HOST_READ, "crash"),
    "int": (Kind.TRACER_CONVERT, "int"),
    "guess": (Kind.HOST_READ, "guess"),
}


def _events(source: Source, trace: tuple[TraceStep, ...]) -> list[Event]:
    return [
        Event(
            kind=WORDS[node.func.id][0],
            node=node,
            source=source,
            how=WORDS[node.func.id][1],
            trace=trace,
            confidence=Confidence.GUESS if node.func.id == "guess" else Confidence.PROVEN,
        )
        for node in ast.walk(source.parse())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDS
    ]


def _decorators(source: Source) -> tuple[TraceStep, ...]:
    """The first `@jit` of a file is the cause of all that is found in it."""
    for node in ast.walk(source.parse()):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            decorator = node.decorator_list[0]
            return (TraceStep(source.filename, decorator.lineno, 2, f"`{node.name}` is compiled here"),)
    return ()


def analyse(project: Project, *, functions: object = None) -> Analysis:
    """An event for each call of a known word, in the sources and in the modules of the project that they import."""
    analysis = Analysis(traced_functions=len(project.sources), given_up=1 if functions else 0)
    done: set[Source] = set()
    for source in project.sources:
        if "crash_analysis" in source.text:
            analysis.failures.append((source, "KeyError: 'frame'"))
            continue
        wanted = [source]
        for node in ast.walk(source.parse()):
            if isinstance(node, ast.ImportFrom):
                module = project.absolute(source, node.level, node.module)
                wanted += filter(None, [project.find(module, source)])
        for each in wanted:
            if each not in done:
                done.add(each)
                analysis.events += _events(each, _decorators(each))
    # the same place may be interpreted several times
    analysis.events += analysis.events[:1]
    return analysis


def rules_for(kind: Kind) -> tuple[Rule, ...]:
    return tuple(rule for rule in (SyncInLoop(), TracedToPython()) if kind in rule.kinds)


def main() -> int:
    from jaxlint import interpreter, rules
    from jaxlint.cli import main as command

    interpreter.analyse = analyse
    interpreter.why = lambda project, source, line, column: [f"{source.filename}:{line}:{column} \x1b[2J"]
    rules.by_kind = rules_for
    return command()


if __name__ == "__main__":
    sys.exit(main())
