"""Notebooks for tests, written as Jupyter writes them."""

from __future__ import annotations

import json
from typing import Any


def code(source: str, **more: Any) -> dict[str, Any]:
    """A code cell with an output that nothing may touch."""
    output = {"name": "stdout", "output_type": "stream", "text": ["[1. 2.]\n"]}
    return {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [output],
        "source": source.splitlines(keepends=True),
        **more,
    }


def text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook(*cells: dict[str, Any], **metadata: Any) -> str:
    document = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1) + "\n"
