# pure
"""Measures one polygon."""
import math
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    def distance(self, other: "Point") -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


class Polygon:
    def __init__(self, points: list[Point]) -> None:
        if len(points) < 3:
            raise ValueError("a polygon needs three corners")
        self.points = points

    def edges(self):
        yield from zip(self.points, self.points[1:] + self.points[:1])

    def signed_area(self) -> float:
        return sum(a.x * b.y - b.x * a.y for a, b in self.edges()) / 2

    def perimeter(self) -> float:
        return sum(a.distance(b) for a, b in self.edges())

    def centroid(self) -> Point:
        area = self.signed_area()
        if abs(area) < 1e-12:
            raise ValueError("the corners lie on one line")
        x = sum((a.x + b.x) * (a.x * b.y - b.x * a.y) for a, b in self.edges()) / (6 * area)
        y = sum((a.y + b.y) * (a.x * b.y - b.x * a.y) for a, b in self.edges()) / (6 * area)
        return Point(x, y)


class ParcelOfLand(GraphBusNode):
    @subscribe("/Survey/Corners")
    def on_corners(self, parcel: str, corners: list[list[float]]) -> dict[str, object]:
        try:
            shape = Polygon([Point(*corner) for corner in corners])
            middle = shape.centroid()
        except (TypeError, ValueError) as problem:
            return {"parcel": parcel, "error": str(problem)}
        return {
            "parcel": parcel,
            "area": round(abs(shape.signed_area()), 3),
            "fence": round(shape.perimeter(), 3),
            "middle": [round(middle.x, 3), round(middle.y, 3)],
            "clockwise": shape.signed_area() < 0,
        }
