# pure
"""Keeps nothing: a polygon is built from the event and measured."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float

    def to(self, other: Point) -> float:
        return math.hypot(other.x - self.x, other.y - self.y)


@dataclass
class Polygon:
    corners: list[Point] = field(default_factory=list)

    def add(self, x: float, y: float) -> Polygon:
        self.corners.append(Point(x, y))
        return self

    def edges(self) -> Iterator[tuple[Point, Point]]:
        yield from zip(self.corners, self.corners[1:] + self.corners[:1])

    @property
    def area(self) -> float:
        return abs(sum(a.x * b.y - b.x * a.y for a, b in self.edges())) / 2

    @property
    def perimeter(self) -> float:
        return sum(a.to(b) for a, b in self.edges())


class Surveyor(GraphBusNode):
    @subscribe("/plots/outline")
    def measure(self, xs: list[float], ys: list[float]) -> dict[str, float]:
        plot = Polygon()
        for x, y in zip(xs, ys):
            plot.add(x, y)
        if len(plot.corners) < 3:
            return {"area": 0.0, "fence": 0.0}
        return {"area": round(plot.area, 3), "fence": round(plot.perimeter, 3)}
