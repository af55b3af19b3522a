"""Programs that no person would write: bounded time, no crash, and no wrong word about them."""

# ruff: noqa: E501  whole programs on one line
from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping

import pytest
from snippets import PREAMBLE, check, run

from jaxlint.interpreter import Analysis, analyse
from jaxlint.project import Project
from jaxlint.source import Source


def timed(files: Mapping[str, str] | str, seconds: float = 10.0) -> Analysis:
    """Interpret, within a time that a slow machine keeps easily."""
    began = time.process_time()
    result = run(files)
    assert time.process_time() - began < seconds
    assert result.failures == []
    return result


def indented(text: str, depth: int) -> str:
    return textwrap.indent(text, " " * depth)


def test_elif_chain_of_2000_branches() -> None:
    branches = "".join(f"    {'el' if i else ''}if n == {i}:\n        y = x + {i}\n" for i in range(2000))
    code = f"@partial(jax.jit, static_argnums=1)\ndef f(x, n):\n    y = x\n{branches}    else:\n        y = -x\n    if y > 0:  # event: tracer-bool if\n        return y\n    return x\n\ndef run(n):\n    return f(jnp.ones(()), n)\n"
    began = time.process_time()
    check(code)
    assert time.process_time() - began < 10


def test_elif_chain_on_tracers_reports_each() -> None:
    branches = "".join(f"    {'el' if i else ''}if x > {i}:\n        x = x + {i}\n" for i in range(300))
    result = timed(f"@jax.jit\ndef f(x):\n{branches}    return x\n\nf(jnp.ones(()))\n")
    hows = [event.how for event in result.events]
    assert hows.count("if") == 1 and hows.count("elif") == 299


def test_nested_ifs() -> None:
    code = "def f(x):\n" + "".join(indented(f"if x == {i}:\n", i + 1) for i in range(95)) + indented("return x\n", 96)
    timed(code)


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 150 + "x" + ")" * 150,
        "-" * 500 + "x",
        "not " * 500 + "x",
        " + ".join(["x"] * 2000),
        "x" + ".a" * 500,
        "x" + "[0]" * 150,
        "x" + "()" * 150,
    ],
    ids=["parentheses", "minus", "not", "sum", "attributes", "subscripts", "calls"],
)
def test_nested_expressions(expression: str) -> None:
    timed(f"def f(x):\n    return {expression}\n")


def test_nested_functions_and_lambdas() -> None:
    timed("f = " + "lambda x: " * 90 + "x\n")
    code = "".join(indented(f"def f{i}(x):\n", i) for i in range(90)) + indented("return x\n", 90)
    timed(code)


def test_exponential_call_graph() -> None:
    functions = "".join(f"def f{i}(x):\n    return f{i + 1}(x + 1) + f{i + 1}(x * 2)\n" for i in range(60))
    timed(functions + "def f60(x):\n    return x\n\n@jax.jit\ndef g(x):\n    return f0(x)\n\ng(jnp.ones(()))\n", 20)


def test_call_graph_with_side_effects() -> None:
    functions = "".join(f"def f{i}(x):\n    SEEN.append({i})\n    f{i + 1}(x)\n    f{i + 1}(x)\n" for i in range(40))
    timed("SEEN = []\n" + functions + "def f40(x):\n    SEEN.append(x)\n\nf0(1)\n", 30)


def test_branches_after_branches() -> None:
    body = "".join(f"    if flags[{i}]:\n        x = x + {i}\n    else:\n        x = x * {i}\n" for i in range(1000))
    timed(f"@jax.jit\ndef f(x):\n    return x\n\ndef g(x, flags):\n{body}    return f(x)\n")


def test_loops_in_loops() -> None:
    code = (
        "def f(x):\n"
        + "".join(indented(f"for i{n} in range(10):\n", n + 1) for n in range(19))
        + indented("x = x + 1\n", 20)
    )
    timed("@jax.jit\n" + code + "    return x\n", 20)


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\nf(1)\njax.jit(f)(jnp.ones(3))\n",
        "def f(x):\n    return f(x - 1) if x else x\njax.jit(f)(3)\n",
        "@jax.jit\ndef f(x):\n    return f(x)\nf(jnp.ones(3))\n",
        "class A:\n    def __getattr__(self, name):\n        return getattr(self, name + 'x')\n    def __call__(self):\n        return self()\nA()().b\n",
        "class A:\n    @property\n    def a(self):\n        return self.a\nA().a\n",
        "def gen():\n    yield from gen()\nfor x in gen():\n    pass\n",
        "f = lambda: f()\nf()\n",
        "class A:\n    def __eq__(self, other):\n        return self == other\n    def __bool__(self):\n        return bool(self)\n    def __len__(self):\n        return len(self)\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return next(self)\na = A()\nif a == a and a:\n    for b in a:\n        len(b)\n",
        "x = []\nx.append(x)\ny = {}\ny['y'] = y\njax.jit(lambda v: v)(x)\njax.jit(lambda v: v)(y)\nprint(x == x, x[0][0], y['y']['y'])\n",
        "class A:\n    pass\na = A()\na.a = a\njax.jit(lambda v: v)(a)\n",
        "@jax.tree_util.register_pytree_node_class\nclass A:\n    pass\na = A()\na.a = a\njax.jit(lambda v: v)(a)\n",
    ],
    ids=[
        "mutual",
        "own",
        "compiled",
        "getattr",
        "property",
        "generator",
        "lambda",
        "dunders",
        "containers",
        "instance",
        "pytree",
    ],
)
def test_recursion(code: str) -> None:
    timed(code)


