"""A list of NamedTuples: each is an array in JSON, with a default at its end."""

from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Tick(NamedTuple):
    symbol: str
    price: float


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: list[Tick]) -> None:
        self.ticks = payload


GOOD = [
    [],
    [["ABC", 1.5]],
    [["ABC", 1], ["", -0.25]],
]
BAD = [
    ["ABC", 1.5],
    [["ABC"]],
    [["ABC", "1.5"]],
    [["ABC", 1.5], [1.5, "ABC"]],
    [None],
]
