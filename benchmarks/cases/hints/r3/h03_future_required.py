"""total=False with Required, everything a postponed annotation."""
from __future__ import annotations

from typing import Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Patch(TypedDict, total=False):
    id: Required[int]
    title: str
    labels: list[str]
    owner: Owner


class Owner(TypedDict):
    login: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Patch) -> None: ...


GOOD = [
    {"id": 1},
    {"id": 1, "title": "t"},
    {"id": -4, "labels": [], "owner": {"login": "me"}},
    {"id": 1, "owner": {"login": "me", "admin": True}},
]
BAD = [
    {},
    {"title": "t"},
    {"id": 1, "title": None},
    {"id": 1, "owner": {}},
    {"id": 1, "owner": "me"},
    {"id": 1.5},
]
