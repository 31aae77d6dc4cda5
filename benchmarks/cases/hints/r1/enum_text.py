"""Enums of texts as values, as items and as the keys of a dict."""

from enum import Enum, StrEnum, auto
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Status(str, Enum):
    OPEN = "open"
    SHUT = "closed"


class Zone(StrEnum):
    NORTH = auto()
    SOUTH = auto()


class Door(TypedDict):
    status: Status
    zones: list[Zone]
    visits: dict[Zone, int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Door) -> None: ...


GOOD = [
    {"status": "open", "zones": [], "visits": {}},
    {"status": "closed", "zones": ["north", "south"], "visits": {"south": 0}},
    {"status": "open", "zones": ["south", "south"], "visits": {"north": 1, "south": 2}},
]
BAD = [
    {"status": "SHUT", "zones": [], "visits": {}},
    {"status": "open", "zones": ["NORTH"], "visits": {}},
    {"status": "open", "zones": [], "visits": {"west": 1}},
    {"status": "open", "zones": [], "visits": {"north": None}},
]
