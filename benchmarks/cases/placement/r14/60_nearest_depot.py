# pure
"""Distances to constant places; the depots are made at start and only read."""
from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt

from graphbus_core import GraphBusNode, subscribe

_EARTH_KM = 6371.0088


@dataclass(frozen=True)
class Place:
    name: str
    latitude: float
    longitude: float
    cold: bool = False

    def distance(self, latitude: float, longitude: float) -> float:
        here, there = radians(self.latitude), radians(latitude)
        north = sin((there - here) / 2)
        east = sin(radians(longitude - self.longitude) / 2)
        return 2 * _EARTH_KM * asin(sqrt(north**2 + cos(here) * cos(there) * east**2))


class NearestDepot(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._depots = (
            Place("Hamburg", 53.55, 9.99, cold=True),
            Place("Kassel", 51.31, 9.48),
            Place("München", 48.14, 11.58, cold=True),
        )

    def _candidates(self, cold: bool) -> list[Place]:
        return [depot for depot in self._depots if depot.cold or not cold]

    @subscribe("/Order/Located")
    def on_order(self, order: str, latitude: float, longitude: float, cold: bool) -> dict[str, object]:
        depot = min(self._candidates(cold), key=lambda place: place.distance(latitude, longitude))
        return {
            "order": order,
            "depot": depot.name,
            "km": round(depot.distance(latitude, longitude), 1),
        }

    @subscribe("/Depot/List")
    def on_list(self, cold: bool) -> dict[str, list[str]]:
        return {"depots": [depot.name for depot in self._candidates(cold)]}
