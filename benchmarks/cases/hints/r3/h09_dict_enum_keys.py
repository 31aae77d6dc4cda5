"""dict keyed by an Enum and by a Literal."""
from enum import Enum
from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Palette(TypedDict):
    shares: dict[Colour, float]
    axes: dict[Literal["x", "y"], int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: dict[Colour, Palette]) -> None: ...


GOOD = [
    {},
    {"red": {"shares": {"red": 1, "green": 0.5}, "axes": {"x": 1}}},
    {"green": {"shares": {}, "axes": {}}, "red": {"shares": {}, "axes": {"y": 0, "x": -1}}},
]
BAD = [
    {"blue": {"shares": {}, "axes": {}}},
    {"RED": {"shares": {}, "axes": {}}},
    {"red": {"shares": {"pink": 1.0}, "axes": {}}},
    {"red": {"shares": {}, "axes": {"z": 1}}},
    {"red": {"shares": {"red": "1"}, "axes": {}}},
    {"red": {"shares": {}}},
]
