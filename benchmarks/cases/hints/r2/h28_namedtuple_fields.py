"""NamedTuple (class form, with a default, and functional form) inside a TypedDict, lists in JSON."""
from typing import NamedTuple

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class LatLon(NamedTuple):
    lat: float
    lon: float
    label: str = ""


Size = NamedTuple("Size", [("w", int), ("h", int)])


class MapView(TypedDict):
    center: LatLon
    pins: list[LatLon]
    size: Size


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: MapView) -> None:
        self.got = payload


GOOD = [
    {"center": [1.5, 2], "pins": [], "size": [640, 480]},
    {"center": [1.5, 2, "home"], "pins": [[0, 0], [1, 1, "x"]], "size": [640, 480]},
]
BAD = [
    {"center": [1.5], "pins": [], "size": [640, 480]},
    {"center": ["north", "east"], "pins": [], "size": [640, 480]},
    {"center": [1.5, 2, 3], "pins": [], "size": [640, 480]},
    {"center": [1.5, 2], "pins": [], "size": [640, 480, 32]},
    {"center": [1.5, 2], "pins": [1.5, 2], "size": [640, 480]},
]
