from __future__ import annotations

import math
from typing import Iterable, NamedTuple


class Point(NamedTuple):
    x: float
    y: float

    @classmethod
    def of(cls, pair: Iterable[float]) -> Point:
        x, y = pair
        return cls(float(x), float(y))

    def minus(self, other: Point) -> Point:
        return Point(self.x - other.x, self.y - other.y)

    def cross(self, other: Point) -> float:
        return self.x * other.y - self.y * other.x

    def distance(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


class Polygon:
    def __init__(self, points: Iterable[Point]) -> None:
        self.points = list(points)

    def edges(self):
        return zip(self.points, self.points[1:] + self.points[:1])

    def area(self) -> float:
        return abs(sum(a.cross(b) for a, b in self.edges())) / 2

    def perimeter(self) -> float:
        return sum(a.distance(b) for a, b in self.edges())
