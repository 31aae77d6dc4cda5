"""A generic TypedDict given its parameter in the hint: Page[Track]."""
from typing import Generic, TypeVar

from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Track(TypedDict):
    title: str
    seconds: float


class Page(TypedDict, Generic[T]):
    items: list[T]
    cursor: str | None
    best: NotRequired[T]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Page[Track]) -> None:
        self.got = payload


GOOD = [
    {"items": [], "cursor": None},
    {"items": [{"title": "Intro", "seconds": 61}, {"title": "B", "seconds": 3.5}], "cursor": "n2"},
    {"items": [], "cursor": None, "best": {"title": "B", "seconds": 3.5}},
]
BAD = [
    {"items": ["Intro"], "cursor": None},
    {"items": [{"title": "Intro"}], "cursor": None},
    {"items": []},
    {"items": [], "cursor": None, "best": None},
    {"items": {"title": "B", "seconds": 3.5}, "cursor": None},
]
