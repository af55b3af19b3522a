"""A pytest plugin: markers and fixtures of the guards, and a summary of what the tests did on the device.

    @pytest.mark.no_recompiles
    @pytest.mark.no_transfers(allow=["log_metrics"])
    @pytest.mark.max_compiles(2)
    def test_training_loop(): ...

    def test_step(jax_watch):
        train()
        assert not jax_watch.recompiles

`pytest --jax-watch` watches the whole session and prints the dearest lines at the end. Without a marker, a fixture or
the option, nothing is imported and nothing is patched.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from runtime_checks.guards import Report

_MARKERS = {
    "no_recompiles": "no_recompiles: fail if a compiled function is compiled again",
    "no_transfers": "no_transfers(device_to_host=True, host_to_device=False, allow=()): fail at a read of a value",
    "max_compiles": "max_compiles(n): fail if more than n programs are compiled",
    "blocked_timing": "blocked_timing: fail if a clock is read while device work is pending",
}
_GUARDS = {"blocked_timing": "assert_blocked_timing"}
_SESSION = pytest.StashKey[Any]()
TOP = 15


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--jax-watch`."""
    group = parser.getgroup("jaxlint", "jaxlint's runtime checks")
    group.addoption("--jax-watch", action="store_true", help="print which lines read, waited, compiled and recompiled")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; start the session's watch if asked for."""
    for text in _MARKERS.values():
        config.addinivalue_line("markers", text)
    if config.getoption("--jax-watch"):
        from runtime_checks.guards import watch

        stack = ExitStack()
        report = stack.enter_context(watch(roots=[str(config.rootpath)]))
        config.stash[_SESSION] = (stack, report)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the session's watch."""
    held = config.stash.get(_SESSION, None)
    if held is not None:
        held[0].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Run a marked test inside its guards. A guard never replaces the test's own exception."""
    marks = [mark for name in _MARKERS for mark in item.iter_markers(name)]
    if not marks:
        return (yield)
    from runtime_checks import guards

    with ExitStack() as stack:
        for mark in marks:
            guard = getattr(guards, _GUARDS.get(mark.name, mark.name))
            stack.enter_context(guard(*mark.args, **{"roots": [str(item.config.rootpath)], **mark.kwargs}))
        return (yield)


@pytest.fixture
def jax_watch(request: pytest.FixtureRequest) -> Iterator[Report]:
    """A `Report` of what the test does."""
    from runtime_checks.guards import watch

    with watch(roots=[str(request.config.rootpath)]) as report:
        yield report


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """The lines that cost most, and every recompilation."""
    held = config.stash.get(_SESSION, None)
    if held is None:
        return
    report: Report = held[1]
    reporter = terminalreporter
    reporter.section("jax watch")
    kinds = ("host-read", "host-block", "device-iterate", "compiled-call")
    events = [event for event in report.events if event.file and event.kind in kinds]
    reads = sum(event.count for event in events if event.kind == "host-read")
    compiles = sum(event.count for event in report.compiles)
    again = sum(event.count for event in report.recompiles)
    reporter.write_line(f"{reads} reads of device values, {compiles} programs compiled, {again} of them again")
    for event in sorted(events, key=lambda event: -event.seconds)[:TOP]:
        reason = next((str(s["reason"]) for s in event.samples if s.get("reason")), "")
        text = f"{event.seconds * 1e3:9.1f} ms {event.count:6} x {event.kind} {event.how} {event.subject}"
        reporter.write_line(f"{text.rstrip()} at {event.where}{': ' + reason if reason else ''}")
