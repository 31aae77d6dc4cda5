"""A recursive plain TypeAlias written with quoted names (the JSON value without floats)."""
from typing import Dict, List, TypeAlias, Union

from graphbus_core import GraphBusNode, subscribe

Leaf: TypeAlias = Union[str, int, None]
Tree: TypeAlias = Union[Leaf, List["Tree"], Dict[str, "Tree"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Dict[str, Tree]) -> None:
        self.got = payload


GOOD = [
    {},
    {"a": None, "b": [1, ["x", {"c": None}]]},
    {"a": {"b": {"c": [[], {}]}}},
]
BAD = [
    {"a": 1.5},
    {"a": [1, [2, [2.5]]]},
    {"a": {"b": {"c": 0.25}}},
    ["a"],
]
