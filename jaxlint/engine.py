"""One run: discover, read, parse, interpret, judge, silence, sort. Nothing that a file or a rule does ends it."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jaxlint import files, syntax
from jaxlint.config import Config, Settings
from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity, Span, TraceStep
from jaxlint.project import Project
from jaxlint.rules import CODES
from jaxlint.source import Source
from jaxlint.suppressions import CODE as UNUSED_SUPPRESSION
from jaxlint.suppressions import Suppressions
from jaxlint.targets import Targets

if TYPE_CHECKING:
    from jaxlint.rules.base import Rule

JAX_WORDS: tuple[str, ...] = (
    "jax",  # and jaxlib, jaxopt, jaxtyping, blackjax, ...
    "flax",
    "nnx",
    "optax",
    "equinox",
    "haiku",
    "orbax",
    "chex",
    "numpyro",
    "distrax",
    "diffrax",
    "optimistix",
    "lineax",
    "brax",
    "mctx",
    "rlax",
    "keras",
)
"""A file whose text has none of these, and that imports none that has, has nothing to report."""


class Outcome(Protocol):
    """What the interpreter returns (`jaxlint.interpreter.Analysis`)."""

    @property
    def events(self) -> list[Event]: ...
    @property
    def traced_functions(self) -> int: ...
    @property
    def given_up(self) -> int: ...
    @property
    def failures(self) -> list[tuple[Source, str]]: ...


class Analyse(Protocol):
    """The interpreter's entry (`jaxlint.interpreter.analyse`)."""

    def __call__(self, project: Project, *, functions: Mapping[str, Mapping[str, object]] | None = None) -> Outcome: ...


RulesFor = Callable[[Kind], Iterable["Rule"]]
"""The rules that judge a kind of event (`jaxlint.rules.by_kind`)."""


@dataclass(frozen=True, slots=True)
class Stdin:
    """A file that came on standard input, where `-` stands among the paths."""

    data: bytes
    filename: str = files.STDIN


@dataclass(slots=True)
class Report:
    """The outcome of a run."""

    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    traced_functions: int = 0
    given_up: int = 0
    internal_errors: list[str] = field(default_factory=list)
    usage_errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    # the reported names of the files that were checked, and not only read for what they tell of others
    asked: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def exit_code(self, fail_on: Severity, *, require_files: bool = False) -> int:
        """0 clean, 1 findings at or above `fail_on`, 2 something kept the run from looking at everything."""
        if self.usage_errors or self.internal_errors or (require_files and not self.files):
            return 2
        rank = [Severity.ADVICE, Severity.WARNING, Severity.ERROR].index
        return int(any(rank(finding.severity) >= rank(fail_on) for finding in self.findings))

    def lines(self, filename: str, cell: int | None = None) -> list[str] | None:
        """The lines of a file by its reported name, or of one cell of a notebook, for code frames."""
        source = self.sources.get(filename)
        return None if source is None else source.shown_lines(cell)


