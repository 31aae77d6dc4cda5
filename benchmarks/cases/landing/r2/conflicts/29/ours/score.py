"""Scores."""


def best(points) -> int | None:
    return max(points, default=None)
