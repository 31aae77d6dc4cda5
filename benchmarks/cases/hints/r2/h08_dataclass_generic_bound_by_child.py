"""A generic dataclass whose parameters are filled in by a subclass, one at a time."""
from dataclasses import dataclass
from typing import Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

K = TypeVar("K")
V = TypeVar("V")


@dataclass
class Change(Generic[K, V]):
    key: K
    before: V | None
    after: V


@dataclass
class NamedChange(Change[str, V]):
    by: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: NamedChange[list[int]]) -> None:
        self.got = payload


GOOD = [
    {"key": "quota", "before": None, "after": [1, 2], "by": "ops"},
    {"key": "quota", "before": [], "after": [], "by": "ops"},
]
BAD = [
    {"key": 4, "before": None, "after": [1], "by": "ops"},
    {"key": "quota", "before": None, "after": None, "by": "ops"},
    {"key": "quota", "before": ["a"], "after": [1], "by": "ops"},
    {"key": "quota", "before": None, "after": [1]},
    {"key": "quota", "before": None, "after": "1", "by": "ops"},
]
