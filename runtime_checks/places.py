"""Which file is the user's project, and which line of it an event belongs to."""

from __future__ import annotations

import os
import site as site_module
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from runtime_checks.observed import NOWHERE, Place, Site

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
_OWN_PROGRAMS = (_OWN + "workloads" + os.sep,)
_MARKERS = ("pyproject.toml", ".git", "setup.py", "setup.cfg", "jaxlint.toml")
_STANDARD = os.path.dirname(os.path.realpath(os.__file__)) + os.sep
MAX_CHAIN = 12


def _library_folders() -> tuple[str, ...]:
    """Folders that hold installed or standard-library code."""
    found: set[str] = set()
    paths = sysconfig.get_paths()
    for name in ("stdlib", "platstdlib", "purelib", "platlib"):
        if paths.get(name):
            found.add(os.path.realpath(paths[name]) + os.sep)
            found.add(paths[name] + os.sep)
    try:
        found.add(site_module.getusersitepackages() + os.sep)
    except (AttributeError, OSError):  # some embedded interpreters have no user site
        pass
    # in a virtual environment the standard library is that of the base interpreter
    base = os.path.join(sys.base_prefix, "lib", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    found.add(base + os.sep)
    return tuple(found)


def project_root(start: str) -> str:
    """The nearest folder at or above `start` that looks like a project's root, else `start` itself."""
    here = Path(start).resolve()
    if here.is_file():
        here = here.parent
    for folder in (here, *here.parents):
        if any((folder / marker).exists() for marker in _MARKERS):
            return str(folder)
    return str(here)


class Project:
    """Decides by file name which frames are the user's. `roots` empty: everything outside the libraries."""

    def __init__(self, roots: Iterable[str] = (), exclude: Iterable[str] = ()) -> None:
        self.roots = tuple(os.path.realpath(root).rstrip(os.sep) + os.sep for root in roots)
        self._libraries = _library_folders()
        self._exclude = tuple(exclude)
        self._known: dict[str, bool] = {}

    def owns(self, filename: str) -> bool:
        """Whether `filename` (a code object's `co_filename`) is the user's."""
        known = self._known.get(filename)
        if known is None:
            known = self._known[filename] = self._decide(filename)
        return known

    def _decide(self, filename: str) -> bool:
        if filename.startswith("<"):
            return filename.startswith("<ipython-input")
        path = os.path.abspath(filename)
        if path.startswith(_OWN):
            return path.startswith(_OWN_PROGRAMS)
        if f"{os.sep}ipykernel_" in path:
            return True
        real = os.path.realpath(path)
        for name in (path, real):
            if "site-packages" in name or "dist-packages" in name or name.startswith(self._libraries):
                return False
            if name in self._exclude:
                return False
        if not self.roots:
            return True
        return real.startswith(self.roots) or path.startswith(self.roots)

    def frame(self, frame: FrameType | None) -> FrameType | None:
        """The innermost project frame at or above `frame`."""
        known = self._known
        while frame is not None:
            name = frame.f_code.co_filename
            mine = known.get(name)
            if mine is None:
                mine = self.owns(name)
            if mine:
                return frame
            frame = frame.f_back
        return None

    def site(self, frame: FrameType | None, chain: bool = True) -> Site:
        """The site of the event that `frame` (any frame of the event's stack) is part of."""
        via = ""
        inner = frame
        while inner is not None and not self.owns(inner.f_code.co_filename):
            name = inner.f_code.co_filename
            if not via and not _is_machinery(name):
                via = f"{_short(name)}:{inner.f_lineno} {function_name(inner)}"
            inner = inner.f_back
        if inner is None:
            return NOWHERE._replace(via=via)
        places: list[Place] = []
        outer: FrameType | None = inner
        while chain and outer is not None and len(places) < MAX_CHAIN:
            if self.owns(outer.f_code.co_filename):
                places.append(Place(outer.f_code.co_filename, outer.f_lineno or 0, function_name(outer)))
            outer = outer.f_back
        return Site(inner.f_code.co_filename, inner.f_lineno or 0, function_name(inner), via, tuple(places))


def function_name(frame: FrameType) -> str:
    """The qualified name of the frame's function where Python tells it (3.11), else its name."""
    code = frame.f_code
    return getattr(code, "co_qualname", code.co_name)


def _is_machinery(filename: str) -> bool:
    """Frames that explain nothing to a user: the recorder's own, jax's, numpy's and the import system's."""
    if filename.startswith(("<", _OWN)):
        return True
    if "site-packages" not in filename and "dist-packages" not in filename:
        return filename.startswith(_STANDARD)
    return any(f"{os.sep}{name}{os.sep}" in filename for name in ("jax", "jaxlib", "numpy"))


def _short(filename: str) -> str:
    """An installed file's name from its package on: `flax/nnx/transforms/compilation.py`."""
    for marker in ("site-packages", "dist-packages"):
        _, found, rest = filename.rpartition(marker + os.sep)
        if found:
            return rest
    return os.sep.join(filename.split(os.sep)[-2:])
