# pure
"""Measures and simplifies tracks; only the points of the event go into the result."""
from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from graphbus_core import GraphBusNode, subscribe

EARTH_KM = 6371.0088
ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Point:
    lat: float
    lon: float

    def distance(self, other: Point) -> float:
        dlat = math.radians(other.lat - self.lat)
        dlon = math.radians(other.lon - self.lon)
        h = math.sin(dlat / 2) ** 2 + math.cos(math.radians(self.lat)) * math.cos(math.radians(other.lat)) * math.sin(dlon / 2) ** 2
        return 2 * EARTH_KM * math.asin(math.sqrt(h))


def off_line(p: Point, a: Point, b: Point) -> float:
    """Distance in degrees of p from the line a-b, flat."""
    dx, dy = b.lon - a.lon, b.lat - a.lat
    if not (dx or dy):
        return math.hypot(p.lon - a.lon, p.lat - a.lat)
    return abs(dy * (p.lon - a.lon) - dx * (p.lat - a.lat)) / math.hypot(dx, dy)


def simplify(points: list[Point], tolerance: float) -> list[Point]:
    if len(points) < 3:
        return points
    index, farthest = max(
        ((i, off_line(p, points[0], points[-1])) for i, p in enumerate(points[1:-1], 1)), key=lambda pair: pair[1]
    )
    if farthest <= tolerance:
        return [points[0], points[-1]]
    return simplify(points[: index + 1], tolerance)[:-1] + simplify(points[index:], tolerance)


def geohash(point: Point, length: int = 7) -> str:
    bounds = {0: [-180.0, 180.0], 1: [-90.0, 90.0]}
    bits = 0
    for n in range(length * 5):
        low_high, value = bounds[n % 2], (point.lon, point.lat)[n % 2]
        middle = sum(low_high) / 2
        bits = bits << 1 | (value >= middle)
        low_high[0 if value >= middle else 1] = middle
    return "".join(ALPHABET[bits >> 5 * shift & 31] for shift in reversed(range(length)))


class Tracks(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.tolerance = 0.01

    @subscribe("/Map/Track")
    def on_track(self, name: str, coordinates: list[list[float]]) -> dict[str, object]:
        points = [Point(lat, lon) for lat, lon in coordinates]
        if not points:
            return {"name": name, "km": 0.0, "kept": 0}
        kept = simplify(points, self.tolerance)
        return {
            "name": name,
            "km": round(sum(a.distance(b) for a, b in pairwise(points)), 3),
            "kept": len(kept),
            "start": geohash(points[0]),
            "round_trip": points[0].distance(points[-1]) < 0.1,
        }
