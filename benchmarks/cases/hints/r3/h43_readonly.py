"""ReadOnly in every nesting with Required, NotRequired and Annotated; postponed."""
from __future__ import annotations

from typing_extensions import Annotated, NotRequired, ReadOnly, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Base(TypedDict):
    id: ReadOnly[int]
    tags: ReadOnly[NotRequired[list[str]]]


class Movie(Base, total=False):
    title: Required[ReadOnly[str]]
    year: ReadOnly[int | None]
    rating: Annotated[ReadOnly[float], "stars"]
    studio: NotRequired[Annotated[ReadOnly[Studio], "s"]]


class Studio(TypedDict):
    name: ReadOnly[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Movie) -> None: ...


GOOD = [
    {"id": 1, "title": "t"},
    {"id": 1, "title": "t", "tags": ["a"], "year": None, "rating": 4},
    {"id": 1, "title": "", "year": 1999, "rating": 4.5, "studio": {"name": "s"}},
]
BAD = [
    {"id": 1},
    {"title": "t"},
    {"id": 1, "title": "t", "tags": [1]},
    {"id": 1, "title": "t", "year": "1999"},
    {"id": 1, "title": "t", "rating": None},
    {"id": 1, "title": "t", "studio": {}},
]
