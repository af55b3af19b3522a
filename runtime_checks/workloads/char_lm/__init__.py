"""A character language model with causal attention."""
