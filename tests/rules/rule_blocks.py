"""Rule tests as data: Markdown files and rule pages are read into cases.

A case is a program: the code block itself (`main.py`), and before it any number of blocks named by a line such as
`lib.py:`. A block `py prelude` is put before the main block of every case below it. The words after the language are
options: `run=ok`, `run=raises:NAME`, `run="prints:TEXT"`, `run=traces:N` (compilations of functions that the program
defines), `run=reads:N` (device values read on the host). Comments in the code say what must be reported on their line:
`# error: [rule-name]`, `# error: [rule-name] "part of the message"`; a known miss is `# todo: [rule-name]`, a known
false alarm `# todo: not [rule-name]`. Without a comment a line must be silent.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MAIN = "main.py"

_FENCE = re.compile(r"^```(.*)$")
_FILE = re.compile(r"^`?([\w/.-]+\.py)`?:`?\s*$")
_MARK = re.compile(r"#\s*(error|todo):\s*(not\s+)?\[([\w-]+)\]\s*(?:\"(.*?)\")?")


@dataclass(frozen=True, slots=True)
class Mark:
    """One expectation: what should, or should some day (not), be reported at a line of a file."""

    kind: str  # error, todo, false
    rule: str
    filename: str
    row: int
    text: str


@dataclass(slots=True)
class Case:
    """One program with its expectations. `files` are in the order in which they were written, `main.py` last."""

    origin: str  # tests/rules/tracing/traced-branch.md:12
    title: str
    rule: str  # the rule whose file this is
    files: dict[str, str]
    runs: list[str] = field(default_factory=list)

    @property
    def marks(self) -> list[Mark]:
        """The expectations in all files."""
        found = []
        for filename, text in self.files.items():
            for row, line in enumerate(text.splitlines(), 1):
                for kind, negated, rule, words in _MARK.findall(line):
                    found.append(Mark("false" if negated else kind, rule, filename, row, words))
        return found

    @property
    def identifier(self) -> str:
        """A name for pytest."""
        return f"{self.origin} {self.title}".strip()


def _options(info: str) -> tuple[str, list[str], list[str]]:
    words = shlex.split(info)
    language = words[0] if words else ""
    runs = [word.removeprefix("run=") for word in words[1:] if word.startswith("run=")]
    flags = [word for word in words[1:] if not word.startswith("run=")]
    return language, runs, flags


def read_cases(text: str, origin: str, rule: str, first_row: int = 1) -> Iterator[Case]:
    """The cases of one Markdown text. A case starts with its first block and is named by the heading above it."""
    title, prelude, name = "", "", ""
    files: dict[str, str] = {}
    lines = iter(enumerate(text.split("\n"), first_row))
    for row, line in lines:
        if line.startswith("#"):
            title, name, files = line.lstrip("# ").strip(), "", {}
        elif found := _FILE.match(line):
            name = found.group(1)
        elif fence := _FENCE.match(line):
            language, runs, flags = _options(fence.group(1))
            body = []
            for _, inner in lines:
                if inner.startswith("```"):
                    break
                body.append(inner)
            code = "\n".join(body) + "\n"
            if language not in ("py", "python"):
                continue
            if "prelude" in flags:
                prelude = code
            elif name:
                files[name] = code
                name = ""
            else:
                separator = "\n\n" if prelude else ""
                yield Case(f"{origin}:{row}", title, rule, {**files, MAIN: prelude + separator + code}, runs)
                files = {}


def markdown_cases() -> list[Case]:
    """The cases in `tests/rules/<family>/<name>.md`."""
    cases: list[Case] = []
    for path in sorted(HERE.glob("*/*.md")):
        origin = path.relative_to(ROOT).as_posix()
        cases.extend(read_cases(path.read_text(encoding="utf-8"), origin, path.stem))
    return cases


def page_cases() -> list[Case]:
    """The Bad and Good programs in the rules' own docstrings."""
    cases: list[Case] = []
    for path in sorted((ROOT / "jaxlint" / "rules").glob("*/*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")), clean=False)
        if docstring:
            origin = path.relative_to(ROOT).as_posix()
            cases.extend(read_cases(docstring, origin, path.stem.replace("_", "-")))
    return cases
