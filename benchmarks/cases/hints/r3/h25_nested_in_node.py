"""Types which live in the body of the node class, and inside each other."""
from dataclasses import dataclass
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @dataclass
    class Event:
        @dataclass
        class Pos:
            x: int
            y: int

        pos: Pos
        trail: "list[Node.Event.Pos]"
        meta: "Node.Meta"

    class Meta(TypedDict, total=False):
        by: str

    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"pos": {"x": 1, "y": 2}, "trail": [], "meta": {}},
    {"pos": {"x": 1, "y": 2}, "trail": [{"x": 0, "y": 0}], "meta": {"by": "me"}},
    {"pos": {"x": 1, "y": 2, "z": 3}, "trail": [], "meta": {"why": 1}},
]
BAD = [
    {"pos": {"x": 1}, "trail": [], "meta": {}},
    {"pos": {"x": 1, "y": 2}, "trail": [{"x": 0}], "meta": {}},
    {"pos": {"x": 1, "y": 2}, "trail": [], "meta": {"by": 1}},
    {"pos": {"x": 1, "y": 2}, "trail": []},
    {"pos": [1, 2], "trail": [], "meta": {}},
]
