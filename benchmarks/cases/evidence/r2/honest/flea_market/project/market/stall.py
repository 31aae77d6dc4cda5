from decimal import Decimal
from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Sold(TypedDict):
    thing: str
    price: Decimal


class Stall(GraphBusNode):
    @schema_method
    def sell(self, thing: str) -> Sold:
        return {"thing": thing, "price": Decimal("0.10")}
