"""Measured water levels over time."""
from __future__ import annotations

import bisect
from typing import Iterator


class Series:
    """(time, level) points, in the order of time."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float]] = []

    def add(self, time: float, level: float) -> None:
        bisect.insort(self._points, (time, level))

    def __len__(self) -> int:
        return len(self._points)

    @property
    def points(self) -> list[tuple[float, float]]:
        return self._points

    def __iter__(self) -> Iterator[tuple[float, float]]:
        return iter(self.points)

    def since(self, time: float) -> list[tuple[float, float]]:
        return self.points[bisect.bisect_left(self.points, (time,)):]

    def highest(self) -> float:
        return max(level for _, level in self._points)

    def level_at(self, time: float) -> float:
        """The level last measured at or before the time."""
        found = bisect.bisect_right(self._points, (time, float("inf")))
        if not found:
            raise LookupError(f"nothing measured before {time}")
        return self.points[found - 1][1]
