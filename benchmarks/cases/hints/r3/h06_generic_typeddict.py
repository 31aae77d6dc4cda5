"""Generic TypedDict (3.11) with a parameter which is itself a TypedDict."""
from typing import Generic, NotRequired, TypedDict, TypeVar

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class User(TypedDict):
    uid: int
    nick: NotRequired[str]


class Page(TypedDict, Generic[T]):
    items: list[T]
    first: NotRequired[T]
    total: int


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Page[User]) -> None: ...


GOOD = [
    {"items": [], "total": 0},
    {"items": [{"uid": 1}, {"uid": 2, "nick": "n"}], "total": 2},
    {"items": [], "first": {"uid": 9}, "total": 0, "next": "/p/2"},
]
BAD = [
    {"items": [1], "total": 1},
    {"items": [{"nick": "n"}], "total": 1},
    {"items": [], "first": None, "total": 0},
    {"items": [{"uid": 1, "nick": 5}], "total": 1},
    {"items": []},
    {"items": [], "total": True},
]
