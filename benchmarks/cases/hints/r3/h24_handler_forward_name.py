"""The handler names a class which is written below it."""
from dataclasses import dataclass
from typing import Optional

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "Optional[Order]") -> "None": ...


@dataclass
class Order:
    number: int
    items: "list[Item]"
    customer: "Customer | None" = None


@dataclass
class Item:
    sku: str
    count: "int" = 1


@dataclass
class Customer:
    name: str
    orders: "tuple[Order, ...]" = ()


GOOD = [
    {"number": 1, "items": []},
    {"number": 1, "items": [{"sku": "a"}, {"sku": "b", "count": 2}], "customer": None},
    {"number": 1, "items": [], "customer": {"name": "n", "orders": [{"number": 2, "items": []}]}},
]
BAD = [
    {"number": 1},
    {"number": 1, "items": [{"count": 2}]},
    {"number": 1, "items": [{"sku": "a", "count": "2"}]},
    {"number": 1, "items": [], "customer": {}},
    {"number": 1, "items": [], "customer": {"name": "n", "orders": [{"number": 2}]}},
    {"number": None, "items": []},
]
