from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Customer:
    id: int
    email: str
    phone: Optional[str] = None


@dataclass
class Line:
    sku: str
    quantity: int
    unit_price: Decimal


@dataclass
class Order:
    order_id: str
    customer: Customer
    placed_at: datetime
    lines: list[Line] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Order) -> None: ...


GOOD = [
    {"order_id": "o-1", "customer": {"id": 7, "email": "a@b.example"}, "placed_at": "2024-05-01T10:00:00"},
    {"order_id": "o-2", "customer": {"id": 7, "email": "a@b.example", "phone": None}, "placed_at": "2024-05-01T10:00:00+00:00",
     "lines": [{"sku": "x", "quantity": 2, "unit_price": "12.50"}]},
    {"order_id": "o-3", "customer": {"id": 0, "email": "", "phone": "555", "vip": True}, "placed_at": "2024-05-01T10:00:00", "lines": [], "channel": "web"},
]
BAD = [
    {"order_id": "o-1", "customer": {"id": 7}, "placed_at": "2024-05-01T10:00:00"},
    {"order_id": "o-1", "customer": {"id": "7", "email": "a@b.example"}, "placed_at": "2024-05-01T10:00:00"},
    {"order_id": "o-1", "customer": {"id": 7, "email": "a@b.example"}, "placed_at": "yesterday"},
    {"order_id": "o-1", "customer": {"id": 7, "email": "a@b.example"}, "placed_at": "2024-05-01T10:00:00", "lines": None},
    {"order_id": "o-1", "customer": {"id": 7, "email": "a@b.example"}, "placed_at": "2024-05-01T10:00:00",
     "lines": [{"sku": "x", "quantity": 2, "unit_price": "cheap"}]},
    {"order_id": "o-1", "customer": None, "placed_at": "2024-05-01T10:00:00"},
]
