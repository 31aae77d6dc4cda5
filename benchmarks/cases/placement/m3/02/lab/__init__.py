"""Bench software of a small water laboratory."""
