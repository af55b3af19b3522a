"""An environment variable or a setting that is written after JAX has read it.

## Why
`JAX_*` variables are read when jax is imported (flax, optax and their kin import it). `XLA_FLAGS`,
`CUDA_VISIBLE_DEVICES`, `XLA_PYTHON_CLIENT_*` and the settings `jax_platforms` and `jax_num_cpu_devices` count until the
first use of devices: an array, `jax.devices()`, a random key. What is written later is ignored, mostly without a word,
and the program runs on another device or with another memory share than it seems to.

## Bad
```python run=prints:None
import os

import jax

os.environ["JAX_DEBUG_LOG_MODULES"] = "jax._src.compiler"  # error: [env-after-import]
print(jax.config.jax_debug_log_modules or None)
```

## Good
```python run=ok
import jax

jax.config.update("jax_debug_nans", True)
```

## How it is fixed
Write the variable above the first import of jax or of a library that imports it, or start the program with it. For
`JAX_*` variables `jax.config.update` does the same after the import. Options of the command line are parsed before jax
is imported, or before the first array.

## Known limits
The order is that of a run that is followed from a script; in functions that nobody calls only `JAX_*` variables count.
Programs that start other processes, which inherit the variables, are silent.
"""

from __future__ import annotations

import os.path

from jaxlint.events import Event, Kind
from jaxlint.findings import Finding, Severity
from jaxlint.rules.base import Rule


class EnvAfterImport(Rule):
    """JAX901."""

    code = "JAX901"
    name = "env-after-import"
    summary = "An environment variable or a setting written after JAX has read it"
    severity = Severity.ERROR
    kinds = (Kind.LATE_SETTING,)

    def judge(self, event: Event) -> Finding | None:
        """Every such event is a fault."""
        name, at, row, file = (event.text(key) for key in ("name", "at", "row", "file"))
        where = event.source.said(int(row)) if file == event.source.filename else f"{os.path.basename(file)}:{row}"
        if event.data["read"] == "import":
            message = f"`{name}` is set too late: jax read it when it was imported (`{at}`, {where})."
            help = f'Set it above that import, or use `jax.config.update("{name.lower()}", ...)`.'
        else:
            message = f"`{name}` is set too late: the devices were in use before (`{at}`, {where})."
            help = "Set it before the first array, random key or `jax.devices()`."
        return self.finding(event, message, help=help)
