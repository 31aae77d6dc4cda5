"""The whole payload is a tuple of fixed length, with one of any length inside."""

from typing import Tuple

from graphbus_core import GraphBusNode, subscribe

Row = Tuple[str, Tuple[int, ...], bool]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Row) -> None:
        self.row = payload


GOOD = [
    ["a", [], True],
    ["a", [1], False],
    ["", [1, 2, 3, -4], False],
]
BAD = [
    ["a", [1]],
    ["a", [1], True, True],
    ["a", [1, "2"], True],
    ["a", 1, True],
    {"0": "a", "1": [], "2": True},
]
