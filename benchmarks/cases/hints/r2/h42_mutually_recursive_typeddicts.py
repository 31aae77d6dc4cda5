"""Two TypedDicts that name one another, under postponed annotations, with total=False on one."""
from __future__ import annotations

from typing import Literal

from typing_extensions import Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Folder(TypedDict, total=False):
    name: Required[str]
    entries: list[File | Folder]
    parent: Folder | None


class File(TypedDict):
    path: str
    size: int
    mode: Literal["r", "rw"]
    inside: Folder | None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Folder) -> None:
        self.got = payload


GOOD = [
    {"name": "/"},
    {"name": "/", "entries": [{"name": "etc", "entries": [{"path": "a", "size": 1, "mode": "r", "inside": None}]}]},
    {"name": "/", "parent": None, "entries": [{"path": "a", "size": 1, "mode": "rw", "inside": {"name": "x"}}]},
]
BAD = [
    {"entries": []},
    {"name": "/", "entries": [{"path": "a", "size": 1, "mode": "r"}]},
    {"name": "/", "entries": [{"name": "etc", "entries": [{"path": "a"}]}]},
    {"name": "/", "entries": [{"path": "a", "size": 1, "mode": "w", "inside": None}]},
    {"name": "/", "parent": "root"},
]
