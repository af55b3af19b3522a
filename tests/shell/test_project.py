"""Modules and imports of the project, resolved without importing anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.project import Project
from jaxlint.source import Source

Make = Callable[..., Project]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A project of the files given, of which those named in `asked` (default: all) are linted."""
    monkeypatch.chdir(tmp_path)

    def run(files: dict[str, str], asked: list[str] | None = None, *, marker: str = "pyproject.toml") -> Project:
        (tmp_path / marker).write_text("")
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        names = [name for name in files if name.endswith(".py")] if asked is None else asked
        return Project([Source(name, (tmp_path / name).read_text(), tmp_path / name) for name in names])

    return run


def named(project: Project, filename: str) -> Source:
    return next(source for source in project.sources if source.filename == filename)


def found(project: Project, dotted: str, importer: str) -> str | None:
    source = project.find(dotted, named(project, importer))
    return None if source is None else source.filename


def blank(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "")


def test_names_of_packages_scripts_and_src(make: Make) -> None:
    project = make(
        blank(
            "train.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "src/lib/__init__.py",
            "src/lib/c.py", "src/ns/d.py", "tools/e.py", "python/other/__init__.py", "python/other/f.py",
        )
    )  # fmt: skip
    assert {source.filename: (source.module, source.is_package) for source in project.sources} == {
        "train.py": ("train", False),
        "pkg/__init__.py": ("pkg", True),
        "pkg/a.py": ("pkg.a", False),
        "pkg/sub/__init__.py": ("pkg.sub", True),
        "pkg/sub/b.py": ("pkg.sub.b", False),
        "src/lib/__init__.py": ("lib", True),
        "src/lib/c.py": ("lib.c", False),
        "src/ns/d.py": ("ns.d", False),
        "tools/e.py": ("tools.e", False),
        "python/other/__init__.py": ("other", True),
        "python/other/f.py": ("other.f", False),
    }


def test_imports_between_packages_and_scripts(make: Make) -> None:
    project = make(
        blank(
            "train.py", "utils.py", "pkg/__init__.py", "pkg/a.py", "src/lib/__init__.py", "src/lib/c.py",
            "scripts/run.py", "scripts/utils.py", "scripts/only.py", "python/other/__init__.py", "python/other/f.py",
        )
    )  # fmt: skip
    assert found(project, "utils", "train.py") == "utils.py"
    assert found(project, "utils", "scripts/run.py") == "scripts/utils.py"
    assert found(project, "only", "train.py") is None
    assert found(project, "scripts.only", "train.py") == "scripts/only.py"
    assert found(project, "pkg.a", "scripts/run.py") == "pkg/a.py"
    assert found(project, "lib.c", "train.py") == "src/lib/c.py"
    assert found(project, "lib", "src/lib/c.py") == "src/lib/__init__.py"
    assert found(project, "src.lib.c", "train.py") == "src/lib/c.py"
    assert found(project, "other.f", "python/other/__init__.py") == "python/other/f.py"
    assert found(project, "pkg.nothing", "train.py") is None


