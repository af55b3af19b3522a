"""Jupyter notebooks: `document` finds the cells in the JSON, `magics` makes Python of IPython, `source` joins them."""

from __future__ import annotations

from jaxlint.notebook.source import Cell, Notebook, read_notebook

__all__ = ["Cell", "Notebook", "read_notebook"]
