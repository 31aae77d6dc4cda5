"""Mapping as the whole payload with a union of value types."""
from collections.abc import Mapping

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Mapping[str, int | list[str] | None]) -> None: ...


GOOD = [
    {},
    {"a": 1, "b": ["x"], "c": None},
    {"": [], "key with blank": -3},
]
BAD = [
    {"a": 1.5},
    {"a": "x"},
    {"a": 1, "b": [1]},
    {"a": True},
    {"a": {}},
]
