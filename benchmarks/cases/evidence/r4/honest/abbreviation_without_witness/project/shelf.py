from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ShelfResult(TypedDict):
    title: str
    description: str


class Shelf(GraphBusNode):
    @schema_method
    def item(self, sku: str) -> ShelfResult:
        return {"title": "Mug", "description": "blue, 0.3 l"}
