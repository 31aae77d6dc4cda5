from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Sale(TypedDict):
    buyer: str
    seller: str
    cents: int


class Till(GraphBusNode):
    @schema_method
    def sale(self, receipt: str) -> Sale:
        return {"buyer": "Ida", "seller": "Kiosk", "cents": 450}
