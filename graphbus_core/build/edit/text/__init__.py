"""Bytes that are spliced: one file, its brackets, its f-strings."""
