"""File names for machines: relative, with `/`, and escaped as the format wants it."""

from __future__ import annotations

import os
from urllib.parse import quote


def relative(filename: str) -> str:
    """A reported name as seen from the working directory, with `/` between its parts."""
    if os.path.isabs(filename):
        try:
            filename = os.path.relpath(filename)
        except ValueError:  # another drive
            return filename.replace(os.sep, "/")
    return os.path.normpath(filename).replace(os.sep, "/")


def uri(filename: str) -> str:
    """The relative URI of a file; what is not UTF-8 in its name keeps its bytes."""
    return quote(os.fsencode(relative(filename)), safe="/~")
