"""Naive against fused attention."""
