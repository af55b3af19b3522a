"""The state of one analysis: the heap with its journals, the stacks of frames, traces and loops, and what was seen.

Every part of the interpreter is a set of functions over a `Machine`. All writes to variables, attributes and
containers go through `write`, so that a branch can be run, undone, and joined with the other branch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.events import Event, Kind
from jaxlint.findings import Confidence, TraceStep
from jaxlint.interpreter.causes import leaf_of, why_of
from jaxlint.interpreter.environment import note_backend
from jaxlint.interpreter.frames import End, Frame
from jaxlint.interpreter.joining import join
from jaxlint.interpreter.running import Dispatch, Level, LoopRun, Mark, PendingRead
from jaxlint.interpreter.sharded import Shardings
from jaxlint.interpreter.values import MISSING, Array, Link, ModuleV, Store, Trace, TransformedV, Value
from jaxlint.interpreter.widths import Widths

if TYPE_CHECKING:
    from jaxlint.events import Loop
    from jaxlint.interpreter.saving import Save, Saver
    from jaxlint.interpreter.values import ClassV, FunctionV
    from jaxlint.project import Project
    from jaxlint.source import Source

MAX_CALL_DEPTH = 40
# statements run per module, counting repetitions; past it, calls are no longer looked into
STATEMENT_BUDGET = 60_000
Journal = dict[tuple[int, Any], tuple[dict[Any, Any], Any, Any]]
Delta = list[tuple[dict[Any, Any], Any, Any]]


@dataclass(eq=False)
class Machine:
    """See the module's docstring."""

    project: Project
    modules: dict[str, ModuleV] = field(default_factory=dict)
    journals: list[Journal] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    loops: list[LoopRun] = field(default_factory=list)
    gates: list[int] = field(default_factory=list)
    state: dict[Any, Any] = field(default_factory=dict)
    seq: int = 0
    version: int = 0
    # stamp of the oldest store written since the innermost call that is being memoised began
    oldest: int = 1 << 62
    effects: int = 0
    steps: int = 0
    budget: int = STATEMENT_BUDGET
    given_up: int = 0
    # functions (by node) that were not looked into on some call
    not_followed: set[int] = field(default_factory=set)
    uid: int = 0
    trace_count: int = 0
    muted: int = 0
    events: list[Event] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)
    reads: list[PendingRead] = field(default_factory=list)
    dispatches: list[Dispatch] = field(default_factory=list)
    functions: list[FunctionV] = field(default_factory=list)
    classes: list[ClassV] = field(default_factory=list)
    transformed: list[TransformedV] = field(default_factory=list)
    traced_nodes: set[Any] = field(default_factory=set)
    memo: dict[Any, Any] = field(default_factory=dict)
    # reads of host state while a compiled function is traced, to find stale ones: (container, key) -> value, node
    read_log: list[dict[Any, Any]] = field(default_factory=list)
    # frames in which a clock was read: what waits there waits for the clock
    clock_frames: set[int] = field(default_factory=set)
    # counts runs that do not follow one another in time: a module, a call from nowhere
    era: int = 0
    # how often each function (by its node) has been run
    runs: dict[int, int] = field(default_factory=dict)
    # tests for a Python number that (also) meet one
    type_hits: set[int] = field(default_factory=set)
    own_runs: dict[tuple[int, int], int] = field(default_factory=dict)
    # functions that nobody in sight calls are being run
    unprompted: bool = False
    # meshes of the `with` statements around (None: not known), each with whether it is entered by itself (`with mesh:`)
    meshes: list[tuple[Value | None, bool]] = field(default_factory=list)
    # axis names that the transforms around bind: the transform and its names (None: not known)
    axes: list[tuple[str, frozenset[str] | None]] = field(default_factory=list)
    # depth of `module.init(...)` calls: what a layer does only in training it does not do there
    initialising: int = 0
    # checkpointers that write in the background, and their saves by node
    savers: list[Saver] = field(default_factory=list)
    saves: dict[ast.AST, Save] = field(default_factory=dict)
    # containers that nnx manages (`nnx.List`, `nnx.data`), and plain ones that were put on a module, by identity
    registered: dict[int, Value] = field(default_factory=dict)
    watched: dict[int, tuple[Value, ast.Assign | ast.AnnAssign, Frame]] = field(default_factory=dict)
    # files whose import has imported jax, or used the devices, and where
    imports_jax: dict[str, Mark] = field(default_factory=dict)
    uses_backend: dict[str, Mark] = field(default_factory=dict)
    # compiled functions (by the node that wraps them) called outside of requests, and first calls inside of some
    warm: set[int] = field(default_factory=set)
    cold: dict[int, tuple[ast.AST, Source, str, str]] = field(default_factory=dict)
    # the file that is run as a program
    program: str = ""
    # text of a compiled call in a loop of the program that runs
    trained: str | None = None
    shardings: Shardings = field(default_factory=Shardings)
    # the files asked for: only their functions are called from nowhere
    wanted: set[str] = field(default_factory=set)
    # closures of one nested function that were run from nowhere
    blind: dict[int, int] = field(default_factory=dict)
    probe: Any = None
    # flags that the branches being run assume, by frame; flags in force inside of transformed functions
    assumed: list[tuple[int, dict[str, bool]]] = field(default_factory=list)
    forced: dict[str, bool] = field(default_factory=dict)
    # the branches being run, outermost first: what happened in one that has ended happened perhaps
    arms: list[int] = field(default_factory=list)
    # loops around the open traces: a compiled function called in a loop is traced once and runs each time
    veiled: list[LoopRun] = field(default_factory=list)
    # what the open traces of compiled functions did to keys, to be done again at each later call
    key_log: list[list[Any]] = field(default_factory=list)
    # what the partials being called hold
    partials: list[list[Value]] = field(default_factory=list)
    # values that stand for several arrays of the program, and how many arrays were donated so far
    shared: dict[int, Array] = field(default_factory=dict)
    donations: int = 0
    widths: Widths = field(default_factory=Widths)
    # bytes of the weights of the layers that were applied so far, as far as their sizes are known
    weights: int = 0
    # more than 0 while a function is only looked at (eval_shape, lower): no key is used up
    dry: int = 0

    def __post_init__(self) -> None:
        self.state["done"] = Level(0, low=True)
        self.state["blocked"] = Level(0, low=False)

    # -- heap ------------------------------------------------------------------------------------------

    def fresh(self) -> int:
        """A number not used before."""
        self.uid += 1
        return self.uid

    def write(self, container: dict[Any, Any], key: Any, value: Any) -> None:
        """Bind `key` in `container`, remembering the old binding while a branch is being tried."""
        if self.journals:
            journal = self.journals[-1]
            place = (id(container), key)
            if place not in journal:
                journal[place] = (container, key, container.get(key, MISSING))
        stamp = container.stamp if container.__class__ is Store else 0
        if stamp < self.oldest:
            self.oldest = stamp
        if not self.frames or stamp < self.frames[-1].stamp:
            self.version += 1
        container[key] = value

    def erase(self, container: dict[Any, Any], key: Any) -> None:
        """Unbind `key`."""
        if key in container:
            self.write(container, key, MISSING)

    def capture(self, depth: int) -> Delta:
        """The current bindings of all that was written since journal number `depth` was opened."""
        found: dict[tuple[int, Any], tuple[dict[Any, Any], Any, Any]] = {}
        for journal in self.journals[depth:]:
            for place, (container, key, _) in journal.items():
                found[place] = (container, key, container.get(key, MISSING))
        return list(found.values())

    def join_in(self, deltas: Iterable[Delta]) -> None:
        """Join bindings captured on paths that left early into the current ones."""
        for delta in deltas:
            for container, key, value in delta:
                current = container.get(key, MISSING)
                if current is not value:
                    self.write(container, key, join(current, value))

    def fork(self, arms: Sequence[Callable[[], End]]) -> End:
        """Run each arm from the current state and join the states of those that end normally."""
        ends: list[End] = []
        live: list[dict[tuple[int, Any], tuple[dict[Any, Any], Any, Any]]] = []
        for arm in arms:
            journal: Journal = {}
            self.journals.append(journal)
            self.arms.append(self.fresh())
            try:
                end = arm()
            finally:
                self.journals.pop()
                self.arms.pop()
                delta = {p: (c, k, c.get(k, MISSING)) for p, (c, k, _) in journal.items()}
                self.undo(journal)
            ends.append(end)
            if end == End.NORMAL:
                live.append(delta)
        if not live:
            return min(ends)
        self.merge(live)
        return End.NORMAL

    def undo(self, journal: Journal) -> None:
        """Put back the bindings from before `journal` was opened."""
        for container, key, old in journal.values():
            if old is MISSING:
                container.pop(key, None)
            else:
                container[key] = old

    def merge(self, live: list[dict[tuple[int, Any], tuple[dict[Any, Any], Any, Any]]]) -> None:
        """Join the bindings of paths that end here, each given with what it wrote."""
        places: dict[tuple[int, Any], tuple[dict[Any, Any], Any]] = {}
        for delta in live:
            for place, (container, key, _) in delta.items():
                places[place] = (container, key)
        for place, (container, key) in places.items():
            current = container.get(key, MISSING)
            result: Any = None
            for number, delta in enumerate(live):
                entry = delta.get(place)
                value = entry[2] if entry is not None else current
                result = value if number == 0 else join(result, value)
            self.write(container, key, result)

    # -- traces ----------------------------------------------------------------------------------------

    @property
    def staging(self) -> Trace | None:
        """The innermost trace under which every jnp operation becomes a tracer, or None outside."""
        for trace in reversed(self.traces):
            if trace.abstract and trace.transform not in NOT_STAGING:
                return trace
        return None

    @property
    def abstract(self) -> bool:
        """Whether the current code runs under an abstract trace (jit, vmap, scan, ...)."""
        return any(trace.abstract for trace in self.traces)

    @contextmanager
    def host_context(self) -> Iterator[None]:
        """Run something that does not belong to the current loops and traces (a module body, a callback)."""
        saved = (self.loops, self.gates, self.traces, self.era, self.veiled)
        outside = (self.meshes, self.axes)
        self.loops, self.gates, self.traces, self.veiled = [], [], [], []
        self.meshes, self.axes = [], []
        self.era = self.fresh()
        try:
            yield
        finally:
            self.loops, self.gates, self.traces, self.era, self.veiled = saved
            self.meshes, self.axes = outside

    @contextmanager
    def tracing(self, trace: Trace) -> Iterator[None]:
        """Run something under `trace`; the loops around the call do not repeat it."""
        saved = (self.loops, self.gates, self.veiled)
        self.veiled = [*self.veiled, *self.steady_loops()]
        self.loops, self.gates = [], []
        self.traces.append(trace)
        try:
            yield
        finally:
            self.traces.pop()
            self.loops, self.gates, self.veiled = saved

    def new_trace(self, transform: str, abstract: bool, link: Link, function: str = "") -> Trace:
        """A trace that starts now."""
        self.trace_count += 1
        parent = self.traces[-1] if self.traces else None
        return Trace(transform, len(self.traces) + 1, abstract, link, function, parent, Store.now())

    # -- device work -----------------------------------------------------------------------------------

    def stack_now(self, node: ast.AST | None) -> tuple[tuple[int, ast.AST | None, Source, str], ...]:
        """The frames that are active, outermost first, each with the node it is at."""
        rows: list[tuple[int, ast.AST | None, Source, str]] = []
        at = node
        for frame in reversed(self.frames):
            rows.append((frame.uid, at, frame.module.source, frame.qualname))
            at = frame.call_node
        rows.reverse()
        return tuple(rows)

    def running(self) -> set[int]:
        """The loops that are running, and those of the generators that drive them."""
        found: set[int] = set()
        for run in self.loops:
            inner: LoopRun | None = run
            while inner is not None and inner.uid not in found:
                found.add(inner.uid)
                inner = inner.driver
        return found

    def steady_loops(self) -> list[LoopRun]:
        """The loops that are running, in each iteration of which this happens: no gate is between."""
        top = max(self.gates, default=0)
        return [run for place, run in enumerate(self.loops) if top <= place]

    def frame_ids(self) -> tuple[int, ...]:
        """Identities of the active frames, outermost first."""
        return tuple(frame.uid for frame in self.frames)

    def rounds_now(self) -> tuple[tuple[int, int], ...]:
        """The loops that are running, each with its round."""
        return tuple((run.uid, run.round) for run in self.loops)

    def dispatch(self, node: ast.AST, text: str, *, compiled: bool, first: bool = False) -> int:
        """Note that device work is handed out here; returns its number."""
        if self.staging is not None:
            return self.seq
        self.seq += 1
        self.effects += 1
        if "backend in use" not in self.state:
            note_backend(self, node)
        self.write(self.state, "done", Level(self.seq, low=True))
        frame = self.frames[-1]
        source, stack, loops = frame.module.source, self.stack_now(node), tuple(self.loops)
        self.dispatches.append(Dispatch(self.seq, node, source, text, stack, compiled, first, loops))
        if self.loops and compiled:
            self._mark_hot(node, text)
        elif self.loops and max(self.gates, default=0) < len(self.loops):
            self.loops[-1].eager.setdefault(id(node), (text, node, source))
        return self.seq

    def _mark_hot(self, node: ast.AST, text: str) -> None:
        if not self.unprompted:
            self.trained = self.trained or text
        # a loop over one or two known items is part of the iteration of the loop around it
        place = len(self.loops) - 1
        while place and self.loops[place].short and self.loops[place].driver is None:
            self.loops[place].dispatched = True
            place -= 1
        run: LoopRun | None = self.loops[place]
        direct: set[int] = {short.uid for short in self.loops[place + 1 :]}
        while run is not None:
            run.dispatched = True
            run.last_dispatch = self.seq
            direct.add(run.uid)
            if not run.loop.work:
                run.loop.work = text
                run.loop.work_node, run.loop.work_source = node, self.frames[-1].module.source
            run = run.driver
        for place, outer in enumerate(self.loops):
            if outer.uid not in direct and not self._occasional(place):
                outer.inner_hot = True
            outer.last_dispatch = self.seq

    def _occasional(self, place: int) -> bool:
        """Whether what runs inside the loop at `place` of the stack does not run in each of its iterations.

        An inner loop behind a gate (an evaluation every N steps), or on one of two paths (gradients accumulated or
        not), does not make the outer one a loop over epochs.
        """
        if any(place < depth < len(self.loops) for depth in self.gates):
            return True
        if place + 1 >= len(self.loops):
            return False
        outer, inner = self.loops[place], self.loops[place + 1]
        if inner.journal_depth > outer.body_depth:
            return True
        # a helper that may have returned before it came to its loop
        uids = [frame.uid for frame in self.frames]
        if outer.frame not in uids or inner.frame not in uids:
            return False
        helpers = self.frames[uids.index(outer.frame) + 1 : uids.index(inner.frame) + 1]
        return any(frame.exits for frame in helpers)

    def block(self, born: int | None = None) -> None:
        """The host waits for the work up to number `born` (all of it when None)."""
        # also where nothing is in flight now: the same call may wait for more the next time
        self.effects += 1
        number = self.seq if born is None else born
        current: Level = self.state["blocked"]
        if number > current.number:
            self.write(self.state, "blocked", Level(number, low=False))

    # -- events ----------------------------------------------------------------------------------------

    def emit(
        self,
        kind: Kind,
        node: ast.AST,
        how: str,
        *,
        subject: ast.AST | None = None,
        value: Value | None = None,
        source: Source | None = None,
        scope: str | None = None,
        trace: tuple[TraceStep, ...] | None = None,
        confidence: Confidence = Confidence.PROVEN,
        loop: Loop | None = None,
        **data: object,
    ) -> None:
        """Report an event at `node`, once per place and kind. `loop`: it happens in each of its iterations."""
        if self.muted:
            return
        frame = self.frames[-1]
        place = source or frame.module.source
        key = (kind, how, id(node), id(place))
        if key in self.seen:
            return
        self.seen.add(key)
        chain = trace if trace is not None else self.explain(value)
        self.events.append(
            Event(
                kind,
                node,
                place,
                how,
                subject,
                frame.qualname if scope is None else scope,
                chain,
                loop,
                loop is not None,
                confidence,
                data,
            )
        )

    def later(
        self,
        kind: Kind,
        node: ast.AST,
        how: str,
        *,
        subject: ast.AST | None = None,
        value: Value | None = None,
        confidence: Confidence = Confidence.PROVEN,
        ragged: object = None,
        **data: object,
    ) -> None:
        """Report an event that only matters inside a hot loop; which loops are hot is known at their end."""
        if self.muted or not self.loops:
            return
        self.effects += 1
        array = leaf_of(value)
        if array is not None and array.ready and kind is Kind.HOST_READ:
            return
        top = max(self.gates, default=0)
        loops = tuple((run, run.round, top > place) for place, run in enumerate(self.loops))
        self.reads.append(
            PendingRead(
                kind,
                node,
                self.frames[-1].module.source,
                how,
                subject,
                data,
                array,
                self.stack_now(node),
                loops,
                self.lagged(array),
                self.explain(value),
                confidence,
                ragged,
            )
        )

    def lagged(self, array: Array | None) -> bool:
        """Whether `array` comes from an earlier iteration while newer work has been handed out in this one."""
        if array is None or not array.rounds:
            return False
        born = dict(array.rounds)
        for run in self.loops:
            if run.uid in born and born[run.uid] < run.round:
                return run.last_dispatch > array.born and self.dispatched_this_round(run)
        return False

    def dispatched_this_round(self, run: LoopRun) -> bool:
        """Whether device work was handed out since the current round of `run` began."""
        return run.last_dispatch > run.rounds_done

    def explain(self, value: Value | None) -> tuple[TraceStep, ...]:
        """Why `value` is what it is: the transform, the cause, and the calls from there to here."""
        return why_of(value, self.traces, self.frames)


NOT_STAGING = frozenset({"vmap"})
