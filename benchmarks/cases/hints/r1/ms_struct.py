"""A msgspec.Struct with defaults and a nested one."""

import msgspec

from graphbus_core import GraphBusNode, subscribe


class Size(msgspec.Struct, frozen=True):
    w: int
    h: int


class Image(msgspec.Struct, kw_only=True):
    alt: str = ""
    url: str
    size: Size | None = None
    tags: list[str] = []


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Image) -> None:
        self.image = payload


GOOD = [
    {"url": "/a.png"},
    {"url": "", "alt": "", "size": None, "tags": []},
    {"url": "/a.png", "size": {"w": 1, "h": 0}, "tags": ["x"]},
]
BAD = [
    {"alt": "a picture"},
    {"url": "/a.png", "size": {"w": 1}},
    {"url": "/a.png", "size": [1, 0]},
    {"url": "/a.png", "alt": None},
    {"url": "/a.png", "tags": [{"name": "x"}]},
]
