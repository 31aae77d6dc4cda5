from graphbus_core import GraphBusNode, depends_on, schema_method
from typing import TypedDict


class Item(TypedDict):
    sku: str
    cost: int


class Catalog(GraphBusNode):
    @schema_method
    def item(self, sku: str) -> Item:
        return {"sku": sku, "cost": 499}


class Basket(GraphBusNode):
    @depends_on("Catalog.item")
    @schema_method
    def put(self, sku: str, price: int) -> dict[str, str]:
        return {"row": f"{sku} {price / 100:.2f}"}
