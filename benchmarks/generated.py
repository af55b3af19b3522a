"""`python -m benchmarks.generated --count N --seed S`: does the linter crash or hang on programs that nobody wrote?

Each program is one of the rule tests' JAX programs with some of its parts exchanged for parts of others: statements
dropped, doubled, wrapped and replaced, expressions and names swapped. So they get deep into the interpreter, and few
of them make sense. A program depends on the seed and its number only; `--only N` prints it and checks it alone.
"""

from __future__ import annotations

import argparse
import ast
import copy
import faulthandler
import random
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxlint.config import Overrides, Settings
from jaxlint.engine import Stdin, check
from jaxlint.selection import Layer

RULE_TESTS = Path(__file__).resolve().parents[1] / "tests" / "rules"
BLOCK = re.compile(r"^```py(?:thon)?\b.*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MUTATIONS = 12
SETTINGS = Settings(Overrides(layer=Layer(select=("ALL",))), isolated=True)
WRAPPERS = (
    "for _ in range(3):\n    pass",
    "while x.sum() > 0:\n    pass",
    "if x is None:\n    pass\nelse:\n    y = x",
    "with jax.named_scope('a') as scope:\n    pass",
    "try:\n    pass\nexcept* TypeError as error:\n    raise\nfinally:\n    x = 1",
    "match x:\n    case {'a': [y, *_]} | (y, 0) if y:\n        pass",
    "@jax.jit\ndef wrapped(x, *args, y=1, **kwargs):\n    pass",
    "class Wrapped(list):\n    pass",
    "async def waits(x):\n    async with x as y, y:\n        pass",
)


@dataclass(frozen=True)
class Parts:
    """What programs are made of."""

    programs: Sequence[ast.Module]
    statements: Sequence[ast.stmt]
    expressions: Sequence[ast.expr]


def collect(folder: Path = RULE_TESTS) -> Parts:
    """The programs of the rule tests, and their parts."""
    programs = []
    for path in sorted(folder.glob("*/*.md")):
        for text in BLOCK.findall(path.read_text(encoding="utf-8")):
            try:
                programs.append(ast.parse(text))
            except SyntaxError:
                continue  # some rule tests are about broken programs
    nodes = [node for program in programs for node in ast.walk(program)]
    return Parts(
        programs,
        [node for node in nodes if isinstance(node, ast.stmt)],
        [
            node
            for node in nodes
            if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", None), (ast.Load, type(None)))
        ],
    )


class Program:
    """One program while it is being changed."""

    def __init__(self, parts: Parts, seed: int, number: int) -> None:
        self.random = random.Random(f"{seed}:{number}")
        self.parts = parts
        mixed = [statement for program in self.random.sample(parts.programs, 4) for statement in program.body]
        imports = ast.parse("import functools, time\nimport jax\nimport jax.numpy as jnp\nimport numpy as np")
        self.tree = ast.Module([*imports.body, *copy.deepcopy(mixed)], [])
        for _ in range(self.random.randint(1, MUTATIONS)):
            self.random.choice(
                (self.statement, self.statement, self.wrap, self.expression, self.expression, self.name)
            )()

    def text(self) -> str:
        """The program."""
        return ast.unparse(ast.fix_missing_locations(self.tree)) + "\n"

    def blocks(self) -> list[list[ast.stmt]]:
        """All lists of statements."""
        found = []
        for node in ast.walk(self.tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block:
                    found.append(block)
        return found

    def statement(self) -> None:
        """Drop, double or replace a statement."""
        block = self.random.choice(self.blocks())
        place = self.random.randrange(len(block))
        action = self.random.choice(("drop", "double", "replace", "insert"))
        if action == "drop" and len(block) > 1:
            del block[place]
        elif action == "double":
            block.insert(place, copy.deepcopy(block[place]))
        elif action == "replace":
            block[place] = copy.deepcopy(self.random.choice(self.parts.statements))
        else:
            block.insert(place, copy.deepcopy(self.random.choice(self.parts.statements)))

    def wrap(self) -> None:
        """Put a statement into a compound one."""
        block = self.random.choice(self.blocks())
        place = self.random.randrange(len(block))
        outer = ast.parse(self.random.choice(WRAPPERS[: 4 if sys.version_info < (3, 11) else None])).body[0]
        for node in ast.walk(outer):
            inner = getattr(node, "body", None)
            if isinstance(inner, list) and isinstance(inner[0], ast.Pass):
                inner[0] = block[place]
                break
        block[place] = outer

    def expression(self) -> None:
        """Put a foreign expression in the place of one that is read."""
        holders = [
            (node, name)
            for node in ast.walk(self.tree)
            for name, value in ast.iter_fields(node)
            if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", None), (ast.Load, type(None)))
            if not isinstance(node, (ast.JoinedStr, ast.FormattedValue, ast.pattern))
        ]
        node, name = self.random.choice(holders)
        setattr(node, name, copy.deepcopy(self.random.choice(self.parts.expressions)))

    def name(self) -> None:
        """Let a name mean another variable."""
        names = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        self.random.choice(names).id = self.random.choice(names).id


def texts(parts: Parts, count: int, seed: int, first: int = 0) -> Iterator[tuple[int, str]]:
    """`count` numbered programs that can be written down as Python."""
    for number in range(first, first + count):
        try:
            text = Program(parts, seed, number).text()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                compile(text, "<generated>", "exec")
        except (SyntaxError, ValueError, TypeError, AttributeError, RecursionError):
            continue  # not every tree is a program
        yield number, text


def faults(text: str) -> tuple[list[str], Counter[str]]:
    """What goes wrong inside the linter on a program, and how many findings of each rule it has."""
    report = check(["-"], SETTINGS, Stdin(text.encode(), "generated.py"))
    return [*report.internal_errors, *report.usage_errors], Counter(finding.code for finding in report.findings)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generated", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N", help="print program N and check it alone")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one program; past it the run ends")
    args = parser.parse_args()
    parts = collect()
    first, count = (0, args.count) if args.only is None else (args.only, 1)
    crashes = programs = lines = 0
    codes: Counter[str] = Counter()
    slowest = (0.0, 0)
    for number, text in texts(parts, count, args.seed, first):
        if args.only is not None:
            print(text)
        faulthandler.dump_traceback_later(args.limit, exit=True)
        start = time.process_time()
        errors, found = faults(text)
        slowest = max(slowest, (time.process_time() - start, number))
        programs, lines, codes = programs + 1, lines + text.count("\n"), codes + found
        crashes += bool(errors)
        for error in errors:
            print(f"CRASH program {number} (seed {args.seed}): {error}", flush=True)
    faulthandler.cancel_dump_traceback_later()
    print(f"{programs} programs, {lines} lines, {crashes} crashes, slowest {slowest[0]:.1f} s (program {slowest[1]})")
    print("findings: " + (", ".join(f"{code} {count}" for code, count in sorted(codes.items())) or "none"))
    return int(crashes > 0)


if __name__ == "__main__":
    sys.exit(main())
