"""A parametrised generic dataclass as the payload."""
from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
K = TypeVar("K")


@dataclass
class Box(Generic[T, K]):
    value: T
    many: list[T]
    keyed: dict[str, K]
    spare: Optional[K] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Box[list[int], bool]) -> None: ...


GOOD = [
    {"value": [1, 2], "many": [], "keyed": {}},
    {"value": [], "many": [[1], [2, 3]], "keyed": {"a": True}, "spare": False},
    {"value": [0], "many": [[]], "keyed": {"a": True, "b": False}, "spare": None},
]
BAD = [
    {"value": 1, "many": [], "keyed": {}},
    {"value": ["1"], "many": [], "keyed": {}},
    {"value": [], "many": [1], "keyed": {}},
    {"value": [], "many": [], "keyed": {"a": 1}},
    {"value": [], "many": [], "keyed": {}, "spare": "no"},
    {"value": [], "keyed": {}},
]
