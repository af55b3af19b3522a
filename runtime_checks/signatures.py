"""The signature of a compiled call as text, and what differs between two of them, in plain words.

A signature is a table from the path of each argument (`batch`, `params['w']`) to a `Leaf` of strings. Nothing
of the call itself is kept.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from runtime_checks.jax_internals import Internals, JitCall

MAX_LEAVES = 2000
STRUCTURE = "\0structure"
_UNWRAP = ("__wrapped__", "func", "__func__", "_fun", "fun", "f")
_SHORT = {
    "float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c", "bool": "bool", "key": "key"
}  # fmt: skip


class Leaf(NamedTuple):
    """One array argument or one static value, as text."""

    dtype: str = ""
    shape: tuple[int, ...] = ()
    weak: bool = False
    committed: bool = False
    sharding: str = ""
    origin: str = ""
    static: str = ""

    @property
    def text(self) -> str:
        """`f32[512,784]`, `weak f32[]`, or the static value."""
        if self.static:
            return self.static
        if self.origin.startswith("Python"):
            return f"a {self.origin}"
        weak = "weak " if self.weak else ""
        return f"{weak}{_short_dtype(self.dtype)}[{','.join(map(str, self.shape))}]"


Signature = Mapping[str, Leaf]


class Difference(NamedTuple):
    """One argument that changed: its path, before, now, and the kind of change."""

    argument: str
    before: str
    now: str
    change: str  # leading-dimension shape dtype weak-type structure metadata static committed sharding

    @property
    def text(self) -> str:
        """One sentence."""
        if self.change == "metadata":
            return f"static metadata inside argument `{self.argument}` is a new object (a function, a module part)"
        if self.change == "structure":
            if not self.before:
                return f"argument `{self.argument}` ({self.now}) was absent before"
            return f"argument `{self.argument}` was {self.before}, now {self.now or 'absent'}"
        if self.change == "static":
            return f"static argument `{self.argument}` was {self.before}, now {self.now}"
        if self.change == "weak-type":
            return f"argument `{self.argument}` was {self.before}, now {self.now} (the weak type of a Python number)"
        if self.change == "committed":
            return f"argument `{self.argument}` was {self.before}, now {self.now} to its device"
        return f"argument `{self.argument}` was {self.before}, now {self.now}"


def _short_dtype(name: str) -> str:
    """JAX's short names: float32 -> f32."""
    matched = re.fullmatch(r"([a-z]+?)(\d+)(.*)", name)
    if matched and matched[1] in _SHORT:
        return _SHORT[matched[1]] + matched[2] + matched[3]
    return name


def underlying(function: Any) -> Any:
    """The Python function below wrappers, partials and bound methods; the object itself when there is none."""
    for _ in range(10):
        for name in _UNWRAP:
            inner = inspect.getattr_static(function, name, None)
            if inner is not None:
                try:
                    inner = getattr(function, name)
                except Exception:
                    continue
                if callable(inner) and inner is not function:
                    function = inner
                    break
        else:
            break
    return function


def describe(function: Any) -> tuple[str, str, int]:
    """Name, file and line of a function (file '' when it is not a Python function)."""
    base = underlying(function)
    code = getattr(base, "__code__", None)
    name = getattr(base, "__qualname__", None) or getattr(function, "__name__", None) or type(function).__name__
    if code is None:
        code = getattr(vars(type(base)).get("__call__"), "__code__", None)
        if code is None:
            return str(name), "", 0
    return str(name), code.co_filename, code.co_firstlineno


def _names(function: Any) -> tuple[list[str], str]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [], ""
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")
    return positional, rest


