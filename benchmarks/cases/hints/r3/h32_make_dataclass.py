"""A dataclass made by a call, used as base and as a member."""
from dataclasses import dataclass, field, make_dataclass
from typing import Optional

from graphbus_core import GraphBusNode, subscribe

Point = make_dataclass("Point", [("x", int), ("y", int, 0), ("tag", Optional[str], field(default=None))])


@dataclass
class Segment(Point):  # type: ignore[misc, valid-type]
    other: Point | None = None  # type: ignore[valid-type]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Segment) -> None: ...


GOOD = [
    {"x": 1},
    {"x": 1, "y": 2, "tag": "t", "other": {"x": 3}},
    {"x": 1, "tag": None, "other": None, "z": "z"},
]
BAD = [
    {"y": 1},
    {"x": "1"},
    {"x": 1, "y": None},
    {"x": 1, "other": {"y": 3}},
    {"x": 1, "tag": 4},
]
