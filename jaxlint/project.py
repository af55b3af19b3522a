"""The modules of the linted project and their imports, resolved by looking at the file system. Nothing is imported.

An import is looked up where Python would look when the project runs: beside a script, in the folder that holds
the importer's package, in `src/`, in the project's root and in the folders between. A file of the project that
was not asked for (one changed file in a pre-commit run imports the others) is read when an import needs it, as
*context*: nothing is reported there, but facts flow through it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jaxlint import files, syntax
from jaxlint.findings import Finding
from jaxlint.source import Source

MARKERS = ("pyproject.toml", ".git", "setup.py", "setup.cfg", "jaxlint.toml")
INSTALLED = ("site-packages", "dist-packages")

# Top-level names that mean the installed library when a module inside a package imports them, whatever lies
# beside it: `pkg/wandb.py` that says `import wandb`.
LIBRARIES = frozenset(
    (
        "jax",
        "jaxlib",
        "flax",
        "optax",
        "orbax",
        "equinox",
        "haiku",
        "chex",
        "numpyro",
        "distrax",
        "brax",
        "diffrax",
        "optimistix",
        "lineax",
        "jaxopt",
        "jaxtyping",
        "einops",
        "numpy",
        "scipy",
        "sklearn",
        "pandas",
        "torch",
        "torchvision",
        "tensorflow",
        "keras",
        "datasets",
        "transformers",
        "grain",
        "clu",
        "ml_collections",
        "absl",
        "wandb",
        "mlflow",
        "tensorboard",
        "tensorboardX",
        "matplotlib",
        "PIL",
        "cv2",
        "yaml",
        "tqdm",
        "pytest",
        "hydra",
        "ray",
        "triton",
    )
)

_IMPORT = r"(?m)^[ \t]*(?:from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import\b([^\n#]*)|import[ \t]+([\w., \t]+))"


class Project:
    """The sources that were asked for, by place and by dotted name, and what they import."""

    def __init__(
        self,
        sources: Iterable[Source],
        roots: Sequence[Path | str] = (),
        unsaved: Mapping[str, Source] | None = None,
    ) -> None:
        """`roots`: project roots that the caller knows; others are found by their marker files.

        `unsaved`: what an editor holds of files, by absolute path; imports see it instead of the disk.
        """
        self._unsaved = unsaved or {}
        self.sources: list[Source] = list(sources)
        self.context: set[Source] = set()
        self._roots = sorted({os.path.abspath(root) for root in roots}, key=len, reverse=True)
        self._by_path: dict[str, Source | None] = {}
        self._by_name: dict[str, Source] = {}
        self._found: dict[tuple[str, str], Source | None] = {}
        self._listings: dict[str, frozenset[str]] = {}
        self._root_of: dict[str, str] = {}
        self._package_of: dict[str, str] = {}
        for source in self.sources:
            self._add(source)

    # ---- names -----------------------------------------------------------------------------------------

    def _add(self, source: Source) -> None:
        if source.path is None:
            parts = _parts(source.filename)
        else:
            path = os.path.abspath(source.path)
            self._by_path[path] = source
            folder = os.path.dirname(path)
            parts = _parts(os.path.relpath(path, self._import_root(folder)))
        source.is_package = os.path.basename(source.filename) == "__init__.py"
        if not source.module:
            source.module = ".".join(parts)
        self._by_name.setdefault(source.module, source)

    def _import_root(self, folder: str) -> str:
        """The folder from which the modules in `folder` are imported by their full name."""
        root = self._root(folder)
        if os.path.basename(root) in INSTALLED:
            return root
        src = os.path.join(root, "src")
        if _inside(folder, src) and "__init__.py" not in self._listing(src):
            return src  # everything below `src` is a package, with or without __init__.py
        top = self._package_top(folder)
        if top != folder:
            return top
        return root if _inside(folder, root) else folder

    def _package_top(self, folder: str) -> str:
        """The folder that holds the outermost package around `folder`; `folder` itself outside packages."""
        known = self._package_of.get(folder)
        if known is None:
            parent = os.path.dirname(folder)
            inside = parent != folder and "__init__.py" in self._listing(folder)
            known = self._package_of[folder] = self._package_top(parent) if inside else folder
        return known

    def _root(self, folder: str) -> str:
        """The project's root: the nearest folder with a marker, else the folder that holds the package."""
        known = self._root_of.get(folder)
        if known is not None:
            return known
        root = next((root for root in self._roots if _inside(folder, root)), None)
        place = folder
        while root is None:
            if os.path.basename(place) in INSTALLED or any(
                os.path.exists(os.path.join(place, marker)) for marker in MARKERS
            ):
                root = place
            parent = os.path.dirname(place)
            if parent == place:
                break
            place = parent
        if root is None:
            root = self._package_top(folder)
        self._root_of[folder] = root
        return root

    def absolute(self, importer: Source, level: int, module: str | None) -> str:
        """The dotted name that `from <level dots><module> import` means in `importer`."""
        if level <= 0:
            return module or ""
        package = importer.module.split(".") if importer.module else []
        up = level - 1 if importer.is_package else level
        kept = package[: len(package) - up] if up else package
        return ".".join([*kept, *([module] if module else [])])

    # ---- imports ---------------------------------------------------------------------------------------

    def find(self, dotted: str, importer: Source | None = None) -> Source | None:
        """The source of the module `dotted` as `importer` would import it; None when it is not of this project."""
        if not dotted:
            return None
        if importer is None or importer.path is None:
            return self._find_by_name(dotted, importer)
        folder = os.path.dirname(os.path.abspath(importer.path))
        key = (folder, dotted)
        if key not in self._found:
            self._found[key] = self._search(dotted, folder)
        found = self._found[key]
        # `jax.py` that says `import jax` beside it in a package means the library
        return None if found is importer and dotted != importer.module else found

    def _find_by_name(self, dotted: str, importer: Source | None) -> Source | None:
        found = self._by_name.get(dotted)
        if found is None and importer is not None:
            package = importer.module if importer.is_package else importer.module.rpartition(".")[0]
            found = self._by_name.get(f"{package}.{dotted}") if package else None
        return found

    def _search(self, dotted: str, folder: str) -> Source | None:
        parts = dotted.split(".")
        for base in self._bases(folder, parts[0]):
            found = self._probe(base, parts)
            if found is not None:
                return found
        # another project of a repository that holds several: by name, when the name is that of a package's module
        found = self._by_name.get(dotted)
        if found is not None and (found.is_package or len(parts) > 1) and not _outside(parts[0]):
            return found
        return None

    def _bases(self, folder: str, first: str) -> Iterable[str]:
        """The folders to look in for the top-level name `first`, best first."""
        root = self._root(folder)
        if os.path.basename(root) in INSTALLED:
            if first == os.path.relpath(folder, root).split(os.sep)[0]:
                yield root
            return  # an installed package sees itself only
        top = self._package_top(folder)
        in_package = top != folder
        if not in_package:
            yield folder
        elif _inside(top, root) or first == os.path.relpath(folder, top).split(os.sep)[0]:
            yield top
        if in_package and _outside(first) and first not in self._own_names(root):
            return
        place = top if _inside(top, root) else root
        while _inside(place, root):
            yield place
            if "src" in self._listing(place):
                yield os.path.join(place, "src")
            if place == root:
                break
            place = os.path.dirname(place)
        if in_package and not _outside(first):
            yield folder  # a script inside a package, run by its path

    def _own_names(self, root: str) -> frozenset[str]:
        """The names directly under the root and its `src`: the project may itself be a well-known library."""
        return self._listing(root) | self._listing(os.path.join(root, "src"))

    def _probe(self, base: str, parts: list[str]) -> Source | None:
        folder = base
        for part in parts[:-1]:
            if part not in self._listing(folder):
                return None
            folder = os.path.join(folder, part)
        last = parts[-1]
        names = self._listing(folder)
        if last in names:
            package = os.path.join(folder, last)
            if "__init__.py" in self._listing(package):
                return self._load(os.path.join(package, "__init__.py"))
        if f"{last}.py" in names:
            return self._load(os.path.join(folder, f"{last}.py"))
        return None

    def _listing(self, folder: str) -> frozenset[str]:
        names = self._listings.get(folder)
        if names is None:
            try:
                names = frozenset(os.listdir(folder))
            except (OSError, ValueError):
                names = frozenset()
            self._listings[folder] = names
        return names

    def _load(self, path: str) -> Source | None:
        """The source at `path`: one that was asked for, or context read now; None when it cannot be used."""
        if path in self._by_path:
            return self._by_path[path]
        self._by_path[path] = None
        source = self._unsaved.get(path) or files.read(files.Candidate(_display(path), path))
        if isinstance(source, Finding) or syntax.check_syntax(source) is not None:
            return None
        self.context.add(source)
        self._add(source)
        return source

    # ---- relevance -------------------------------------------------------------------------------------

    def keep_relevant(self, words: Sequence[str]) -> None:
        """Drop from `sources` the files that can have nothing to report; imports still find them.

        Relevant is a file whose text has one of the words, or that imports, at some remove, one that has.
        """
        importers: dict[Source, list[Source]] = {}
        reached = [source for source in self.sources if _mentions(source, words)]
        relevant = set(reached)
        queue = [source for source in self.sources if source not in relevant]
        seen = set(queue)
        while queue:
            source = queue.pop()
            for imported in self._imports(source):
                importers.setdefault(imported, []).append(source)
                if imported in seen or imported in relevant:
                    continue
                if _mentions(imported, words):
                    relevant.add(imported)
                    reached.append(imported)
                else:
                    seen.add(imported)
                    queue.append(imported)
        while reached:
            for importer in importers.get(reached.pop(), ()):
                if importer not in relevant:
                    relevant.add(importer)
                    reached.append(importer)
        for source in self.sources:
            if source not in relevant:
                source._tree = None  # rarely needed again, and trees are what fills the memory
        self.sources = [source for source in self.sources if source in relevant]

    def _imports(self, source: Source) -> Iterable[Source]:
        """The modules of the project that the text of `source` seems to import."""
        for dots, module, names, plain in re.findall(_IMPORT, source.text):
            if plain:
                wanted = [name.split()[0] for name in plain.split(",") if name.split()]
            else:
                base = self.absolute(source, len(dots), module)
                wanted = [base] if base else []
                # a name in the import may be a module; those in brackets over several lines are looked up too
                wanted += [f"{base}.{name}" if base else name for name in re.findall(r"[^\W\d]\w*", names)]
                if names.strip() == "(":
                    wanted += self._submodules(base, source)
            for dotted in wanted:
                found = self.find(dotted, source)
                if found is not None:
                    yield found

    def _submodules(self, package: str, importer: Source) -> list[str]:
        found = self.find(package, importer)
        if found is None or not found.is_package or found.path is None:
            return []
        names = self._listing(os.path.dirname(os.path.abspath(found.path)))
        return [f"{package}.{name[:-3]}" for name in sorted(names) if name.endswith(".py") and name != "__init__.py"]


def _parts(path: str) -> list[str]:
    """The dotted name of a file by its relative path, as a list."""
    parts = [part for part in re.split(r"[\\/]", path) if part not in ("", ".", "..")]
    if not parts:
        return []
    parts[-1] = parts[-1].removesuffix(".py")
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    if len(parts) > 1 and parts[0] == "src":
        parts = parts[1:]
    return parts


def _mentions(source: Source, words: Sequence[str]) -> bool:
    # a search for each word is ten times faster than one regular expression of all
    return any(word in source.text for word in words)


def _outside(name: str) -> bool:
    return name in sys.stdlib_module_names or name in LIBRARIES


def _inside(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)


def _display(path: str) -> str:
    """How to name a context file: relative to the working directory when it lies below it."""
    here = os.getcwd()
    return os.path.relpath(path, here) if _inside(path, here) else path
