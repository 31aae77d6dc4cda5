"""The documents say what is so: their code runs, and their sentences can be read once."""
