"""Saving and restoring a model with Orbax."""
