"""Paths as text and as `Path` objects: how they begin is enough to tell a relative one."""

from __future__ import annotations

import re

from jaxlint.interpreter.values import UNKNOWN, Const, Host, InstanceV, Value

PATH = "pathlib.Path"
START = ("start",)
ROOT = Host("str", prefix="/")
ABSOLUTE = re.compile(r"[/\\]|[A-Za-z][\w+.-]*:")


def start_of(value: Value | None) -> str:
    """How the text of a path begins, '' when not known."""
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value
    if isinstance(value, Host):
        return value.prefix
    if isinstance(value, InstanceV) and value.extern == PATH:
        inner = value.attrs.get(START)
        return start_of(inner) if isinstance(inner, Value) else ""
    return ""


def is_relative(value: Value | None) -> bool:
    """Whether a path is certainly relative."""
    start = start_of(value)
    return bool(start) and not ABSOLUTE.match(start)


def is_absolute(value: Value | None) -> bool:
    """Whether a path is certainly absolute, or the address of a store."""
    return bool(ABSOLUTE.match(start_of(value)))


def as_start(value: Value | None) -> Value:
    """A string value that begins as the path does."""
    if isinstance(value, (Const, Host)):
        return value
    return Host("str", prefix=start_of(value))


def make_path(start: Value | None) -> InstanceV:
    """A `Path` that begins with `start`."""
    made = InstanceV(None, PATH)
    made.attrs[START] = as_start(start) if start is not None else Const(".")
    return made


def joined(parts: list[Value]) -> Value:
    """The beginning of parts joined: that of the first one, or of the last absolute one behind it."""
    first: Value = parts[0] if parts else UNKNOWN
    for part in parts[1:]:
        if is_absolute(part):
            first = part
        elif not start_of(part) and not isinstance(part, Host):
            # may be absolute, and then what stands before it does not count
            return UNKNOWN if is_relative(first) else first
    return first


def divide(left: InstanceV, right: Value) -> Value:
    """`path / part`."""
    return make_path(joined([left, right]))
