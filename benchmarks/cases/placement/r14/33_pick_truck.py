# stateful
"""Keeps the order of the last event: the list is sorted in place and ties stay as they stood before."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Truck:
    plate: str
    capacity: int
    depot: int


_FLEET = [
    Truck("A-1", 10, 0),
    Truck("B-2", 14, 5),
    Truck("C-3", 10, 9),
    Truck("D-4", 18, 5),
]


def nearest(load: int, stop: int) -> Truck | None:
    _FLEET.sort(key=lambda truck: abs(truck.depot - stop))
    return next((truck for truck in _FLEET if truck.capacity >= load), None)


class Dispatch(GraphBusNode):
    @subscribe("/Load/Ready")
    def on_event(self, load: int, stop: int) -> dict[str, object]:
        truck = nearest(load, stop)
        return {"truck": truck.plate if truck else None}
