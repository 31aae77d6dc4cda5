"""Pydantic model, constraints in each spelling."""
from typing import Annotated, Optional

from pydantic import BaseModel, Field, PositiveInt, StringConstraints, conlist

from graphbus_core import GraphBusNode, subscribe

Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


class Item(BaseModel):
    code: Code
    qty: PositiveInt
    price: float = Field(ge=0, lt=1000)
    size: Annotated[int, Field(multiple_of=5)] = 5


class Basket(BaseModel):
    items: conlist(Item, min_length=1, max_length=2)  # type: ignore[valid-type]
    owner: Optional[Annotated[str, Field(min_length=2)]] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Basket) -> None: ...


GOOD = [
    {"items": [{"code": "ABC", "qty": 1, "price": 0}]},
    {"items": [{"code": "ABC", "qty": 1, "price": 999.5, "size": 15}, {"code": "XYZ", "qty": 2, "price": 3}], "owner": None},
    {"items": [{"code": "ABC", "qty": 1, "price": 0.5}], "owner": "me", "extra": [1]},
]
BAD = [
    {"items": []},
    {"items": [{"code": "abc", "qty": 1, "price": 0}]},
    {"items": [{"code": "ABC", "qty": 0, "price": 0}]},
    {"items": [{"code": "ABC", "qty": 1, "price": 1000}]},
    {"items": [{"code": "ABC", "qty": 1, "price": 0, "size": 7}]},
    {"items": [{"code": "ABC", "qty": 1, "price": 0}], "owner": "x"},
]
