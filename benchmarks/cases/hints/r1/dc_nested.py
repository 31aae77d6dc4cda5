"""Dataclasses in dataclasses, in lists and as dict values."""

from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True)
class Shape:
    outline: list[Point]
    anchors: dict[str, Point]
    center: Point


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Shape) -> None:
        self.shape = payload


GOOD = [
    {"outline": [], "anchors": {}, "center": {"x": 0, "y": 0}},
    {"outline": [{"x": 1.5, "y": 2}], "anchors": {"top": {"x": 0, "y": 9}}, "center": {"x": 0, "y": -1}},
    {"outline": [{"x": 1, "y": 1}, {"x": 2, "y": 2}], "anchors": {"": {"x": 0, "y": 0}}, "center": {"x": 1, "y": 0.2}},
]
BAD = [
    {"outline": [], "anchors": {}, "center": {"x": 0}},
    {"outline": [{"x": 1, "y": 1}, {"x": 2, "y": "2"}], "anchors": {}, "center": {"x": 0, "y": 0}},
    {"outline": [], "anchors": {"top": {"x": None, "y": 0}}, "center": {"x": 0, "y": 0}},
    {"outline": [], "anchors": [{"x": 0, "y": 0}], "center": {"x": 0, "y": 0}},
    {"outline": {"x": 0, "y": 0}, "anchors": {}, "center": {"x": 0, "y": 0}},
]