def test_relative_imports(make: Make) -> None:
    project = make(blank("pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "train.py"))
    inside, package = named(project, "pkg/sub/b.py"), named(project, "pkg/sub/__init__.py")
    assert project.absolute(inside, 1, "x") == "pkg.sub.x"
    assert project.absolute(inside, 2, "a") == "pkg.a"
    assert project.absolute(inside, 2, None) == "pkg"
    assert project.absolute(package, 1, "b") == "pkg.sub.b"
    assert project.absolute(package, 2, "a") == "pkg.a"
    assert project.absolute(named(project, "train.py"), 1, "a") == "a"
    assert project.absolute(inside, 9, "a") == "a"
    assert project.absolute(inside, 0, "os.path") == "os.path"


def test_namespace_packages(make: Make) -> None:
    project = make(blank("ns/one/__init__.py", "ns/one/a.py", "ns/two/__init__.py", "ns/two/b.py"))
    assert found(project, "ns.two.b", "ns/one/a.py") == "ns/two/b.py"
    relative = project.absolute(named(project, "ns/one/a.py"), 1, "a")
    assert found(project, relative, "ns/one/__init__.py") == "ns/one/a.py"


def test_a_package_does_not_shadow_libraries(make: Make) -> None:
    project = make(blank("pkg/__init__.py", "pkg/random.py", "pkg/wandb.py", "pkg/a.py", "pkg/helper.py", "app/jax.py"))
    assert found(project, "random", "pkg/a.py") is None
    assert found(project, "wandb", "pkg/wandb.py") is None
    assert found(project, "wandb", "pkg/a.py") is None
    assert found(project, "helper", "pkg/a.py") == "pkg/helper.py"
    assert found(project, "pkg.random", "pkg/a.py") == "pkg/random.py"


def test_the_project_may_be_the_library(make: Make) -> None:
    project = make(blank("jax/__init__.py", "jax/random.py", "jax/_src/__init__.py", "jax/_src/a.py"))
    assert found(project, "jax.random", "jax/_src/a.py") == "jax/random.py"
    assert found(project, "random", "jax/_src/a.py") is None


def test_a_file_that_was_not_asked_for_is_context(make: Make) -> None:
    files = {"train.py": "import utils", "utils.py": "import deep", "deep.py": "x = 1", "bad.py": "x = ("}
    project = make(files, ["train.py"])
    assert project.context == set()
    utils = project.find("utils", project.sources[0])
    assert utils is not None and utils.filename == "utils.py" and utils.module == "utils"
    assert project.find("deep", utils) in project.context
    assert project.find("bad", utils) is None
    assert project.find("utils", project.sources[0]) is utils
    assert [source.filename for source in project.sources] == ["train.py"]


def test_nothing_is_read_outside_the_project(make: Make, tmp_path: Path) -> None:
    project = make(blank("repo/pyproject.toml", "repo/pkg/__init__.py", "repo/a.py", "outside.py"), ["repo/a.py"])
    assert found(project, "outside", "repo/a.py") is None
    whole = make(blank("repo2/pyproject.toml", "repo2/__init__.py", "repo2/a.py", "outside2.py"), ["repo2/a.py"])
    assert found(whole, "outside2", "repo2/a.py") is None
    assert found(whole, "repo2", "repo2/a.py") == "repo2/__init__.py"


def test_installed_packages_see_themselves_only(make: Make) -> None:
    site = "env/lib/site-packages"
    project = make(
        blank(f"{site}/flax/__init__.py", f"{site}/flax/a.py", f"{site}/optax/__init__.py", f"{site}/ns/p/__init__.py",
              f"{site}/ns/p/b.py", f"{site}/six.py"),
        [f"{site}/flax/a.py", f"{site}/ns/p/b.py", f"{site}/six.py"],
    )  # fmt: skip
    assert found(project, "flax", f"{site}/flax/a.py") == f"{site}/flax/__init__.py"
    assert found(project, "optax", f"{site}/flax/a.py") is None
    assert found(project, "optax", f"{site}/six.py") is None
    assert found(project, "ns.p", f"{site}/ns/p/b.py") == f"{site}/ns/p/__init__.py"
    assert named(project, f"{site}/ns/p/b.py").module == "ns.p.b"


def test_projects_of_one_repository_know_each_other_by_name(make: Make) -> None:
    files = blank("a/pyproject.toml", "a/src/liba/__init__.py", "a/src/liba/x.py", "b/pyproject.toml", "b/run.py")
    project = make({**files, **blank("b/utils.py", "a/utils.py", "a/run.py")}, marker=".git")
    assert found(project, "liba.x", "b/run.py") == "a/src/liba/x.py"
    assert found(project, "utils", "a/run.py") == "a/utils.py"


def test_sources_without_a_place_go_by_their_names() -> None:
    project = Project(
        [Source("a.py", ""), Source("pkg/__init__.py", ""), Source("pkg/b.py", ""), Source("src/c.py", "")]
    )
    assert [source.module for source in project.sources] == ["a", "pkg", "pkg.b", "c"]
    inside = project.sources[2]
    assert project.find("pkg", inside) is project.sources[1]
    assert project.find("a") is project.sources[0]
    assert project.find(project.absolute(inside, 1, None), inside) is project.sources[1]


# ---- relevance -----------------------------------------------------------------------------------------


def relevant(project: Project) -> list[str]:
    project.keep_relevant(("jax",))
    return sorted(source.filename for source in project.sources)


def test_files_without_jax_are_dropped_but_still_found(make: Make) -> None:
    project = make({"a.py": "import jax\nimport b", "b.py": "x = 1", "c.py": "import b"})
    importer = named(project, "a.py")
    assert relevant(project) == ["a.py"]
    assert project.find("b", importer) is not None


def test_a_file_that_reaches_jax_through_imports_is_kept(make: Make) -> None:
    files = {
        "model.py": "import jax",
        "one.py": "from model import f",
        "two.py": "import os, one as o",
        "three.py": "if x:\n    from two import (\n    a)",
        "pkg/__init__.py": "",
        "pkg/deep.py": "from . import user",
        "pkg/user.py": "from ..model import f\nfrom model import f",
        "pkg/multi.py": "from pkg import (\n    user,\n)",
        "other.py": "import os\nfrom typing import Any",
        "x.py": "import y",
        "y.py": "import x",
    }
    assert relevant(make(files)) == sorted(set(files) - {"pkg/__init__.py", "other.py", "x.py", "y.py"})


def test_relevance_reaches_files_that_were_not_asked_for(make: Make) -> None:
    assert relevant(make({"train.py": "import step", "step.py": "import jax"}, ["train.py"])) == ["train.py"]


def test_a_long_chain_of_imports_is_followed(make: Make) -> None:
    files = {f"m{i}.py": f"import m{i + 1}" for i in range(1500)}
    assert len(relevant(make({**files, "m1500.py": "import jax"}))) == 1501
