from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Optional
from uuid import UUID

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Status(str, Enum):
    new = "new"
    packed = "packed"
    sent = "sent"


class Customer(BaseModel):
    id: UUID
    name: Annotated[str, Field(min_length=1, max_length=40)]
    since: Optional[date] = None


class Item(BaseModel):
    sku: str = Field(pattern=r"^[A-Z]{3}-[0-9]+$")
    qty: int = Field(ge=1, le=999)
    price: Annotated[Decimal, Field(ge=0, decimal_places=2)]


class Order(BaseModel):
    placed_at: datetime
    status: Status = Status.new
    customer: Customer
    items: list[Item] = Field(min_length=1)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Order) -> None: ...


GOOD = [
    {"placed_at": "2024-05-01T10:00:00+00:00",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A"},
     "items": [{"sku": "ABC-1", "qty": 1, "price": "0.50"}]},
    {"placed_at": "2024-05-01T10:00:00+00:00", "status": "sent", "channel": "web",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A", "since": "2020-02-29"},
     "items": [{"sku": "ABC-1", "qty": 999, "price": "10.00"}, {"sku": "XYZ-22", "qty": 2, "price": "3"}]},
    {"placed_at": "2024-05-01T10:00:00Z", "status": "packed",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A", "since": None},
     "items": [{"sku": "ABC-1", "qty": 5, "price": "0.00"}]},
]
BAD = [
    {"placed_at": "2024-05-01T10:00:00+00:00",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A"}, "items": []},
    {"placed_at": "2024-05-01T10:00:00+00:00",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": ""},
     "items": [{"sku": "ABC-1", "qty": 1, "price": "0.50"}]},
    {"placed_at": "2024-05-01T10:00:00+00:00",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A"},
     "items": [{"sku": "abc-1", "qty": 1, "price": "0.50"}]},
    {"placed_at": "2024-05-01T10:00:00+00:00",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A"},
     "items": [{"sku": "ABC-1", "qty": 0, "price": "0.50"}]},
    {"placed_at": "2024-05-01T10:00:00+00:00",
     "customer": {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "name": "A"},
     "items": [{"sku": "ABC-1", "qty": 1, "price": "0.505"}]},
    {"placed_at": "2024-05-01T10:00:00+00:00", "customer": {"id": "c-1", "name": "A"},
     "items": [{"sku": "ABC-1", "qty": 1, "price": "0.50"}]},
]
