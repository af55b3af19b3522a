"""Facts flow through imports: relative ones, re-exports, stars, `src` layouts, `TYPE_CHECKING`, cycles."""

# ruff: noqa: E501  whole programs on one line
from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest
from snippets import check, expected, matches, seen

from jaxlint.interpreter import analyse
from jaxlint.project import Project
from jaxlint.source import Source

HELPER = """
import jax.numpy as jnp

def helper(x):
    if x > 0:  # event: tracer-bool if
        return x
    return -x
"""
CALLER = """
import jax
import jax.numpy as jnp
{imports}

@jax.jit
def f(x):
    return {call}(x)

f(jnp.ones(()))
"""

PROJECTS: dict[str, dict[str, str]] = {
    "beside a script": {
        "main.py": CALLER.format(imports="from lib import helper", call="helper"),
        "lib.py": HELPER,
    },
    "a module": {"main.py": CALLER.format(imports="import lib", call="lib.helper"), "lib.py": HELPER},
    "under another name": {
        "main.py": CALLER.format(imports="import lib as tools\nfrom lib import helper as h", call="h"),
        "lib.py": HELPER,
    },
    "relative": {
        "pkg/__init__.py": "",
        "pkg/main.py": CALLER.format(imports="from .lib import helper", call="helper"),
        "pkg/lib.py": HELPER,
    },
    "relative, two levels": {
        "pkg/__init__.py": "",
        "pkg/sub/__init__.py": "",
        "pkg/sub/main.py": CALLER.format(imports="from ..lib import helper", call="helper"),
        "pkg/lib.py": HELPER,
    },
    "a relative module": {
        "pkg/__init__.py": "",
        "pkg/main.py": CALLER.format(imports="from . import lib", call="lib.helper"),
        "pkg/lib.py": HELPER,
    },
    "re-exported": {
        "pkg/__init__.py": "from .lib import helper as helper\n__all__ = ['helper']",
        "pkg/lib.py": HELPER,
        "main.py": CALLER.format(imports="from pkg import helper", call="helper"),
    },
    "a star": {
        "lib.py": HELPER,
        "main.py": CALLER.format(imports="from lib import *", call="helper"),
    },
    "a star through __init__": {
        "pkg/__init__.py": "from pkg.lib import *",
        "pkg/lib.py": HELPER,
        "main.py": CALLER.format(imports="import pkg", call="pkg.helper"),
    },
    "inside a function": {
        "lib.py": HELPER,
        "main.py": """
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    from lib import helper

    return helper(x)

f(jnp.ones(()))
""",
    },
    "in a try": {
        "lib.py": HELPER,
        "main.py": CALLER.format(
            imports="try:\n    from lib import helper\nexcept ImportError:\n    helper = None", call="helper"
        ),
    },
    "type checking only": {
        "lib.py": HELPER + "\nclass Config:\n    pass\n",
        "main.py": CALLER.format(
            imports="from typing import TYPE_CHECKING\nfrom lib import helper\nif TYPE_CHECKING:\n    from lib import Config",
            call="helper",
        ),
    },
    "a cycle": {
        "a.py": "import jax.numpy as jnp\nimport b\n\ndef helper(x):\n    if x > 0:  # event: tracer-bool if\n        return x\n    return b.other(x)\n",
        "b.py": "import jax\nimport jax.numpy as jnp\nimport a\n\ndef other(x):\n    return -x\n\n@jax.jit\ndef f(x):\n    return a.helper(x)\n",
        "main.py": "import jax.numpy as jnp\nimport b\nb.f(jnp.ones(()))\n",
    },
    "compiled in the other file": {
        "lib.py": """
import jax

@jax.jit
def step(x):
    return x * 2
""",
        "main.py": """
import jax.numpy as jnp
from lib import step

x = jnp.ones(())
for _ in range(1000):
    x = step(x)
    print(float(x))  # event: host-read float
""",
    },
    "a constant of the other file": {
        "config.py": "DEPTH = 3\nMODE = 'mean'\n",
        "main.py": """
import jax
import jax.numpy as jnp
import config
from config import MODE

@jax.jit
def f(x):
    if config.DEPTH > 2 and MODE == "sum":
        if x > 0:
            return x
    return -x

f(jnp.ones(()))
""",
    },
    "a class of the other file": {
        "model.py": """
from flax import nnx

class Model(nnx.Module):
    def __init__(self, rngs):
        self.depth = 2
        self.w = nnx.Param(rngs.params())

    def __call__(self, x):
        if self.depth > 1:
            x = x * self.w
        if x.sum() > 0:  # event: tracer-bool if
            return x
        return -x
""",
        "main.py": """
import jax.numpy as jnp
from flax import nnx
from model import Model

@nnx.jit
def f(model, x):
    return model(x)

f(Model(nnx.Rngs(0)), jnp.ones(3))
""",
    },
    "jax under another name": {
        "compat.py": "import jax\nimport jax.numpy as jnp\njit = jax.jit\n",
        "main.py": """
from compat import jit, jnp

@jit
def f(x):
    if x > 0:  # event: tracer-bool if
        return x
    return -x

f(jnp.ones(()))
""",
    },
}


@pytest.mark.parametrize("files", PROJECTS.values(), ids=PROJECTS.keys())
def test_project(files: Mapping[str, str]) -> None:
    check(dict(files.items()))


@pytest.mark.parametrize(
    "layout",
    [
        {
            "pyproject.toml": "",
            "src/pkg/__init__.py": "",
            "src/pkg/lib.py": HELPER,
            "scripts/main.py": CALLER.format(imports="from pkg.lib import helper", call="helper"),
        },
        {
            "pyproject.toml": "",
            "pkg/lib.py": HELPER,
            "main.py": CALLER.format(imports="from pkg.lib import helper", call="helper"),
        },
        {
            "pyproject.toml": "",
            "pkg/__init__.py": "",
            "pkg/lib.py": HELPER,
            "tests/main.py": CALLER.format(imports="from pkg.lib import helper", call="helper"),
        },
    ],
    ids=["src layout", "namespace package", "root package from tests"],
)
def test_imports_found_on_disk(tmp_path: Path, layout: Mapping[str, str]) -> None:
    """Only the script is asked for; what it imports is read, and the event lies in the imported file."""
    for name, text in layout.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    main = next(tmp_path / name for name in layout if name.endswith("main.py"))
    result = analyse(Project([Source(str(main), main.read_text(), path=main)]))
    assert result.failures == []
    marks = list(expected("lib.py", HELPER))
    assert [seen(e)[1:] for e in result.events] == [(row, kind, how) for _, row, kind, how in marks]
    assert all(matches(("x", *mark[1:]), ("x", *seen(e)[1:])) for mark, e in zip(marks, result.events))
