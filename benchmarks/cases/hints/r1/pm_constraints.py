"""Bounds in Field and in Annotated."""

from typing import Annotated

from pydantic import BaseModel, Field, PositiveInt, StringConstraints

from graphbus_core import GraphBusNode, subscribe

Sku = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}-[0-9]+$", max_length=8)]


class Reservation(BaseModel):
    sku: Sku
    amount: PositiveInt
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    seats: list[int] = Field(default=[], max_length=2)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Reservation) -> None:
        self.reservation = payload


GOOD = [
    {"sku": "AB-1", "amount": 1},
    {"sku": "AB-12345", "amount": 99, "share": 1},
    {"sku": "ZZ-0", "amount": 1, "share": 0.001, "seats": [4, -5]},
]
BAD = [
    {"sku": "AB-123456", "amount": 1},
    {"sku": "ab-1", "amount": 1},
    {"sku": "AB-1", "amount": 0},
    {"sku": "AB-1", "amount": 1, "share": 0},
    {"sku": "AB-1", "amount": 1, "seats": [1, 2, 3]},
]
