from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Line(TypedDict):
    sku: str
    qty: int


class Lines(TypedDict):
    lines: list[Line]


class Cart(GraphBusNode):
    @schema_method
    def lines(self, cart: str) -> Lines:
        return {"lines": [{"sku": "a", "qty": 2}, {"sku": "b", "qty": 1}]}
