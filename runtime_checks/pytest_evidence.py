"""A pytest plugin for `jaxlint confirm -- pytest`: an exception that fails a test is evidence as well."""

from __future__ import annotations

from typing import Any


def pytest_exception_interact(node: Any, call: Any, report: Any) -> None:
    """Note the exception at the innermost project line."""
    from runtime_checks.runner import note_exception

    info = getattr(call, "excinfo", None)
    if info is not None:
        note_exception(info.value, info.tb)
