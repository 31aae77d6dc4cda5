"""A type alias that mentions itself in quotes."""

from typing import Dict, List, TypeAlias, Union

from graphbus_core import GraphBusNode, subscribe

Tree: TypeAlias = Union[int, List["Tree"], Dict[str, "Tree"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Tree) -> None:
        self.tree = payload


GOOD = [
    0,
    [],
    {"a": [1, {"b": []}], "c": {}},
    [[[]], [-1, [2]]],
]
BAD = [
    "1",
    None,
    [1, [2, "3"]],
    {"a": {"b": [{"c": None}]}},
    [1.5],
]
