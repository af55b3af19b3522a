"""`python -m jaxlint`."""

from __future__ import annotations

import os
import sys


def distrust_working_directory() -> None:
    """Let nothing of the linted folder be imported: `python -m` puts it first on the path, before Python's own.

    Where jaxlint itself lies there (a checkout), the folder stays, as the last one.
    """
    if sys.flags.safe_path if sys.version_info >= (3, 11) else False:
        return
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        here = os.getcwd()
    except OSError:
        return  # a folder that is gone holds nothing
    if sys.path and os.path.abspath(sys.path[0]) == here:
        first = sys.path.pop(0)
        if os.path.abspath(first) == home:
            sys.path.append(first)


if __name__ == "__main__":
    distrust_working_directory()
    from jaxlint.cli import main

    sys.exit(main())
