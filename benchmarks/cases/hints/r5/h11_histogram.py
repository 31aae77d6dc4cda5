from typing import Mapping
from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Mapping[str, list[int]]) -> None: ...


GOOD = [
    {},
    {"a": []},
    {"a": [1, 2], "b": [0], "": [-1]},
]
BAD = [
    {"a": 1},
    {"a": [1, None]},
    {"a": [1], "b": ["2"]},
    {"a": [True]},
    {"a": {"0": 1}},
    {"a": None},
]
