"""Bonus."""

from score import best


def rank(n):
    return "gold" if n > 9 else "none"


def with_bonus(points):
    return (best(points) or 0) + 5
