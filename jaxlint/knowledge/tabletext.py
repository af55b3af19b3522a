"""The notation of the tables: one line a fact, read when a name is asked for.

Building some five thousand `Entry` objects at start-up would cost more than linting a small file, so a table is one
string, which a .pyc loads for nothing; its lines are split when the first name of that module is looked up, and a line
becomes an `Entry` when its name is.

A line is

    NAME... (PARAMETERS) -> RESULT WORD...       a function or a class
    NAME... -> RESULT WORD...                    a plain value or an attribute (no parentheses)

- several names may share a line; an indented line continues the one above; `#` starts a comment;
- parameters are the positional ones by name; `p#` decides a shape (`shape_params`), `p!` needs a Python number
  (`number_params`), `p%` is the parameter that makes the output size static (`size_param`); what follows `*` is
  keyword-only and is listed only where it carries a mark; `*name` are further positional arguments; `...` = more
  parameters that are not told;
- RESULT is a word of `Entry.result`;
- words: `model=NAME`, `effect=KIND`, `reads=KIND`, `jnp=NAME` (a bare `jnp` = the same name in jax.numpy;
  `jnp=MODULE.` = the same name there), `blocks`,
  `delegates`, `nodispatch` (`dispatches=False`); any other `word` or `word=value` goes into `options`;
- `@ WORD...` adds the words to every later line of the table, a lone `@` ends that.
"""

from __future__ import annotations

from collections.abc import Iterator

from .entry import Entry

# What a table is split into before anybody asks: parameters (None for a value), result and words, the `@` words.
Raw = tuple["str | None", str, str]

_TRUE_FLAGS = frozenset({"blocks", "delegates"})
_FIELDS = frozenset({"model", "effect", "reads"})


def split(text: str) -> dict[str, Raw]:
    """The lines of a table by name."""
    index: dict[str, Raw] = {}
    shared = ""
    for line in _logical_lines(text):
        if line.startswith("@"):
            shared = line[1:].strip()
            continue
        head, arrow, tail = line.partition(" -> ")
        if not arrow:
            raise ValueError(f"a table line without ' -> ': {line!r}")
        names, paren, parameters = head.partition("(")
        raw: Raw = (parameters.rstrip().rstrip(")") if paren else None, tail, shared)
        for name in names.split():
            index[name] = raw
    return index


def _logical_lines(text: str) -> Iterator[str]:
    pending = ""
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        if line[0] == " ":
            pending = f"{pending} {line.strip()}"
            continue
        if pending:
            yield pending
        pending = line
    if pending:
        yield pending


def entry(name: str, raw: Raw) -> Entry:
    """The fact a line states about `name` (the name decides only what a bare `jnp` means)."""
    parameters, tail, shared = raw
    fields: dict[str, object] = {}
    options: dict[str, object] = {}
    result, _, words = tail.partition(" ")
    for word in f"{shared} {words}".split():
        key, equals, value = word.partition("=")
        if key == "jnp":
            fields["jnp"] = f"jax.numpy.{name}" if not equals else value + name if value.endswith(".") else value
        elif key in _FIELDS:
            fields[key] = value
        elif key in _TRUE_FLAGS:
            fields[key] = True
        elif key == "nodispatch":
            fields["dispatches"] = False
        else:
            options[key] = _literal(value) if equals else True
    if parameters is None:
        fields["attribute"] = True
    else:
        fields.update(_parameters(parameters))
    if options:
        fields["options"] = options
    return Entry(result=result, **fields)  # type: ignore[arg-type]


def _parameters(text: str) -> dict[str, object]:
    positional: list[str] = []
    shapes: list[str] = []
    numbers: list[str] = []
    found: dict[str, object] = {}
    keyword_only = False
    for part in text.split(","):
        part = part.strip()
        if not part or part == "...":
            continue
        if part.startswith("*"):
            keyword_only = True
            if len(part) > 1 and part[1] != "*":
                found["varargs"] = part[1:]
            continue
        name = part.rstrip("#!%")
        marks = part[len(name) :]
        if "#" in marks:
            shapes.append(name)
        if "!" in marks:
            numbers.append(name)
        if "%" in marks:
            found["size_param"] = name
        if not keyword_only:
            positional.append(name)
    found["params"] = tuple(positional)
    found["shape_params"] = tuple(shapes)
    found["number_params"] = tuple(numbers)
    return found


_WORDS: dict[str, object] = {"True": True, "False": False, "None": None}


def _literal(text: str) -> object:
    """A number, True, False, None, a tuple of such (`0,1`) or the word itself."""
    if "," in text:
        return tuple(_literal(part) for part in text.split(",") if part)
    if text in _WORDS:
        return _WORDS[text]
    if text[:1].isdigit() or text[:1] in "-+.":
        for number in (int, float):
            try:
                return number(text)
            except ValueError:
                continue
    return text
