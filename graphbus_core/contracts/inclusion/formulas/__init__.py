"""JSON Schema -> formulas over six kinds of values."""
