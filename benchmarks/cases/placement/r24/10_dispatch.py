# stateful
"""The fleet list is sorted in place, so ties fall as the previous sort left them."""
from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Vehicle(NamedTuple):
    plate: str
    kind: str
    x: int
    y: int

    def distance(self, x: int, y: int) -> int:
        return abs(self.x - x) + abs(self.y - y)


FLEET = [
    Vehicle("KA-101", "van", 0, 4),
    Vehicle("KA-102", "van", 4, 0),
    Vehicle("KA-201", "truck", -4, 0),
    Vehicle("KA-202", "truck", 0, -4),
    Vehicle("KA-103", "van", -3, 1),
    Vehicle("KA-203", "truck", 8, 8),
]


def nearest(candidates: list[Vehicle], x: int, y: int) -> list[Vehicle]:
    candidates.sort(key=lambda v: v.distance(x, y))
    return candidates


class Dispatch(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.fleet = FLEET
        self.plate = attrgetter("plate")

    @subscribe("/pickup/request")
    def on_request(self, x: int, y: int, kind: str) -> dict:
        ranked = nearest(self.fleet, x, y)
        fitting = [v for v in ranked if v.kind == kind]
        first = fitting[0]
        return {
            "assigned": self.plate(first),
            "distance": first.distance(x, y),
            "backup": [self.plate(v) for v in fitting[1:3]],
        }
