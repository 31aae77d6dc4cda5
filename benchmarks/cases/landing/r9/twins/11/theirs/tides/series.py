"""Measured water levels over time."""
from __future__ import annotations

import bisect
from typing import Iterator


class Series:
    """(time, level) points, in the order of time."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float]] = []
        self._sorted = True

    def add(self, time: float, level: float) -> None:
        # insort made loading a year of points quadratic
        self._points.append((time, level))
        self._sorted = False

    def __len__(self) -> int:
        return len(self._points)

    @property
    def points(self) -> list[tuple[float, float]]:
        if not self._sorted:
            self._points.sort()
            self._sorted = True
        return self._points

    def __iter__(self) -> Iterator[tuple[float, float]]:
        return iter(self.points)

    def since(self, time: float) -> list[tuple[float, float]]:
        return self.points[bisect.bisect_left(self.points, (time,)):]

    def highest(self) -> float:
        return max(level for _, level in self._points)
