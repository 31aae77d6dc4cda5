# stateful
"""Keeps which seats are gone: they are popped off a list that stands in a module table."""
from typing import Final

from graphbus_core import GraphBusNode, subscribe

SEATS: Final[dict[str, list[str]]] = {
    "window": ["1A", "1F", "2A", "2F", "3A", "3F"],
    "aisle": ["1C", "1D", "2C", "2D", "3C", "3D"],
    "middle": ["2B", "2E", "3B", "3E"],
}
FALLBACK: Final = {"window": "aisle", "aisle": "window", "middle": "aisle"}
FEES: Final = {"window": 1500, "aisle": 1200, "middle": 0}


def row(seat: str) -> int:
    return int(seat[:-1])


def pick(wish: str, needs_front: bool) -> tuple[str, str] | None:
    kind = wish
    for _ in range(3):
        choices = [s for s in SEATS[kind] if not needs_front or row(s) == 1]
        if choices:
            chosen = choices[0]
            return kind, SEATS[kind].pop(SEATS[kind].index(chosen))
        kind = FALLBACK[kind]
    return None


class SeatAllocation(GraphBusNode):
    @subscribe("/Checkin/Passenger")
    def on_passenger(self, name: str, wish: str, needs_front: bool) -> dict[str, object]:
        if wish not in SEATS:
            return {"name": name, "problem": "no such wish"}
        found = pick(wish, needs_front)
        if found is None:
            return {"name": name, "problem": "no seat"}
        kind, seat = found
        return {"name": name, "seat": seat, "fee": FEES[kind]}
