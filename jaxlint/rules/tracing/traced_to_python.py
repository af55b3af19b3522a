"""A request for the Python number behind a traced value is reported: `float()`, `int()`, `bool()`, `complex()`,
`.item()`, `.tolist()`, `operator.index`, `range(n)`, a list, tuple, string or dictionary indexed by it, a format
with a specification (`f"{x:.3f}"`).

## Why
A traced value has a shape and a dtype but no number yet. Python cannot wait for it, so the trace stops with an
error.

## Bad
```python run=raises:ConcretizationTypeError
import jax
import jax.numpy as jnp


@jax.jit
def normalise(scores):
    peak = float(jnp.max(scores))  # error: [traced-to-python]
    return scores / peak


print(normalise(jnp.arange(1.0, 4.0)))
```

## Good
```python run=ok
import jax
import jax.numpy as jnp


@jax.jit
def normalise(scores):
    peak = jnp.max(scores)
    return scores / peak


scores = normalise(jnp.arange(1.0, 4.0))
print(float(scores[0]))
```

## How it is fixed
Drop the conversion: arithmetic on arrays needs no Python number; `x.astype(jnp.float32)` changes the type.
Return what must be read, and read it outside. A Python list indexed by a traced value becomes an array
(`jnp.stack(items)[i]`) or a `jax.lax.switch`; `range(n)` becomes `jax.lax.fori_loop`. A value that is
configuration becomes a static argument.

## Known limits
`round(x)`, `abs(x)`, `sum(xs)` and a plain `f"{x}"` work on traced values and are silent here. Under eager `grad`
`.item()` works and `float()` does not; jaxlint knows the difference.

## At run time
The line raises `ConcretizationTypeError` (`TracerBoolConversionError` for `bool`, `TracerIntegerConversionError`
for indices and `range`, `TypeError` for dictionaries and format specifications)."""

from __future__ import annotations

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules import wording
from jaxlint.rules.base import Rule

_STATIC = " If the value is configuration, pass it as a static argument (`static_argnames`)."
_CAST = "Keep it an array (`x.astype(...)` changes the type), and convert what the compiled function returns." + _STATIC
_READ = "Return the array, and read it outside the compiled function."
_INDEX = ("TracerIntegerConversionError", "Index an array instead (`jnp.stack(items)[i]`), or use `jax.lax.switch`.")
# how -> (what it raises, advice)
_WAYS = {
    "bool": (
        "TracerBoolConversionError",
        "Keep it as a boolean array, and choose with `jnp.where` or `jax.lax.cond`." + _STATIC,
    ),
    "float": ("ConcretizationTypeError", _CAST),
    "int": ("ConcretizationTypeError", _CAST),
    "complex": ("ConcretizationTypeError", _CAST),
    ".item": ("ConcretizationTypeError", _READ),
    ".tolist": ("ConcretizationTypeError", _READ),
    "operator.index": ("TracerIntegerConversionError", "Keep it an array." + _STATIC),
    "range": ("TracerIntegerConversionError", "Loop with `jax.lax.fori_loop` or `jax.lax.scan`." + _STATIC),
    "list-index": _INDEX,
    "tuple-index": _INDEX,
    "dict-key": ("TypeError", "Use `jax.lax.switch`, or an array of the values indexed by a number." + _STATIC),
    "format": ("TypeError", "Use `jax.debug.print`, or format what the compiled function returns."),
    "round": ("ConcretizationTypeError", "Use `jnp.round`."),
}


class TracedToPython(Rule):
    """JAX102."""

    code = "JAX102"
    name = "traced-to-python"
    summary = "`float()`, `int()`, `.item()` or an index that needs the number behind a traced value"
    severity = Severity.ERROR
    kinds = (Kind.TRACER_CONVERT,)
    evidence = Kind.TRACER_CONVERT

    def judge(self, event: Event) -> Finding | None:
        """Every conversion but `math.*` (JAX103)."""
        if event.how == "math":
            return None
        error, advice = _WAYS.get(event.how, ("ConcretizationTypeError", _CAST))
        code, value = wording.code(event), wording.value(event)
        about = "it is traced" if code == value else f"{value} is traced"
        return self.finding(event, f"{code} needs a Python number, but {about}: raises {error}.", help=advice)
