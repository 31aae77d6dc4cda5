"""The rules: two tables, a fold, what follows from what."""
