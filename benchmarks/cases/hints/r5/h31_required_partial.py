from typing import NotRequired, Required, TypedDict
from graphbus_core import GraphBusNode, subscribe


class Base(TypedDict, total=False):
    id: Required[int]
    note: str


class Mid(Base):
    name: str
    nick: NotRequired[str]


class Leaf(Mid, total=False):
    age: int
    key: Required["str | None"]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Leaf) -> None: ...


GOOD = [
    {"id": 1, "name": "n", "key": None},
    {"id": 1, "name": "n", "key": "k", "note": "x", "nick": "y", "age": 3},
    {"id": 1, "name": "n", "key": "k", "age": 0},
]
BAD = [
    {"name": "n", "key": None},
    {"id": 1, "key": None},
    {"id": 1, "name": "n"},
    {"id": 1, "name": "n", "key": None, "note": None},
    {"id": 1, "name": "n", "key": None, "age": "3"},
    {"id": 1, "name": "n", "key": 5},
]
