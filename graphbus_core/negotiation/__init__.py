"""Negotiations as folds over a log of facts. Pure: not a file, not a clock, not a random number in here."""
