"""The variables that jax reads, against the installed jax."""

from __future__ import annotations

from jaxlint.knowledge.environment import AT_IMPORT, SETTINGS_AT_BACKEND


def test_names_are_settings_of_jax() -> None:
    import jax

    known = {name.upper() for name in jax.config.values}
    unknown = AT_IMPORT - known
    # settings come and go with the versions; most of them must be there
    assert len(unknown) < len(AT_IMPORT) // 4, sorted(unknown)
    assert {"JAX_PLATFORMS", "JAX_ENABLE_X64", "JAX_DEBUG_NANS", "JAX_COMPILATION_CACHE_DIR"} <= AT_IMPORT
    assert {name for name in SETTINGS_AT_BACKEND if name.upper() not in known} == set()