def check(
    paths: Sequence[str],
    settings: Settings,
    stdin: Stdin | None = None,
    *,
    analyse: Analyse | None = None,
    rules_for: RulesFor | None = None,
    unsaved: Mapping[str, Source] | None = None,
) -> Report:
    """Check the files and folders `paths`. `analyse` and `rules_for` stand in for the interpreter and the rules.

    `unsaved`: what an editor holds of files, by absolute path; it is read instead of the disk.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the parser thinks of the linted code's style
        return _Run(settings, stdin, unsaved or {}).check(paths, analyse, rules_for)


class _Run:
    """The state of one `check`."""

    def __init__(self, settings: Settings, stdin: Stdin | None, unsaved: Mapping[str, Source]) -> None:
        self.settings = settings
        self.unsaved = unsaved
        self.stdin = stdin
        self.report = Report()
        self.targets = Targets(metadata=not settings.isolated)
        self.asked: dict[Source, str] = {}
        """The files that were asked for, with their absolute paths."""
        self.suppressions: dict[Source, Suppressions] = {}
        self.found: dict[tuple[str, object, str], Finding] = {}
        self._clock = time.perf_counter()

    def check(self, paths: Sequence[str], analyse: Analyse | None, rules_for: RulesFor | None) -> Report:
        self._read(paths)
        self._lap("read and parse")
        project = Project(self.asked, unsaved=self.unsaved)
        functions = self._functions()
        project.keep_relevant((*JAX_WORDS, *(name.partition(".")[0] for name in functions)))
        self._lap("resolve imports")
        events = self._interpret(project, functions, analyse)
        self._lap("interpret")
        for source in (*self.asked, *project.context):
            self.report.sources.setdefault(source.filename, source)
        self._judge(events, rules_for)
        self._lap("judge")
        self._finish()
        self.report.asked = [source.filename for source in self.asked]
        self._lap("silence and sort")
        return self.report

    def _lap(self, phase: str) -> None:
        now = time.perf_counter()
        self.report.seconds[phase] = now - self._clock
        self._clock = now

    # ---- reading ---------------------------------------------------------------------------------------

    def _read(self, paths: Sequence[str]) -> None:
        if self.stdin is not None and "-" in paths:
            self._read_stdin(self.stdin)
            paths = [path for path in paths if path != "-"]
        held = [name for name in paths if os.path.abspath(name) in self.unsaved]
        for path in map(os.path.abspath, held):
            if not (self.settings.force_exclude and files.excluded_with_parents(path, self.settings.excluded)):
                self._take(self.unsaved[path], path)
        paths = [name for name in paths if name not in held]
        found = files.discover(paths, self.settings.excluded, force_exclude=self.settings.force_exclude)
        self.report.usage_errors += [f"{name}: no such file or folder" for name in found.missing]
        for finding in found.broken:
            self._add_broken(finding, os.path.abspath(finding.filename))
        for candidate in found.files:
            self._take(files.read(candidate), candidate.path)

    def _read_stdin(self, stdin: Stdin) -> None:
        path = os.path.abspath(stdin.filename)
        if not (self.settings.force_exclude and files.excluded_with_parents(path, self.settings.excluded)):
            on_disk = None if stdin.filename == files.STDIN else Path(path)
            self._take(files.from_bytes(stdin.data, stdin.filename, on_disk), path)

    def _take(self, source: Source | Finding, path: str) -> None:
        self.report.files += 1
        if isinstance(source, Finding):
            self._add_broken(source, path)
            return
        if source.filename.endswith(files.NOTEBOOK):
            self._take_cells(source, path)
            return
        failure = syntax.check_syntax(source)
        if failure is not None:
            self.report.sources[source.filename] = source
            self._add_broken(failure, path)
            return
        if not any(word in source.text for word in JAX_WORDS):
            source._tree = None  # most likely not needed again, and trees are what fills the memory
        self.asked[source] = path

    def _take_cells(self, notebook: Source, path: str) -> None:
        """A notebook: each cell that does not parse is a finding, and the others are checked."""
        self.report.sources[notebook.filename] = notebook
        for failure in getattr(notebook, "failures", ()):
            self._add_broken(failure, path)
        self.asked[notebook] = path

    def _add_broken(self, finding: Finding, path: str) -> None:
        config = self.settings.for_file(path)
        if finding.code in config.rules_for(path):
            self._add(finding, config)

    # ---- interpreting and judging ----------------------------------------------------------------------

    def _functions(self) -> dict[str, Mapping[str, object]]:
        """The user's own entries of the knowledge tables, from all the configurations in use."""
        functions: dict[str, Mapping[str, object]] = {}
        for path in self.asked.values():
            self.settings.for_file(path)
        for config in self.settings.used:
            functions.update(config.functions)
        return functions

    def _interpret(
        self, project: Project, functions: Mapping[str, Mapping[str, object]], analyse: Analyse | None
    ) -> list[Event]:
        if not project.sources:
            return []  # nothing mentions JAX: the interpreter is not even imported
        try:
            if analyse is None:
                from jaxlint.interpreter import analyse as own

                analyse = own
            analysis = analyse(project, functions=functions or None)
        except Exception as error:
            self.report.internal_errors.append(f"the interpreter failed: {_describe(error)}")
            return []
        self.report.traced_functions = analysis.traced_functions
        self.report.given_up = analysis.given_up
        for source, message in analysis.failures:
            self.report.internal_errors.append(f"{source.filename}: the interpreter failed: {message}")
        return analysis.events

    def _judge(self, events: Iterable[Event], rules_for: RulesFor | None) -> None:
        if rules_for is None:
            from jaxlint.rules import by_kind

            rules_for = by_kind
        for event in events:
            path = self.asked.get(event.source)
            if path is None:
                continue  # context: nobody asked about that file
            config = self.settings.for_file(path)
            enabled = config.rules_for(path)
            if event.kind is Kind.RETIRED_NAME or event.data.get("since"):
                target = self.targets.of(path, config.target_jax)
                since = event.data.get("since")
                if isinstance(since, tuple) and not target.reaches(*since):
                    continue  # not yet so in the versions that the project runs with
                event = replace(event, data={**event.data, "target": target})
            try:
                rules = [rule for rule in rules_for(event.kind) if rule.code in enabled]
            except Exception as error:
                self._internal(f"a rule for {event.kind.value} cannot be loaded: {_describe(error)}")
                continue
            for rule in rules:
                self._judge_one(rule, event, config)

    def _judge_one(self, rule: Rule, event: Event, config: Config) -> None:
        try:
            finding = rule.judge(event)
        except Exception as error:
            row = getattr(event.node, "lineno", 1)
            place = f"{event.source.filename}:{row}"
            self._internal(f"{place}: rule {rule.code} ({rule.name}) failed: {_describe(error)}")
            return
        if finding is None:
            return
        everywhere = rule.in_tests if rule.in_tests is not None else finding.severity is Severity.ERROR
        if not everywhere and self._in_tests(event, config):
            return
        if not self._silenced(finding, event.source):
            self._add(finding, config)

    def _in_tests(self, event: Event, config: Config) -> bool:
        """Whether an event happens in a test, in a loop that a test runs, or follows from what a test does."""
        places = {event.source.filename, *(step.filename for step in event.trace)}
        if event.loop is not None:
            places.add(event.loop.source.filename)
        return any(config.is_test(place) for place in places)

    def _internal(self, message: str) -> None:
        if message not in self.report.internal_errors:
            self.report.internal_errors.append(message)

    def _add(self, finding: Finding, config: Config) -> None:
        """Keep a finding, under the severity and confidence of the configuration; of equal ones the surest."""
        if finding.confidence < config.confidence:
            return
        info = CODES.get(finding.code)
        severity = None if info is None else config.severity_of(info)
        if severity is not None:
            finding = replace(finding, severity=severity)
        key = (finding.filename, finding.span, finding.code)
        known = self.found.get(key)
        if known is None or finding.confidence > known.confidence:
            self.found[key] = finding

    # ---- silencing -------------------------------------------------------------------------------------

    def _comments(self, source: Source) -> Suppressions:
        known = self.suppressions.get(source)
        if known is None:
            known = self.suppressions[source] = Suppressions.of(source)
        return known

    def _silenced(self, finding: Finding, source: Source) -> bool:
        """Whether a comment at the finding, or at the `jit` that its trace names, silences it."""
        info = CODES.get(finding.code)
        if info is None:
            return False
        hit = self._comments(source).silences(info, finding.span.row)
        for filename, row in finding.also_ignored_at:
            other = source if filename == source.filename else self.report.sources.get(filename)
            # every comment that would do counts as used, so all are asked
            if other is not None and self._comments(other).silences(info, row):
                hit = True
        return hit

    def _finish(self) -> None:
        for source, path in self.asked.items():
            config = self.settings.for_file(path)
            enabled = config.rules_for(path)
            if UNUSED_SUPPRESSION not in enabled and "jaxlint" not in source.text:
                continue
            comments = self._comments(source)
            if UNUSED_SUPPRESSION not in enabled:
                self.report.warnings += [
                    f"{source.filename}:{comment.row}: this comment silences nothing: {problem}"
                    for comment, problem in comments.problems()
                ]
                continue
            for finding in list(comments.unused(enabled)):
                if not comments.silences_in_file(CODES[UNUSED_SUPPRESSION]):
                    self._add(finding, config)
        placed = [self._located(finding) for finding in self.found.values()]
        self.report.findings = sorted(placed, key=lambda finding: finding.sort_key)

    def _located(self, finding: Finding) -> Finding:
        """A finding with its places as they are reported: in a notebook, by cell and row within the cell."""
        source = self.report.sources.get(finding.filename)
        trace = tuple(self._step(step) for step in finding.trace)
        if source is None:
            return finding
        fix = finding.fix
        if fix is not None:
            fix = replace(fix, edits=tuple(replace(edit, span=source.located(edit.span)) for edit in fix.edits))
        return replace(finding, span=source.located(finding.span), trace=trace, fix=fix)

    def _step(self, step: TraceStep) -> TraceStep:
        source = self.report.sources.get(step.filename)
        if source is None:
            return step
        span = source.located(Span(step.row, step.column, step.row, step.column))
        return replace(step, row=span.row, cell=span.cell)


def _describe(error: Exception) -> str:
    """An unexpected error in one line: what it was and where in jaxlint it arose."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    place = ""
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        place = f" (at {os.path.basename(code.co_filename)}:{step.tb_lineno} in {code.co_name})"
        step = step.tb_next
    return text[:300] + place
