"""A model that mentions itself as a dict's value, by Self and by name."""

from __future__ import annotations

from pydantic import BaseModel
from typing_extensions import Self

from graphbus_core import GraphBusNode, subscribe


class Menu(BaseModel):
    title: str
    entries: dict[str, Menu] = {}
    parent: Self | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Menu) -> None:
        self.menu = payload


GOOD = [
    {"title": "top"},
    {"title": "top", "entries": {"a": {"title": "A", "entries": {"b": {"title": "B"}}}}},
    {"title": "a", "parent": {"title": "top", "parent": None}},
]
BAD = [
    {"title": "top", "entries": {"a": {"entries": {}}}},
    {"title": "top", "entries": {"a": {"title": "A", "entries": {"b": {"title": None}}}}},
    {"title": "top", "entries": [{"title": "A"}]},
    {"title": "a", "parent": {"title": "top", "parent": {}}},
    {"title": "a", "entries": {"a": None}},
]
