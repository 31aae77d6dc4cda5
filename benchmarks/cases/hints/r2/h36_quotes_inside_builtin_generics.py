"""Quoted names inside builtin generics: list["Item"], dict[str, "Item"], and quotes within quotes."""
from collections.abc import Mapping
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Basket:
    items: list["Item"]
    by_shelf: dict[str, list["Item"]] = field(default_factory=dict)
    gift: "tuple['Item', str] | None" = None


@dataclass
class Item:
    name: str
    grams: int


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Mapping[str, "Basket"]) -> None:
        self.got = payload


GOOD = [
    {},
    {"a": {"items": [{"name": "tea", "grams": 100}]}},
    {"a": {"items": [], "by_shelf": {"s": [{"name": "tea", "grams": 1}]}, "gift": [{"name": "tea", "grams": 1}, "hi"]}},
]
BAD = [
    {"items": []},
    {"a": {"items": [{"name": "tea"}]}},
    {"a": {"items": ["Item"]}},
    {"a": {"items": [], "by_shelf": {"s": {"name": "tea", "grams": 1}}}},
    {"a": {"items": [], "gift": [{"name": "tea", "grams": 1}]}},
]
