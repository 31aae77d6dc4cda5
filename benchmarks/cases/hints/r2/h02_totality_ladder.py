"""TypedDict inheritance that mixes total, total=False and ReadOnly keys over three levels."""
from datetime import datetime

from typing_extensions import NotRequired, ReadOnly, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Stamped(TypedDict):
    id: ReadOnly[str]
    created_at: ReadOnly[datetime]


class Draft(Stamped, total=False):
    title: str
    body: str


class Article(Draft):
    author: str
    reviewers: NotRequired[ReadOnly[list[str]]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Article) -> None:
        self.got = payload


GOOD = [
    {"id": "a1", "created_at": "2024-05-01T10:00:00+00:00", "author": "kim"},
    {"id": "a2", "created_at": "2024-05-01T10:00:00+02:00", "author": "kim", "title": "Hi", "reviewers": []},
]
BAD = [
    {"id": "a1", "created_at": "2024-05-01T10:00:00+00:00", "title": "Hi", "body": "x"},
    {"id": "a1", "author": "kim"},
    {"created_at": "2024-05-01T10:00:00+00:00", "author": "kim"},
    {"id": "a1", "created_at": "2024-05-01T10:00:00+00:00", "author": "kim", "reviewers": [1]},
    {"id": "a1", "created_at": "2024-05-01T10:00:00+00:00", "author": "kim", "title": None},
]