def _static_text(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    return text if len(text) <= 80 else text[:79] + "…"


def _leaf(value: Any, internals: Internals) -> Leaf:
    cls = internals.array_class
    if cls is not None and isinstance(value, cls):
        array: Any = value
        sharding = array.sharding
        text = "" if type(sharding).__name__ == "SingleDeviceSharding" else str(sharding)
        return Leaf(
            str(array.dtype),
            tuple(array.shape),
            bool(getattr(array, "weak_type", False)),
            internals.committed(array),
            text[:120],
            "jax",
        )
    if isinstance(value, bool):
        return Leaf("bool", (), True, origin="Python bool")
    if isinstance(value, int):
        return Leaf("int", (), True, origin="Python int")
    if isinstance(value, float):
        return Leaf("float", (), True, origin="Python float")
    if isinstance(value, complex):
        return Leaf("complex", (), True, origin="Python complex")
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and shape is not None:
        weak = bool(getattr(value, "weak_type", False))
        return Leaf(str(dtype), tuple(int(n) if isinstance(n, int) else -1 for n in shape), weak, origin="numpy")
    return Leaf(static=f"<{type(value).__name__}>")


def signature_of(call: JitCall, internals: Internals) -> dict[str, Leaf]:
    """The signature of `call`. Only the first MAX_LEAVES leaves are taken."""
    found: dict[str, Leaf] = {}
    positional, rest = _names(call.function)
    for number, value in enumerate(call.args):
        name = positional[number] if number < len(positional) else f"{rest or 'args'}[{number - len(positional)}]"
        negative = number - len(call.args)
        if number in call.static_numbers or negative in call.static_numbers or name in call.static_names:
            found[name] = Leaf(static=_static_text(value))
        else:
            _flatten(name, value, internals, found)
    for name, value in call.kwargs.items():
        by_number = name in positional and positional.index(name) in call.static_numbers
        if name in call.static_names or by_number:
            found[f"{name}="] = Leaf(static=_static_text(value))
        else:
            _flatten(f"{name}=", value, internals, found)
    return found


def _flatten(name: str, value: Any, internals: Internals, found: dict[str, Leaf]) -> None:
    tree = internals.jax.tree_util
    try:
        leaves, structure = tree.tree_flatten_with_path(value)
    except Exception:
        found[name] = _leaf(value, internals)
        return
    if not leaves:
        found[name] = Leaf(static=_static_text(structure) if value is not None else "None")
        return
    if len(leaves) > 1 or leaves[0][0]:
        # static metadata of the nodes (a function, an optimiser rule) is part of the structure
        digest = hashlib.sha1(str(structure).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
        found[f"{name}{STRUCTURE}"] = Leaf(static=digest)
    for path, leaf in leaves:
        if len(found) >= MAX_LEAVES:
            return
        found[name + tree.keystr(path)] = _leaf(leaf, internals)


def differences(before: Signature, now: Signature) -> list[Difference]:
    """What changed from `before` to `now`, each argument once."""
    found: list[Difference] = []
    for name, leaf in now.items():
        old = before.get(name)
        if name.endswith(STRUCTURE):
            continue
        if old is None:
            found.append(Difference(name, "", leaf.text, "structure"))
        elif old != leaf:
            difference = _difference(name, old, leaf)
            if difference is not None:
                found.append(difference)
    found += [
        Difference(name, old.text, "", "structure")
        for name, old in before.items()
        if name not in now and not name.endswith(STRUCTURE)
    ]
    if not any(difference.change == "structure" for difference in found):
        for name, leaf in now.items():
            if name.endswith(STRUCTURE) and before.get(name, leaf) != leaf:
                found.append(Difference(name[: -len(STRUCTURE)], "", "", "metadata"))
    return found


def _difference(name: str, old: Leaf, leaf: Leaf) -> Difference | None:
    if old.static or leaf.static:
        if old.static and leaf.static:
            return Difference(name, old.static, leaf.static, "static")
        return Difference(name, old.text, leaf.text, "structure")
    if _width(old.dtype) != _width(leaf.dtype):
        return Difference(name, old.text, leaf.text, "dtype")
    if old.shape != leaf.shape:
        leading = len(old.shape) == len(leaf.shape) and old.shape[1:] == leaf.shape[1:]
        return Difference(name, old.text, leaf.text, "leading-dimension" if leading else "shape")
    if old.weak != leaf.weak:
        return Difference(name, old.text, leaf.text, "weak-type")
    if old.sharding != leaf.sharding:
        return Difference(name, old.sharding or "on one device", leaf.sharding or "on one device", "sharding")
    if old.committed != leaf.committed and "jax" in (old.origin, leaf.origin):
        words = {True: "committed", False: "not committed"}
        return Difference(name, words[old.committed], words[leaf.committed], "committed")
    return None  # numpy in place of jax: the program is the same


def _width(dtype: str) -> str:
    """Python numbers become 32-bit (x64 off) weak types: compare by the kind of number."""
    return {"float32": "float", "int32": "int", "complex64": "complex"}.get(dtype, dtype)


def closest(history: list[Signature], now: Signature) -> list[Difference] | None:
    """The smallest set of differences to any earlier signature; None without history."""
    best: list[Difference] | None = None
    for before in history:
        found = differences(before, now)
        if best is None or len(found) < len(best):
            best = found
    return best