def test_star_import_cycles() -> None:
    files = {
        "a.py": "from b import *\nfrom c import *\nA = 1\n",
        "b.py": "from c import *\nfrom a import *\nB = A\n",
        "c.py": "from a import *\nfrom b import *\nC = B\n",
        "main.py": "import a, b, c\nfrom a import *\nfrom main import *\nprint(A, B, C)\n",
    }
    timed(files)


@pytest.mark.parametrize(
    "code",
    [
        "class Meta(type):\n    def __call__(cls, *args):\n        return super().__call__(*args)\n    def __getitem__(cls, item):\n        return cls\nclass A(metaclass=Meta):\n    def __init__(self, x):\n        self.x = x\n    def __init_subclass__(cls, **kw):\n        super().__init_subclass__(**kw)\nclass B(A, flag=True):\n    pass\nB[int](3).x\n",
        "class A(A):\n    pass\n",
        "class A(unknown.Base, *bases, **options):\n    x: 'unknown[int]' = 3\n    def f(self):\n        return super().f(self.x)\nA().f()\n",
        "class A:\n    class A:\n        class A:\n            x = 1\nA.A.A.x\n",
        "A = type('A', (), {'x': 1})\nA().x\n",
        "class A:\n    def __new__(cls):\n        return object.__new__(cls)\n    def __class_getitem__(cls, item):\n        return cls\nA[A]()\n",
        "class A:\n    pass\nclass B(A):\n    pass\nA.__bases__ = (B,)\nB().x\n",
    ],
    ids=["metaclass", "own base", "unknown bases", "nested", "type()", "__new__", "rebased"],
)
def test_classes(code: str) -> None:
    timed(code)


@pytest.mark.parametrize(
    "code",
    [
        "X = [" + ", ".join(map(str, range(50_000))) + "]\nfor x in X:\n    y = x\n",
        "X = {"
        + ", ".join(f"'k{i}': {i}" for i in range(20_000))
        + "}\nprint(X['k3'])\nfor k, v in X.items():\n    X[k] = v + 1\n",
        "X = '" + "a" * 1_000_000 + "'\nY = X * 3\nprint(f'{Y}')\n",
        "X = 10 ** 10 ** 10\nY = 2 ** 10000000\nZ = 1 << 10 ** 12\n",
        "X = 'a' * 10 ** 12\nY = [0] * 10 ** 12\nZ = (0,) * 10 ** 12\nW = b'a' * 2 ** 40\nV = '%1000000000d' % 3\nU = f'{3:1000000000}'\nT = 'a'.ljust(10 ** 12)\nS = 'ab'.replace('a', 'b' * 10 ** 10)\nR = 'a'.zfill(10 ** 11)\nQ = 'x'.join(['a'] * 10 ** 10)\n",
        "X = range(10 ** 18)\nfor x in X:\n    pass\nY = list(range(10 ** 12))\nZ = [0 for _ in range(10 ** 12)]\nW = sum(range(10 ** 12))\nprint(max(range(10 ** 12)), sorted(range(10 ** 12)), tuple(range(10 ** 12)), set(range(10 ** 12)))\n",
        "X = 10 ** 5000\nY = X * X\nprint(str(X), int('1' * 5000), f'{X}', X / 3, float(X), '%d' % X, repr(X), [X][X], {X: X}[X])\njax.jit(lambda x: x)(X)\n",
        "import math\nmath.factorial(10 ** 7)\nmath.comb(10 ** 6, 10 ** 5)\npow(3, 10 ** 9)\nround(1.5, 10 ** 9)\n",
        "x = 1\n" * 20_000,
    ],
    ids=["list", "dict", "string", "powers", "repetition", "ranges", "digits", "math", "lines"],
)
def test_huge_values(code: str) -> None:
    timed(code, 20)


@pytest.mark.parametrize(
    "code",
    [
        "1 / 0\n1 // 0\n1 % 0\n1.0 ** 10000\n(-1) ** 0.5\n1 << -1\n'a' % ()\n[][0]\n{}[0]\n''[5]\n(1)[0]\n[1][10 ** 30]\nint('x')\nfloat('x')\nchr(-1)\nrange(1, 2, 0)\n[1, 2][::0]\n'a'.index('b')\nnext(iter([]))\nmax([])\n'{} {}'.format(1)\n'{0.x}'.format(1)\ndict([1])\nlist(1)\n*a, *b\n"[
            :-7
        ]
    ],
)
def test_code_that_raises(code: str) -> None:
    timed(code)


def test_many_compiled_functions_and_signatures() -> None:
    calls = "".join(f"f(jnp.ones({i}))\n" for i in range(200))
    timed("@jax.jit\ndef f(x):\n    return x * 2\n" + calls)


def test_empty_and_odd_files() -> None:
    files = {
        "empty.py": "",
        "comment.py": "# nothing\n",
        "pkg/__init__.py": "",
        "odd name-1.py": "import jax\n",
        "main.py": "import empty, pkg, missing\n",
    }
    timed(files)


def test_one_broken_file_does_not_cost_the_others() -> None:
    """A file that does not parse is another part's finding; here it is only not followed."""
    good = PREAMBLE + "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n"
    result = analyse(Project([Source("good.py", good)]))
    assert [event.how for event in result.events] == ["if"]


def test_same_result_twice() -> None:
    code = "@jax.jit\ndef f(x):\n    if x > 0:\n        return float(x)\n    return np.sqrt(x)\n\nfor i in range(100):\n    print(float(f(1.0)))\n"
    first, second = (
        [(e.kind, e.how, getattr(e.node, "lineno", 0), [s.note for s in e.trace]) for e in run(code).events]
        for _ in range(2)
    )
    assert first == second
    assert first
