"""A generic TypedDict with its type variable filled in."""

from typing import Generic, TypedDict, TypeVar

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Page(TypedDict, Generic[T]):
    items: list[T]
    next: str | None


class User(TypedDict):
    name: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Page[User]) -> None:
        self.page = payload


GOOD = [
    {"items": [], "next": None},
    {"items": [{"name": "ann"}], "next": "p2"},
    {"items": [{"name": "ann"}, {"name": ""}], "next": ""},
]
BAD = [
    {"items": []},
    {"items": ["ann"], "next": None},
    {"items": [{"name": "ann"}, {"name": 5}], "next": None},
    {"items": {"name": "ann"}, "next": None},
    {"items": None, "next": None},
]
