"""Bonus."""

from score import best


def rank(n):
    return "gold" if n > 9 else "none"
