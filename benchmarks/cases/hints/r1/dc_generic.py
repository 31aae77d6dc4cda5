"""A generic dataclass with two type variables, filled in by an alias."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

K = TypeVar("K")
V = TypeVar("V")


@dataclass
class Change(Generic[K, V]):
    key: K
    old: V | None
    new: V


PriceChange = Change[str, float]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: PriceChange) -> None:
        self.change = payload


GOOD = [
    {"key": "lamp", "old": None, "new": 2.5},
    {"key": "lamp", "old": 1, "new": 2},
    {"key": "", "old": 0.0, "new": -0.5},
]
BAD = [
    {"key": 1, "old": None, "new": 2.5},
    {"key": "lamp", "old": None, "new": None},
    {"key": "lamp", "new": 2.5},
    {"key": "lamp", "old": "1", "new": 2.5},
]
