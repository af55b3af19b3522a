"""How a confirmation is shown: one file a format."""
