from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

K = TypeVar("K")
V = TypeVar("V")


@dataclass
class Change(Generic[K, V]):
    key: K
    old: V | None
    new: V | None


@dataclass
class Revision(Change[int, V], Generic[V]):
    number: int
    history: list[V] = field(default_factory=list)


@dataclass
class Address:
    city: str


@dataclass
class AddressRevised(Revision[Address]):
    author: str = "system"


@dataclass
class TagRevised(Revision[list[str]]):
    reason: str | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: AddressRevised | TagRevised) -> None: ...


GOOD = [
    {"key": 1, "old": None, "new": {"city": "Oslo"}, "number": 2},
    {"key": 1, "old": ["a"], "new": ["a", "b"], "number": 2, "history": [["x"], []], "reason": "tidy"},
    {"key": 1, "old": {"city": "Bergen"}, "new": None, "number": 2, "history": [{"city": "Moss"}], "author": "ann"},
    {"key": 1, "old": None, "new": None, "number": 2},
]
BAD = [
    {"key": "1", "old": None, "new": {"city": "Oslo"}, "number": 2},
    {"key": 1, "old": ["a"], "new": {"city": "Oslo"}, "number": 2},
    {"key": 1, "old": None, "new": {"town": "Oslo"}, "number": 2},
    {"key": 1, "old": None, "new": {"city": "Oslo"}, "number": 2, "history": ["Oslo"]},
    {"key": 1, "old": [1], "new": None, "number": 2},
    {"key": 1, "new": {"city": "Oslo"}, "number": 2},
]
