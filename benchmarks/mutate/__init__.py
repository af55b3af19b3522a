"""Mutation recall: faults planted in right code, and how many of them the linter finds. See docs/accuracy.md."""
