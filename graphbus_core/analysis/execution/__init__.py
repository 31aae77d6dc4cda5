"""A project's code, interpreted and not run: what its scripts and tests give to its components, and where from."""
