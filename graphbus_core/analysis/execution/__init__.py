"""A project's code run in thought: what its scripts and tests give to its components, and where from."""
