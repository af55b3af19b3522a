"""Data-parallel training by sharding alone."""
