"""A total base with a partial child, and a child of two bases."""

from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Identified(TypedDict):
    id: str


class Labels(TypedDict, total=False):
    labels: dict[str, str]


class Host(Identified, Labels):
    cores: int


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Host):
        self.host = payload


GOOD = [
    {"id": "h1", "cores": 8},
    {"id": "h1", "cores": 8, "labels": {}},
    {"id": "h1", "cores": 8, "labels": {"zone": "a", "rack": ""}},
]
BAD = [
    {"cores": 8},
    {"id": "h1", "labels": {}},
    {"id": "h1", "cores": 8, "labels": {"zone": 1}},
    {"id": "h1", "cores": 8, "labels": ["zone"]},
    {"id": None, "cores": 8},
]
