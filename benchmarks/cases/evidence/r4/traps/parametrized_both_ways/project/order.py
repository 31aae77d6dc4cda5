from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Addresses(TypedDict):
    order: str
    billing_zip: str
    delivery_zip: str


class Order(GraphBusNode):
    @schema_method
    def split(self, order: str) -> Addresses:
        return {"order": order, "billing_zip": "10115", "delivery_zip": "80331"}
