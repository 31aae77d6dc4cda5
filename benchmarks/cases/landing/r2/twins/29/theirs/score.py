"""Scores."""


def best(points):
    return max(points, default=0)
