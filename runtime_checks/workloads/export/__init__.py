"""A model as bytes that run without its code."""
