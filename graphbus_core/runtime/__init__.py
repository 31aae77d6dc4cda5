"""Runtime mode: executes exactly what was built, with no model anywhere near it."""
