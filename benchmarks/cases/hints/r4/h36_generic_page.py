from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


@dataclass
class Cursor:
    offset: int
    limit: int = 50


@dataclass
class Page(Generic[T]):
    items: list[T]
    cursor: Optional[Cursor] = None


@dataclass
class Order:
    id: str
    total: float


@dataclass
class Report(Generic[T]):
    name: str
    page: Page[T]
    first: Optional[T] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Report[Order]) -> None: ...


GOOD = [
    {"name": "r", "page": {"items": []}},
    {"name": "r", "page": {"items": [{"id": "o1", "total": 4}, {"id": "o2", "total": 4.5}], "cursor": {"offset": 2}}},
    {"name": "r", "page": {"items": [], "cursor": None}, "first": {"id": "o1", "total": 1.5}},
]
BAD = [
    {"name": "r", "page": {"items": ["o1"]}},
    {"name": "r", "page": {"items": [{"id": "o1", "total": "4"}]}},
    {"name": "r", "page": {"items": [], "cursor": {"limit": 10}}},
    {"name": "r", "page": {"items": []}, "first": {"id": 1, "total": 1.5}},
    {"name": "r", "page": []},
]
