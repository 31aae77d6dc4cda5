"""A promise as it is written: source, live types, JSON Schema."""
