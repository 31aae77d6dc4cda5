"""pydantic constrained types: StringConstraints, conlist, conint, Field(multiple_of), PositiveInt, HttpUrl."""
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, Field, HttpUrl, NonNegativeFloat, PositiveInt, StringConstraints, conint, conlist

from graphbus_core import GraphBusNode, subscribe

Sku = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}-\d+$")]


class Product(BaseModel):
    sku: Sku
    stock: PositiveInt
    weight: NonNegativeFloat = 0.0
    pack: Annotated[int, Field(multiple_of=6)] = 6
    rating: conint(ge=1, le=5) | None = None
    images: conlist(HttpUrl, max_length=2) = []
    price: Annotated[Decimal, Field(max_digits=6, decimal_places=2)] = Decimal("1.00")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Product) -> None:
        self.got = payload


GOOD = [
    {"sku": "ABC-1", "stock": 1},
    {"sku": "ABC-12", "stock": 9, "pack": 12, "rating": 5, "weight": 0, "price": "1234.50"},
    {"sku": "ABC-12", "stock": 9, "images": ["https://example.com/a.png"]},
]
BAD = [
    {"sku": "abc-1", "stock": 1},
    {"sku": "ABC-1", "stock": 0},
    {"sku": "ABC-1", "stock": 1, "pack": 7},
    {"sku": "ABC-1", "stock": 1, "rating": 6},
    {"sku": "ABC-1", "stock": 1, "images": ["no url at all"]},
    {"sku": "ABC-1", "stock": 1, "price": "1.2345"},
]
