"""Literal of Literals by alias, with None, negatives and text that looks like a number."""
from typing import Literal, Optional, Union

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe

Side = Literal["buy", "sell"]
Wide = Literal[Side, Literal["short", Literal["cover"]]]
Step = Union[Literal[-1], Literal[5, None]]


class Order(TypedDict):
    side: Wide
    step: Step
    depth: Optional[Literal["1", "2"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Order) -> None:
        self.got = payload


GOOD = [
    {"side": "cover", "step": -1, "depth": "1"},
    {"side": "buy", "step": None, "depth": None},
    {"side": "short", "step": 5, "depth": "2"},
]
BAD = [
    {"side": "hold", "step": 5, "depth": "1"},
    {"side": "buy", "step": 2, "depth": "1"},
    {"side": "buy", "step": 5, "depth": 1},
    {"side": None, "step": 5, "depth": "1"},
    {"side": "buy", "step": 5, "depth": "3"},
]
