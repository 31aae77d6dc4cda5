"""A tree: a TypedDict that mentions itself in quotes."""

from typing import List, NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Folder(TypedDict):
    name: str
    children: NotRequired[List["Folder"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: "Folder") -> None:
        self.root = payload


GOOD = [
    {"name": "/"},
    {"name": "/", "children": []},
    {"name": "/", "children": [{"name": "a", "children": [{"name": "b"}]}, {"name": "c"}]},
]
BAD = [
    {"children": []},
    {"name": "/", "children": [{"name": "a", "children": [{"name": 1}]}]},
    {"name": "/", "children": [{"name": "a", "children": [{"children": []}]}]},
    {"name": "/", "children": {"name": "a"}},
    {"name": "/", "children": [None]},
]
