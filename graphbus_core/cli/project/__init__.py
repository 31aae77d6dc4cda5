"""Commands around a whole project: its settings, its findings, what is inferred of it."""
