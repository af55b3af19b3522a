"""The language server: `checks` runs the linter on what an editor holds, `actions` and `convert` make LSP of it."""
