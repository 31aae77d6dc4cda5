"""Every key may be missing, but one that is there has its type."""

from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class SearchFilter(TypedDict, total=False):
    text: str
    limit: int
    tags: list[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: SearchFilter) -> None:
        self.filter = dict(payload)


GOOD = [
    {},
    {"text": "lamp"},
    {"limit": 10, "tags": []},
    {"text": "", "limit": 0, "tags": ["a", "b"]},
]
BAD = [
    {"text": None},
    {"limit": "10"},
    {"tags": ["a", 3]},
    {"tags": "a"},
    [],
]
