"""IPython in a cell made into Python, row for row: what is Python keeps its columns, the rest is put out of the way.

`%time y = f(x)` becomes `0    ;y = f(x)`, and the place of that `0` is remembered: a clock runs from there to the end
of the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TIMED = frozenset({"time", "timeit"})
"""Magics that time the code that they run."""

RUN = TIMED | {"prun", "memit", "capture", "debug", "mprun", "lprun", "ipytest"}
"""Magics that run the code that they are given in the notebook's own namespace."""

# programs and magics that people call without `!` or `%`
_BARE = re.compile(r"(?:pip3?|conda|mamba|uv|cd|ls|cat|cp|mv|rm|mkdir|rmdir|git|wget|curl)[ \t]+[\w./~-]")
_COMPOUND = re.compile(r"(?:for|while|with|if|try|def|class|async|match)\b|@")
_ASSIGNED = re.compile(r"(?P<target>\s*[^\W\d][\w.,\[\]'\" \t*]*?=[ \t]*)(?=[!%](?!=))")
_MAGIC = re.compile(r"(?P<indent>[ \t]*)(?P<sign>%%?|!!?)[ \t]*(?P<name>[\w.]*)[ \t]*(?P<rest>.*)", re.DOTALL)
_HELP = re.compile(r"[ \t]*(?:\?{1,2}[^\W\d?*%][\w.*]*|%{0,2}[\w.*\[\]]+\?{1,2})[ \t]*(?:#.*)?$")
_OPTION = re.compile(r"-{1,2}[^\W\d_][\w-]*(?:[ \t]*=?[ \t]*\d+)?[ \t]+")
_TOKEN = re.compile(
    r"""(?P<comment>\#.*)
      | (?P<triple>'{3}|\"{3})
      | (?P<string>'(?:[^'\\]|\\.)*(?:'|$) | "(?:[^"\\]|\\.)*(?:"|$))
      | (?P<open>[(\[{]) | (?P<close>[)\]}])""",
    re.VERBOSE,
)


@dataclass(slots=True)
class Translated:
    """The Python of a cell. `clocks` are the rows (from 1) and columns (from 0) of the marks of timed lines.

    `timed_cell` is the row of a `%%time` or `%%timeit`, which times the rows below; None: there is none.
    `masked` are the rows whose text differs from what the user wrote, and `foreign` says that none of it is Python.
    """

    lines: list[str]
    clocks: list[tuple[int, int]] = field(default_factory=list)
    timed_cell: int | None = None
    masked: set[int] = field(default_factory=set)
    foreign: bool = False


def translate(lines: list[str]) -> Translated:
    """The Python of a cell's lines (without their ends), as many lines as there are."""
    out = Translated(list(lines))
    first = next((row for row, line in enumerate(lines, 1) if line.strip()), None)
    if first is None:
        return out
    row = first
    if lines[first - 1].startswith("%%") and not _HELP.match(lines[first - 1]):
        row = _cell_magic(out, first) + 1
        if out.foreign:
            return out
    state = _Lexer()
    while row <= len(lines):
        line = lines[row - 1]
        last = row
        if state.at_statement and (masked := _line(line, row, out)) is not None:
            while lines[last - 1].endswith("\\") and last < len(lines):
                last += 1
            _mask(out, row, last, masked)
            line = masked
        state.feed(line)
        row = last + 1
    return out


def _mask(out: Translated, first: int, last: int, text: str) -> None:
    """Put `text` in place of a row and those that continue it."""
    for row in range(first, last + 1):
        out.lines[row - 1] = text if row == first else ""
        out.masked.add(row)


def _cell_magic(out: Translated, row: int) -> int:
    """Take in a `%%` line; the last row of it. The cell becomes foreign when it isn't Python of this namespace."""
    match = _MAGIC.match(out.lines[row - 1])
    assert match is not None
    name = match["name"]
    if name not in RUN:
        out.foreign = True
        _mask(out, 1, len(out.lines), "")
        return len(out.lines)
    if name in TIMED:
        out.timed_cell = row
    setup = _without_options(match["rest"]) if name == "timeit" else ""
    _mask(out, row, row, _behind_mark(out.lines[row - 1], setup) or "#" + out.lines[row - 1][1:])
    return row


def _line(line: str, row: int, out: Translated) -> str | None:
    """The Python in place of a line at the start of a statement; None: it is Python already."""
    text = line.lstrip(" \t")
    indent = line[: len(line) - len(text)]
    if text[:1] in ("%", "!"):
        if _HELP.match(line):
            return indent + "pass"
        return _line_magic(line, row, out)
    if "?" in text and _HELP.match(line):
        return indent + "pass"
    if _BARE.match(text) and not re.match(r"\w+[ \t]+(?:in|is|and|or|not|if)\b", text):
        return indent + "pass"
    assigned = _ASSIGNED.match(line)
    # the name is bound to something that nobody knows
    return assigned["target"] + "get_ipython()" if assigned is not None else None


def _line_magic(line: str, row: int, out: Translated) -> str:
    match = _MAGIC.match(line)
    assert match is not None
    nothing = match["indent"] + "pass"
    if match["sign"] != "%" or match["name"] not in RUN or line.endswith("\\"):
        return nothing
    code = _without_options(match["rest"])
    if match["name"] == "lprun" or not code or _COMPOUND.match(code):
        return nothing
    shown = _behind_mark(line, code)
    if shown is None:
        return nothing
    if match["name"] in TIMED:
        out.clocks.append((row, len(match["indent"])))
    return shown


def _without_options(text: str) -> str:
    """The code behind the options of a magic: `-n 10 -r3 f(x)`."""
    while (match := _OPTION.match(text)) is not None:
        text = text[match.end() :]
    return "" if text.startswith("-") and re.fullmatch(r"-{1,2}[\w-]*\s*\d*\s*", text) else text


def _behind_mark(line: str, code: str) -> str | None:
    """`line` with `0 ... ;` in place of all that stands before `code`, at its end. None: there is no code."""
    if not code.strip() or code.lstrip().startswith("#"):
        return None
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    room = len(line) - len(code) - len(indent)
    return f"{indent}0{' ' * (room - 2)};{code}"


class _Lexer:
    """Knows, line by line, whether the next line starts a statement: not inside brackets, strings or a continuation."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def at_statement(self) -> bool:
        return not (self._depth or self._quote or self._continued)

    def feed(self, line: str) -> None:
        """Take in one line."""
        at = self._end_of_string(line, 0) if self._quote else 0
        comment = False
        while at is not None and (token := _TOKEN.search(line, at)) is not None:
            at = token.end()
            if token["comment"]:
                comment = True
            elif token["triple"]:
                self._quote = token["triple"]
                at = self._end_of_string(line, at)
            elif token["open"]:
                self._depth += 1
            elif token["close"]:
                self._depth = max(self._depth - 1, 0)
        self._continued = not comment and not self._quote and line.endswith("\\")

    def _end_of_string(self, line: str, at: int) -> int | None:
        """Where the open string ends on this line; None: further down."""
        match = re.compile(rf"(?:[^\\]|\\.)*?{self._quote}").match(line, at)
        if match is None:
            return None
        self._quote = ""
        return match.end()
