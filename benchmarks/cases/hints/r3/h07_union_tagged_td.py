"""Union of TypedDicts told apart by a Literal tag."""
from typing import Literal, TypedDict, Union

from graphbus_core import GraphBusNode, subscribe


class Created(TypedDict):
    kind: Literal["created"]
    name: str


class Moved(TypedDict):
    kind: Literal["moved", "relocated"]
    x: float
    y: float


class Deleted(TypedDict):
    kind: Literal["deleted"]


Event = Union[Created, Moved, Deleted]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"kind": "created", "name": "n"},
    {"kind": "moved", "x": 1, "y": 2.5},
    {"kind": "relocated", "x": -1.5, "y": 0},
    {"kind": "deleted"},
    {"kind": "deleted", "name": 4},
]
BAD = [
    {"kind": "created"},
    {"kind": "moved", "name": "n"},
    {"kind": "moved", "x": 1, "y": "2"},
    {"kind": "renamed", "name": "n"},
    {"name": "n"},
    {"kind": None},
]
