"""A TypedDict with required fields only."""

from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class OrderPlaced(TypedDict):
    order_id: str
    quantity: int
    price: float
    express: bool


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: OrderPlaced):
        self.last = payload


GOOD = [
    {"order_id": "A-1", "quantity": 2, "price": 9.5, "express": False},
    {"order_id": "", "quantity": -3, "price": 0, "express": True},
    {"order_id": "A-2", "quantity": 0, "price": -1e300, "express": True, "note": "gift"},
]
BAD = [
    {"order_id": "A-1", "quantity": 2, "price": 9.5},
    {"order_id": "A-1", "quantity": "2", "price": 9.5, "express": False},
    {"order_id": "A-1", "quantity": 2.5, "price": 9.5, "express": False},
    {"order_id": "A-1", "quantity": 2, "price": 9.5, "express": "no"},
    [{"order_id": "A-1", "quantity": 2, "price": 9.5, "express": False}],
]
