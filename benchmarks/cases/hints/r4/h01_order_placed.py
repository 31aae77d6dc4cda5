from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class OrderLine(TypedDict):
    sku: str
    quantity: int
    unit_price: float


class OrderPlaced(TypedDict):
    order_id: str
    customer_id: int
    lines: list[OrderLine]
    total: float


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: OrderPlaced) -> None: ...


GOOD = [
    {"order_id": "o-1", "customer_id": 7, "lines": [{"sku": "A", "quantity": 2, "unit_price": 9.5}], "total": 19.0},
    {"order_id": "o-2", "customer_id": 7, "lines": [], "total": 0},
    {"order_id": "o-3", "customer_id": 0, "lines": [{"sku": "B", "quantity": 1, "unit_price": 4}], "total": 4,
     "trace_id": "abc"},
]
BAD = [
    {"order_id": "o-1", "customer_id": "7", "lines": [], "total": 0.0},
    {"order_id": "o-1", "customer_id": 7, "lines": [{"sku": "A", "quantity": True, "unit_price": 9.5}], "total": 9.5},
    {"order_id": "o-1", "customer_id": 7, "lines": [{"sku": "A", "quantity": 1}], "total": 9.5},
    {"order_id": "o-1", "customer_id": 7, "total": 9.5},
    {"order_id": "o-1", "customer_id": 7, "lines": {"sku": "A", "quantity": 1, "unit_price": 2.5}, "total": 2.5},
]
