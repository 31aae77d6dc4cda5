"""A TypedDict whose further keys have a type (PEP 728)."""

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Scores(TypedDict, extra_items=int):
    player: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Scores) -> None:
        self.scores = payload


GOOD = [
    {"player": "ann"},
    {"player": "ann", "round1": 10},
    {"player": "", "a": 0, "b": -5, "payload": 3},
]
BAD = [
    {"round1": 10},
    {"player": "ann", "round1": "10"},
    {"player": "ann", "round1": 10, "round2": None},
    {"player": 3, "round1": 10},
]
