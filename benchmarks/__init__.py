"""Measurements: what the linter says of real code, and what it costs."""
