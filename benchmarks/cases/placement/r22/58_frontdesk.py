# stateful
"""Rooms are taken out of a module table by a helper."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Kind(Enum):
    SINGLE = "single"
    DOUBLE = "double"
    SUITE = "suite"

    @property
    def rate(self) -> int:
        return {"single": 80, "double": 120, "suite": 260}[self.value]


FLOORS = {
    Kind.SINGLE: [101, 102, 103, 104],
    Kind.DOUBLE: [201, 202, 203],
    Kind.SUITE: [301],
}


def better(kind: Kind) -> list[Kind]:
    order = list(Kind)
    return order[order.index(kind):]


def allot(kind: Kind) -> tuple[int, Kind] | None:
    for candidate in better(kind):
        rooms = FLOORS[candidate]
        if rooms:
            return rooms.pop(0), candidate
    return None


class Reception(GraphBusNode):
    @subscribe("/Arrival")
    def on_arrival(self, guest: str, kind: str, nights: int) -> dict[str, object]:
        wanted = Kind(kind)
        got = allot(wanted)
        if got is None:
            return {"guest": guest, "room": None, "bill": 0}
        room, given = got
        return {"guest": guest, "room": room, "upgrade": given is not wanted, "bill": wanted.rate * nights}
