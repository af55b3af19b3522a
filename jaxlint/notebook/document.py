"""The JSON of a notebook, with the place of each cell's source, so that one cell can change and no other byte does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class BrokenNotebook(Exception):
    """Not a notebook that can be read. `row` is the row of the file, `help` what to do."""

    def __init__(self, message: str, *, row: int = 1, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.help = help


@dataclass(frozen=True, slots=True)
class RawCell:
    """A code cell in Python. `index` counts the cells of the notebook from 1, those of text included.

    `start` and `end` enclose the value of its `source` in the document: a string, or a list of strings.
    """

    index: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Member:
    """A key of a JSON object with its value, and where the value stands."""

    key: str
    value: Any
    start: int
    end: int


def code_cells(document: str) -> list[RawCell]:
    """The Python code cells, in order. Raises BrokenNotebook."""
    try:
        return _code_cells(document)
    except json.JSONDecodeError as error:
        why = "an empty file" if not document.strip() else f"not valid JSON ({error.msg})"
        raise BrokenNotebook(f"{why}, so not a notebook", row=error.lineno, help="Save it again in Jupyter.") from None
    except RecursionError:
        raise BrokenNotebook("its JSON is nested too deeply to be read") from None


def _code_cells(document: str) -> list[RawCell]:
    start = _skip(document, 0)
    members: dict[str, Member] = {}
    cells: list[RawCell] = []
    for member in _members(document, start):
        members[member.key] = member
        if member.key == "cells" and isinstance(member.value, list):
            cells = [cell for cell in map(_raw_cell, *_cells(document, member)) if cell is not None]
    values = {key: member.value for key, member in members.items()}
    version = values.get("nbformat")
    if isinstance(version, int) and version < 4:
        raise BrokenNotebook(
            f"written in notebook format {version}, which is not read",
            help="Open and save it in a current Jupyter, or `jupyter nbconvert --to notebook --nbformat 4`.",
        )
    if "cells" not in values or not isinstance(values["cells"], list):
        raise BrokenNotebook("valid JSON, but no notebook: it has no list of `cells`")
    return cells if _is_python(values.get("metadata")) else []


def _cells(document: str, cells: Member) -> tuple[range, list[dict[str, Member]]]:
    """The members of each cell by name; cells are numbered from 1."""
    found = [
        {member.key: member for member in _members(document, start)} if isinstance(value, dict) else {}
        for value, start in _items(document, cells.start)
    ]
    return range(1, len(found) + 1), found


def _raw_cell(index: int, cell: dict[str, Member]) -> RawCell | None:
    """None: a cell of text, or of another language."""
    if "cell_type" not in cell or cell["cell_type"].value != "code" or "source" not in cell:
        return None
    source = cell["source"]
    text = "".join(source.value) if _is_list_of_text(source.value) else source.value
    if not isinstance(text, str):
        raise BrokenNotebook(f"cell {index} has a `source` that is no text")
    metadata = cell["metadata"].value if "metadata" in cell else None
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    language = editor.get("languageId", "python") if isinstance(editor, dict) else "python"
    return RawCell(index, text, source.start, source.end) if language == "python" else None


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_python(metadata: object) -> bool:
    """Whether the kernel is one of Python; a notebook that does not say is."""
    metadata = metadata if isinstance(metadata, dict) else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        table = metadata.get(key)
        language = table.get(name) if isinstance(table, dict) else None
        if isinstance(language, str):
            return language.lower() in ("python", "ipython", "python3")
    return True


# ---- places in JSON ------------------------------------------------------------------------------------


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _members(text: str, start: int) -> Iterator[Member]:
    """The members of the object that starts at `start`. Raises JSONDecodeError, also when it is no object."""
    if text[start : start + 1] != "{":
        raise json.JSONDecodeError("no object", text, start)
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if not isinstance(key, str) or text[at : at + 1] != ":":
            raise json.JSONDecodeError("a name and a colon are missing", text, at)
        begin = _skip(text, at + 1)
        value, end = _DECODER.raw_decode(text, begin)
        yield Member(key, value, begin, end)
        at = _after_comma(text, end, "}")


def _items(text: str, start: int) -> Iterator[tuple[Any, int]]:
    """The items of the list that starts at `start`, with their places."""
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        value, end = _DECODER.raw_decode(text, at)
        yield value, at
        at = _after_comma(text, end, "]")


def _after_comma(text: str, at: int, closing: str) -> int:
    """The start of the next member, or the closing bracket."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise json.JSONDecodeError(f"`,` or `{closing}` is missing", text, at)
    return at


# ---- writing -------------------------------------------------------------------------------------------


def with_cells(document: str, changed: dict[int, str], cells: list[RawCell]) -> str:
    """The document with new text in the cells `changed` (by index). All else stays as it is, byte for byte."""
    for cell in sorted(cells, key=lambda cell: cell.start, reverse=True):
        if cell.index in changed and changed[cell.index] != cell.text:
            value = _value(document, cell, changed[cell.index])
            document = document[: cell.start] + value + document[cell.end :]
    return document


def _value(document: str, cell: RawCell, text: str) -> str:
    """The JSON of a cell's new text, in the layout of the old: lines that stay keep their spelling."""
    escaped = document.isascii()
    if document[cell.start] == '"':
        return json.dumps(text, ensure_ascii=escaped)
    known: dict[str, str] = {}
    places = [(at, _DECODER.raw_decode(document, at)) for _, at in _items(document, cell.start)]
    for at, (value, end) in places:
        known.setdefault(value, document[at:end])
    lines = [known.get(line) or json.dumps(line, ensure_ascii=escaped) for line in _LINE.findall(text)]
    if not places or not lines:
        return f"[{', '.join(lines)}]"
    head = document[cell.start : places[0][0]]
    tail = document[places[-1][1][1] : cell.end]
    between = document[places[0][1][1] : places[1][0]] if len(places) > 1 else "," + (head[1:] or " ")
    return head + between.join(lines) + tail
