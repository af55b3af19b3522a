"""jaxlint: a static analyser for JAX code. It never imports jax, nor the code that it reads."""

__version__ = "0.1.0"
