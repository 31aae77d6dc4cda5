"""A recursive alias which is the payload itself."""
from typing import Dict, TypeAlias, Union

from graphbus_core import GraphBusNode, subscribe

Tree: TypeAlias = "Dict[str, Union[int, Tree]]"


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "Tree") -> None: ...


GOOD = [
    {},
    {"a": 1},
    {"a": {"b": {"c": {}}}, "d": 0},
    {"a": {"b": 2, "c": {"d": 3}}},
]
BAD = [
    {"a": "1"},
    {"a": {"b": {"c": None}}},
    {"a": {"b": [1]}},
    {"a": True},
    {"a": {"b": 2, "c": {"d": 3.5}}},
]
