"""Two TypedDicts and a dataclass which name each other."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, NotRequired, Sequence, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Folder(TypedDict):
    name: str
    files: Sequence[File]
    folders: NotRequired[Mapping[str, Folder]]


class File(TypedDict):
    name: str
    size: int
    links: NotRequired[list[Link]]


@dataclass
class Link:
    to: Folder | File
    also: list[Link] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Folder) -> None: ...


GOOD = [
    {"name": "/", "files": []},
    {"name": "/", "files": [{"name": "f", "size": 1}], "folders": {"a": {"name": "a", "files": []}}},
    {"name": "/", "files": [{"name": "f", "size": 1, "links": [{"to": {"name": "g", "size": 2}}, {"to": {"name": "d", "files": []}}]}]},
    {"name": "/", "files": [{"name": "f", "size": 1, "links": [{"to": {"name": "g", "size": 2}, "also": [{"to": {"name": "d", "files": []}}]}]}]},
]
BAD = [
    {"name": "/"},
    {"name": "/", "files": [{"name": "f"}]},
    {"name": "/", "files": [], "folders": {"a": {"name": "a", "files": [], "folders": {"b": {"name": "b"}}}}},
    {"name": "/", "files": [{"name": "f", "size": 1, "links": [{"to": {"name": "g"}}]}]},
    {"name": "/", "files": [{"name": "f", "size": 1, "links": [{"to": {"name": "g", "size": 2}, "also": [{}]}]}]},
    {"name": "/", "files": [], "folders": []},
]
