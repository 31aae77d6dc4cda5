"""Routes between depots."""
from __future__ import annotations

import math
from dataclasses import dataclass

EARTH_KM = 6371.0


@dataclass(frozen=True)
class Place:
    name: str
    lat: float
    lon: float

    def distance(self, other: Place) -> float:
        """Kilometres along the great circle."""
        a, b = math.radians(self.lat), math.radians(other.lat)
        dlon = math.radians(other.lon - self.lon)
        h = math.sin((b - a) / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(dlon / 2) ** 2
        return 2 * EARTH_KM * math.asin(math.sqrt(h))


@dataclass(frozen=True)
class Route:
    stops: tuple[Place, ...]

    def legs(self) -> list[tuple[Place, Place]]:
        return list(zip(self.stops, self.stops[1:]))

    def length(self) -> float:
        """Length of the route in km."""
        return sum(a.distance(b) for a, b in self.legs())
