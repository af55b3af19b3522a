"""Cells are found in the JSON and written back to it without touching another byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.notebook.document import BrokenNotebook, code_cells, with_cells
from tests.notebook.notebooks import code, notebook, text

LINES = st.lists(st.text(st.sampled_from("ab é\\\"'\t#\u2028\U0001f600"), max_size=8), max_size=5).map("\n".join)


def test_cells_are_counted_with_those_of_text() -> None:
    cells = code_cells(notebook(text("# T"), code("x = 1\ny = 2"), text(""), code("z")))
    assert [(cell.index, cell.text) for cell in cells] == [(2, "x = 1\ny = 2"), (4, "z")]


def test_other_languages_are_left_out() -> None:
    assert code_cells(notebook(code("x"), kernelspec={"language": "R"})) == []
    assert code_cells(notebook(code("x"), language_info={"name": "julia"})) == []
    assert len(code_cells(notebook(code("x"), language_info={"name": "python"}))) == 1
    assert code_cells(notebook(code("x", metadata={"vscode": {"languageId": "sql"}}))) == []


@pytest.mark.parametrize(
    ("document", "words", "row"),
    [
        ("", "an empty file", 1),
        ("{}", "no list of `cells`", 1),
        ("[]", "not valid JSON", 1),
        ('{"cells": [\n', "not valid JSON", 2),
        ('{"cells": 3}', "no list of `cells`", 1),
        ('{"nbformat": 3, "worksheets": []}', "notebook format 3", 1),
        ('{"cells": [{"cell_type": "code", "source": 3}]}', "cell 1 has a `source`", 1),
        ('{"cells": ' + "[" * 100_000, "nested too deeply", 1),
    ],
)
def test_what_is_no_notebook_says_why(document: str, words: str, row: int) -> None:
    with pytest.raises(BrokenNotebook) as caught:
        code_cells(document)
    assert words in caught.value.message and caught.value.row == row


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
@given(
    st.lists(LINES, min_size=1, max_size=4), LINES, st.sampled_from([None, 1, "\t", 4]), st.booleans(), st.booleans()
)
def test_only_the_changed_cell_changes(texts: list[str], new: str, indent: Any, escaped: bool, as_text: bool) -> None:
    """Read back, the changed cell has its new text and all else is as before, in any layout."""
    cells = [code(each) | ({"source": each} if as_text else {}) for each in texts]
    before = json.loads(notebook(*cells))
    document = json.dumps(before, indent=indent, ensure_ascii=escaped)
    raw = code_cells(document)
    after = with_cells(document, {1: new}, raw)
    assert "".join(json.loads(after)["cells"][0]["source"]) == new
    assert after[: raw[0].start] == document[: raw[0].start]
    assert after.endswith(document[raw[0].end :])
    assert with_cells(document, {1: texts[0]}, raw) == document


def test_lines_that_stay_keep_their_spelling() -> None:
    document = '{"cells": [{"cell_type": "code", "source": ["a = \'\\u00e9\'\\n",\n   "b"]}], "x": "é"}'
    after = with_cells(document, {1: "a = 'é'\nc"}, code_cells(document))
    assert after == document.replace('"b"', '"c"')
