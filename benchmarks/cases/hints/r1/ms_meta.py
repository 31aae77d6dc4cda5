"""Constraints in Annotated with msgspec.Meta, and unknown fields forbidden."""

from typing import Annotated

from msgspec import Meta, Struct

from graphbus_core import GraphBusNode, subscribe

Percent = Annotated[int, Meta(ge=0, le=100)]
Name = Annotated[str, Meta(min_length=1, max_length=5)]


class Dial(Struct, forbid_unknown_fields=True):
    name: Name
    percent: Percent
    steps: Annotated[list[Percent], Meta(max_length=3)] = []
    even: Annotated[int, Meta(multiple_of=2)] = 0


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Dial) -> None:
        self.dial = payload


GOOD = [
    {"name": "a", "percent": 0},
    {"name": "abcde", "percent": 100, "steps": [0, 50, 100]},
    {"name": "a", "percent": 1, "steps": [], "even": -4},
]
BAD = [
    {"name": "", "percent": 0},
    {"name": "a", "percent": 101},
    {"name": "a", "percent": 1, "steps": [1, -1]},
    {"name": "a", "percent": 1, "even": 3},
    {"name": "a", "percent": 1, "colour": "red"},
]
