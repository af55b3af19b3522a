"""The page of each rule, made of its docstring: for `jaxlint rule CODE` and for `docs/rules`.

`python -m jaxlint.rules.docs docs/rules` writes the pages; `--check` only says which ones are out of date.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import re
from pathlib import Path

from jaxlint.rules import FAMILIES, TABLE, Info, load

HEADINGS = ("Why", "Bad", "Good", "How it is fixed", "Known limits")
RUNTIME_HEADING = "At run time"

FAMILY_TITLES = {
    "general": "JAX0: reading and suppressing",
    "tracing": "JAX1: fails or lies under a trace",
    "sync": "JAX2: host syncs and transfers in hot loops",
    "timing": "JAX3: timing that lies",
    "recompile": "JAX4: recompilation",
    "memory": "JAX5: memory",
    "random": "JAX6: random numbers",
    "numerics": "JAX7: GPU numerics",
    "sharding": "JAX8: sharding",
    "deploy": "JAX9: running and deploying",
}

_FENCE = re.compile(r"^```(\w+) .*$", re.MULTILINE)
_MARK = re.compile(r"# error: \[([\w-]+)\](?: \".*?\")?")


def docstring(info: Info) -> str:
    """The module docstring of a rule, read from its source (kept under `python -OO`)."""
    spec = importlib.util.find_spec(info.module)
    if spec is None or spec.origin is None:
        return ""
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return inspect.cleandoc(ast.get_docstring(tree, clean=False) or "")


def body(info: Info) -> str:
    """The docstring as readers see it: without options for the tests, with the code where a line is reported."""
    return _MARK.sub(f"# <- {info.code}", _FENCE.sub(r"```\1", docstring(info)))


def page(code_or_info: Info | str) -> str:
    """The whole page as Markdown. Raises KeyError for an unknown code or name."""
    info = code_or_info
    if isinstance(info, str):
        from jaxlint.rules import find_info

        found = find_info(info)
        if found is None:
            raise KeyError(info)
        info = found
    rule = load(info)
    default = "on" if info.default else f"off (select it with `--select {info.code}`)"
    return (
        f"# {info.name} ({info.code})\n\n{info.summary}.\n\n"
        f"Severity: {rule.severity.value}. Default: {default}.\n\n{body(info)}\n"
    )


def index() -> str:
    """The list of all rules as Markdown."""
    parts = [
        "# Rules\n\nCode and name of a rule never change. *Default* says whether `jaxlint check` reports it unasked.\n"
        "`jaxlint rule CODE` prints a page; these pages are made by `python -m jaxlint.rules.docs docs/rules`.\n"
    ]
    for family in FAMILIES.values():
        rows = [
            f"| {info.code} | [{info.name}]({info.name}.md) | {info.summary} | {load(info).severity.value} | "
            f"{'on' if info.default else 'off'} |"
            for info in TABLE
            if info.family == family
        ]
        parts.append(
            f"\n## {FAMILY_TITLES[family]}\n\n| code | name | reports | severity | default |\n|---|---|---|---|---|\n"
            + "\n".join(rows)
            + "\n"
        )
    return "".join(parts)


def pages() -> dict[str, str]:
    """File name -> text of everything in `docs/rules`."""
    return {"index.md": index(), **{f"{info.name}.md": page(info) for info in TABLE}}


def stale(folder: Path) -> list[str]:
    """The files in `folder` that differ from what would be written, are missing, or belong to no rule."""
    wanted = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))


def main() -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description="Write the rules' pages.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a page is out of date")
    options = parser.parse_args()
    folder: Path = options.folder
    if options.check:
        for name in stale(folder):
            print(f"{folder / name} is out of date")
        return 1 if stale(folder) else 0
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
